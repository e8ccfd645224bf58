//! Nested statements that a connection keeps from call to call: nothing is prepared twice, every result is that of a new
//! connection, and nothing is in the way of whoever changes the schema, takes the file or closes the connection.
//!
//! SQLite counts its memory for the whole process, so these tests run one after the other.
#![allow(clippy::unwrap_used, clippy::expect_used, unsafe_code)]

mod support;

use std::ffi::CString;
use std::path::PathBuf;
use std::process::Command;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, ffi};
use support::{Random, alone, error, memory_used, one, text};

/// The statements of a connection, those of resq among them.
fn statements(db: &Connection) -> Vec<*mut ffi::sqlite3_stmt> {
    let mut all = Vec::new();
    let mut last = ptr::null_mut();
    loop {
        // SAFETY: an open connection, and a statement of it or none.
        last = unsafe { ffi::sqlite3_next_stmt(db.handle(), last) };
        if last.is_null() {
            return all;
        }
        all.push(last);
    }
}

const FILL: &str = "create table t(id integer primary key, s text);
    insert into t values(1, 'a'), (2, 'b'), (3, 'c')";

fn database() -> Connection {
    let db = support::connection();
    db.execute_batch(FILL).unwrap();
    db
}

fn file(name: &str) -> (Connection, PathBuf) {
    let file = support::folder(name).join("file.db");
    let db = Connection::open(&file).unwrap();
    support::load(&db, support::extension()).unwrap();
    db.execute_batch(FILL).unwrap();
    (db, file)
}

/// Counts how often a statement is prepared that reads a column `s`.
fn counting(db: &mut Connection) -> Arc<AtomicUsize> {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    db.authorizer(Some(move |context: AuthContext<'_>| {
        if let AuthAction::Read { column_name: "s", .. } = context.action {
            counter.fetch_add(1, SeqCst);
        }
        Authorization::Allow
    }))
    .unwrap();
    count
}

/// What `sql` gives, or its error, on a connection of its own that `prepare` has made the same.
fn fresh(prepare: &str, sql: &str) -> Result<String, (i32, String)> {
    let db = support::connection();
    db.execute_batch(prepare).unwrap();
    outcome(&db, sql)
}

fn outcome(db: &Connection, sql: &str) -> Result<String, (i32, String)> {
    one::<String>(db, sql).map_err(|_| error(db, sql))
}

/// A connection that keeps nothing, since our table is not there.
fn keeping_nothing() -> Connection {
    let db = support::connection();
    // SAFETY: an open connection, and no list of modules that stay.
    assert_eq!(unsafe { ffi::sqlite3_drop_modules(db.handle(), ptr::null_mut()) }, ffi::SQLITE_OK);
    db
}

const ALL: &str = "select resq_query('select * from t')";
const ROWS: &str = r#"[{"id":1,"s":"a"},{"id":2,"s":"b"},{"id":3,"s":"c"}]"#;

// ── what is kept ────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_second_run_prepares_nothing() {
    let _alone = alone();
    let mut db = database();
    let count = counting(&mut db);
    for (call, times) in [
        ("resq_query('select s from t where id = ?', 1)", 1),
        ("resq_query_with('ascii', 'select s from t where id = ?', 1)", 1),
        // A query that may read a whole table is compared with its form for one pass: two times EXPLAIN.
        ("resq_query('with c as (select s from t where id = 1) select * from c')", 4),
    ] {
        count.store(0, SeqCst);
        let sql = format!("select {call}");
        assert_eq!(text(&db, &sql), r#"[{"s":"a"}]"#);
        assert_eq!(count.swap(0, SeqCst), times, "{sql}");
        // The same outer statement, others with the same text within, other parameters.
        let mut statement = db.prepare(&sql).unwrap();
        for _ in 0..3 {
            assert_eq!(statement.query_row([], |row| row.get::<_, String>(0)).unwrap(), r#"[{"s":"a"}]"#);
        }
        assert_eq!(text(&db, &format!("select {call} where 1")), r#"[{"s":"a"}]"#);
        assert_eq!(count.load(SeqCst), 0, "{sql}");
    }
    count.store(0, SeqCst);
    for (id, s) in [(1, "a"), (3, "c"), (2, "b")] {
        let rows = text(&db, &format!("select resq_query('select s from t where id = ?', {id})"));
        assert_eq!(rows, format!(r#"[{{"s":"{s}"}}]"#));
    }
    assert_eq!(count.load(SeqCst), 0);
    // Other choices and another function are no reason to prepare; other choices make other keys, so they are.
    text(&db, "select resq_query_with('omit-null', 'select s from t where id = ?', 1)");
    assert_eq!(count.load(SeqCst), 1);
}

/// Texts that differ from row to row go to the store too, and two calls at once use two statements.
#[test]
fn several_at_once() {
    let _alone = alone();
    let mut db = database();
    let count = counting(&mut db);
    let sql = "select group_concat(resq_query('select s from t where id = ' || id), '') from t";
    let rows = r#"[{"s":"a"}][{"s":"b"}][{"s":"c"}]"#;
    assert_eq!(text(&db, sql), rows);
    assert_eq!(count.swap(0, SeqCst), 3);
    for _ in 0..3 {
        assert_eq!(text(&db, sql), rows);
    }
    assert_eq!(count.swap(0, SeqCst), 0);
    let twice = "select resq_query('select s from t where id = ?', id) || resq_query('select s from t where id = ?', id) from t limit 1";
    for times in [2, 0, 0] {
        assert_eq!(text(&db, twice), r#"[{"s":"a"}][{"s":"a"}]"#);
        assert_eq!(count.swap(0, SeqCst), times);
    }
    // A query that calls itself
    db.execute_batch("create table q(sql text)").unwrap();
    let inner = "select s, case when ?1 > 0 then resq_query((select sql from q), ?1 - 1) end as \"in:json\" from t where id = 1";
    db.execute("insert into q values(?)", [inner]).unwrap();
    for times in [2, 0, 0] {
        let rows = text(&db, "select resq_query((select sql from q), 1)");
        assert_eq!(rows, r#"[{"s":"a","in":[{"s":"a","in":null}]}]"#);
        assert_eq!(count.swap(0, SeqCst), times);
    }
}

#[test]
fn the_number_is_bounded() {
    let _alone = alone();
    let db = database();
    for number in 0..100 {
        let rows = text(&db, &format!("select resq_query('select id + {number} n from t')"));
        let [a, b, c] = [1, 2, 3].map(|id| number + id);
        assert_eq!(rows, format!(r#"[{{"n":{a}}},{{"n":{b}}},{{"n":{c}}}]"#));
        assert!(statements(&db).len() <= 16);
    }
    assert_eq!(statements(&db).len(), 16);
    for number in 0..100 {
        text(&db, &format!("select resq_query('select {number} n')"));
    }
    assert_eq!(statements(&db).len(), 8);
    // The one that has waited longest goes.
    let mut db = database();
    let count = counting(&mut db);
    let call = |number: usize| text(&db, &format!("select resq_query('select s, {number} from t')"));
    for number in [0, 1, 2, 3, 4, 5, 6, 7, 0, 8] {
        call(number);
    }
    count.store(0, SeqCst);
    for number in [0, 2, 3, 4, 5, 6, 7, 8] {
        call(number);
    }
    assert_eq!(count.load(SeqCst), 0);
    // It has given few rows, so that it is not compared with its form for one pass again.
    call(1);
    assert_eq!(count.load(SeqCst), 1);
}

/// SQLite runs some PRAGMAs while it prepares them; long texts take memory; what has failed may be in any state.
#[test]
fn what_is_not_kept() {
    let _alone = alone();
    let db = database();
    let large = vec!["select * from t a, t b, t c"; 120].join(" union all ");
    db.execute_batch(&format!("create view large as {large}")).unwrap();
    text(&db, "select resq_query('select 1')");
    let before = statements(&db).len();
    assert_eq!(before, 1);
    for sql in [
        "select resq_query('pragma user_version')".to_owned(),
        "select resq_query('explain pragma user_version')".to_owned(),
        "select resq_query('explain query plan select * from t')".to_owned(),
        "select resq_query('pragma table_info(t)')".to_owned(),
        format!("select resq_query('select 2 /* {} */')", "x".repeat(70_000)),
        // Short, and a large statement
        "select resq_query('select * from large limit 1')".to_owned(),
        // Long names, longer as JSON
        format!("select resq_query('select 1 as \"{}\"')", "\u{1}".repeat(12_000)),
    ] {
        text(&db, &sql);
        assert_eq!(statements(&db).len(), before, "{sql}");
    }
    for sql in [
        "select resq_query('select abs(-9223372036854775807 - 1)')",
        "select resq_query('select abs(-9223372036854775807 - 1) order by 1')",
        "select resq_query('select ?')",
        "select resq_query('select ''x'' as \"j:json\"')",
        "select resq_query('select zeroblob(1000000000)')",
    ] {
        error(&db, sql);
        assert_eq!(statements(&db).len(), before, "{sql}");
    }
    // One with long names, with rows and without
    let sql =
        format!("select resq_query('select 1 as \"{}\" where ? order by 1', ?)", "\u{1}".repeat(12_000));
    let run = |row: bool| db.query_row(&sql, [row], |row| row.get::<_, String>(0)).unwrap().len();
    assert_eq!(run(false), 2);
    assert_eq!(statements(&db).len(), before);
    assert!(run(true) > 70_000);
    assert_eq!(statements(&db).len(), before);
    // One that was kept goes when it fails.
    let sql = "select resq_query('select abs(?) n', ?)";
    let run = |value: i64| db.query_row(sql, [value], |row| row.get::<_, String>(0));
    assert_eq!(run(-7).unwrap(), r#"[{"n":7}]"#);
    assert_eq!(statements(&db).len(), before + 1);
    run(i64::MIN).unwrap_err();
    assert_eq!(statements(&db).len(), before);
    assert_eq!(run(-7).unwrap(), r#"[{"n":7}]"#);
}

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

/// Nothing of a large parameter or row stays.
#[test]
fn values_are_not_kept() {
    let _alone = alone();
    let db = database();
    let sql = "select length(resq_query('select ?1 a, length(?1) b from t', ?))";
    for sql in [sql, "select length(resq_query('select ?1 a, length(?1) b from t order by 1', ?))"] {
        let run = |bytes: usize| db.query_row(sql, [vec![0_u8; bytes]], |row| row.get::<_, i64>(0)).unwrap();
        // With the block that is kept of large results.
        run(400_000);
        let before = memory_used();
        for bytes in [1, 390_000, 1, 390_000] {
            run(bytes);
            assert_eq!(memory_used(), before);
        }
        assert!(!statements(&db).is_empty());
    }
}

// ── closing ─────────────────────────────────────────────────────────────────────────────────────────────────

unsafe extern "C" {
    /// As in sqlite3.h.
    fn sqlite3_close_v2(db: *mut ffi::sqlite3) -> i32;
}

/// A connection by SQLite's own means: as a C host has it.
struct Raw(*mut ffi::sqlite3);

impl Raw {
    fn open() -> Raw {
        let mut db = ptr::null_mut();
        let file = CString::new(support::extension().to_str().unwrap()).unwrap();
        // SAFETY: places to write to; a new connection, which only loads our extension.
        unsafe {
            assert_eq!(ffi::sqlite3_open(c":memory:".as_ptr(), &mut db), ffi::SQLITE_OK);
            ffi::sqlite3_db_config(db, ffi::SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, ptr::null_mut::<i32>());
            let code = ffi::sqlite3_load_extension(db, file.as_ptr(), ptr::null(), ptr::null_mut());
            assert_eq!(code, ffi::SQLITE_OK);
        }
        Raw(db)
    }

    fn prepare(&self, sql: &str) -> *mut ffi::sqlite3_stmt {
        let sql = CString::new(sql).unwrap();
        let mut statement = ptr::null_mut();
        // SAFETY: an open connection.
        let code =
            unsafe { ffi::sqlite3_prepare_v2(self.0, sql.as_ptr(), -1, &mut statement, ptr::null_mut()) };
        assert_eq!(code, ffi::SQLITE_OK);
        statement
    }

    fn run(&self, sql: &str) {
        let statement = self.prepare(sql);
        step(statement);
        finalize(statement);
    }

    fn batch(&self, sql: &str) {
        let sql = CString::new(sql).unwrap();
        // SAFETY: an open connection.
        let code = unsafe { ffi::sqlite3_exec(self.0, sql.as_ptr(), None, ptr::null_mut(), ptr::null_mut()) };
        assert_eq!(code, ffi::SQLITE_OK);
    }

    fn close(&self) -> i32 {
        // SAFETY: an open connection; it is not used again if this succeeds.
        unsafe { ffi::sqlite3_close(self.0) }
    }

    fn close_v2(self) {
        // SAFETY: an open connection.
        assert_eq!(unsafe { sqlite3_close_v2(self.0) }, ffi::SQLITE_OK);
    }

    fn statements(&self) -> usize {
        let mut last = ptr::null_mut();
        let mut count = 0;
        loop {
            // SAFETY: an open connection, and a statement of it or none.
            last = unsafe { ffi::sqlite3_next_stmt(self.0, last) };
            if last.is_null() {
                return count;
            }
            count += 1;
        }
    }
}

fn step(statement: *mut ffi::sqlite3_stmt) {
    // SAFETY: a live statement.
    assert_eq!(unsafe { ffi::sqlite3_step(statement) }, ffi::SQLITE_ROW);
}

fn finalize(statement: *mut ffi::sqlite3_stmt) {
    // SAFETY: a live statement, not used again.
    unsafe { ffi::sqlite3_finalize(statement) };
}

const SOME: &[&str] = &[
    "select resq_query('select 1 a')",
    "select resq_query('select 1 a order by 1')",
    "select resq_query('select name from pragma_database_list')",
    "select resq_query('select resq_query(''select ?1 b'', a) c from (select 1 a)')",
    "select resq_query('select * from resq_stream(''select 1 a'')')",
    "select piece from resq_stream('select 1 a')",
    "select resq_query('select value from json_each(''[1,2]'')')",
];

#[test]
fn close_succeeds_and_all_memory_is_back() {
    let _alone = alone();
    let before = memory_used();
    for chosen in 0..1 << SOME.len() {
        let db = Raw::open();
        let some = || SOME.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
        some().for_each(|(_, sql)| db.run(sql));
        some().for_each(|(_, sql)| db.run(sql));
        assert_eq!(db.close(), ffi::SQLITE_OK, "{chosen:b}");
        assert_eq!(memory_used(), before, "{chosen:b}");
    }
}

/// Kept statements that read our table function, also by a view of the TEMP schema, are in nobody's way.
#[test]
fn close_with_readers_of_our_table_function() {
    let _alone = alone();
    let before = memory_used();
    let db = Raw::open();
    db.batch("create temp view v as select * from resq_stream('select 1 a')");
    for nested in [
        "select * from v",
        "select * from v order by 1",
        "select * from resq_stream(''select 1'')",
        "select * from resq_stream(''select resq_query(''''select 1'''')'')",
    ] {
        for _ in 0..2 {
            db.run(&format!("select resq_query('{nested}')"));
        }
    }
    assert!(db.statements() >= 4);
    assert_eq!(db.close(), ffi::SQLITE_OK);
    assert_eq!(memory_used(), before);
}

/// Programs that finalize all statements of a connection that is too busy to close, as some do, find none of ours.
#[test]
fn close_and_finalize_what_is_left() {
    let _alone = alone();
    let before = memory_used();
    for left in [&SOME[..3], &["select piece from resq_stream('select 1 a')", "select * from t"]].concat() {
        let db = Raw::open();
        db.batch("create table t(a)");
        let _left = db.prepare(left);
        db.run("select resq_query('select 1 a')");
        db.run("select resq_query('select * from t')");
        assert!(db.statements() >= 4);
        assert_eq!(db.close(), ffi::SQLITE_BUSY);
        assert_eq!(db.statements(), 1, "{left}");
        loop {
            // SAFETY: an open connection.
            let statement = unsafe { ffi::sqlite3_next_stmt(db.0, ptr::null_mut()) };
            if statement.is_null() {
                break;
            }
            finalize(statement);
        }
        assert_eq!(db.close(), ffi::SQLITE_OK, "{left}");
        assert_eq!(memory_used(), before, "{left}");
    }
}

/// Nobody can make a statement that would hold back the table that empties the store.
#[test]
fn nobody_reads_the_holder() {
    let _alone = alone();
    let db = database();
    for round in 0..2 {
        for sql in [
            "select * from resq_kept",
            "select 1 from t left join resq_kept on x = id",
            "select resq_query('select * from resq_kept')",
            "select exists (select 1 from resq_kept)",
        ] {
            let (_, message) = error(&db, sql);
            assert!(message.ends_with("no query solution"), "{round}, {sql}: {message}");
        }
        assert_eq!(text(&db, ALL), ROWS);
    }
    assert_eq!(statements(&db).len(), 2);
    db.close().unwrap();
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
            other => println!("SKIPPED: no sqlite3 that loads extensions: {other:?}"),
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

/// A close that is refused has disconnected all virtual tables, and the connection goes on, without keeping anything.
#[test]
fn close_that_is_refused() {
    let _alone = alone();
    let before = memory_used();
    for other in SOME {
        let db = Raw::open();
        db.run(SOME[0]);
        assert_eq!(db.statements(), 1);
        let held = db.prepare(other);
        step(held);
        assert_eq!(db.close(), ffi::SQLITE_BUSY);
        let left = db.statements();
        for _ in 0..3 {
            db.run("select resq_query('select 2 n')");
            assert_eq!(db.statements(), left, "kept again: {other}");
            assert_eq!(db.close(), ffi::SQLITE_BUSY);
            db.run(other);
            db.run("select piece from resq_stream('select 2 n')");
        }
        finalize(held);
        assert_eq!(db.close(), ffi::SQLITE_OK, "{other}");
        assert_eq!(memory_used(), before, "{other}");
    }
}

/// Statements that outlive their connection, on show or reset, in whatever order they go.
#[test]
fn close_v2_with_statements() {
    let _alone = alone();
    let before = memory_used();
    for one in SOME {
        for other in SOME {
            for turn in 0..8 {
                let db = Raw::open();
                db.run(SOME[0]);
                let held = [one, other].map(|sql| db.prepare(sql));
                held.into_iter().for_each(step);
                if turn & 1 == 1 {
                    // SAFETY: a live statement.
                    unsafe { ffi::sqlite3_reset(held[0]) };
                }
                db.close_v2();
                if turn & 2 == 2 {
                    // SAFETY: a live statement; what comes of it on a closed connection is SQLite's business.
                    unsafe { ffi::sqlite3_step(held[0]) };
                }
                let [first, second] = if turn & 4 == 4 { [held[1], held[0]] } else { held };
                finalize(first);
                finalize(second);
                assert_eq!(memory_used(), before, "{one}, {other}, {turn}");
            }
        }
    }
}

/// A second load replaces our functions and our table.
#[test]
fn loading_again() {
    let _alone = alone();
    let before = memory_used();
    let db = database();
    for _ in 0..4 {
        for _ in 0..3 {
            assert_eq!(text(&db, ALL), ROWS);
        }
        assert_eq!(statements(&db).len(), 2);
        support::load(&db, support::extension()).unwrap();
    }
    let mut held = db.prepare(ALL).unwrap();
    let mut rows = held.query([]).unwrap();
    rows.next().unwrap().unwrap();
    support::load(&db, support::extension()).unwrap();
    drop(rows);
    drop(held);
    assert_eq!(text(&db, ALL), ROWS);
    db.close().unwrap();
    assert_eq!(memory_used(), before);
}

/// Where our table cannot be connected, nothing is kept and nothing fails.
#[test]
fn without_our_table() {
    let _alone = alone();
    let before = memory_used();
    let db = database();
    // A table of the user's in its place
    db.execute_batch("create table resq_kept(x)").unwrap();
    for _ in 0..20 {
        assert_eq!(text(&db, ALL), ROWS);
        assert_eq!(statements(&db).len(), 0);
    }
    db.close().unwrap();

    let db = keeping_nothing();
    db.execute_batch(FILL).unwrap();
    assert_eq!(text(&db, ALL), ROWS);
    assert_eq!(text(&db, ALL), ROWS);
    assert_eq!(statements(&db).len(), 0);
    db.close().unwrap();

    // One that goes while it holds the store open
    let db = database();
    assert_eq!(text(&db, ALL), ROWS);
    assert_eq!(statements(&db).len(), 2);
    // SAFETY: as above.
    unsafe { ffi::sqlite3_drop_modules(db.handle(), ptr::null_mut()) };
    assert_eq!(text(&db, ALL), ROWS);
    db.close().unwrap();
    assert_eq!(memory_used(), before);
}

/// The system's shell says so if a connection does not close.
#[test]
fn the_shell_closes() {
    let load = format!(".load {}", support::extension().to_str().unwrap());
    let mut shell = Command::new("sqlite3");
    shell.args([":memory:", &load]).args(SOME.iter().chain(SOME));
    match shell.output() {
        Ok(output) if output.status.success() => {
            assert_eq!(String::from_utf8_lossy(&output.stderr), "");
            assert!(
                String::from_utf8_lossy(&output.stdout)
                    .starts_with("[{\"a\":1}]\n[{\"a\":1}]\n[{\"name\":\"main\"}]")
            );
        }
        other => println!("SKIPPED: no sqlite3 that loads extensions: {other:?}"),
    }
}

// ── in nobody's way ─────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn kept_statements_hold_no_locks() {
    let _alone = alone();
    let (db, path) = file("kept-locks");
    let other = || {
        let other = Connection::open(&path).unwrap();
        other.busy_timeout(std::time::Duration::ZERO).unwrap();
        other
    };
    for round in 0..3 {
        for sql in [ALL, "select resq_query('select * from t order by 1')"] {
            assert_eq!(text(&db, sql), ROWS);
        }
        assert_eq!(statements(&db).len(), 3);
        assert!(!db.is_busy() && db.is_autocommit());
        other().execute_batch("begin exclusive; update t set s = s; commit").unwrap();
        for sql in ["vacuum", "begin exclusive; commit", "attach ':memory:' as a; detach a"] {
            db.execute_batch(sql).unwrap();
            assert_eq!(text(&db, ALL), ROWS, "{sql}");
        }
        let mode = if round % 2 == 0 { "wal" } else { "delete" };
        let is: String = one(&db, &format!("pragma journal_mode = {mode}")).unwrap();
        assert_eq!(is, mode);
        assert_eq!(text(&db, ALL), ROWS);
        db.execute_batch("pragma wal_checkpoint(truncate)").unwrap();
    }
    db.execute_batch("begin; create table u as select * from t; drop table t; rollback").unwrap();
    assert_eq!(text(&db, ALL), ROWS);
    // What somebody else changes is seen.
    other().execute_batch("alter table t rename column s to z; insert into t values(4, 'd')").unwrap();
    assert_eq!(text(&db, ALL), r#"[{"id":1,"z":"a"},{"id":2,"z":"b"},{"id":3,"z":"c"},{"id":4,"z":"d"}]"#);
    db.execute_batch("drop table t").unwrap();
    assert_eq!(error(&db, ALL), (1, "resq_query: no such table: t".to_owned()));
    db.close().unwrap();
}

// ── the same as on a new connection ─────────────────────────────────────────────────────────────────────────

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

/// SQLite holds the connection's mutex in all that touches what is kept.
#[test]
fn two_threads_on_one_connection() {
    let _alone = alone();
    struct Shared(*mut ffi::sqlite3);
    // SAFETY: SQLite's serialised mode lets several threads use a connection.
    unsafe impl Sync for Shared {}
    let before = memory_used();
    let db = Raw::open();
    // SAFETY: no duties.
    assert_eq!(unsafe { ffi::sqlite3_threadsafe() }, 1);
    let shared = Shared(db.0);
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let shared = &shared;
            scope.spawn(move || {
                let db = Raw(shared.0);
                let mut random = Random(thread);
                for _ in 0..3000 {
                    let n = random.below(12);
                    let statement = db.prepare(&format!("select resq_query('select {n} n')"));
                    step(statement);
                    // SAFETY: a row is on show; its text is read with its length before the statement goes.
                    let text = unsafe {
                        let start = ffi::sqlite3_column_text(statement, 0);
                        let length = ffi::sqlite3_column_bytes(statement, 0) as usize;
                        String::from_utf8(std::slice::from_raw_parts(start, length).to_vec()).unwrap()
                    };
                    assert_eq!(text, format!(r#"[{{"n":{n}}}]"#));
                    finalize(statement);
                }
            });
        }
    });
    assert!(db.statements() <= 16);
    assert_eq!(db.close(), ffi::SQLITE_OK);
    assert_eq!(memory_used(), before);
}
