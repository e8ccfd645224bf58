//! The bench: rows to JSON, by resq, by SQLite itself, by hosts' loops, and by floors that show what no aggregate can go
//! below. `make bench` runs it whole, `make bench-quick` small; docs/benchmarks.md says what is measured and how.
//!
//! ```text
//!   lanes                     all of it, a process for each SQLite, then the results
//!   lanes --host bundled      one SQLite: prints its lanes
//!   lanes --only WORD         lanes whose table or name has the word
//!   lanes --against FILE      resq's variants again by another build of it, in the same rounds
//!   lanes database FILE       the lanes' tables as a file, for other hosts
//!   lanes repeat VARIANT N    runs a variant on 1,000 rows of each lane N times, for a profiler or a counter
//! ```
#![allow(missing_docs, unsafe_code, clippy::unwrap_used, clippy::expect_used, clippy::undocumented_unsafe_blocks)]

#[allow(dead_code)]
#[path = "../measure/mod.rs"]
mod measure;

mod data;
mod floors;
mod host;
mod peers;
mod turns;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use data::{LANES, Lane, REAL};
use host::{Connection, Host};
use turns::Variant;

/// How to run.
struct Options {
    quick: bool,
    host: Option<Host>,
    only: Option<String>,
    rounds: usize,
    against: Option<PathBuf>,
    words: Vec<String>,
}

fn options() -> Options {
    let mut options =
        Options { quick: false, host: None, only: None, rounds: 0, against: None, words: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(word) = arguments.next() {
        let mut next = || arguments.next().unwrap_or_else(|| panic!("{word} needs a word"));
        match word.as_str() {
            "--bench" => {}
            "--quick" => options.quick = true,
            "--host" => {
                let word = next();
                options.host = Host::ALL.into_iter().find(|host| host.word() == word);
                assert!(options.host.is_some(), "no host {word}");
            }
            "--only" => options.only = Some(next()),
            "--rounds" => options.rounds = next().parse().expect("a number"),
            "--against" => options.against = Some(std::path::absolute(next()).unwrap()),
            _ => options.words.push(word),
        }
    }
    if options.rounds == 0 {
        options.rounds = if options.quick { 5 } else { 21 };
    }
    options
}

/// The extension's file.
fn extension() -> PathBuf {
    match std::env::var_os("RESQ_EXTENSION") {
        Some(file) => std::path::absolute(file).unwrap(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/release/libresq.so"),
    }
}

fn lanes(options: &Options) -> Vec<&'static Lane> {
    let real = data::real_database().map(|_| &REAL);
    if real.is_none() {
        eprintln!("no proj.db: the lane on a real database is left out (`make bench-real` gets it)");
    }
    let wanted = |lane: &&Lane| match &options.only {
        Some(word) => lane.name.contains(word) || lane.table.contains(word),
        None => true,
    };
    LANES.iter().chain(real).filter(wanted).collect()
}

/// A connection to a database in memory that has resq and the floors.
fn connect(file: &Path) -> Connection {
    let db = Connection::open(":memory:");
    if let Err(message) = db.load(file) {
        panic!("{}: {message}", file.display());
    }
    floors::register(db);
    db
}

fn sql(db: Connection, name: &str, sql: &str) -> Variant {
    let mut statement = db.prepare(sql);
    Variant::new(name, move |read| statement.one(|bytes| read(bytes)))
}

/// The ways to make JSON of a lane's table.
fn variants(db: Connection, host: Host, lane: &Lane) -> Vec<Variant> {
    let table = lane.table;
    let select = format!("select * from {table}");
    let names = db.prepare(&select).names();
    let pairs: Vec<_> = names.iter().map(|name| format!("'{name}', {name}")).collect();
    let (pairs, values) = (pairs.join(", "), names.join(", "));
    // SQLite's functions refuse BLOBs.
    let blobs: Vec<_> = {
        names
            .iter()
            .map(|name| {
                let mut is = db.prepare(&format!("select max(typeof({name}) = 'blob') from {table}"));
                is.one(|text| text == b"1")
            })
            .collect()
    };
    let encoded: Vec<_> = names
        .iter()
        .zip(&blobs)
        .map(|(name, blob)| match blob {
            true => format!("'{name}', resq_b64({name})"),
            false => format!("'{name}', {name}"),
        })
        .collect();
    let encoded = encoded.join(", ");
    let mut loops = db.prepare(&select);
    vec![
        sql(db, "resq_json", &format!("select resq_json({pairs}) from {table}")),
        sql(db, "resq_json again", &format!("select resq_json({pairs}) from {table}")),
        sql(db, "resq_query", &format!("select resq_query('{select}')")),
        sql(db, "resq_rows", &format!("select resq_rows({values}) from {table}")),
        sql(db, "built-in", &format!("select json_group_array(json_object({encoded})) from {table}")),
        Variant::new("C-style loop", move |read| peers::c_style(&mut loops, |bytes| read(bytes))),
        Variant::new("host loop", peers::rust_host(host, db, &select, peers::Way::Collects)),
        Variant::new("host loop, streaming", peers::rust_host(host, db, &select, peers::Way::Streams)),
        sql(db, "floor: nothing", &format!("select floor_nothing({pairs}) from {table}")),
        sql(db, "floor: reads", &format!("select floor_reads({pairs}) from {table}")),
        sql(db, "floor: reads again", &format!("select floor_reads_again({pairs}) from {table}")),
        sql(db, "floor: copies", &format!("select floor_copies({pairs}) from {table}")),
    ]
}

fn main() {
    let options = options();
    let host = options.host.unwrap_or(Host::Bundled);
    host::install(host).unwrap();
    run_lanes(&options, host);
}

/// All variants must say the same, but for how SQLite itself and serde_json spell reals.
fn check(lane: &Lane, variants: &mut [Variant]) {
    let wanted = variants[0].output();
    let parsed: serde_json::Value = serde_json::from_slice(&wanted).expect("JSON");
    let rows = parsed.as_array().unwrap().len();
    assert!(rows > 0, "{}", lane.name);
    floors::ROW_BYTES.store(wanted.len() / rows, Ordering::Relaxed);
    for variant in variants {
        let output = variant.output();
        match variant.name.as_str() {
            "resq_rows" | "floor: nothing" | "floor: reads" | "floor: reads again" => {}
            "floor: copies" => {
                let (length, wanted) = (output.len() as f64, wanted.len() as f64);
                assert!((length / wanted - 1.0).abs() < 0.01, "{}: {length} {wanted}", lane.name);
            }
            _ if output == wanted => {}
            name => {
                let other: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
                assert!(same(&parsed, &other), "{name} differs on {}", lane.name);
            }
        }
    }
}

fn same(a: &serde_json::Value, b: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object};
    match (a, b) {
        (Array(a), Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Object(a), Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        (Number(a), Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            a == b || (a / b - 1.0).abs() < 1e-14
        }
        _ => a == b,
    }
}

fn run_lanes(options: &Options, host: Host) {
    println!("SQLite {}", host::version());
    for lane in lanes(options) {
        let rows = if options.quick { lane.rows.div_ceil(10) } else { lane.rows };
        let db = connect(&extension());
        lane.fill(db, rows);
        let mut all = variants(db, host, lane);
        check(lane, &mut all);
        let times = turns::take(&mut all, options.rounds, if options.quick { 3 } else { 1 });
        println!("{}", lane.name);
        for (variant, time) in all.iter().zip(&times) {
            println!("  {:<22} {:6.3}  {:9.0} us", variant.name, time / times[0], time / 1e3);
        }
    }
}
