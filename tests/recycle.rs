//! Large results are built in a block that the connection keeps (see `sqlite::memory`). SQLite counts its memory for the
//! whole process, so these tests have a process of their own and run one after the other.
#![allow(clippy::unwrap_used, clippy::expect_used, unsafe_code)]

mod support;

use std::ffi::c_int;

use rusqlite::Connection;
use rusqlite::ffi;
use support::{Encoding, alone, memory_used, one, text};

/// What `body` gives, and the largest block that SQLite's allocator was asked for meanwhile.
fn largest<R>(body: impl FnOnce() -> R) -> (R, i64) {
    let status = |reset: c_int| {
        let (mut now, mut most) = (0, 0);
        // SAFETY: two places to write to.
        let code =
            unsafe { ffi::sqlite3_status64(ffi::SQLITE_STATUS_MALLOC_SIZE, &mut now, &mut most, reset) };
        assert_eq!(code, ffi::SQLITE_OK);
        most
    };
    status(1);
    let result = body();
    (result, status(0))
}

/// 3,000 rows whose JSON is some 200 KB.
fn rows(db: &Connection) {
    db.execute_batch(
        "create table t(x integer primary key, v text);
         insert into t with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
           select i, printf('%050d', i) from n;",
    )
    .unwrap();
}

fn connection() -> Connection {
    let db = support::connection();
    rows(&db);
    db
}

const LARGE: i64 = 65_536;
/// What `QUERY` and `AGGREGATE` give, made by SQLite.
const EXPECTED: &str = "select json_group_array(json_object('x', x, 'v', v)) from t";
const QUERY: &str = "select resq_query('select x, v from t')";
const AGGREGATE: &str = "select resq_json('x', x, 'v', v) from t";

#[test]
fn the_second_large_result_takes_the_block_of_the_first() {
    let _alone = alone();
    let db = connection();
    let expected = text(&db, EXPECTED);
    let length = i64::try_from(expected.len()).unwrap();
    let (first, size) = largest(|| text(&db, QUERY));
    assert!(first == expected && size >= length, "{size}");
    for sql in [QUERY, "select resq_query_with('', 'select x, v from t')"] {
        let (again, size) = largest(|| text(&db, sql));
        assert!(again == expected, "{sql}");
        assert!(size < LARGE, "{size} bytes for {sql}");
    }
    // An aggregate's result is copied by SQLite: that is the one large block.
    for sql in [AGGREGATE, "select resq_rows(x, v) from t"] {
        let before = memory_used();
        // SAFETY: no duties.
        unsafe { ffi::sqlite3_memory_highwater(1) };
        let (again, size) = largest(|| text(&db, sql));
        assert!(size <= i64::try_from(again.len()).unwrap() + 100, "{size} for {sql}");
        // SAFETY: no duties.
        let more = unsafe { ffi::sqlite3_memory_highwater(0) } - before;
        assert!(more < length * 3 / 2, "{more} for {sql}");
    }
    // Columns grow apart, and leave the block to the whole.
    text(&db, "select resq_columns('x', x, 'v', v) from t");
    let kept = memory_used();
    text(&db, "select resq_columns('x', x, 'v', v) from t");
    assert_eq!(memory_used(), kept);
    assert!(text(&db, AGGREGATE) == expected);
}

#[test]
fn the_block_goes_with_the_connection() {
    let _alone = alone();
    let before = memory_used();
    for sql in [
        QUERY,
        AGGREGATE,
        "select count(j) from (select resq_json(v) over (order by x rows 2000 preceding) j from t)",
    ] {
        let db = connection();
        one::<i64>(&db, "select count(*) from t").unwrap();
        let small = memory_used();
        one::<rusqlite::types::Value>(&db, sql).unwrap();
        assert!(memory_used() - small >= LARGE, "nothing was kept of {sql}");
        drop(db);
        assert_eq!(memory_used(), before, "{sql}");
    }
}

/// One large block is kept, and it is of bounded size; and one small one, that of an array of few rows.
#[test]
fn no_more_than_one_block_is_kept() {
    let _alone = alone();
    let db = connection();
    // Nor statements, whose memory would be counted with it: without our table none are kept.
    // SAFETY: an open connection, and no list of modules that stay.
    assert_eq!(unsafe { ffi::sqlite3_drop_modules(db.handle(), std::ptr::null_mut()) }, ffi::SQLITE_OK);
    one::<i64>(&db, "select 1").unwrap();
    let nothing = memory_used();
    for _ in 0..3 {
        text(&db, "select group_concat(j) from (select resq_json('x', x) j from t group by x % 20)");
        text(&db, "select resq_json('x', x, 'v', v) from t where x < 3");
    }
    assert!((500..1000).contains(&(memory_used() - nothing)), "{} bytes", memory_used() - nothing);
    let none = memory_used();
    let twenty = vec!["resq_query('select v from t')"; 20].join(", ");
    one::<String>(&db, &format!("select {twenty}")).unwrap();
    let one_block = memory_used() - none;
    assert!((LARGE..600_000).contains(&one_block), "{one_block}");
    // 18 MB are more than is kept; the block that was there went into it.
    let sql = "select length(resq_query('select x, v, v || v || v, hex(zeroblob(3000)) from t'))";
    assert!(one::<i64>(&db, sql).unwrap() > 18_000_000);
    assert_eq!(memory_used(), none);
    // Nor is anything kept of results between those.
    for _ in 0..3 {
        text(&db, "select resq_query('select x, v from t limit 300')");
        text(&db, "select resq_json('x', x, 'v', v) from t where x < 300");
    }
    // One of those has grown out of the small block.
    text(&db, "select resq_json(1)");
    assert_eq!(memory_used(), none);
}

#[test]
fn large_results_that_live_at_once() {
    let _alone = alone();
    let db = connection();
    let expected = text(&db, EXPECTED);
    text(&db, QUERY);
    let other = text(&db, "select json_group_array(json_object('v', v)) from t where x > 7");
    let sql = "select resq_query('select x, v from t'), (select resq_json('v', v) from t where x > 7),
               resq_query('select v from t where x > ?', 7), resq_query('select x, v from t')";
    let mut statement = db.prepare(sql).unwrap();
    for _ in 0..3 {
        let mut found = statement.query([]).unwrap();
        let row = found.next().unwrap().unwrap();
        // While these are held, others are made.
        let held: Vec<&[u8]> =
            (0..4).map(|column| row.get_ref(column).unwrap().as_bytes().unwrap()).collect();
        assert!(text(&db, QUERY) == expected);
        assert!(text(&db, AGGREGATE) == expected);
        for (column, held) in held.into_iter().enumerate() {
            assert!(held == [&expected, &other, &other, &expected][column].as_bytes(), "column {column}");
        }
    }
    // Groups, each with a large result; and rows, each with one.
    let groups = "select {} from (select 1 g union all select 2 union all select 3) g, t group by g";
    for (ours, theirs) in [
        ("resq_json('x', x + g, 'v', v)", "json_group_array(json_object('x', x + g, 'v', v))"),
        (
            "resq_query('select x + ? x, v from t', g)",
            "(select json_group_array(json_object('x', x + g, 'v', v)) from t)",
        ),
    ] {
        let all = |call: &str| -> Vec<String> {
            let mut statement = db.prepare(&groups.replace("{}", call)).unwrap();
            let found = statement.query_map([], |row| row.get(0)).unwrap();
            found.map(Result::unwrap).collect()
        };
        assert!(all(ours) == all(theirs), "{ours}");
    }
}

/// A query in a query, each with a large result.
#[test]
fn nested() {
    let _alone = alone();
    let db = connection();
    let sql = "select resq_query('select resq_query(''select x, v from t'') as \"a:json\", (select resq_json(v) from t) as \"b:json\", v from t where x < 4')";
    let expected = "select json_group_array(json_object('a', json((select json_group_array(json_object('x', x, 'v', v)) from t)),
        'b', json((select json_group_array(v) from t)), 'v', v)) from t where x < 4";
    for _ in 0..3 {
        assert!(text(&db, sql) == text(&db, expected));
    }
}

#[test]
fn windows() {
    let _alone = alone();
    let db = connection();
    let sql = |call: &str| {
        format!(
            "select group_concat(j, char(10)) from (select {call} over (order by x rows 1500 preceding) j, x from t) where x % 500 = 0"
        )
    };
    let expected = text(&db, &sql("json_group_array(json_object('x', x, 'v', v))"));
    for _ in 0..3 {
        assert!(text(&db, &sql("resq_json('x', x, 'v', v)")) == expected);
    }
}

/// SQLite converts the text, and has no use for the block after that.
#[test]
fn utf16() {
    let _alone = alone();
    for encoding in [Encoding::Utf16le, Encoding::Utf16be] {
        let db = support::connection_in(encoding);
        rows(&db);
        let expected = text(&db, EXPECTED);
        for _ in 0..3 {
            assert!(text(&db, QUERY) == expected);
            assert!(text(&db, AGGREGATE) == expected);
        }
    }
}

/// A session may end before its block comes back: a second load replaces the functions while a row is on show.
#[test]
fn a_result_outlives_the_functions() {
    let _alone = alone();
    let before = memory_used();
    for sql in [QUERY, AGGREGATE] {
        let db = connection();
        let expected = text(&db, EXPECTED);
        text(&db, sql);
        let mut statement = db.prepare(sql).unwrap();
        let mut found = statement.query([]).unwrap();
        let row = found.next().unwrap().unwrap();
        support::load(&db, support::extension()).unwrap();
        assert!(row.get_ref(0).unwrap().as_bytes().unwrap() == expected.as_bytes());
        drop(found);
        support::load(&db, support::extension()).unwrap();
        assert!(text(&db, sql) == expected);
        drop(statement);
        drop(db);
        assert_eq!(memory_used(), before);
    }
}

/// What is kept does not make a call fail: it is given up where memory is short.
#[test]
fn the_spare_block_is_given_up_for_want_of_memory() {
    let _alone = alone();
    const LONG: &str = "select length(resq_query('select zeroblob(900000) b'))";
    let length = 900_000 / 3 * 4 + "[{'b':''}]".len() as i64;
    // How much memory it takes where nothing is kept, then where something is that is too small to be of use.
    let peak = |db: &Connection| {
        let before = memory_used();
        // SAFETY: no duties.
        unsafe { ffi::sqlite3_memory_highwater(1) };
        assert_eq!(one::<i64>(db, LONG).unwrap(), length);
        // SAFETY: no duties.
        unsafe { ffi::sqlite3_memory_highwater(0) - before }
    };
    let needed = peak(&connection());
    let db = connection();
    one::<i64>(&db, "select count(*) from t").unwrap();
    let none = memory_used();
    text(&db, QUERY);
    let kept = memory_used() - none;
    assert!(kept >= LARGE && kept < length, "{kept}");
    let limited = |limit: i64| {
        // SAFETY: no duties; taken back below.
        unsafe { ffi::sqlite3_hard_heap_limit64(limit) };
        let result = one::<i64>(&db, LONG);
        // SAFETY: as above.
        unsafe { ffi::sqlite3_hard_heap_limit64(0) };
        result
    };
    let refused = limited(none + needed / 2).unwrap_err();
    assert_eq!(refused.sqlite_error_code(), Some(rusqlite::ErrorCode::OutOfMemory));
    text(&db, QUERY);
    assert_eq!(memory_used() - none, kept);
    // More than is needed, less than with what is kept besides.
    assert_eq!(limited(none + needed + kept / 2).unwrap(), length);
    assert!(memory_used() - none > length, "the larger block is not kept instead");
}
