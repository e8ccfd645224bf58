//! Holds the source to the house's plan: which room may use which, who may be unsafe, who knows the C API.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/repository.rs"]
mod repository;
#[path = "support/skip.rs"]
mod skip;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The rooms, and which others each may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("arch", &[]),
    ("decimal", &[]),
    ("value", &[]),
    ("buffer", &[]),
    ("real", &["decimal"]),
    ("base64", &["arch", "buffer"]),
    ("escape", &["arch", "buffer"]),
    ("json", &["arch", "base64", "buffer", "decimal", "escape", "real", "value"]),
    ("sqlite", &["buffer", "value"]),
    // `arch` for the name of the tier that runs.
    ("functions", &["arch", "base64", "buffer", "json", "sqlite", "value"]),
    ("internals", &["arch", "base64", "buffer", "decimal", "escape", "json", "real", "value"]),
    ("lib", &["functions", "sqlite"]),
];

/// The rooms within `sqlite`, and which others of those each may use.
const SQLITE_ROOMS: &[(&str, &[&str])] = &[
    ("bindings", &[]),
    ("loadable", &["bindings"]),
    ("connection", &["bindings", "loadable"]),
    ("value", &["bindings", "connection"]),
    ("statement", &["bindings", "connection", "function", "value"]),
    ("function", &["bindings", "connection", "loadable", "value"]),
    ("vtab", &["bindings", "connection", "function", "value"]),
    ("statement_cache", &["bindings", "connection", "function", "statement", "vtab"]),
    ("entry", &["bindings", "connection", "function", "loadable", "statement_cache", "vtab"]),
    ("static_link", &["entry"]),
];

/// Rooms that may be unsafe.
const UNSAFE: &[&str] = &["arch", "buffer", "sqlite"];

/// What lib.rs may have of it: the entry points.
const UNSAFE_IN_LIB: &[&str] = &[
    "#[cfg_attr(feature = \"loadable\", unsafe(no_mangle))]",
    "#[unsafe(no_mangle)]",
    "pub unsafe extern \"C\" fn sqlite3_resq_init(",
    "pub unsafe extern \"C\" fn sqlite3_extension_init(",
    "unsafe { sqlite::load(db, message, routines, functions::TABLE) }",
];

/// Crates that only `sqlite` may name.
const FFI: &[&str] = &["sqlite_loadable", "libsqlite3_sys", "rusqlite"];

/// Rooms that use core only, but for asking the processor what it can do, and in benches the environment.
const CORE_ONLY: &[&str] = &["arch", "decimal", "value", "buffer"];

/// The room of a file below src.
fn room(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

/// The code of a file without comments, literals' insides, and test modules.
fn code(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        let next_is_module = rest.peek().is_some_and(|next| {
            next.starts_with("mod ") || next.starts_with("pub(crate) mod ") || next.starts_with("#[allow(")
        });
        if line == "#[cfg(test)]" && next_is_module {
            // rustfmt ends a module that has a body with the first `}` that is not indented.
            let head = rest.by_ref().find(|line| line.contains("mod ")).unwrap_or_default();
            if head.ends_with('{') {
                rest.by_ref().find(|line| *line == "}");
            }
            continue;
        }
        lines.push(line.split("//").next().unwrap_or_default().to_owned());
    }
    lines
}

/// Does `text` have `word` as a word of its own?
fn has_word(text: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(part_of_word) && !text[at + word.len()..].starts_with(part_of_word)
    })
}

/// The rooms that code names after `path`, as `crate::`.
fn used(code: &str, path: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::<String>::new();
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    for (at, found) in code.match_indices(path) {
        let rest = &code[at + found.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            rooms.insert(name(rest));
            continue;
        };
        // The names at the group's own level.
        let (mut depth, mut item) = (0, String::new());
        for c in group.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    rooms.insert(name(&item));
                    item.clear();
                }
                _ => item.push(c),
            }
        }
        rooms.insert(name(&item));
    }
    rooms.retain(|room| !room.is_empty());
    rooms
}

/// What is wrong with a file.
fn violations(file: &str, text: &str) -> Vec<String> {
    let room = room(file);
    let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
        return vec![format!("{file}: no such room in the plan")];
    };
    let lines = code(text);
    let mut wrong = Vec::new();
    if let Some(below) = file.strip_prefix("sqlite/")
        && !["mod.rs", "tests.rs"].contains(&below)
    {
        wrong.extend(violations_within_sqlite(file, below, &lines));
    }
    for other in used(&lines.join("\n"), "crate::") {
        if other != room && !allowed.contains(&other.as_str()) {
            wrong.push(format!("{file}: uses crate::{other}"));
        }
    }
    for line in &lines {
        if has_word(line, "unsafe")
            && !UNSAFE.contains(&room)
            && !(room == "lib" && UNSAFE_IN_LIB.contains(&line.trim()))
        {
            wrong.push(format!("{file}: unsafe: {}", line.trim()));
        }
        for ffi in FFI {
            if has_word(line, ffi) && room != "sqlite" {
                wrong.push(format!("{file}: names {ffi}"));
            }
        }
        let may = ["std::is_", "std::arch::is_", "std::env::var(\"RESQ_TIER\")"];
        if CORE_ONLY.contains(&room)
            && may.iter().fold(line.clone(), |line, word| line.replace(word, "")).contains("std::")
        {
            wrong.push(format!("{file}: more than core: {}", line.trim()));
        }
    }
    wrong
}

/// What is wrong with a file of `sqlite`, with regard to the rooms there. One of them names another by its whole path.
fn violations_within_sqlite(file: &str, below: &str, lines: &[String]) -> Vec<String> {
    let own = room(below);
    let Some((_, allowed)) = SQLITE_ROOMS.iter().find(|(name, _)| *name == own) else {
        return vec![format!("{file}: no such room in the plan of sqlite")];
    };
    let code = lines.join("\n");
    let mut wrong = Vec::new();
    for other in used(&code, "crate::sqlite::") {
        if !allowed.contains(&other.as_str()) {
            wrong.push(format!("{file}: uses crate::sqlite::{other}"));
        }
    }
    // `super` is the room itself, or else something beyond it.
    let beyond =
        if below.contains('/') && !below.ends_with("/mod.rs") { "super::super::" } else { "super::" };
    if code.contains(beyond) {
        wrong.push(format!("{file}: {beyond}"));
    }
    wrong
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_source_keeps_to_the_plan() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&src, &mut found);
    assert!(found.len() > 15);
    let mut wrong = Vec::new();
    let (mut rooms, mut within_sqlite) = (BTreeSet::new(), BTreeSet::new());
    for path in found {
        let file = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        rooms.insert(room(&file).to_owned());
        within_sqlite.extend(file.strip_prefix("sqlite/").map(|file| room(file).to_owned()));
        wrong.extend(violations(&file, &std::fs::read_to_string(&path).unwrap()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(rooms.len(), ROOMS.len(), "a room of the plan is not there");
    // And mod.rs and tests.rs.
    assert_eq!(within_sqlite.len(), SQLITE_ROOMS.len() + 2, "a room of the plan of sqlite is not there");
}

#[test]
fn a_room_that_breaks_the_plan_is_noticed() {
    for (file, text) in [
        ("decimal.rs", "use crate::buffer::Buffer;"),
        ("decimal.rs", "use crate::arch::Tier;"),
        ("value.rs", "use crate::arch::Tier;"),
        ("arch/neon.rs", "use crate::value::Value;"),
        ("json/value.rs", "use crate::sqlite::Call;"),
        ("json/value.rs", "use crate::{decimal, escape, functions};"),
        ("json/value.rs", "use crate::{buffer::{Buffer, Memory},\n    sqlite::Call};"),
        ("real.rs", "fn f() { crate::arch::scalar::g() }"),
        ("escape.rs", "use crate::json;"),
        ("sqlite/value.rs", "use crate::json;"),
        ("sqlite/cellar.rs", ""),
        ("sqlite/connection/api.rs", "use crate::sqlite::statement::Statement;"),
        ("sqlite/connection/api.rs", "use super::super::statement::Statement;"),
        ("sqlite/connection/mod.rs", "use super::bindings;"),
        ("sqlite/value.rs", "use super::bindings;"),
        ("sqlite/vtab/table.rs", "use crate::sqlite::{function, statement};"),
        ("real.rs", "use crate::escape;"),
        ("lib.rs", "use crate::json;"),
        ("json/value.rs", "fn f() { unsafe { g() } }"),
        ("lib.rs", "    unsafe { g() }"),
        ("functions/info.rs", "unsafe fn f() {}"),
        ("functions/info.rs", "use libsqlite3_sys::sqlite3;"),
        ("json/mod.rs", "fn f() -> sqlite_loadable::Error {}"),
        ("buffer.rs", "use std::vec::Vec;"),
        ("decimal.rs", "fn f() { std::process::abort() }"),
        ("cellar.rs", ""),
        ("json/mod.rs", "#[cfg(test)]\nmod tests;\nuse crate::sqlite;"),
        ("json/mod.rs", "#[cfg(test)]\nmod tests {\n}\nuse crate::sqlite;"),
        ("json/mod.rs", "#[cfg(test)]\nuse crate::sqlite;"),
    ] {
        assert_eq!(violations(file, text).len(), 1, "{file}: {text}");
    }
}

#[test]
fn a_room_that_keeps_to_the_plan_passes() {
    for (file, text) in [
        ("json/value.rs", "use crate::{decimal, escape, real};\nuse crate::buffer::{Buffer, Memory};"),
        ("json/mod.rs", "// unsafe, crate::sqlite, rusqlite\n#![deny(unsafe_code)]"),
        ("json/mod.rs", "use super::keys::Keys; use crate::json::value::write;"),
        ("sqlite/vtab/table.rs", "use super::module; use crate::sqlite::function::{Call, statement};"),
        ("sqlite/statement/mod.rs", "mod sink; use sink::Sink; use crate::sqlite::connection::Api;"),
        ("arch/mod.rs", "if std::is_x86_feature_detected!(\"avx2\") { unsafe { f() } }"),
        ("base64.rs", "#[cfg(test)]\n#[allow(clippy::unwrap_used)]\nmod tests {\n    use crate::json;\n}\n"),
    ] {
        assert_eq!(violations(file, text), [""; 0], "{file}: {text}");
    }
}

/// The walks of CONTRIBUTING.md lead to what is there: a table's row names a file, and words in it.
#[test]
fn contributing_leads_to_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let mut walks = 0;
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        for name in cells[0].split(", ").map(|name| name.trim_matches('`')).filter(|name| !name.contains('*'))
        {
            assert!(root.join(name).exists(), "{name} of: {row}");
        }
        if let [file, words, _] = cells[..] {
            let found = std::fs::read_to_string(root.join(file.trim_matches('`'))).unwrap();
            assert!(found.contains(words.trim_matches('`')), "{words} is not in {file}");
            walks += 1;
        }
    }
    assert!(walks > 20, "{walks}");
}

/// Nothing that was built or fetched: no file that git knows is large.
#[test]
fn the_repository_holds_no_large_file() {
    let root = env!("CARGO_MANIFEST_DIR");
    let Some(files) = repository::files() else {
        return skip::skip("the list of the repository's files", "no git, or no repository");
    };
    assert!(files.iter().any(|name| name == "tests/layout.rs"));
    let large: Vec<_> = files
        .into_iter()
        .filter(|name| {
            std::fs::metadata(Path::new(root).join(name))
                .is_ok_and(|file| file.is_file() && file.len() > 200_000)
        })
        .collect();
    assert!(large.is_empty(), "{large:?}");
}
