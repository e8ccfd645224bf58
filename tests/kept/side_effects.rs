//! Kept statements are in nobody's way: they hold no locks, and threads may share a connection.

use rusqlite::{Connection, ffi};

use crate::connections::{ALL, ROWS, Raw, file, finalize, statements, step};
use crate::support::{Random, alone, error, memory_used, one, text};

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
