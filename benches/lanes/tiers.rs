//! The lanes of texts on every tier that this processor has, in the same rounds of one process.
//!
//! Each tier is a copy of a build with the feature `force-tier`, which takes the tier from an
//! environment variable when it is first asked. The library that people get cannot be told.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::data::{Class, Lane, TEXTS};
use super::turns::{self, Variant};
use super::{Options, check, connect, report, sql};

/// Best first.
const TIERS: [&str; 4] = ["avx512", "avx2", "ssse3", "scalar"];

/// What `resq_query` is to reach against SQLite's own on the tiers of [`HELD`], and on users
/// against the portable tier.
const OWN: f64 = 1.3;
const USERS: f64 = 1.25;
const HELD: [&str; 2] = ["avx2", "ssse3"];

/// The build with `force-tier`: `RESQ_FORCED` names it.
fn forced() -> PathBuf {
    let file = std::env::var_os("RESQ_FORCED").expect("RESQ_FORCED: `make bench-tiers` builds it");
    std::path::absolute(file).unwrap()
}

/// A copy of the library that runs one tier, if this processor has it.
fn copy(tier: &str) -> Option<PathBuf> {
    let original = forced();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{tier}-{}", original.file_name().unwrap().to_str().unwrap()));
    std::fs::copy(original, &file).unwrap();
    // SAFETY: this process has one thread.
    unsafe { std::env::set_var("RESQ_TIER", tier) };
    let said = connect(&file).prepare("select resq_debug()").one(|text| text.to_vec());
    let said: serde_json::Value = serde_json::from_slice(&said).unwrap();
    (said["tier"] == tier).then_some(file)
}

/// A lane's ways: SQLite's own, and for each tier both of ours.
fn variants(lane: &Lane, rows: usize, tiers: &[(&'static str, PathBuf)]) -> Vec<Variant> {
    let table = lane.table;
    let names = lane.names();
    let pairs: Vec<_> = names.iter().map(|name| format!("'{name}', {name}")).collect();
    let pairs = pairs.join(", ");
    let mut all = Vec::new();
    for (tier, file) in tiers {
        let db = connect(file);
        lane.fill(db, rows);
        if all.is_empty() {
            let own = format!("select json_group_array(json_object({pairs})) from {table}");
            all.push(sql(db, "built-in", &own));
        }
        all.push(sql(db, &format!("json {tier}"), &format!("select resq_json({pairs}) from {table}")));
        all.push(sql(db, &format!("query {tier}"), &format!("select resq_query('select * from {table}')")));
    }
    all
}

/// Measures, prints the table, and writes it to the page unless the run is a quick one.
pub fn table(options: &Options) {
    let tiers: Vec<_> = TIERS.into_iter().filter_map(|tier| Some((tier, copy(tier)?))).collect();
    assert!(tiers.len() > 1, "nothing to compare: this processor has {} tier", tiers.len());
    let heads = |what: &str| tiers.iter().map(|(tier, _)| format!(" {what} {tier} |")).collect::<String>();
    let mut text = format!(
        "SQLite {}. Time of SQLite's own over that of each way; {OWN} is the goal on AVX2 and SSSE3, \
         and for users the portable tier's time over AVX2's is to be {USERS}.\n\n",
        super::host::version()
    );
    writeln!(text, "| text |{}{} goal |", heads("`resq_query`,"), heads("`resq_json`,")).unwrap();
    writeln!(text, "|---|{}---|", "---|".repeat(2 * tiers.len())).unwrap();
    for lane in TEXTS.iter().filter(|lane| options.only.as_ref().is_none_or(|word| lane.table.contains(word)))
    {
        let rows = if options.quick { lane.rows.div_ceil(10) } else { lane.rows };
        let mut all = variants(lane, rows, &tiers);
        check(lane, &mut all);
        let times = turns::take(&mut all, options.rounds, 1);
        let time = |name: String| times[all.iter().position(|variant| variant.name == name).unwrap()];
        write!(text, "| {} |", lane.name).unwrap();
        for way in ["query", "json"] {
            for (tier, _) in &tiers {
                write!(text, " {:.2} |", times[0] / time(format!("{way} {tier}"))).unwrap();
            }
        }
        let held = HELD.into_iter().filter(|tier| tiers.iter().any(|(known, _)| known == tier));
        let mut met = held.clone().all(|tier| times[0] / time(format!("query {tier}")) >= OWN);
        let mut goal = format!("≥ {OWN} on {}", held.collect::<Vec<_>>().join(" and "));
        if lane.class == Class::Users {
            let gain = time("query scalar".to_owned()) / time(format!("query {}", HELD[0]));
            met &= gain >= USERS;
            write!(goal, "; scalar : {} ≥ {USERS}: {gain:.2}", HELD[0]).unwrap();
        }
        writeln!(text, " {} {goal} |", if met { "✓" } else { "✗" }).unwrap();
    }
    println!("{text}");
    if !options.quick && options.only.is_none() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/benchmarks.md");
        report::put_between(&page, BEGIN, END, &text);
    }
}

const BEGIN: &str = "<!-- tiers: `make bench-tiers` writes what is between these lines -->";
const END: &str = "<!-- end of tiers -->";
