//! R17–R19: what `resq_query` and `resq_stream` refuse, and that nothing has changed then; what they prepare, and when;
//! what they leave behind.
#![allow(clippy::unwrap_used, clippy::expect_used, unsafe_code)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, ffi};
use support::{Encoding, Random, error, one, text};

/// How each of the two is called with one SQL text.
const CALLS: [(&str, &str); 3] = [
    ("resq_query", "select resq_query(?1)"),
    ("resq_query_with", "select resq_query_with('', ?1)"),
    ("resq_stream", "select piece from resq_stream(?1)"),
];

/// The error of a call with this SQL: its extended code and its message.
fn refusal(db: &Connection, call: &str, sql: &str) -> (i32, String) {
    let run = || {
        let mut statement = db.prepare(call)?;
        let mut rows = statement.query([sql])?;
        while rows.next()?.is_some() {}
        Ok(())
    };
    match run() {
        Err(rusqlite::Error::SqliteFailure(code, message)) => {
            (code.extended_code, message.unwrap_or_default())
        }
        other => panic!("no SQLite error but {other:?}\nin {call} of {sql}"),
    }
}

fn database() -> Connection {
    let db = support::connection();
    db.execute_batch(
        "create table t(id integer primary key, s text);
         insert into t values(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e');
         create index i on t(s);",
    )
    .unwrap();
    db
}

const SETTINGS: &[&str] = &[
    "analysis_limit",
    "application_id",
    "auto_vacuum",
    "automatic_index",
    "busy_timeout",
    "cache_size",
    "cache_spill",
    "cell_size_check",
    "checkpoint_fullfsync",
    "defer_foreign_keys",
    "encoding",
    "foreign_keys",
    "fullfsync",
    "hard_heap_limit",
    "ignore_check_constraints",
    "journal_mode",
    "journal_size_limit",
    "legacy_alter_table",
    "locking_mode",
    "max_page_count",
    "page_size",
    "query_only",
    "read_uncommitted",
    "recursive_triggers",
    "reverse_unordered_selects",
    "secure_delete",
    "soft_heap_limit",
    "synchronous",
    "temp_store",
    "threads",
    "trusted_schema",
    "user_version",
    "wal_autocheckpoint",
    "writable_schema",
];

/// All that a refused statement could have changed.
fn state(db: &Connection) -> String {
    let mut state = format!("autocommit {}\n", db.is_autocommit());
    for sql in [
        "select total_changes()",
        "select resq_rows(id, s) from t",
        "select resq_rows(type, name, sql) from (select * from sqlite_schema union all select * from sqlite_temp_schema)",
        "select resq_rows(name) from pragma_database_list",
        "select 'a' like 'A'",
    ] {
        let value: rusqlite::types::Value = one(db, sql).unwrap();
        state += &format!("{sql}: {value:?}\n");
    }
    for name in SETTINGS {
        let value = db.pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0));
        state += &format!("{name}: {value:?}\n");
    }
    state
}

const WRITES: &str = "must be a statement that returns rows and only reads, such as a SELECT";
const SETS: &str = "must only read, and this PRAGMA may not";
const SEVERAL: &str = "holds more than one statement";
const EMPTY: &str = "is empty: one SELECT is needed";

/// SQL that is refused, and what is said about the argument.
const REFUSED: &[(&str, &str)] = &[
    ("commit", WRITES),
    ("end transaction", WRITES),
    ("rollback", WRITES),
    ("begin", WRITES),
    ("begin immediate", WRITES),
    ("savepoint a", WRITES),
    ("release outside", WRITES),
    ("rollback to outside", WRITES),
    ("attach ':memory:' as other", WRITES),
    ("detach extra", WRITES),
    ("vacuum", WRITES),
    ("analyze", WRITES),
    ("reindex", WRITES),
    ("delete from t", WRITES),
    ("update t set s = 'z'", WRITES),
    ("insert into t values(9, 'z')", WRITES),
    ("insert into t values(9, 'z') returning id", WRITES),
    ("update t set s = 'z' returning *", WRITES),
    ("delete from t returning id", WRITES),
    ("with x as (select 1) delete from t", WRITES),
    ("replace into t values(1, 'z')", WRITES),
    ("drop table t", WRITES),
    ("drop index i", WRITES),
    ("alter table t add column z", WRITES),
    ("create table u(x)", WRITES),
    ("create temp table u as select * from t", WRITES),
    ("create view v as select 1", WRITES),
    ("create trigger g after insert on t begin select 1; end", WRITES),
    ("explain delete from t", WRITES),
    ("pragma incremental_vacuum", WRITES),
    ("pragma wal_checkpoint", WRITES),
    // SQLite would carry these out while it prepares them.
    ("pragma foreign_keys = on", SETS),
    ("PRAGMA Foreign_Keys(1)", SETS),
    ("pragma main.foreign_keys = on", SETS),
    ("pragma \"foreign_keys\" = on", SETS),
    ("pragma [main].`foreign_keys` = 'on'", SETS),
    ("explain pragma foreign_keys = on", SETS),
    ("explain query plan pragma foreign_keys = on", SETS),
    (";; /* x */ -- y\n pragma/**/foreign_keys/**/=/**/on", SETS),
    ("\u{feff}pragma foreign_keys = on", SETS),
    (" \u{b}pragma foreign_keys = on", SETS),
    ("\n\u{b}\u{b}explain \u{b} pragma \u{b} foreign_keys \u{b} = on", SETS),
    ("pragma user_version = 7", SETS),
    ("pragma application_id = 7", SETS),
    ("pragma journal_mode = off", SETS),
    ("pragma synchronous = off", SETS),
    ("pragma cache_size = 7", SETS),
    ("pragma case_sensitive_like = on", SETS),
    ("pragma recursive_triggers = on", SETS),
    ("pragma query_only = on", SETS),
    ("pragma writable_schema = on", SETS),
    ("pragma trusted_schema = off", SETS),
    ("pragma temp_store = memory", SETS),
    ("pragma busy_timeout = 7", SETS),
    ("pragma optimize", SETS),
    ("pragma main.optimize;", SETS),
    ("pragma optimize(0xffff)", SETS),
    // One statement, none of which is behind it may so much as be prepared.
    ("select 1; select 2", SEVERAL),
    ("select 1; nonsense", SEVERAL),
    ("select 1;)", SEVERAL),
    ("select 1; pragma foreign_keys = on", SEVERAL),
    ("select 1;; -- x\n /* y */ pragma user_version = 7", SEVERAL),
    ("select 1; explain pragma foreign_keys = on", SEVERAL),
    ("pragma user_version; pragma user_version = 7", SEVERAL),
    ("select $a('); pragma foreign_keys = on; --')", SEVERAL),
    ("select 1; delete from t", SEVERAL),
    ("", EMPTY),
    (" \t\r\n\u{c} ", EMPTY),
    (";", EMPTY),
    (" ; ; -- nothing", EMPTY),
    ("/* nothing", EMPTY),
    ("select 1\0", "holds a NUL character"),
    ("\0", "holds a NUL character"),
];

#[test]
fn refusals_change_nothing() {
    for (name, call) in CALLS {
        let argument = if name == "resq_query_with" { 2 } else { 1 };
        for transaction in [false, true] {
            let db = database();
            db.execute_batch("attach ':memory:' as extra").unwrap();
            if transaction {
                db.execute_batch(
                    "begin; insert into t values(6, 'f'); savepoint outside; insert into t values(7, 'g')",
                )
                .unwrap();
            }
            let before = state(&db);
            for (sql, why) in REFUSED {
                let told = format!("{name}: argument {argument} {why}");
                assert_eq!(refusal(&db, call, sql), (1, told), "{sql:?}");
                assert_eq!(state(&db), before, "{name} of {sql:?}");
            }
            if transaction {
                db.execute_batch("rollback to outside; release outside; rollback").unwrap();
                assert_eq!(text(&db, "select resq_json(id) from t"), "[1,2,3,4,5]");
            }
        }
    }
}

/// Whatever SQLite's PRAGMAs are, in whatever form: none changes anything.
#[test]
fn every_pragma() {
    let db = database();
    // Statistics that PRAGMA optimize would renew.
    db.execute_batch(
        "analyze; with recursive n(i) as (values(10) union all select i + 1 from n where i < 5000) insert into t select i, i from n;
         select id from t where s = '7'",
    )
    .unwrap();
    let state = || format!("{}{}", state(&db), text(&db, "select resq_query('select * from sqlite_stat1')"));
    let mut list = db.prepare("select name from pragma_pragma_list").unwrap();
    let names: Vec<String> = list.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(names.len() > 60);
    let before = state();
    let (mut read, mut refused) = (0, 0);
    for name in &names {
        for form in [
            "pragma {}",
            "pragma main.{};",
            "pragma {} = 1",
            "pragma {}(0)",
            "pragma {} = 'x'",
            "explain pragma {}",
            "explain query plan pragma {}(1)",
            "select 1; pragma {} = 1",
            " \u{b}pragma\u{b} {} = 1",
        ] {
            let sql = form.replace("{}", name);
            let result: rusqlite::Result<String> =
                db.query_row("select resq_query(?)", [&sql], |row| row.get(0));
            if result.is_ok() {
                read += 1
            } else {
                refused += 1
            }
            assert_eq!(state(), before, "{sql}");
        }
    }
    assert!(read > 100 && refused > 300, "{read} {refused}");
}

/// What SQLite itself refuses comes out in its words.
#[test]
fn sqlites_own_refusals() {
    let db = database();
    let before = state(&db);
    for (name, call) in CALLS {
        for (sql, why) in [
            ("select * from nowhere", "no such table: nowhere"),
            ("select nope from t", "no such column: nope"),
            ("select 1 +", "incomplete input"),
            ("selec 1", "near \"selec\": syntax error"),
            ("select 1) union select (2", "near \")\": syntax error"),
            ("(select 1)", "near \"(\": syntax error"),
            ("\u{b}pragma foreign_keys = on", ""),
            ("select 1 where 1 = ", "incomplete input"),
            ("select abs(-9223372036854775807 - 1)", "integer overflow"),
        ] {
            let (code, message) = refusal(&db, call, sql);
            assert_eq!(code, 1, "{message}");
            if !why.is_empty() {
                assert_eq!(message, format!("{name}: {why}"));
            }
            assert_eq!(state(&db), before, "{sql:?}");
        }
    }
}

#[test]
fn parameters_must_match() {
    let db = database();
    for (sql, wanted, given) in [
        ("select ?1", 1, 0),
        ("select 1", 0, 1),
        ("select ?, ?", 2, 1),
        ("select ?, ?", 2, 3),
        ("select ?5", 5, 1),
        ("select :a, :a", 1, 2),
    ] {
        let call = format!("select resq_query('{sql}'{})", ", 1".repeat(given));
        let s = if wanted == 1 { "" } else { "s" };
        let told = format!("resq_query: the statement takes {wanted} parameter{s}, not {given}");
        assert_eq!(error(&db, &call), (1, told));
        let call = format!("select resq_query('{sql}'{})", ", 1".repeat(wanted));
        assert!(text(&db, &call).starts_with('['));
    }
}

/// Bits and bytes, not only types.
#[test]
fn parameters_keep_their_values() {
    use rusqlite::types::Value;
    for encoding in Encoding::ALL {
        let db = support::connection_in(encoding);
        for value in [
            Value::Null,
            Value::Integer(i64::MIN),
            Value::Integer(i64::MAX),
            Value::Real(5e-324),
            Value::Real(-0.0),
            Value::Real(1.0),
            Value::Text(String::new()),
            Value::Text("ä\0😀".to_owned()),
            Value::Blob(vec![]),
            Value::Blob(vec![0, 255, 0]),
        ] {
            let sql = "select resq_query('select typeof(?1) t, ?1 v', ?1) = resq_json('t', typeof(?1), 'v', ?1), resq_query('select ?1 v', ?1)";
            let (same, json): (bool, String) =
                db.query_row(sql, [&value], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            assert!(same, "{value:?} in {encoding:?}: {json}");
        }
    }
}

/// A connection on which `boom()` fails with a result code of another module's, and `stop()` interrupts.
fn with_functions() -> Connection {
    let db = database();
    db.create_scalar_function("boom", 1, FunctionFlags::SQLITE_UTF8, |context| {
        let code: i32 = context.get(0)?;
        Err::<i64, _>(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None))
    })
    .unwrap();
    let handle = db.get_interrupt_handle();
    db.create_scalar_function("stop", 0, FunctionFlags::SQLITE_UTF8, move |_| {
        handle.interrupt();
        Ok(1)
    })
    .unwrap();
    db
}

/// The connection is as good as before: nothing is being read, nothing is left.
fn unharmed(db: &Connection) {
    assert!(!db.is_busy());
    db.execute_batch(
        "create table gone(x); drop table gone; begin; insert into t values(100, 'x'); rollback;",
    )
    .unwrap();
    assert_eq!(
        text(db, "select resq_query('select id from t')"),
        r#"[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}]"#
    );
}

#[test]
fn extended_codes_come_through() {
    let db = with_functions();
    for code in [ffi::SQLITE_IOERR_READ, ffi::SQLITE_CONSTRAINT_UNIQUE, ffi::SQLITE_BUSY_SNAPSHOT, 1, 21] {
        for (name, call) in CALLS {
            for sql in [
                format!("select boom({code})"),
                format!("select case id when 4 then boom({code}) else id end from t"),
            ] {
                let (known, why) = error(&db, &sql);
                assert_eq!(known, code);
                assert_eq!(refusal(&db, call, &sql), (code, format!("{name}: {why}")), "{sql}");
                unharmed(&db);
            }
        }
    }
}

const LONG: &str = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000000)";

#[test]
fn interrupts() {
    let db = with_functions();
    for (name, call) in CALLS {
        for sql in [
            format!("{LONG} select case i when 500 then stop() else i end x from n"),
            format!("{LONG} select stop() from n where i = 500 or i = 9999999"),
        ] {
            let (code, message) = refusal(&db, call, &sql);
            assert_eq!(code, ffi::SQLITE_INTERRUPT);
            // Between two pieces of a stream it is the outer statement that is interrupted.
            assert!(
                message == format!("{name}: interrupted")
                    || (name == "resq_stream" && message == "interrupted"),
                "{message}"
            );
            unharmed(&db);
        }
    }
    let mut db = database();
    for (name, call) in CALLS {
        db.progress_handler(1000, Some(|| true)).unwrap();
        let sql = format!("{LONG} select i from n");
        assert_eq!(refusal(&db, call, &sql), (ffi::SQLITE_INTERRUPT, format!("{name}: interrupted")));
        db.progress_handler(0, None::<fn() -> bool>).unwrap();
        unharmed(&db);
    }
}

#[test]
fn an_authorizer_that_denies() {
    for (name, call) in CALLS {
        let mut db = database();
        db.authorizer(Some(|context: AuthContext<'_>| match context.action {
            AuthAction::Read { table_name: "t", column_name: "s" } => Authorization::Deny,
            AuthAction::Function { function_name: "upper" } => Authorization::Deny,
            _ => Authorization::Allow,
        }))
        .unwrap();
        let told = format!("{name}: access to t.s is prohibited");
        assert_eq!(refusal(&db, call, "select * from t"), (ffi::SQLITE_AUTH, told));
        let told = format!("{name}: not authorized to use function: upper");
        assert_eq!(refusal(&db, call, "select upper(id) from t"), (1, told));
        unharmed(&db);
        // What is ignored reads as NULL.
        db.authorizer(Some(|context: AuthContext<'_>| match context.action {
            AuthAction::Read { column_name: "s", .. } => Authorization::Ignore,
            _ => Authorization::Allow,
        }))
        .unwrap();
        assert_eq!(text(&db, "select resq_query('select * from t where id = 1')"), r#"[{"id":1,"s":null}]"#);
    }
}

// ── depth, re-entrancy ──────────────────────────────────────────────────────────────────────────────────────

#[test]
fn sixteen_levels() {
    let db = support::connection();
    db.execute_batch("create table f(query text, stream text)").unwrap();
    db.execute(
        "insert into f values(?, ?)",
        (
            "select case when ?1 > 1 then resq_query((select query from f), ?1 - 1) else '\"end\"' end \"x:json\"",
            "select group_concat(piece) x from f, resq_stream(f.stream)",
        ),
    )
    .unwrap();
    let nested = |depth: usize| format!("select resq_query((select query from f), {depth})");
    let expected = (0..15).fold(r#"[{"x":"end"}]"#.to_owned(), |inner, _| format!(r#"[{{"x":{inner}}}]"#));
    assert_eq!(text(&db, &nested(16)), expected);
    let told = "resq_query: queries are nested deeper than 16 levels".to_owned();
    for _ in 0..3 {
        assert_eq!(error(&db, &nested(17)), (1, told.clone()));
    }
    // Without end, and through the table function
    let (code, message) = error(&db, &nested(1_000_000));
    assert_eq!((code, message), (1, told));
    let (code, message) = error(&db, "select * from resq_stream((select stream from f))");
    assert_eq!(code, 1);
    assert!(message.ends_with("queries are nested deeper than 16 levels"), "{message}");
    // The levels are given back.
    assert_eq!(text(&db, &nested(16)), expected);
    // Side by side is no depth.
    let wide = format!("select {}", vec!["resq_query('select 1')"; 100].join(" || "));
    assert_eq!(text(&db, &wide), r#"[{"1":1}]"#.repeat(100));
}

#[test]
fn a_query_in_a_query_in_a_query() {
    let db = database();
    let sql = "select resq_query('select id, resq_query(''select id, resq_query(''''select s from t where id = ?'''', id) as \"b:json\" from t where id <= ?'', id) as \"a:json\" from t where id <= ?', 2)";
    assert_eq!(
        text(&db, sql),
        r#"[{"id":1,"a":[{"id":1,"b":[{"s":"a"}]}]},{"id":2,"a":[{"id":1,"b":[{"s":"a"}]},{"id":2,"b":[{"s":"b"}]}]}]"#
    );
    // The same text, called from inside of itself: the running statement is not used twice.
    db.execute_batch("create table q(s text)").unwrap();
    db.execute(
        "insert into q values(?)",
        ["select id, case when ?1 > 0 then resq_query((select s from q), ?1 - 1) end as \"in:json\" from t where id < 3"],
    )
    .unwrap();
    assert_eq!(
        text(&db, "select resq_query((select s from q), 1)"),
        r#"[{"id":1,"in":[{"id":1,"in":null},{"id":2,"in":null}]},{"id":2,"in":[{"id":1,"in":null},{"id":2,"in":null}]}]"#
    );
}

/// A function of the application's that runs the very statement again that is calling it.
#[test]
fn a_function_that_queries_the_same_connection() {
    let db = database();
    db.create_scalar_function("again", 1, FunctionFlags::SQLITE_UTF8, |context| {
        let depth: i64 = context.get(0)?;
        // SAFETY: the connection is used here and by nobody else meanwhile.
        let db = unsafe { context.get_connection()? };
        let sql = "select resq_query('select id, case when ?1 > 0 then again(?1 - 1) end r from t where id < 3', ?)";
        db.query_row(sql, [depth], |row| row.get::<_, String>(0))
    })
    .unwrap();
    let leaf = r#"[{"id":1,"r":null},{"id":2,"r":null}]"#;
    let quoted = serde_json::to_string(leaf).unwrap();
    assert_eq!(text(&db, "select again(1)"), format!(r#"[{{"id":1,"r":{quoted}}},{{"id":2,"r":{quoted}}}]"#));
}

// ── the kept statement ──────────────────────────────────────────────────────────────────────────────────────

/// Counts how often statements that read table `c` are prepared.
fn counting(rows: usize) -> (Connection, Arc<AtomicUsize>) {
    let mut db = support::connection();
    db.execute_batch("create table p(id integer primary key); create table c(parent integer, note text)")
        .unwrap();
    for id in 0..rows {
        db.execute("insert into p values(?)", [id as i64]).unwrap();
        db.execute("insert into c values(?1, 'note ' || ?1)", [id as i64]).unwrap();
    }
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    db.authorizer(Some(move |context: AuthContext<'_>| {
        if let AuthAction::Read { table_name: "c", column_name: "note" } = context.action {
            counter.fetch_add(1, SeqCst);
        }
        Authorization::Allow
    }))
    .unwrap();
    (db, count)
}

#[test]
fn a_correlated_query_is_prepared_once() {
    // On a new connection each, which has kept nothing yet.
    let prepared = |sql: &str| {
        let (db, count) = counting(100);
        let mut statement = db.prepare(sql).unwrap();
        let rows: Vec<String> =
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        (rows, count.load(SeqCst))
    };
    let (rows, once) = prepared("select resq_query('select note from c where parent = ?', id) from p");
    assert_eq!(rows.len(), 100);
    for (id, row) in rows.iter().enumerate() {
        assert_eq!(*row, format!(r#"[{{"note":"note {id}"}}]"#));
    }
    assert_eq!(once, 1);
    // With choices, with a parameter for the SQL, in WHERE, nested: the same for each.
    for (sql, times) in [
        ("select resq_query_with('ascii', 'select note from c where parent = ?', id) from p", 1),
        ("select id || '' from p where resq_query('select note from c where parent = ?', id) <> ''", 1),
        (
            "select resq_query('select id, resq_query(''select note from c where parent = ?'', id) \"c:json\" from p')",
            1,
        ),
        (
            "select resq_query('select note from c where parent = ?', id) || resq_query('select note from c where parent = ?', id) from p",
            2,
        ),
        // A text of each row's own is another statement each time: the count can count.
        ("select resq_query('select note from c where parent = ' || id) from p", 100),
    ] {
        assert_eq!(prepared(sql).1, times, "{sql}");
    }
}

/// A failure of one row's query does not spoil the kept statement for the next run.
#[test]
fn a_kept_statement_survives_an_error() {
    let db = with_functions();
    let sql =
        "select resq_query('select case ?1 when 3 then boom(10) else ?1 end x', id) from t where id <> ?";
    let mut statement = db.prepare(sql).unwrap();
    for _ in 0..2 {
        let mut rows = statement.query([0]).unwrap();
        for id in 1..3 {
            let row: String = rows.next().unwrap().unwrap().get(0).unwrap();
            assert_eq!(row, format!(r#"[{{"x":{id}}}]"#));
        }
        assert!(rows.next().is_err());
        drop(rows);
        let good: Vec<String> =
            statement.query_map([3], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(good.len(), 4);
    }
}

#[test]
fn a_schema_that_changes_between_runs() {
    let db = database();
    let mut statement = db.prepare("select resq_query('select * from t where id = 1')").unwrap();
    let mut run = || statement.query_row([], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(run(), r#"[{"id":1,"s":"a"}]"#);
    db.execute_batch("alter table t add column z default 7").unwrap();
    assert_eq!(run(), r#"[{"id":1,"s":"a","z":7}]"#);
    db.execute_batch("alter table t rename column s to \"n:json\"; update t set \"n:json\" = '[1]'").unwrap();
    assert_eq!(run(), r#"[{"id":1,"n":[1],"z":7}]"#);
    db.execute_batch("drop table t; create table t(only_one); insert into t(rowid, only_one) values(1, 2)")
        .unwrap();
    let mut statement = db.prepare("select resq_query('select * from t')").unwrap();
    assert_eq!(statement.query_row([], |row| row.get::<_, String>(0)).unwrap(), r#"[{"only_one":2}]"#);
}

#[test]
fn a_schema_that_changes_within_a_run() {
    let db = support::connection();
    db.execute_batch("create table t(id, s); insert into t values(1, 'a'), (2, 'b')").unwrap();
    let sql = "with recursive n(i) as (values(1) union all select i + 1 from n where i < 6) select resq_query('select * from t where id = ?', 1) from n";
    let mut statement = db.prepare(sql).unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut next = || rows.next().unwrap().unwrap().get::<_, String>(0).unwrap();
    assert_eq!(next(), r#"[{"id":1,"s":"a"}]"#);
    // More columns, other names, fewer columns, a mark.
    db.execute_batch("alter table t add column z default 7").unwrap();
    assert_eq!(next(), r#"[{"id":1,"s":"a","z":7}]"#);
    db.execute_batch("alter table t rename column s to r").unwrap();
    assert_eq!(next(), r#"[{"id":1,"r":"a","z":7}]"#);
    db.execute_batch("alter table t drop column r").unwrap();
    assert_eq!(next(), r#"[{"id":1,"z":7}]"#);
    db.execute_batch("alter table t rename column z to \"z:json\"; update t set \"z:json\" = '[8]'").unwrap();
    assert_eq!(next(), r#"[{"id":1,"z":[8]}]"#);
    // Between statements that are not running, even the table may go.
    db.execute_batch("drop table t").unwrap();
    assert!(rows.next().unwrap_err().to_string().contains("no such table: t"));
}

// ── what is left behind ─────────────────────────────────────────────────────────────────────────────────────

/// Somebody else can take the whole file while the outer statement, which reads nothing, stands on a row.
#[test]
fn no_read_transaction_stays_open() {
    let file = support::folder("query-locks").join("file.db");
    let db = Connection::open(&file).unwrap();
    support::load(&db, support::extension()).unwrap();
    db.execute_batch("create table t(id); insert into t values(1), (2), (3)").unwrap();
    let other = Connection::open(&file).unwrap();
    other.busy_timeout(std::time::Duration::ZERO).unwrap();
    let free = || other.execute_batch("begin exclusive; commit").is_ok();
    assert!(free());

    let two = "with recursive n(i) as (values(1) union all select i + 1 from n where i < 3) ";
    for call in ["resq_query('select * from t')", "resq_query('select id from t where id = ?', i)"] {
        let mut statement = db.prepare(&format!("{two} select {call} from n")).unwrap();
        let mut rows = statement.query([]).unwrap();
        while rows.next().unwrap().is_some() {
            assert!(free(), "{call}");
        }
    }
    // After an error in the middle of the rows
    let sql =
        "select resq_query('select case id when 2 then abs(-9223372036854775807 - 1) else id end x from t')";
    let mut statement = db.prepare(sql).unwrap();
    assert!(statement.query([]).unwrap().next().is_err());
    assert!(free());
    // A stream holds its lock while it has rows to come, and no longer.
    let mut statement =
        db.prepare("select piece from resq_stream_with('piece=1', 'select id from t')").unwrap();
    let mut rows = statement.query([]).unwrap();
    rows.next().unwrap().unwrap();
    assert!(!free(), "the check can fail");
    drop(rows);
    assert!(free());
}

#[test]
fn a_transaction_goes_on() {
    let db = database();
    db.execute_batch("begin; insert into t values(6, 'f')").unwrap();
    assert_eq!(text(&db, "select resq_query('select count(*) n from t')"), r#"[{"n":6}]"#);
    assert!(!db.is_autocommit());
    db.execute_batch("commit; drop table t").unwrap();
}

// ── columns ─────────────────────────────────────────────────────────────────────────────────────────────────

/// R21: to the byte.
#[test]
fn the_limit_is_exact() {
    let db = support::connection();
    db.set_limit(rusqlite::limits::Limit::SQLITE_LIMIT_LENGTH, 3000).unwrap();
    for call in [
        "resq_query('select ? a', ?1)",
        "resq_query_with('ascii', 'select 1 x, ? a union all select 2, null', ?1)",
    ] {
        let length = |count: usize| {
            db.query_row(&format!("select {call}"), ["x".repeat(count)], |row| row.get::<_, String>(0))
        };
        let more = length(0).unwrap().len();
        assert_eq!(length(3000 - more).unwrap().len(), 3000);
        let refused = length(3000 - more + 1).unwrap_err();
        assert_eq!(refused.sqlite_error_code(), Some(rusqlite::ErrorCode::TooBig));
    }
}

#[test]
fn as_many_columns_as_sqlite_takes() {
    let db = support::connection();
    let columns = |count: usize| (0..count).map(|i| format!("{i} + n c{i}")).collect::<Vec<_>>().join(", ");
    let sql = format!("select {} from (select 0 n union all select 1)", columns(2000));
    let json: String = db.query_row("select resq_query(?)", [&sql], |row| row.get(0)).unwrap();
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    for n in 0..2 {
        let row = rows[n].as_object().unwrap();
        assert_eq!(row.len(), 2000);
        for (i, (key, value)) in row.iter().enumerate() {
            assert_eq!((key.as_str(), value.as_u64()), (format!("c{i}").as_str(), Some((i + n) as u64)));
        }
    }
    let (code, message) = refusal(&db, "select resq_query(?)", &format!("select {}", columns(2001)));
    assert_eq!((code, message.as_str()), (1, "resq_query: too many columns in result set"));
    // All of one name
    let sql = format!("select {}", vec!["1 n"; 2000].join(", "));
    let json: String = db.query_row("select resq_query(?)", [&sql], |row| row.get(0)).unwrap();
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows[0].as_object().unwrap().len(), 2000, "no name twice");
}

/// Names that repeat are made different, and the first of each stays as it is; whatever the names are.
#[test]
fn names_never_clash() {
    let db = support::connection();
    let mut random = Random(7);
    let names = ["n", "n_2", "n_3", "n_2_2", "N", "", "_2", "ä", "n:json", ":json", "n_10"];
    for _ in 0..500 {
        let count = 1 + random.below(14);
        let chosen: Vec<&str> = (0..count).map(|_| *random.pick(&names)).collect();
        let sql: Vec<String> = chosen.iter().enumerate().map(|(i, name)| format!("{i} \"{name}\"")).collect();
        let sql = format!("select {}", sql.join(", "));
        let json: String = db.query_row("select resq_query(?)", [&sql], |row| row.get(0)).unwrap();
        let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
        let row = rows[0].as_object().unwrap();
        assert_eq!(row.len(), count, "{sql}\n{json}");
        let mut seen: Vec<&str> = Vec::new();
        for (i, (key, name)) in row.keys().zip(&chosen).enumerate() {
            assert_eq!(row[key], i, "in order");
            let bare = name.strip_suffix(":json").filter(|bare| !bare.is_empty()).unwrap_or(name);
            assert!(key.starts_with(bare), "{key} of {name}");
            if !seen.contains(&bare) {
                assert_eq!(key, bare, "the first of a name keeps it; {sql}");
            }
            seen.push(bare);
        }
    }
}

/// The same rows through `resq_query` and through the aggregate that is told the names.
#[test]
fn the_same_as_the_aggregate() {
    use rusqlite::types::Value;
    let mut random = Random(8);
    for encoding in Encoding::ALL {
        let db = support::connection_in(encoding);
        db.execute_batch("create table t(a, b, \"ä\"\"\")").unwrap();
        for _ in 0..400 {
            let mut value = || match random.below(6) {
                0 => Value::Null,
                1 => Value::Integer((random.next() >> random.below(64)) as i64),
                2 => Value::Real(f64::from_bits(random.next())),
                3 => Value::Text("x\"ä".repeat(random.below(50))),
                4 => Value::Text(
                    String::from_utf8_lossy(&{
                        let n = random.below(30);
                        random.bytes(n)
                    })
                    .into_owned(),
                ),
                _ => Value::Blob({
                    let n = random.below(700);
                    random.bytes(n)
                }),
            };
            let row = [value(), value(), value()];
            db.execute("insert into t values(?, ?, ?)", row).unwrap();
        }
        for choices in
            ["", "ascii", "blob-url bigint-text", "omit-null", "omit-null ascii bigint-text blob-url"]
        {
            let query: String = db
                .query_row("select resq_query_with(?, 'select * from t')", [choices], |r| r.get(0))
                .unwrap();
            let aggregate: String = db
                .query_row(
                    "select resq_json_with(?, 'a', a, 'b', b, 'ä\"', \"ä\"\"\") from t",
                    [choices],
                    |r| r.get(0),
                )
                .unwrap();
            assert!(query == aggregate, "{choices}");
            serde_json::from_str::<serde_json::Value>(&query).unwrap();
        }
        assert_eq!(
            text(&db, "select resq_query('select * from t')"),
            text(&db, "select resq_query_with('', 'select * from t')")
        );
    }
}

// ── in one step or step by step, the same ───────────────────────────────────────────────────────────────────

/// A compound SELECT gives a table expression's columns an affinity that its own rows do not have.
#[test]
fn compound_selects_keep_their_integers() {
    let db = support::connection();
    db.execute_batch(
        "create table p(price real); insert into p values(1.5);
         create table ids(id integer); insert into ids values(9007199254740993)",
    )
    .unwrap();
    for (sql, rows) in [
        ("select price v from p union all select id from ids", r#"[{"v":1.5},{"v":9007199254740993}]"#),
        ("select id v from ids UNION select price from p", r#"[{"v":1.5},{"v":9007199254740993}]"#),
        ("select id v from ids except select price from p", r#"[{"v":9007199254740993}]"#),
        ("select id v from ids intersect select id from ids", r#"[{"v":9007199254740993}]"#),
    ] {
        assert_eq!(text(&db, &format!("select resq_query('{sql}')")), rows);
    }
}

/// An error before the first row is an error, and nothing runs twice.
#[test]
fn what_fails_at_first_is_not_tried_again() {
    let mut db = support::connection();
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    db.create_scalar_function("flaky", 1, FunctionFlags::SQLITE_UTF8, move |context| {
        match counter.fetch_add(1, SeqCst) {
            0 => Err(rusqlite::Error::UserFunctionError("not today".into())),
            _ => context.get::<i64>(0),
        }
    })
    .unwrap();
    assert_eq!(error(&db, "select resq_query('select flaky(1) f')"), (1, "resq_query: not today".to_owned()));
    assert_eq!(calls.load(SeqCst), 1);

    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    db.progress_handler(5000, Some(move || counter.fetch_add(1, SeqCst) == 0)).unwrap();
    // The first in one step, the second, for the word in its comment, step by step.
    let sql = "with recursive c(x) as (values(1)) select count(*) from t, t b, t c, t d";
    db.execute_batch("create table t(x)").unwrap();
    for x in 0..40 {
        db.execute("insert into t values(?)", [x]).unwrap();
    }
    for sql in [sql, &format!("{sql} /* union */")] {
        asked.store(0, SeqCst);
        let (code, message) = error(&db, &format!("select resq_query('{sql}')"));
        assert_eq!((code, message.as_str()), (ffi::SQLITE_INTERRUPT, "resq_query: interrupted"), "{sql}");
    }
}

/// Where SQLite does not call our aggregate, the rows come step by step.
#[test]
fn rows_that_go_elsewhere_are_not_lost() {
    let mut db = support::connection();
    db.execute_batch("create table t(a, b); insert into t values(1, 2), (3, 4)").unwrap();
    db.authorizer(Some(|context: AuthContext<'_>| match context.action {
        AuthAction::Function { function_name: "resq_rows" } => Authorization::Ignore,
        _ => Authorization::Allow,
    }))
    .unwrap();
    assert_eq!(text(&db, "select resq_query('select * from t')"), r#"[{"a":1,"b":2},{"a":3,"b":4}]"#);
}

/// A quotation mark that is doubled does not end a name.
#[test]
fn a_pragma_behind_doubled_quotes() {
    let db = support::connection();
    db.execute_batch("attach ':memory:' as 'table_info\"x'; pragma foreign_keys = 0").unwrap();
    error(&db, r#"select resq_query('pragma "table_info""x".foreign_keys = on')"#);
    assert_eq!(one::<i64>(&db, "pragma foreign_keys").unwrap(), 0);
}
