//! Every example runs on its host as a person would run it, and prints what it should.
//!
//! A host that this machine lacks is skipped and said so; with `RESQ_REQUIRE_HOSTS=1` that is a failure. What an
//! example needs from a registry is installed under the target folder once, by tests that only `make test-hosts` runs.
//! `tests/hosts` has the short examples of all hosts.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;
#[path = "support/hosts.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use support::extension;
use tools::{dot_load, example, installed, root, skip, works};

/// What a host printed, after checking that it ended well.
fn printed(run: Output) -> String {
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{}\n{errors}", run.status);
    String::from_utf8(run.stdout).expect("UTF-8")
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// The JSON that begins at `start` and goes on over lines until it is whole.
fn json_from<'a>(mut lines: impl Iterator<Item = &'a str>) -> Value {
    let mut text = String::new();
    loop {
        text += lines.next().unwrap_or_else(|| panic!("not whole: {text}"));
        if let Ok(value) = serde_json::from_str(&text) {
            return value;
        }
    }
}

fn host(program: impl AsRef<Path>, argument: impl AsRef<Path>) -> String {
    let mut command = Command::new(program.as_ref());
    command.arg(argument.as_ref()).current_dir(root()).env("RESQ_EXTENSION", extension());
    let run = command.output().expect("the host runs");
    assert_eq!(String::from_utf8_lossy(&run.stderr), "");
    printed(run)
}

#[test]
fn shell() {
    if let Err(why) = works(Command::new("sqlite3").args([":memory:", &dot_load(), "select 1"])) {
        return skip("sqlite3", &why);
    }
    let output = host("sh", "examples/shell.sh");
    let mut lines = output.lines();
    assert_eq!(lines.next(), Some("The files of a folder:"));
    let files = json_from(&mut lines);
    let files = files.as_array().expect("an array");
    let demo = &files[0];
    assert_eq!(demo["name"], "demo.sql");
    assert_eq!(demo["head"], "LS0gQSBzbWFsbCBz", "the base64 of \"-- A small s\"");
    let size = std::fs::metadata(root().join("sql/demo.sql")).expect("the demo").len();
    assert_eq!(demo["bytes"], json!(size));
    assert_eq!(lines.next(), Some(""));
    assert!(lines.next().expect("a heading").starts_with("The scalar and aggregate functions"));
    let functions = json_from(&mut lines);
    assert!(
        functions.as_array().expect("an array").contains(&json!({"function": "resq_json", "arguments": -1}))
    );
}

/// A Python whose sqlite3 can load extensions: many builds cannot.
fn python() -> Result<String, String> {
    let named = std::env::var("RESQ_PYTHON").ok();
    let mut why = String::new();
    for python in named.into_iter().chain(["python3".to_string(), "/usr/bin/python3".to_string()]) {
        let can = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)";
        match works(Command::new(&python).args(["-c", can])) {
            Ok(()) => return Ok(python),
            Err(reason) => why = format!("{python}: {reason}"),
        }
    }
    Err(why)
}

#[test]
fn python_sqlite3() {
    let python = match python() {
        Ok(python) => python,
        Err(why) => return skip("Python's sqlite3", &why),
    };
    let output = host(python, "examples/python_sqlite3.py");
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[0], "GET /home  200  application/json, 180 bytes");
    assert_eq!(
        parse(&lines[1..4].concat()),
        json!([
            {"id": 1, "what": "Crème fraîche", "price": 1.19, "icon": "8J+lmw=="},
            {"id": 2, "what": "12\" baking tray", "price": 14.5, "icon": null},
            {"id": 3, "what": "りんご", "price": parse("2.0"), "icon": "AP8="},
        ])
    );
    assert_eq!(lines[4], "GET /office  200  application/json, 48 bytes");
    assert_eq!(lines[5].trim(), r#"[{"id":4,"what":"Paper","price":4.99,"icon":""}]"#);
    assert_eq!(lines[6..], ["GET /nothing  200  application/json, 2 bytes", "  []"]);
}

/// A virtual environment under the target folder with a package in it.
fn python_with(package: &str) -> Result<PathBuf, String> {
    let folder = installed("python");
    let python = folder.join("bin").join("python");
    if works(Command::new(&python).args(["-c", &format!("import {package}")])).is_ok() {
        return Ok(python);
    }
    let made = ["python3", "/usr/bin/python3"]
        .into_iter()
        .find(|maker| works(Command::new(maker).args(["-m", "venv"]).arg(&folder)).is_ok());
    if made.is_none() {
        return Err("no Python that makes virtual environments".to_string());
    }
    works(Command::new(&python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        package,
    ]))?;
    Ok(python)
}

#[test]
#[ignore = "installs apsw: make test-hosts"]
fn python_apsw() {
    let python = match python_with("apsw") {
        Ok(python) => python,
        Err(why) => return skip("apsw", &why),
    };
    let output = host(python, "examples/python_apsw.py");
    let lines: Vec<&str> = output.lines().collect();
    let debug = parse(&lines[0][lines[0].find('{').expect("resq_debug()")..]);
    let (apsw, sqlite) = (lines[0], debug["sqlite"].as_str().expect("a version"));
    assert!(apsw.starts_with(&format!("apsw {sqlite}.")), "{apsw}");
    assert_eq!(
        parse(lines[1]),
        json!([{"album": "Ágætis byrjun", "artist": "Sigur Rós", "cover": "/9j/4A==", "tracks": [
            {"no": 1, "title": "Intro", "seconds": 96.5},
            {"no": 2, "title": "Svefn-g-englar", "seconds": parse("604.0")},
            {"no": 3, "title": "Starálfur", "seconds": 406.13},
        ]}])
    );
    assert_eq!(parse(lines[2])[0]["tracks"][1]["title"], "ETUDE \"1\"");
    assert_eq!(lines[3..], ["read back by json.loads: 5 tracks"]);
}

/// The example's folder under the target folder, with its packages: `npm ci` runs when the lock file is another one.
fn node() -> Result<PathBuf, String> {
    works(Command::new("node").arg("--version")).map_err(|why| format!("node: {why}"))?;
    let (from, to) = (root().join("examples").join("node"), installed("node"));
    std::fs::create_dir_all(&to).map_err(|error| error.to_string())?;
    let lock = std::fs::read(from.join("package-lock.json")).map_err(|error| error.to_string())?;
    let stamp = to.join("installed.lock");
    for file in ["package.json", "package-lock.json", "index.js"] {
        std::fs::copy(from.join(file), to.join(file)).map_err(|error| error.to_string())?;
    }
    let script = to.join("index.js");
    if std::fs::read(&stamp).is_ok_and(|done| done == lock) {
        return Ok(script);
    }
    works(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&to))
        .map_err(|why| format!("npm ci: {why}"))?;
    std::fs::write(stamp, lock).map_err(|error| error.to_string())?;
    Ok(script)
}

#[test]
#[ignore = "compiles better-sqlite3 for three minutes: make test-hosts"]
fn node_better_sqlite3() {
    let script = match node() {
        Ok(script) => script,
        Err(why) => return skip("better-sqlite3", &why),
    };
    let output = host("node", script);
    let lines: Vec<&str> = output.lines().collect();
    assert!(lines[0].starts_with("SQLite 3.") && lines[0].ends_with(", 5000 rows"), "{}", lines[0]);
    assert_eq!(lines[1], "text equals JSON.stringify(rows): true");
    assert_eq!(lines[2], "BLOB, ready for response.end():   true");
    assert!(lines[3].starts_with("objects and JSON.stringify "), "{}", lines[3]);
    assert_eq!(
        lines[4..],
        [
            r#"ada [{"id":3,"weight":0.375},{"id":6,"weight":0.75}]"#,
            r#"bob [{"id":1,"weight":0.125},{"id":4,"weight":0.5}]"#,
            r#"eve [{"id":2,"weight":0.25},{"id":5,"weight":0.625}]"#,
        ]
    );
}

#[test]
fn rust_loaded() {
    let output = printed(example("loaded"));
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[0], "Tove Jansson");
    assert_eq!(
        lines[1..3].iter().map(|line| line.trim()).collect::<String>(),
        r#"[{"title":"Kometjakten","year":1946,"rating":4.3,"cover":"iVBORw0KGgo="},{"title":"Sommarboken","year":1972,"rating":4.25,"cover":null}]"#
    );
    assert_eq!(lines[lines.len() - 2..], ["No Books Yet", "  []"]);
}

#[test]
fn rust_linked() {
    let output = printed(example("linked"));
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[3], "   2  [-0.25,3.25,6.75]");
    assert_eq!(lines[4], "   3  [3.25,6.75,10.25]");
    let (size, body) = lines.last().and_then(|line| line.split_once(" bytes: ")).expect("the body");
    assert_eq!(size.parse(), Ok(body.len()));
    assert_eq!(
        body,
        r#"[{"station":"Ben Nevis","celsius":[-0.25,3.25,6.75,10.25,1.25,4.75]},{"station":"Čepkelių raistas","celsius":[-2.0,1.5,5.0,8.5,-0.5,3.0]}]"#
    );
}
