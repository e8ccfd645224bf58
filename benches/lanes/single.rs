//! What the lanes don't show: peak memory of a large result, the first call after load, a call on one row, and the cost
//! per row from few rows to many. Memory and first calls take a fresh process each: this program again, with a word.

use std::path::Path;
use std::process::Command;

use super::host::{self, Cell, Connection, Host};
use super::measure::cpu_time;
use super::turns::{self, Variant};
use super::{connect, extension, sql};
use crate::data::Random;

/// What comes out of a fresh process: numbers on one line.
fn fresh(host: Host, words: &[&str]) -> Vec<f64> {
    let program = std::env::current_exe().unwrap();
    let output = Command::new(program).args(["--host", host.word(), "fresh"]).args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    let line = String::from_utf8(output.stdout).unwrap();
    line.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// What a fresh process does.
pub fn in_fresh_process(words: &[String]) {
    match words {
        [what, rows] if what == "memory-resq_query" || what == "memory-resq_json" => {
            let rows: u64 = rows.parse().unwrap();
            let source = format!(
                "with recursive n(i) as (values (1) union all select i + 1 from n where i < {rows}) "
            );
            let text = match what.as_str() {
                "memory-resq_query" => {
                    format!("select resq_query('{source} select i, zeroblob(3000) as b from n')")
                }
                _ => format!("{source} select resq_json('i', i, 'b', zeroblob(3000)) from n"),
            };
            let db = connect(&extension());
            let length = db.prepare(&text).one(<[u8]>::len);
            println!("{length} {}", peak());
        }
        [what, file, text] if what == "first" => {
            let db = Connection::open(":memory:");
            db.run("create table t (a)");
            let start = cpu_time();
            db.load(Path::new(file)).unwrap();
            db.prepare(text).one(<[u8]>::len);
            println!("{}", (cpu_time() - start).as_nanos());
        }
        _ => panic!("{words:?}"),
    }
}

/// The most memory this process ever held, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() * 1024
}

/// Peak memory over the result's length, of `resq_query` and of `resq_json`.
pub fn memory(host: Host, quick: bool) -> [f64; 2] {
    let rows = if quick { "12500" } else { "125000" };
    ["memory-resq_query", "memory-resq_json"].map(|what| {
        let seen = fresh(host, &[what, rows]);
        seen[1] / seen[0]
    })
}

/// Milliseconds of CPU that loading and the first call take more with resq than with an extension that is empty.
pub fn first_call(host: Host, quick: bool) -> f64 {
    let empty = super::floors::compiled("empty");
    let resq = extension();
    let ways: [(&Path, &str); 2] =
        [(&empty, "select json_array(json_object('a', 1))"), (&resq, "select resq_json('a', 1)")];
    let rounds = if quick { 5 } else { 21 };
    let mut times = [vec![], vec![]];
    for round in 0..rounds {
        for turn in 0..2 {
            let at = if round % 2 == 0 { turn } else { 1 - turn };
            let (file, text) = ways[at];
            times[at].push(fresh(host, &["first", file.to_str().unwrap(), text])[0]);
        }
    }
    let [empty, resq] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[rounds / 4]
    });
    (resq - empty) / 1e6
}

/// One call on one row of three columns, over SQLite's own: the aggregates, the scalar functions, and a query from within.
pub fn one_row(quick: bool) -> [f64; 3] {
    let db = connect(&extension());
    db.run("create table t (id integer primary key, name, price)");
    db.run("insert into t values (1, 'Ada Lovelace', 9.75)");
    let pairs = "'id', id, 'name', name, 'price', price";
    let mut all = [
        sql(db, "", &format!("select resq_json({pairs}) from t")),
        sql(db, "", &format!("select json_group_array(json_object({pairs})) from t")),
        sql(db, "", &format!("select resq_object({pairs}) from t")),
        sql(db, "", &format!("select json_object({pairs}) from t")),
        sql(db, "", "select resq_query('select id, name, price from t')"),
    ];
    let (rounds, times) = if quick { (5, 500) } else { (41, 2000) };
    let times = turns::take(&mut all, rounds, times);
    [times[0] / times[1], times[2] / times[3], times[4] / times[1]]
}

/// Cost per row at one size.
pub struct Size {
    pub rows: usize,
    /// Nanoseconds per row: resq_json, resq_query, the reads floor, the copies floor.
    pub cost: [f64; 4],
}

/// Cost per row from 100 rows on.
pub fn per_row(quick: bool) -> Vec<Size> {
    let most = if quick { 1_000_000 } else { 10_000_000 };
    let db = connect(&extension());
    db.run("create table t (id integer primary key, n, name)");
    let mut insert = db.prepare("insert into t values (?, ?, ?)");
    db.run("begin");
    let mut random = Random(2);
    for row in 1..=most {
        let number = random.below(1_000_000) as i64;
        insert.insert(&[Cell::Integer(row), Cell::Integer(number), Cell::Text("Ada Lovelace".to_owned())]);
    }
    db.run("commit");
    let mut sizes = Vec::new();
    let mut rows = 100;
    while rows <= most as usize {
        let from = format!("from t where id <= {rows}");
        let pairs = "'id', id, 'n', n, 'name', name";
        let mut all: [Variant; 4] = [
            sql(db, "", &format!("select resq_json({pairs}) {from}")),
            sql(db, "", &format!("select resq_query('select * {from}')")),
            sql(db, "", &format!("select floor_reads({pairs}) {from}")),
            sql(db, "", &format!("select floor_copies({pairs}) {from}")),
        ];
        let length = all[0].output().len();
        super::floors::row_bytes(length / rows);
        let times = (200_000 / rows).max(1) as u32;
        let rounds = if rows >= 1_000_000 { 5 } else { 11 };
        let taken = turns::take(&mut all, rounds, times);
        let cost = [0, 1, 2, 3].map(|at| taken[at] / rows as f64);
        sizes.push(Size { rows, cost });
        rows *= 10;
    }
    sizes
}

/// The lanes' tables in a file, for other hosts.
pub fn database(file: &Path, quick: bool) {
    let _ = std::fs::remove_file(file);
    let db = Connection::open(file.to_str().unwrap());
    for lane in super::data::LANES {
        lane.fill(db, if quick { lane.rows.div_ceil(10) } else { lane.rows });
    }
    db.close();
    println!("{}: SQLite {}", file.display(), host::version());
}
