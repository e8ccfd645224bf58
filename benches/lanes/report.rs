//! What the runs say: the targets and what was measured beside them, as JSON, as a table, as a picture.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

/// A row of the table of targets.
struct Target {
    what: &'static str,
    /// In words, by host.
    target: [&'static str; 2],
    /// The figure in words and whether it is met, of one host's results; `None` if it was not measured.
    measure: fn(&Value, usize) -> Option<(String, bool)>,
}

/// The ratio of two variants on each lane that `wanted` takes, with the lane's name.
fn ratios(host: &Value, wanted: impl Fn(&Value) -> bool, over: &str, under: &str) -> Vec<(f64, String)> {
    let lanes = host["lanes"].as_array().unwrap().iter();
    lanes
        .filter(|lane| wanted(lane))
        .map(|lane| {
            let time = |variant: &str| lane["ratios"][variant].as_f64().unwrap();
            (time(over) / time(under), lane["name"].as_str().unwrap().to_owned())
        })
        .collect()
}

fn all(_: &Value) -> bool {
    true
}

fn class(name: &'static str) -> impl Fn(&Value) -> bool {
    move |lane| lane["class"] == name
}

/// The worst of ratios that are to be at most `limit`.
fn at_most(limit: f64, mut ratios: Vec<(f64, String)>) -> Option<(String, bool)> {
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (low, (high, lane)) = (ratios.first()?.0, ratios.last()?);
    let met = ratios.iter().filter(|(ratio, _)| *ratio <= limit).count();
    let text = match ratios.len() {
        1 => format!("{high:.2}"),
        count => format!("{low:.2} to {high:.2} ({lane}); {met} of {count} lanes"),
    };
    Some((text, met == ratios.len()))
}

/// The worst of ratios that are to be at least `limit`, and their median, which is to be at least `median`.
fn at_least(limit: f64, median: f64, mut ratios: Vec<(f64, String)>) -> Option<(String, bool)> {
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (low, lane) = ratios.first()?;
    let middle = (ratios[(ratios.len() - 1) / 2].0 + ratios[ratios.len() / 2].0) / 2.0;
    let met = ratios.iter().filter(|(ratio, _)| *ratio >= limit).count();
    let text = format!("from {low:.2} ({lane}), median {middle:.2}; {met} of {} lanes", ratios.len());
    Some((text, met == ratios.len() && middle >= median))
}

fn plain(figure: &Value, limit: f64, unit: &str) -> Option<(String, bool)> {
    let figure = figure.as_f64()?;
    Some((format!("{figure:.2}{unit}"), figure <= limit))
}

fn flatness(host: &Value, variant: usize) -> Option<(String, bool)> {
    let sizes = host["per_row"].as_array()?;
    let costs: Vec<f64> = sizes.iter().map(|size| size["cost"][variant].as_f64().unwrap()).collect();
    let high = costs.iter().copied().fold(0.0, f64::max);
    let low = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let spread = (high / low - 1.0) * 100.0;
    Some((format!("{spread:.0} % between the dearest and the cheapest size"), spread <= 15.0))
}

const TARGETS: &[Target] = &[
    Target {
        what: "`resq_json` : reads floor, integers, BLOBs of 3 and 16 B, short text",
        target: ["≤ 1.05"; 2],
        measure: |host, _| at_most(1.05, ratios(host, class("small"), "resq_json", "floor: reads")),
    },
    Target {
        what: "… mixed",
        target: ["≤ 1.2"; 2],
        measure: |host, _| at_most(1.2, ratios(host, class("mixed"), "resq_json", "floor: reads")),
    },
    Target {
        what: "… reals",
        target: ["≤ 1.7"; 2],
        measure: |host, _| at_most(1.7, ratios(host, class("reals"), "resq_json", "floor: reads")),
    },
    Target {
        what: "`resq_json` : copies floor, BLOBs of 128 B and 4 KB, long text",
        target: ["≤ 1.1"; 2],
        measure: |host, _| at_most(1.1, ratios(host, class("large"), "resq_json", "floor: copies")),
    },
    Target {
        what: "SQLite's own : `resq_json`",
        target: ["≥ 2 on every lane, median ≥ 2.7", "≥ 2 on every lane, median ≥ 3.3"],
        measure: |host, at| at_least(2.0, [2.7, 3.3][at], ratios(host, all, "built-in", "resq_json")),
    },
    Target {
        what: "C-style loop : `resq_json`",
        target: ["≥ 1.5 on every lane"; 2],
        measure: |host, _| at_least(1.5, 0.0, ratios(host, all, "C-style loop", "resq_json")),
    },
    Target {
        what: "`resq_query` : `resq_json`",
        target: ["≤ 0.75"; 2],
        measure: |host, _| at_most(0.75, ratios(host, all, "resq_query", "resq_json")),
    },
    Target {
        what: "host loop that collects rows : `resq_query`",
        target: ["≥ 3 on every lane"; 2],
        measure: |host, _| at_least(3.0, 0.0, ratios(host, all, "host loop", "resq_query")),
    },
    Target {
        what: "host loop that streams rows : `resq_query`",
        target: ["≥ 3 on every lane"; 2],
        measure: |host, _| at_least(3.0, 0.0, ratios(host, all, "host loop, streaming", "resq_query")),
    },
    Target {
        what: "peak memory : a result of 500 MB, `resq_query`",
        target: ["≤ 1.1"; 2],
        measure: |host, _| plain(&host["memory"]["resq_query"], 1.1, ""),
    },
    Target {
        what: "… `resq_json` (SQLite copies an aggregate's result once)",
        target: ["≤ 2.05"; 2],
        measure: |host, _| plain(&host["memory"]["resq_json"], 2.05, ""),
    },
    Target {
        what: "load and first call, above an empty extension",
        target: ["≤ 1 ms"; 2],
        measure: |host, _| plain(&host["first_call_ms"], 1.0, " ms"),
    },
    Target {
        what: "one row of three columns, `resq_json` : SQLite's own",
        target: ["≤ 1"; 2],
        measure: |host, _| plain(&host["one_row"]["resq_json"], 1.0, ""),
    },
    Target {
        what: "… `resq_object` : SQLite's own",
        target: ["≤ 1"; 2],
        measure: |host, _| plain(&host["one_row"]["resq_object"], 1.0, ""),
    },
    Target {
        what: "cost per row from 100 rows to 10 million, `resq_json`",
        target: ["flat within 15 %"; 2],
        measure: |host, _| flatness(host, 0),
    },
    Target {
        what: "… `resq_query`", target: ["flat within 15 %"; 2], measure: |host, _| flatness(host, 1)
    },
];

/// All results, with the targets, as one JSON value.
pub fn assemble(hosts: Vec<Value>, rounds: usize) -> Value {
    let targets: Vec<Value> = TARGETS
        .iter()
        .map(|target| {
            let measured: Vec<_> = hosts
                .iter()
                .enumerate()
                .map(|(at, host)| {
                    let found = (target.measure)(host, at);
                    let (text, met) = found.unwrap_or(("not measured".to_owned(), false));
                    json!({ "sqlite": host["sqlite"], "target": target.target[at], "measured": text, "met": met })
                })
                .collect();
            json!({ "what": target.what, "hosts": measured })
        })
        .collect();
    json!({
        "note": "Ratios of one run. A lane's ratios are to resq_json's time on it.",
        "processor": processor(),
        "rounds": rounds,
        "targets": targets,
        "hosts": hosts,
    })
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().unwrap_or("").trim() == name);
        line.and_then(|line| line.split(':').nth(1)).unwrap_or("?").trim().to_owned()
    };
    format!("{}, family {} model {}", field("model name"), field("cpu family"), field("model"))
}

/// The table of targets and the table of lanes, as Markdown.
pub fn tables(results: &Value) -> String {
    let mut text = String::new();
    let hosts = results["hosts"].as_array().unwrap();
    let names: Vec<_> =
        hosts.iter().map(|host| format!("SQLite {}", host["sqlite"].as_str().unwrap())).collect();
    writeln!(text, "Processor: {}. Kernels: {}.", results["processor"].as_str().unwrap(), kernels(hosts))
        .unwrap();
    for (host, name) in hosts.iter().zip(&names) {
        let noise = host["noise"].as_object().unwrap();
        let worst = noise.values().map(|x| x.as_f64().unwrap()).fold(0.0, f64::max);
        writeln!(text, "Noise, {name}: the same code twice differs by up to {:.1} %.", worst * 100.0)
            .unwrap();
    }
    writeln!(text, "\n| what | target | {} |\n|---|---|{}", names.join(" | "), "---|".repeat(hosts.len()))
        .unwrap();
    for target in results["targets"].as_array().unwrap() {
        let cells = target["hosts"].as_array().unwrap();
        let words: Vec<_> = cells.iter().map(|cell| cell["target"].as_str().unwrap()).collect();
        let words =
            if words.iter().all(|word| *word == words[0]) { words[0].to_owned() } else { words.join(" / ") };
        write!(text, "| {} | {words} |", target["what"].as_str().unwrap()).unwrap();
        for cell in cells {
            let mark = if cell["met"] == true { "✓" } else { "✗" };
            write!(text, " {mark} {} |", cell["measured"].as_str().unwrap()).unwrap();
        }
        text.push('\n');
    }
    for (host, name) in hosts.iter().zip(&names) {
        writeln!(text, "\n{name}, time of each way over `resq_json`'s:\n").unwrap();
        let lanes = host["lanes"].as_array().unwrap();
        let Some(first) = lanes.first() else { continue };
        let ways: Vec<_> =
            first["ratios"].as_object().unwrap().keys().filter(|way| *way != "resq_json").collect();
        let heads: Vec<_> = ways.iter().map(|way| way.as_str()).collect();
        writeln!(text, "| lane | {} |\n|---|{}", heads.join(" | "), "---|".repeat(ways.len())).unwrap();
        for lane in lanes {
            write!(text, "| {} |", lane["name"].as_str().unwrap()).unwrap();
            for way in &ways {
                write!(text, " {:.2} |", lane["ratios"][way.as_str()].as_f64().unwrap()).unwrap();
            }
            text.push('\n');
        }
    }
    if hosts.iter().all(|host| host["per_row"].is_array()) {
        writeln!(text, "\nCost per row over that of the same SQLite's `resq_json` at 10,000 rows:\n")
            .unwrap();
        let heads: Vec<_> = names
            .iter()
            .map(|name| format!("{name}: `resq_json` | `resq_query` | reads floor | copies floor"))
            .collect();
        writeln!(text, "| rows | {} |\n|---|{}", heads.join(" | "), "---|".repeat(4 * hosts.len())).unwrap();
        let sizes = |host: &Value| host["per_row"].as_array().unwrap().clone();
        for (at, size) in sizes(&hosts[0]).iter().enumerate() {
            write!(text, "| {} |", size["rows"]).unwrap();
            for host in hosts {
                for cost in sizes(host)[at]["cost"].as_array().unwrap() {
                    write!(text, " {:.2} |", cost.as_f64().unwrap()).unwrap();
                }
            }
            text.push('\n');
        }
    }
    text
}

fn kernels(hosts: &[Value]) -> String {
    hosts[0]["debug"].as_str().unwrap().to_owned()
}

const BEGIN: &str = "<!-- measured: `make bench` writes what is between these lines -->";
const END: &str = "<!-- end of measured -->";

/// Puts the tables between the marks of a page.
pub fn put(page: &Path, tables: &str) {
    put_between(page, BEGIN, END, tables);
}

/// Puts a text between two marks of a page.
pub fn put_between(page: &Path, begin: &str, end: &str, text: &str) {
    let old = std::fs::read_to_string(page).unwrap();
    let (before, rest) = old.split_once(begin).expect("the first mark");
    let (_, after) = rest.split_once(end).expect("the last mark");
    std::fs::write(page, format!("{before}{begin}\n\n{text}\n{end}{after}")).unwrap();
}

/// The picture: each lane is a line, each way a dot on it, at its time over `resq_json`'s.
pub fn picture(results: &Value) -> String {
    const WAYS: [(&str, &str, &str); 6] = [
        ("floor: reads", "reading alone", "#8a8a8a"),
        ("resq_query", "resq_query", "#2f9e44"),
        ("resq_json", "resq_json", "#1c7ed6"),
        ("C-style loop", "a loop in C's manner", "#9c5fd6"),
        ("built-in", "SQLite's own JSON functions", "#e8590c"),
        ("host loop", "a Rust program, serde_json", "#e03131"),
    ];
    const LEFT: f64 = 230.0;
    const WIDTH: f64 = 560.0;
    const LINE: f64 = 28.0;
    const TOP: f64 = 104.0;
    let host = &results["hosts"][0];
    let lanes = host["lanes"].as_array().unwrap();
    let time = |lane: &Value, way: &str| lane["ratios"][way].as_f64().unwrap();
    let most = lanes.iter().flat_map(|lane| WAYS.map(|way| time(lane, way.0))).fold(1.0, f64::max).ceil();
    let x = |ratio: f64| LEFT + ratio / most * WIDTH;
    let height = TOP + LINE * lanes.len() as f64 + 44.0;
    let mut svg = String::new();
    writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:.0} {height:.0}" width="{w:.0}" height="{height:.0}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Time of several ways from rows to JSON">
<style>
  .paper {{ fill: #ffffff }} text {{ fill: #24292f }} .quiet {{ fill: #57606a }} .rule {{ stroke: #d0d7de }}
  @media (prefers-color-scheme: dark) {{
    .paper {{ fill: #0d1117 }} text {{ fill: #e6edf3 }} .quiet {{ fill: #9198a1 }} .rule {{ stroke: #3d444d }}
  }}
</style>
<rect class="paper" width="100%" height="100%"/>
<text x="16" y="26" font-size="15" font-weight="600">Rows to JSON: time over resq_json's, less is better</text>
<text x="16" y="46" class="quiet">SQLite {}, {}</text>"##,
        host["sqlite"].as_str().unwrap(),
        results["processor"].as_str().unwrap(),
        w = LEFT + WIDTH + 30.0,
    )
    .unwrap();
    let mut at = 16.0;
    for (_, words, colour) in WAYS {
        writeln!(svg, r#"<circle cx="{:.0}" cy="68" r="5" fill="{colour}"/>"#, at + 5.0).unwrap();
        writeln!(svg, r#"<text x="{:.0}" y="72" font-size="11">{words}</text>"#, at + 14.0).unwrap();
        at += 26.0 + 6.2 * words.len() as f64;
    }
    let bottom = TOP + LINE * lanes.len() as f64 - 8.0;
    for step in 0..=most as usize {
        let x = x(step as f64);
        let strong = if step == 1 { r#" stroke-width="2""# } else { "" };
        writeln!(
            svg,
            r#"<line class="rule" x1="{x:.1}" x2="{x:.1}" y1="{:.0}" y2="{bottom:.0}"{strong}/>"#,
            TOP - 14.0
        )
        .unwrap();
        writeln!(
            svg,
            r#"<text class="quiet" x="{x:.1}" y="{:.0}" text-anchor="middle">{step}</text>"#,
            bottom + 18.0
        )
        .unwrap();
    }
    for (number, lane) in lanes.iter().enumerate() {
        let y = TOP + LINE * number as f64 + 4.0;
        let name = lane["name"].as_str().unwrap();
        writeln!(
            svg,
            r#"<text x="{:.0}" y="{:.0}" text-anchor="end" font-size="12">{name}</text>"#,
            LEFT - 14.0,
            y + 4.0
        )
        .unwrap();
        writeln!(svg, r#"<line class="rule" x1="{LEFT}" x2="{:.0}" y1="{y}" y2="{y}"/>"#, LEFT + WIDTH)
            .unwrap();
        for (way, words, colour) in WAYS {
            let ratio = time(lane, way);
            writeln!(
                svg,
                r#"<circle cx="{:.1}" cy="{y}" r="5.5" fill="{colour}" fill-opacity="0.9"><title>{words}: {ratio:.2}</title></circle>"#,
                x(ratio)
            )
            .unwrap();
        }
    }
    svg.push_str("</svg>\n");
    svg
}
