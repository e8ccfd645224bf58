//! Every result is that of a new connection, whatever has changed between two calls.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, ffi};

use crate::connections::{ALL, FILL, ROWS, database, file, fresh, keeping_nothing, outcome, statements};
use crate::support::{self, Random, alone, error, text};

#[test]
fn pragmas_are_read_anew() {
    let _alone = alone();
    let db = database();
    for version in 0..3 {
        db.execute_batch(&format!("pragma user_version = {version}; pragma cache_size = {}", version + 100))
            .unwrap();
        for sql in ["pragma user_version", "select user_version from pragma_user_version"] {
            let rows = text(&db, &format!("select resq_query('{sql}')"));
            assert_eq!(rows, format!(r#"[{{"user_version":{version}}}]"#));
        }
        let rows = text(&db, "select resq_query('pragma cache_size')");
        assert_eq!(rows, format!(r#"[{{"cache_size":{}}}]"#, version + 100));
    }
}

/// A new connection learns from the file's schema that its text is UTF-16.
#[test]
fn an_encoding_that_is_found_out_late() {
    let _alone = alone();
    let calls = [
        ("select resq_query('select ''hello'' a')", r#"[{"a":"hello"}]"#),
        ("select resq_query('select ''hello'' a order by 1')", r#"[{"a":"hello"}]"#),
        (
            "select column1 || resq_query('select 1 b') || 'lit' from (values ('one'), ('two')) where column1 || 'x' <> 'twox'",
            r#"one[{"b":1}]lit"#,
        ),
        ("select resq_query('select s a from t where s = ''b''')", r#"[{"a":"b"}]"#),
        ("select resq_query('select ''hello'' a')", r#"[{"a":"hello"}]"#),
    ];
    for encoding in [support::Encoding::Utf16le, support::Encoding::Utf16be] {
        let path = support::folder("kept-encoding").join("file.db");
        let db = Connection::open(&path).unwrap();
        db.pragma_update(None, "encoding", encoding.name()).unwrap();
        db.execute_batch(FILL).unwrap();
        db.close().unwrap();
        let db = Connection::open(&path).unwrap();
        support::load(&db, support::extension()).unwrap();
        for _ in 0..3 {
            for (call, result) in calls {
                assert_eq!(text(&db, call), result);
            }
        }
        // An older SQLite, where nothing is kept
        let mut shell = Command::new("sqlite3");
        shell.arg(&path).arg(format!(".load {}", support::extension().to_str().unwrap()));
        shell.args(calls.map(|(call, _)| call)).args(calls.map(|(call, _)| call));
        match shell.output() {
            Ok(output) if output.status.success() => {
                let lines = calls.map(|(_, result)| format!("{result}\n")).concat();
                assert_eq!(String::from_utf8_lossy(&output.stdout), lines.repeat(2));
            }
            other => support::skip("a sqlite3 shell that loads extensions", &format!("{other:?}")),
        }
    }
}

/// Another database image with the same schema cookie
#[test]
fn a_database_that_is_replaced() {
    let _alone = alone();
    let db = support::connection();
    let images = [
        "create table t(a, b); create table u(x); insert into t values(1, 2); insert into u values('u')",
        "create table u(x); create table t(b, c); insert into t values('B', 'C'); insert into u values('U')",
    ]
    .map(|fill| {
        let other = Connection::open_in_memory().unwrap();
        other.execute_batch(fill).unwrap();
        let mut size = 0;
        // SAFETY: an open connection; the image is copied out of the memory that is handed over, and freed.
        unsafe {
            let image = ffi::sqlite3_serialize(other.handle(), c"main".as_ptr(), &mut size, 0);
            let copy = std::slice::from_raw_parts(image, usize::try_from(size).unwrap()).to_vec();
            ffi::sqlite3_free(image.cast());
            copy
        }
    });
    for round in 0..4 {
        let image = &images[round % 2];
        let size = i64::try_from(image.len()).unwrap();
        // SAFETY: an open connection, and memory of SQLite's with the image, handed over.
        unsafe {
            let memory: *mut u8 = ffi::sqlite3_malloc64(image.len() as u64).cast();
            memory.copy_from_nonoverlapping(image.as_ptr(), image.len());
            let flags = ffi::SQLITE_DESERIALIZE_FREEONCLOSE;
            let code = ffi::sqlite3_deserialize(db.handle(), c"main".as_ptr(), memory, size, size, flags);
            assert_eq!(code, ffi::SQLITE_OK);
        }
        for sql in [ALL, "select resq_query('select * from t order by 1')"] {
            let expected = [r#"[{"a":1,"b":2}]"#, r#"[{"b":"B","c":"C"}]"#][round % 2];
            assert_eq!(text(&db, sql), expected, "{round}");
        }
    }
}

/// A main database that goes by another name
#[test]
fn main_by_another_name() {
    let _alone = alone();
    let db = database();
    let call = |name: &str| format!("select resq_query('select count(*) n from {name}.t')");
    // One place for all names
    let place = Box::leak(Box::new([0_u8; 8])).as_mut_ptr();
    let rename = |name: &'static std::ffi::CStr| {
        // SAFETY: room for the name, which lives forever; an open connection.
        let code = unsafe {
            place.copy_from_nonoverlapping(name.as_ptr().cast(), name.to_bytes_with_nul().len());
            ffi::sqlite3_db_config(db.handle(), ffi::SQLITE_DBCONFIG_MAINDBNAME, place)
        };
        assert_eq!(code, ffi::SQLITE_OK);
    };
    for _ in 0..2 {
        rename(c"foo");
        assert_eq!(text(&db, &call("foo")), r#"[{"n":3}]"#);
        rename(c"bar");
        assert_eq!(error(&db, &call("foo")), (1, "resq_query: no such table: foo.t".to_owned()));
        assert_eq!(text(&db, &call("bar")), r#"[{"n":3}]"#);
    }
}

/// The schema changes at random between calls; each time the result is that of a connection that has just come.
#[test]
fn a_schema_that_changes() {
    let _alone = alone();
    let changes = [
        "alter table t add column z default 7",
        "alter table t rename column s to r",
        "alter table t rename column r to \"s:json\"",
        "alter table t drop column z",
        "drop table t; create table t(s, id); insert into t values('[1]', 2)",
        "drop table t; create table t(id, s); insert into t values(1, '[2]')",
        "drop table if exists t",
        "create table if not exists t(id, s, \"s\"\" x\"); insert into t(s) values('[3]')",
        "create temp table t(s, id, n); insert into temp.t values('[4]', 5, 6)",
        "create temp table t(id, s); insert into temp.t values('[5]', 8)",
        "drop table temp.t",
        "attach ':memory:' as x; create table x.t(id, s); insert into x.t values('[6]', 9)",
        "attach ':memory:' as x; create table x.t(a, b, c); insert into x.t values('[7]', 9, 10)",
        "detach x",
        "create view v as select * from t",
        "create view v as select 1 as one, s from t",
        "drop view v",
        "create index i on t(s)",
        "drop index i",
        "alter table t rename to u",
        "alter table u rename to t",
        "analyze",
        "vacuum",
        "pragma reverse_unordered_selects = 1",
        "pragma reverse_unordered_selects = 0",
        "begin; alter table t add column gone; rollback",
        "delete from t",
    ];
    let sqls = [
        "select resq_query('select * from t')",
        "select resq_query('select * from t order by 1')",
        "select resq_query('select * from x.t')",
        "select resq_query('select * from v')",
        "select resq_query_with('omit-null', 'select s, * from t')",
        "select resq_query('select count(*) n, ? as p from t', 5)",
        "select resq_query('explain query plan select * from t where s = 1')",
    ];
    let (mut random, mut most) = (Random(31), 0);
    for _ in 0..60 {
        let (kept, new) = (database(), keeping_nothing());
        new.execute_batch(FILL).unwrap();
        for _ in 0..25 {
            let change: &&str = random.pick(&changes);
            let done = [&kept, &new].map(|db| db.execute_batch(change).map_err(|error| error.to_string()));
            assert_eq!(done[0], done[1], "{change}");
            for sql in sqls {
                assert_eq!(outcome(&kept, sql), outcome(&new, sql), "{sql} after {change}");
            }
            assert!(statements(&new).is_empty());
        }
        most = most.max(statements(&kept).len());
        kept.close().unwrap();
    }
    assert!(most > 4, "{most}");
}

/// A statement that reads an attached database would not see that its table's name now means another table.
#[test]
fn a_table_that_comes_before_an_attached_one() {
    let _alone = alone();
    let (db, path) = file("kept-shadow");
    drop(db);
    let (db, x, n) = (support::connection(), r#"[{"s":"a"}]"#, r#"[{"n":1}]"#);
    let other = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    for sql in ["select resq_query('select * from u')", "select resq_query('select * from u order by 1')"] {
        db.execute_batch("create table u(n); insert into u values(1)").unwrap();
        other("create table if not exists u as select s from t limit 1");
        assert_eq!(text(&db, sql), n);
        db.execute("attach ? as x", [path.to_str().unwrap()]).unwrap();
        for _ in 0..3 {
            assert_eq!(text(&db, sql), n);
            db.execute_batch("drop table u").unwrap();
            assert_eq!(text(&db, sql), x);
            db.execute_batch("create table u(n); insert into u values(1)").unwrap();
            assert_eq!(text(&db, sql), n);
        }
        db.execute_batch("detach x").unwrap();
        assert_eq!(text(&db, sql), n);
        assert!(!statements(&db).is_empty());
        db.execute_batch("drop table u").unwrap();
    }
}

/// Names are right from the first run on, and nothing runs twice to make them so.
#[test]
fn a_query_never_runs_twice() {
    let _alone = alone();
    let db = database();
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    db.create_scalar_function("tick", 1, FunctionFlags::SQLITE_UTF8, move |context| {
        counter.fetch_add(1, SeqCst);
        context.get::<i64>(0)
    })
    .unwrap();
    for sql in [
        "select resq_query('select *, tick(id) k from t')",
        "select resq_query('select *, tick(id) k from t order by 1')",
    ] {
        db.execute_batch("drop table t").unwrap();
        db.execute_batch(FILL).unwrap();
        for (change, first) in [
            ("", r#"{"id":1,"s":"a","k":1}"#),
            ("alter table t rename column s to r", r#"{"id":1,"r":"a","k":1}"#),
            ("alter table t add column z default 7", r#"{"id":1,"r":"a","z":7,"k":1}"#),
            ("alter table t rename column z to \"y:json\"", r#"{"id":1,"r":"a","y":7,"k":1}"#),
            ("alter table t drop column r", r#"{"id":1,"y":7,"k":1}"#),
            ("alter table t drop column \"y:json\"", r#"{"id":1,"k":1}"#),
            ("create index i on t(id)", r#"{"id":1,"k":1}"#),
        ] {
            db.execute_batch(change).unwrap();
            for _ in 0..2 {
                count.store(0, SeqCst);
                let rows = text(&db, sql);
                assert!(rows.starts_with(&format!("[{first},")), "{change}: {rows}");
                assert_eq!(count.load(SeqCst), 3, "{change}");
            }
        }
    }
}

/// An authorizer that is set later is asked, and what it says comes out as ever.
#[test]
fn an_authorizer_that_comes_later() {
    let _alone = alone();
    type Judge = fn(AuthContext<'_>) -> Authorization;
    let judges: [Judge; 5] = [
        |context| match context.action {
            AuthAction::Read { column_name: "s", .. } => Authorization::Deny,
            _ => Authorization::Allow,
        },
        |context| match context.action {
            AuthAction::Read { column_name: "s", .. } => Authorization::Ignore,
            _ => Authorization::Allow,
        },
        |context| match context.action {
            AuthAction::Function { function_name: "upper" } => Authorization::Deny,
            _ => Authorization::Allow,
        },
        |context| match context.action {
            AuthAction::Function { function_name: "resq_sink" } => Authorization::Deny,
            _ => Authorization::Allow,
        },
        |context| match context.action {
            AuthAction::Read { table_name: "resq_query" | "resq_stream", .. } => Authorization::Deny,
            _ => Authorization::Allow,
        },
    ];
    for judge in judges {
        for sql in [
            "select resq_query('select s from t')",
            "select resq_query('select upper(id) u from t')",
            "select resq_query('select s from t order by 1')",
        ] {
            let mut kept = database();
            text(&kept, sql);
            assert!(!statements(&kept).is_empty());
            let mut new = database();
            kept.authorizer(Some(judge)).unwrap();
            new.authorizer(Some(judge)).unwrap();
            let expected = outcome(&new, sql);
            for _ in 0..3 {
                assert_eq!(outcome(&kept, sql), expected, "{sql}");
            }
        }
    }
    // The same one, set again, is asked again.
    static OPEN: AtomicBool = AtomicBool::new(true);
    let judge: Judge = |context| match context.action {
        AuthAction::Read { table_name: "t", .. } if !OPEN.load(SeqCst) => Authorization::Deny,
        _ => Authorization::Allow,
    };
    let mut db = database();
    db.authorizer(Some(judge)).unwrap();
    assert_eq!(text(&db, ALL), ROWS);
    OPEN.store(false, SeqCst);
    db.authorizer(Some(judge)).unwrap();
    assert_eq!(error(&db, ALL), (ffi::SQLITE_AUTH, "resq_query: access to t.id is prohibited".to_owned()));
}

#[test]
fn limits_that_change() {
    let _alone = alone();
    let db = database();
    let sql = "select resq_query('select s, s, s, s, id + 1 + 1 + 1 + 1 + 1 + 1 n from t where id = 1')";
    let good = text(&db, sql);
    for (limit, low) in [
        (Limit::SQLITE_LIMIT_COLUMN, 3),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 3),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 40),
        (Limit::SQLITE_LIMIT_VDBE_OP, 5),
    ] {
        let mut outer = db.prepare(sql).unwrap();
        let mut run = || outer.query_row([], |row| row.get::<_, String>(0));
        assert_eq!(run().unwrap(), good);
        let high = db.limit(limit).unwrap();
        db.set_limit(limit, low).unwrap();
        run().unwrap_err();
        db.set_limit(limit, high).unwrap();
        assert_eq!(run().unwrap(), good);
    }
    // The length of the result
    let mut outer = db.prepare("select resq_query('select ? a', ?1)").unwrap();
    let mut run = |count: usize| outer.query_row(["x".repeat(count)], |row| row.get::<_, String>(0));
    run(3000).unwrap();
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, 3000).unwrap();
    assert_eq!(run(3000 - 10).unwrap().len(), 3000);
    assert_eq!(run(3000 - 9).unwrap_err().sqlite_error_code(), Some(rusqlite::ErrorCode::TooBig));
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, 5000).unwrap();
    assert_eq!(run(3000 - 9).unwrap().len(), 3001);
}

#[test]
fn functions_and_settings_that_change() {
    let _alone = alone();
    let db = database();
    let define = |result: i64| {
        db.create_scalar_function("f", 0, FunctionFlags::SQLITE_UTF8, move |_| Ok(result)).unwrap();
    };
    for result in 0..4 {
        define(result);
        for _ in 0..2 {
            assert_eq!(text(&db, "select resq_query('select f() f')"), format!(r#"[{{"f":{result}}}]"#));
        }
    }
    db.remove_function("f", 0).unwrap();
    assert_eq!(
        error(&db, "select resq_query('select f() f')"),
        (1, "resq_query: no such function: f".to_owned())
    );
    for (on, like) in [(false, 1), (true, 0), (false, 1)] {
        db.execute_batch(&format!("pragma case_sensitive_like = {on}")).unwrap();
        for _ in 0..2 {
            assert_eq!(
                text(&db, "select resq_query('select ''a'' like ''A'' l')"),
                format!(r#"[{{"l":{like}}}]"#)
            );
        }
    }
    for (backwards, first) in [("off", 1), ("on", 3), ("off", 1)] {
        db.execute_batch(&format!("pragma reverse_unordered_selects = {backwards}")).unwrap();
        for _ in 0..2 {
            assert!(text(&db, ALL).starts_with(&format!("[{{\"id\":{first},")));
        }
    }
}

#[test]
fn other_files_under_the_same_name() {
    let _alone = alone();
    let folder = support::folder("kept-attach");
    let db = support::connection();
    for (at, schema) in ["t(a, b)", "t(b, a)", "t(a)", "t(x, y, z)", "u(a)", "t(a, b)"].iter().enumerate() {
        let other = folder.join(format!("{at}.db"));
        let plain = Connection::open(&other).unwrap();
        plain.execute_batch(&format!("create table {schema}")).unwrap();
        if schema.starts_with('t') {
            plain
                .execute_batch(&format!("insert into t default values; update t set rowid = {at} + 1"))
                .unwrap();
        }
        db.execute("attach ? as x", [other.to_str().unwrap()]).unwrap();
        for sql in [
            "select resq_query('select rowid, * from x.t')",
            "select resq_query('select rowid, * from t')",
            "select resq_query('select rowid, * from t order by 1')",
        ] {
            let attach = format!("attach '{}' as x", other.to_str().unwrap());
            let expected = fresh(&attach, sql);
            assert_eq!(expected.is_ok(), schema.starts_with('t'));
            for _ in 0..2 {
                assert_eq!(outcome(&db, sql), expected, "{sql} of {schema}");
            }
        }
        db.execute_batch("detach x").unwrap();
    }
}
