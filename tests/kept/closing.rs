//! A connection that keeps statements closes as any other, and all memory comes back.

use std::process::Command;
use std::ptr;

use rusqlite::ffi;

use crate::connections::{ALL, ROWS, Raw, SOME, database, finalize, statements, step};
use crate::support::{self, alone, error, memory_used, text};

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
        other => support::skip("a sqlite3 shell that loads extensions", &format!("{other:?}")),
    }
}
