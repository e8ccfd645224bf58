//! The sqllogictest files in each encoding, and a call of every function, on every SQLite at hand. One that is too old is
//! refused by name.
#![allow(unsafe_code, clippy::unwrap_used, clippy::expect_used)]

#[path = "support/children.rs"]
mod children;
#[path = "support/library.rs"]
mod library;
#[path = "support/slt.rs"]
mod slt;
mod support;

use std::collections::BTreeSet;

use children::{Child, Outcome};
use library::{Cell, Db, Error, OLDEST};
use sqllogictest::{DBOutput, DefaultColumnType, Record, Runner};
use support::{Encoding, extension, folder};

// ── the files ───────────────────────────────────────────────────────────────────────────────────────────────

impl std::error::Error for Error {}

// SAFETY: a runner asks for it; here it stays on the thread on which it was made.
unsafe impl Send for Db {}

impl sqllogictest::DB for Db {
    type Error = Error;
    type ColumnType = DefaultColumnType;

    fn run(&mut self, sql: &str) -> Result<DBOutput<DefaultColumnType>, Error> {
        let found = Db::run(self, sql, &[])?;
        if found.names.is_empty() {
            return Ok(DBOutput::StatementComplete(0));
        }
        let mut types = vec![DefaultColumnType::Any; found.names.len()];
        let mut rows = Vec::new();
        for row in &found.rows {
            let mut cells = Vec::new();
            for (cell, known) in row.iter().zip(&mut types) {
                cells.push(match cell {
                    Cell::Null => "NULL".to_owned(),
                    Cell::Integer(integer) => {
                        *known = DefaultColumnType::Integer;
                        integer.to_string()
                    }
                    Cell::Text(text) => {
                        *known = DefaultColumnType::Text;
                        match std::str::from_utf8(text).expect("a result is UTF-8") {
                            "" => "(empty)".to_owned(),
                            text => text.replace('\n', "␤"),
                        }
                    }
                    Cell::Real(_) | Cell::Blob(_) => panic!("a {cell:?} cannot be shown; in {sql}"),
                });
            }
            rows.push(cells);
        }
        Ok(DBOutput::Rows { types, rows })
    }
}

/// Runs the files; gives how many statements and queries they hold.
fn files(child: &mut Child, first: u64) -> u64 {
    let (major, minor, _) = child.library.version();
    let version = (major, minor);
    let (mut number, mut records) = (first, 0);
    for encoding in Encoding::ALL {
        for file in slt::files() {
            number += 1;
            if file.needs > version || number < child.from {
                continue;
            }
            child.begin(number, &format!("{} in {}", file.path.display(), encoding.name()));
            let library = child.library;
            let mut runner = Runner::new(|| async { Ok(Db::open(library, encoding.name())) });
            for label in slt::labels(version, encoding, "library") {
                runner.add_label(&label);
            }
            // No rows, no types.
            runner.with_column_validator(|actual, expected| {
                actual.len() == expected.len()
                    && (actual.iter().zip(expected)).all(|(a, e)| a == e || *a == DefaultColumnType::Any)
            });
            runner.with_normalizer(String::clone);
            if let Err(error) = runner.run_file(&file.path) {
                child.fault(&format!("{encoding:?}"), &error.to_string());
            }
            let labels = slt::labels(version, encoding, "library");
            let ran = |record: &&Record<_>| match record {
                Record::Statement { conditions, .. } | Record::Query { conditions, .. } => {
                    !slt::skipped(conditions, &labels)
                }
                _ => false,
            };
            records += file.records.iter().filter(ran).count() as u64;
        }
    }
    records
}

// ── every function ──────────────────────────────────────────────────────────────────────────────────────────

/// A call of each function: what it is called in SQL, what it gives.
const CALLS: &[(&str, &str)] = &[
    ("select resq_json('a', 1, 'b', x'00ff')", r#"[{"a":1,"b":"AP8="}]"#),
    ("select resq_json_with('omit-null', 'a', 1.5, 'b', null)", r#"[{"a":1.5}]"#),
    ("select resq_ndjson('a', 'x')", "{\"a\":\"x\"}\n"),
    ("select resq_ndjson_with('ascii', 'é')", "\"\\u00e9\"\n"),
    ("select resq_rows(1, 'x', null)", r#"[[1,"x",null]]"#),
    ("select resq_rows_with('blob-url', x'fb')", r#"[["-w"]]"#),
    ("select resq_columns('a', 1)", r#"{"a":[1]}"#),
    ("select resq_columns_with('bigint-text', 'a', 9007199254740993)", r#"{"a":["9007199254740993"]}"#),
    ("select resq_object('a', resq_object('b', 1e21))", r#"{"a":{"b":1e21}}"#),
    ("select resq_object_with('omit-null', 'a', null)", "{}"),
    ("select resq_map('k', x'00')", r#"{"k":"AA=="}"#),
    ("select resq_map_with('unique-keys', 'k', null)", r#"{"k":null}"#),
    ("select resq_bool(2.5)", "true"),
    ("select resq_raw(' [1] ')", " [1] "),
    ("select resq_b64(x'fbff')", "+/8="),
    ("select resq_b64(x'fbff', 'url')", "-_8"),
    ("select hex(resq_unb64('+/8='))", "FBFF"),
    ("select resq_query('select 9007199254740993 n, 2 n')", r#"[{"n":9007199254740993,"n_2":2}]"#),
    ("select resq_query_with('ascii', 'select ? x', 'é')", r#"[{"x":"\u00e9"}]"#),
    ("select piece from resq_stream('select 1 a')", "{\"a\":1}\n"),
    ("select piece from resq_stream_with('array', 'select ? a', 1.5)", r#"[{"a":1.5}]"#),
    ("select resq_version()", env!("CARGO_PKG_VERSION")),
    ("select json_extract(resq_debug(), '$.version')", env!("CARGO_PKG_VERSION")),
];

/// Not for calls: a table that nobody can read, and what `resq_query` has its rows taken by.
const NOT_CALLED: &[&str] = &["resq_kept", "resq_sink"];

#[test]
fn every_function_is_called() {
    let db = support::connection();
    let sql = "select name from pragma_function_list union select name from pragma_module_list";
    let mut list = db.prepare(sql).unwrap();
    let names: BTreeSet<String> = list.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let ours: Vec<_> = names.iter().filter(|name| name.starts_with("resq_")).collect();
    assert!(ours.len() > 15);
    for name in ours {
        let called = CALLS.iter().any(|(sql, _)| sql.contains(&format!("{name}(")));
        assert!(called || NOT_CALLED.contains(&name.as_str()), "{name} is not called");
    }
}

fn calls(child: &mut Child) {
    child.begin(0, "a call of every function");
    let db = Db::open(child.library, "UTF-8");
    for (sql, wanted) in CALLS {
        let given = db.run(sql, &[]);
        if !given.as_ref().is_ok_and(|rows| rows.text() == Some(wanted)) {
            child.fault(sql, &format!("{given:?}, not {wanted:?}"));
        }
    }
    let host = db.run("select json_extract(resq_debug(), '$.sqlite') = sqlite_version()", &[]);
    if !host
        .as_ref()
        .is_ok_and(|rows| matches!(rows.rows[..], [ref row] if matches!(row[..], [Cell::Integer(1)])))
    {
        child.fault("resq_debug's version of SQLite", &format!("{host:?}"));
    }
    // Once more, also while a statement runs.
    if let Err(why) = db.load(extension()) {
        child.fault("loading twice", &why);
    }
}

fn refusal(child: &mut Child) {
    let (major, minor, patch) = child.library.version();
    child.begin(0, "a library that is too old");
    let wanted = format!("resq: needs SQLite 3.26.0 or newer, this is {major}.{minor}.{patch}");
    let db = Db::plain(child.library);
    let given = db.load(extension());
    // SQLite puts its own words in front.
    if !given.as_ref().is_err_and(|why| why.ends_with(&wanted)) {
        child.fault("loading", &format!("{given:?}, not {wanted}"));
    }
    let functions = db.run("select resq_version()", &[]);
    if functions.is_ok() {
        child.fault("select resq_version()", "it is there");
    }
    child.note("refused 1");
}

#[test]
#[ignore = "a part of the test `every_library`, which starts it"]
fn versions_child() {
    let Some(mut child) = Child::new() else { return };
    if child.library.version() < OLDEST {
        refusal(&mut child);
    } else {
        if child.from == 0 {
            calls(&mut child);
        }
        let records = files(&mut child, 0);
        child.note(&format!("records {records}"));
    }
    child.end();
}

fn line(outcome: &Outcome) -> String {
    match outcome.sum("refused ") {
        1 => "refused, as it should be".to_owned(),
        _ => format!("{} records of the files, {} calls", outcome.sum("records "), CALLS.len()),
    }
}

#[test]
fn every_library() {
    let mut names = children::libraries();
    // Those that are too old, which the other tests leave out.
    names.extend(library::built().into_iter().filter(|name| library::version(name) < OLDEST));
    names.dedup();
    let run = |library: &String| children::run("versions_child", library, ("RESQ_VERSIONS", "1"));
    let outcomes: Vec<_> = names.iter().map(run).collect();
    children::judge("versions", &outcomes, "records ", line);
    for outcome in &outcomes {
        let much = outcome.sum("records ") > 1000 || outcome.sum("refused ") == 1;
        assert!(much, "SQLite {}: hardly anything ran: {:?}", outcome.library, outcome.notes);
    }
}
