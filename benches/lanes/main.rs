//! The bench: rows to JSON, by resq, by SQLite itself, by hosts' loops, and by floors that show what no aggregate can go
//! below. `make bench` runs it whole, `make bench-quick` small; docs/benchmarks.md says what is measured and how.
//!
//! ```text
//!   lanes                     all of it, a process for each SQLite, then the results
//!   lanes --host bundled      one SQLite: prints its lanes
//!   lanes --only WORD         the lane whose table it is, or those whose name or table has it
//!   lanes --against FILE      resq's variants again by another build of it, in the same rounds
//!   lanes database FILE       the lanes' tables as a file, for other hosts
//!   lanes repeat VARIANT N    runs a variant on each lane N times and nothing else, for a profiler
//!   lanes tiers               the lanes of texts on every tier of this processor; writes its table to docs/benchmarks.md
//!   lanes guard, guard-update compares instructions with benches/guard.txt, writes that file
//! ```
#![allow(
    missing_docs,
    unsafe_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::undocumented_unsafe_blocks
)]

#[path = "../measure/mod.rs"]
mod measure;
#[path = "../texts/mod.rs"]
mod texts;

mod data;
mod floors;
mod guard;
mod host;
mod peers;
mod report;
mod single;
mod tiers;
mod turns;

use std::path::{Path, PathBuf};

use data::{LANES, Lane, REAL};
use host::{Connection, Host};
use serde_json::{Value, json};
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

/// The extension's file: what `make build` makes, unless `RESQ_EXTENSION` names another.
fn extension() -> PathBuf {
    match std::env::var_os("RESQ_EXTENSION") {
        Some(file) => std::path::absolute(file).unwrap(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join(format!(
            "{}resq{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        )),
    }
}

fn lanes(options: &Options) -> Vec<&'static Lane> {
    let real = data::real_database().map(|_| &REAL);
    if real.is_none() {
        eprintln!("no proj.db: the lane on a real database is left out (`make bench-real` gets it)");
    }
    let all: Vec<_> = LANES.iter().chain(real).collect();
    let Some(word) = &options.only else { return all };
    let named = |lane: &&Lane| lane.table == word;
    let wanted = |lane: &&Lane| lane.name.contains(word) || lane.table.contains(word);
    if all.iter().any(named) {
        return all.into_iter().filter(named).collect();
    }
    all.into_iter().filter(wanted).collect()
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
    let words: Vec<_> = options.words.iter().map(String::as_str).collect();
    if options.host.is_none() && words.is_empty() {
        return everything(&options);
    }
    let host = options.host.unwrap_or(Host::Bundled);
    if let Err(why) = host::install(host) {
        eprintln!("no {} SQLite: {why}", host.word());
        std::process::exit(SKIPPED);
    }
    match words[..] {
        [] => run_lanes(&options, host),
        ["results", file] => {
            let results = results(&options, host);
            std::fs::write(file, results.to_string()).unwrap();
        }
        ["fresh", ..] => single::in_fresh_process(&options.words[1..]),
        ["database", file] => single::database(Path::new(file), options.quick),
        ["repeat", variant, times] => repeat(&options, host, variant, times.parse().expect("a number")),
        ["tiers"] => tiers::table(&options),
        ["count"] => guard::count(),
        ["guard"] => std::process::exit(i32::from(!guard::guard())),
        ["guard-update"] => guard::update(),
        _ => panic!("what is {words:?}?"),
    }
}

/// The exit code of a process whose SQLite is not there.
const SKIPPED: i32 = 77;

/// Both SQLites, a process each, then the results: printed, and of a whole run written to `docs`.
fn everything(options: &Options) {
    let mut hosts = Vec::new();
    for host in Host::ALL {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{}.json", host.word()));
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(["--host", host.word(), "results"]).arg(&file);
        command.args(["--rounds", &options.rounds.to_string()]);
        if options.quick {
            command.arg("--quick");
        }
        if let Some(word) = &options.only {
            command.args(["--only", word]);
        }
        match command.status().unwrap().code() {
            Some(0) => hosts.push(serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap()),
            Some(SKIPPED) => {}
            code => panic!("{}: {code:?}", host.word()),
        }
    }
    let results = report::assemble(hosts, options.rounds);
    let tables = report::tables(&results);
    println!("\n{tables}");
    if options.quick || options.only.is_some() {
        return println!(
            "A whole run writes docs/bench.json, docs/bench.svg and docs/benchmarks.md; this one does not."
        );
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    std::fs::write(docs.join("bench.json"), serde_json::to_string_pretty(&results).unwrap() + "\n").unwrap();
    std::fs::write(docs.join("bench.svg"), report::picture(&results)).unwrap();
    report::put(&docs.join("benchmarks.md"), &tables);
    println!("written: docs/bench.json, docs/bench.svg, docs/benchmarks.md");
}

/// All variants must say the same, but for how SQLite itself and serde_json spell reals.
fn check(lane: &Lane, variants: &mut [Variant]) {
    let wanted = variants[0].output();
    let parsed: serde_json::Value = serde_json::from_slice(&wanted).expect("JSON");
    let rows = parsed.as_array().unwrap().len();
    assert!(rows > 0, "{}", lane.name);
    floors::row_bytes(wanted.len() / rows);
    for variant in variants {
        let output = variant.output();
        match variant.name.as_str() {
            "resq_rows" | "resq_rows, other" | "floor: nothing" | "floor: reads" | "floor: reads again" => {}
            "floor: copies" => {
                // Whole bytes a row.
                let least = wanted.len() - wanted.len() / 100 - rows;
                let most = wanted.len() + wanted.len() / 100;
                assert!((least..=most).contains(&output.len()), "{}: {}", lane.name, output.len());
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

/// A lane in a connection of its own, its ways checked.
fn ready(options: &Options, host: Host, lane: &Lane) -> Vec<Variant> {
    let rows = if options.quick { lane.rows.div_ceil(10) } else { lane.rows };
    let db = connect(&extension());
    lane.fill(db, rows);
    let mut all = variants(db, host, lane);
    if let Some(file) = &options.against {
        let db = connect(file);
        lane.fill(db, rows);
        let ours =
            |variant: &Variant| ["resq_json", "resq_query", "resq_rows"].contains(&variant.name.as_str());
        for mut other in variants(db, host, lane).into_iter().filter(ours) {
            other.name += ", other";
            all.push(other);
        }
    }
    check(lane, &mut all);
    all
}

/// Measures one lane and prints it; the ratios to `resq_json`.
fn measure_lane(options: &Options, host: Host, lane: &Lane) -> Vec<(String, f64)> {
    let mut all = ready(options, host, lane);
    let times = turns::take(&mut all, options.rounds, if options.quick { 3 } else { 1 });
    println!("{}", lane.name);
    for (variant, time) in all.iter().zip(&times) {
        println!("  {:<22} {:6.3}  {:9.0} us", variant.name, time / times[0], time / 1e3);
    }
    all.into_iter().zip(&times).map(|(variant, time)| (variant.name, time / times[0])).collect()
}

fn run_lanes(options: &Options, host: Host) {
    println!("SQLite {}", host::version());
    for lane in lanes(options) {
        measure_lane(options, host, lane);
    }
}

/// All that is measured on one SQLite.
fn results(options: &Options, host: Host) -> Value {
    println!("SQLite {}", host::version());
    let db = connect(&extension());
    let debug = db.prepare("select resq_debug()").one(|text| String::from_utf8_lossy(text).into_owned());
    let mut noise = [0.0f64; 2];
    let measured: Vec<Value> = lanes(options)
        .into_iter()
        .map(|lane| {
            let ratios = measure_lane(options, host, lane);
            let ratio = |name: &str| ratios.iter().find(|(known, _)| known == name).unwrap().1;
            noise[0] = noise[0].max((ratio("resq_json again") - 1.0).abs());
            noise[1] = noise[1].max((ratio("floor: reads again") / ratio("floor: reads") - 1.0).abs());
            let ratios: serde_json::Map<_, _> =
                ratios.iter().map(|(name, ratio)| (name.clone(), json!(rounded(*ratio)))).collect();
            json!({ "name": lane.name, "table": lane.table, "class": lane.class.word(), "ratios": ratios })
        })
        .collect();
    let mut results = json!({
        "sqlite": host::version(),
        "debug": debug,
        "noise": { "resq_json": rounded(noise[0]), "floor: reads": rounded(noise[1]) },
        "lanes": measured,
    });
    if options.only.is_none() {
        println!("peak memory, first call, one row, cost per row");
        let [query, json] = single::memory(host, options.quick);
        results["memory"] = json!({ "resq_query": rounded(query), "resq_json": rounded(json) });
        results["first_call_ms"] = json!(rounded(single::first_call(host, options.quick)));
        let [json, object, query] = single::one_row(options.quick);
        let [json, object, query] = [json, object, query].map(rounded);
        results["one_row"] = json!({ "resq_json": json, "resq_object": object, "resq_query": query });
        let sizes = single::per_row(options.quick);
        let one = sizes[2].cost[0];
        let relative = |cost: [f64; 4]| cost.map(|cost| rounded(cost / one));
        results["per_row"] =
            sizes.iter().map(|size| json!({ "rows": size.rows, "cost": relative(size.cost) })).collect();
    }
    results
}

fn rounded(ratio: f64) -> f64 {
    (ratio * 1000.0).round() / 1000.0
}

/// Runs one variant again and again, and nothing else once the tables are filled, for a profiler.
fn repeat(options: &Options, host: Host, variant: &str, times: u32) {
    for lane in lanes(options) {
        let db = connect(&extension());
        lane.fill(db, lane.rows);
        let mut all = variants(db, host, lane);
        let wanted = all.iter_mut().find(|known| known.name == variant).expect("a variant");
        for _ in 0..times {
            (wanted.run)(&mut |bytes| _ = std::hint::black_box(bytes));
        }
    }
}
