//! The sqllogictest files in `tests/slt`; how their cells are written is in `tests/slt.rs`.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

use sqllogictest::{Condition, DefaultColumnType, Record};

use super::support::Encoding;

/// Where SQLite learned something that the files need.
pub const VERSIONS: [(u32, u32); 11] =
    [(3, 28), (3, 30), (3, 31), (3, 37), (3, 38), (3, 39), (3, 44), (3, 45), (3, 48), (3, 51), (3, 54)];

pub type Records = Vec<Record<DefaultColumnType>>;

pub struct File {
    pub path: PathBuf,
    pub records: Records,
    pub needs: (u32, u32),
}

pub fn version(text: &str) -> (u32, u32) {
    let mut numbers = text.trim().split('.').map(|number| number.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

pub fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slt");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "slt"))
        .map(|path| {
            let records: Records = sqllogictest::parse_file(&path).unwrap();
            let needs = records.iter().find_map(|record| match record {
                Record::Comment(lines) => {
                    lines.iter().find_map(|line| line.trim().strip_prefix("needs ").map(version))
                }
                _ => None,
            });
            File { path, records, needs: needs.unwrap_or((3, 26)) }
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(files.len() > 5, "the files are not there");
    files
}

pub fn labels(version: (u32, u32), encoding: Encoding, runner: &str) -> Vec<String> {
    let width = if encoding == Encoding::Utf8 { "utf8" } else { "utf16" };
    let newer = VERSIONS.iter().filter(|have| **have <= version).map(|(a, b)| format!("v{a}.{b}"));
    newer.chain([width.to_owned(), runner.to_owned()]).collect()
}

/// Is a record left out, by its conditions?
pub fn skipped(conditions: &[Condition], labels: &[String]) -> bool {
    conditions.iter().any(|condition| match condition {
        Condition::OnlyIf { label } => !labels.contains(label),
        Condition::SkipIf { label } => labels.contains(label),
    })
}
