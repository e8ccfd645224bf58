//! The demo and the smoke checks are tests: what they print is what is written down.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;
#[path = "support/hosts.rs"]
mod tools;

use std::process::Command;

/// What the demo prints on every host, but for the line of `resq_debug()`, which tells of this build and its host.
const EXPECTED: &str = include_str!("data/demo.expected");
const DEBUG: &str = "{\"version\":";

/// Compares line by line; a difference shows its line.
fn compare(host: &str, output: &[u8]) {
    let output = std::str::from_utf8(output).expect("the demo prints UTF-8");
    let (mut got, mut want) = (output.lines(), EXPECTED.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (got.next(), want.next()) {
            (None, None) => break,
            (Some(got), Some(want)) if got.starts_with(DEBUG) && want.starts_with(DEBUG) => {
                let members = |line| -> Vec<String> {
                    let object: serde_json::Map<String, serde_json::Value> =
                        serde_json::from_str(line).expect("resq_debug() is a JSON object");
                    object.into_iter().map(|(key, value)| format!("{key} {}", value.is_string())).collect()
                };
                assert_eq!(members(got), members(want));
                assert!(got.contains(concat!("\"version\":\"", env!("CARGO_PKG_VERSION"), "\"")), "{got}");
            }
            (got, want) => assert_eq!(got, want, "{host}, line {number}"),
        }
    }
    assert!(number > 40, "the demo has become short");
}

fn shell(script: &str) -> Option<Vec<u8>> {
    let load = tools::dot_load();
    let shell = |last: &str| {
        Command::new("sqlite3")
            .args([":memory:", ".mode list", ".headers off", &load, last])
            .current_dir(tools::root())
            .output()
    };
    // Some systems' shells are built without `.load`.
    let found = shell("select 'yes'").is_ok_and(|tried| tried.stdout == b"yes\n");
    if !found {
        tools::skip("sqlite3", "no shell of that name that can load extensions");
        return None;
    }
    let run = shell(&format!(".read {script}")).expect("the shell runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(String::from_utf8_lossy(&run.stderr), "");
    Some(run.stdout)
}

#[test]
fn in_the_shell() {
    if let Some(output) = shell("sql/demo.sql") {
        compare("sqlite3", &output);
    }
}

#[test]
fn in_the_example() {
    let run = tools::example("demo");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    compare("examples/demo.rs", &run.stdout);
}

/// The pictures are pictures: signature, chunks with right checksums, IEND at the end.
#[test]
fn pictures_are_png() {
    let sql = include_str!("../sql/demo.sql");
    let pictures: Vec<Vec<u8>> = sql
        .match_indices("x'89504e47")
        .map(|(at, _)| {
            let hex = sql[at + 2..].split('\'').next().unwrap_or_default();
            (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex")).collect()
        })
        .collect();
    assert_eq!(pictures.len(), 2);
    for picture in pictures {
        let mut rest = picture.strip_prefix(b"\x89PNG\r\n\x1a\n").expect("PNG's signature");
        let mut last = Vec::new();
        while !rest.is_empty() {
            let word = |at: usize| u32::from_be_bytes(rest[at..at + 4].try_into().expect("four bytes"));
            let length = usize::try_from(word(0)).expect("a short chunk");
            assert_eq!(crc32(&rest[4..8 + length]), word(8 + length));
            last = rest[4..8].to_vec();
            rest = &rest[12 + length..];
        }
        assert_eq!(last, b"IEND");
    }
}

/// CRC-32 bit by bit, as in PNG's annex D.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

#[test]
fn smoke() {
    let Some(output) = shell("sql/smoke.sql") else { return };
    let output = String::from_utf8(output).expect("UTF-8");
    assert_eq!(output.lines().count(), 10, "{output}");
    assert!(output.lines().all(|line| line.ends_with("  ok")), "{output}");
}

/// The same on the bundled SQLite: some hosts have no shell.
#[test]
fn smoke_bundled() -> rusqlite::Result<()> {
    let db = support::connection();
    let mut checks = db.prepare(include_str!("../sql/smoke.sql"))?;
    let lines: Vec<String> = checks.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    assert_eq!(lines.len(), 10);
    assert!(lines.iter().all(|line| line.ends_with("  ok")), "{lines:?}");
    Ok(())
}
