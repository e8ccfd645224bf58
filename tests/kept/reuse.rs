//! What is kept: nothing is prepared twice, and what is kept is bounded.

use std::ptr;
use std::sync::atomic::Ordering::SeqCst;

use rusqlite::ffi;

use crate::connections::{ALL, FILL, ROWS, counting, database, keeping_nothing, statements};
use crate::support::{self, alone, error, memory_used, text};

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
