//! R12: every window frame against SQLite's own aggregates, on values where both must agree.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use rusqlite::Connection;
use support::Random;

/// What a query with `{}` for a call gives with each of the two, row by row, or the error.
fn both(db: &Connection, sql: &str, ours: &str, theirs: &str) -> [Result<Vec<String>, String>; 2] {
    [ours, theirs].map(|call| {
        let mut statement = db.prepare(&sql.replace("{}", call)).map_err(|e| e.to_string())?;
        let rows = statement.query_map([], |row| row.get(0)).map_err(|e| e.to_string())?;
        rows.collect::<Result<_, _>>().map_err(|e| e.to_string())
    })
}

const OURS: &str = "resq_json('x', x, 'v', v, 't', t)";
const THEIRS: &str = "json_group_array(json_object('x', x, 'v', v, 't', t))";

/// Asserts that both agree; false if SQLite refuses the query.
fn agree(db: &Connection, sql: &str) -> bool {
    let [ours, theirs] = both(db, sql, OURS, THEIRS);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(ours, theirs, "{sql}");
            true
        }
        (Err(ours), Err(theirs)) => {
            assert_eq!(ours, theirs, "{sql}");
            false
        }
        (ours, theirs) => panic!("{sql}\nours {ours:?}\ntheirs {theirs:?}"),
    }
}

/// A table with ties, gaps and NULLs in what frames go by.
fn table(rows: usize, seed: u64) -> Connection {
    let db = support::connection();
    db.execute_batch("create table t(x integer primary key, p integer, v integer, t text)").unwrap();
    let mut random = Random(seed);
    let mut insert = db.prepare("insert into t values(?, ?, ?, ?)").unwrap();
    for x in 0..rows {
        let v = (random.below(8) > 0).then(|| random.below(rows / 2) as i64 - 5);
        // Of the characters that JSON escapes, those that both write alike; and what an array's text is made of.
        let t: String =
            (0..random.below(20)).map(|_| *random.pick(&['a', '"', '\\', ',', '[', '}', 'ž'])).collect();
        insert.execute((x as i64, random.below(3) as i64, v, t)).unwrap();
    }
    drop(insert);
    db
}

const EXCLUDE: [&str; 5] =
    ["", " exclude no others", " exclude current row", " exclude group", " exclude ties"];

#[test]
fn every_kind_of_frame() {
    let db = table(30, 1);
    let starts = [
        "unbounded preceding",
        "0 preceding",
        "1 preceding",
        "3 preceding",
        "current row",
        "0 following",
        "2 following",
        "40 following",
    ];
    let ends = [
        "unbounded following",
        "0 preceding",
        "2 preceding",
        "40 preceding",
        "current row",
        "0 following",
        "1 following",
        "3 following",
    ];
    let (mut agreed, mut refused) = (0, 0);
    for kind in ["rows", "range", "groups"] {
        for start in starts {
            for end in ends {
                for exclude in EXCLUDE {
                    for (partition, filter) in [("", ""), ("partition by p ", " filter (where x % 3 > 0)")] {
                        let sql = format!(
                            "select {{}}{filter} over ({partition}order by v {kind} between {start} and {end}{exclude}) from t order by x"
                        );
                        if agree(&db, &sql) { agreed += 1 } else { refused += 1 }
                    }
                }
            }
        }
    }
    // SQLite refuses frames that end before they begin by the words alone: two sevenths or so.
    assert!(agreed > 1200 && refused > 300, "{agreed} {refused}");
}

#[test]
fn frames_without_an_order_and_short_forms() {
    let db = table(20, 2);
    for window in [
        "",
        "partition by p",
        "order by v desc",
        "order by v nulls last",
        "order by v, x",
        "order by t collate nocase",
        "rows 2 preceding",
        "range current row",
        "order by v groups 1 preceding",
        "order by x rows current row",
        "order by v desc range between 2 preceding and 1 following exclude ties",
        "order by v + 0.5 range between 1.5 preceding and 2.25 following",
    ] {
        assert!(agree(&db, &format!("select {{}} over ({window}) from t order by x")), "{window}");
        assert!(agree(&db, &format!("select {{}} filter (where 0) over ({window}) from t")), "{window}");
    }
}

#[test]
fn several_windows_at_once() {
    let db = table(40, 3);
    assert!(agree(
        &db,
        "select {} over w || {} over (w rows 3 preceding) || {} over (partition by p order by x desc rows between 2 following and 4 following)
         from t window w as (order by v, x) order by x",
    ));
}

#[test]
fn random_frames() {
    let mut random = Random(4);
    let mut agreed = 0;
    for round in 0..6 {
        let db = table(10 + 20 * round, 100 + round as u64);
        for _ in 0..150 {
            let kind = random.pick(&["rows", "range", "groups"]);
            let mut bound = |edge: &str| match random.below(5) {
                0 => edge.to_owned(),
                1 => "current row".to_owned(),
                2 => format!("{} following", random.below(12)),
                _ => format!("{} preceding", random.below(12)),
            };
            let (start, end) = (bound("unbounded preceding"), bound("unbounded following"));
            let exclude = random.pick(&EXCLUDE);
            let partition = random.pick(&["", "", "partition by p ", "partition by p, t is null "]);
            let order = random.pick(&["x", "v", "v desc", "p", "abs(v)"]);
            let filter = random.pick(&["", "", " filter (where v > 3)", " filter (where t <> '')"]);
            let sql = format!(
                "select {{}}{filter} over ({partition}order by {order} {kind} between {start} and {end}{exclude}) from t order by x"
            );
            agreed += usize::from(agree(&db, &sql));
        }
    }
    assert!(agreed > 400, "{agreed}");
}

/// Elements from a few bytes to 100 KB slide through frames, so that the text's bytes move at every distance.
#[test]
fn elements_of_all_sizes() {
    let db = support::connection();
    db.execute_batch("create table t(x integer primary key, t text)").unwrap();
    let mut random = Random(5);
    for x in 0..300 {
        let most = *random.pick(&[1, 10, 100, 1000, 5000, 100_000]);
        let t: String = (0..random.below(most)).map(|_| *random.pick(&['a', 'b', '"', ','])).collect();
        db.execute("insert into t values(?, ?)", (x, t)).unwrap();
    }
    let (ours, theirs) = ("resq_json(t)", "json_group_array(t)");
    for frame in
        ["0 preceding", "1 preceding", "7 preceding", "100 preceding", "between 3 preceding and 9 following"]
    {
        let sql = format!("select {{}} over (order by x rows {frame}) from t");
        let [ours, theirs] = both(&db, &sql, ours, theirs);
        assert!(ours.unwrap() == theirs.unwrap(), "{sql}");
    }
}

/// The same as an aggregate: groups, filters, sorting, DISTINCT.
#[test]
fn aggregates() {
    let db = table(200, 6);
    for sql in [
        "select {} from t",
        "select {} from t where 0",
        "select {} from t group by p",
        "select {} filter (where v > 4) from t group by p",
        "select {} from (select * from t order by v desc, x)",
        "select {} from t group by v having count(*) > 2 order by v",
        "select a.p || (select {} from t where t.x = a.x) from t a",
    ] {
        assert!(agree(&db, sql), "{sql}");
    }
    let sorted = both(
        &db,
        "select {} from t group by p",
        "resq_json('x', x, 'j', json_array(v) order by t, x desc)",
        "json_group_array(json_object('x', x, 'j', json_array(v)) order by t, x desc)",
    );
    assert_eq!(sorted[0], sorted[1]);
    let distinct = both(&db, "select {} from t", "resq_json(distinct v)", "json_group_array(distinct v)");
    assert_eq!(distinct[0], distinct[1]);
    assert!(distinct[0].is_ok());
}

/// The other shapes, over random frames, as SQLite's own functions can say them.
#[test]
fn frames_of_the_other_shapes() {
    let db = table(40, 7);
    let mut random = Random(8);
    let pairs = [
        ("resq_rows(x, v, t)", "json_group_array(json_array(x, v, t))"),
        (
            "resq_ndjson('x', x, 'v', v, 't', t)",
            "coalesce(group_concat(json_object('x', x, 'v', v, 't', t) || char(10), '') over w, '')",
        ),
        ("resq_ndjson(v)", "coalesce(group_concat(json_quote(v) || char(10), '') over w, '')"),
        (
            "resq_columns('x', x, 't', t)",
            "iif(count(*) over w = 0, '{}', json_object('x', json_group_array(x) over w, 't', json_group_array(t) over w))",
        ),
        ("resq_json_with('', 'x', x, 't', t)", "json_group_array(json_object('x', x, 't', t))"),
    ];
    let mut agreed = 0;
    for _ in 0..300 {
        let kind = random.pick(&["rows", "range", "groups"]);
        let mut bound = |edge: &str| match random.below(5) {
            0 => edge.to_owned(),
            1 => "current row".to_owned(),
            2 => format!("{} following", random.below(12)),
            _ => format!("{} preceding", random.below(12)),
        };
        let (start, end) = (bound("unbounded preceding"), bound("unbounded following"));
        let exclude = random.pick(&EXCLUDE);
        let partition = random.pick(&["", "partition by p "]);
        for (ours, theirs) in pairs {
            let call =
                |call: &str| if call.contains("over w") { call.to_owned() } else { format!("{call} over w") };
            let sql = format!(
                "select {{}} from t window w as ({partition}order by v {kind} between {start} and {end}{exclude}) order by x"
            );
            let [ours, theirs] = both(&db, &sql, &call(ours), &call(theirs));
            assert_eq!(ours, theirs, "{sql}");
            agreed += usize::from(ours.is_ok());
        }
    }
    assert!(agreed > 800, "{agreed}");
}
