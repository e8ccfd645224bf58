//! The sqllogictest files in `tests/slt`, through rusqlite and through a `sqlite3` shell.
//!
//! How a cell is written in them, exactly, no white space changed:
//! NULL is `NULL`, an empty text is `(empty)`, a line break in a text is `␤`; integers and texts are as they are.
//! A column's type is `T` or `I`, `?` if all is NULL. REAL and BLOB do not come out as they are: write `quote(x)`,
//! `hex(x)` or `typeof(x)`.
//!
//! Labels for `onlyif` and `skipif`: `utf8`, `utf16`, `rusqlite`, `shell`, and `v3.44` (that version or newer; see `VERSIONS` in `support/slt.rs`).
//! A comment line `# needs 3.44` sets the oldest SQLite for a whole file.
//!
//! The shell is `sqlite3`, or what `RESQ_SQLITE3` says: a command with arguments, for example of an emulator.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/slt.rs"]
mod records;
mod support;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use records::{Records, files, labels, skipped, version};
use rusqlite::types::ValueRef;
use sqllogictest::{DBOutput, DefaultColumnType, QueryExpect, Record, Runner, StatementExpect};
use support::Encoding;

// ── rusqlite ────────────────────────────────────────────────────────────────────────────────────────────────

struct Database(rusqlite::Connection);

impl sqllogictest::DB for Database {
    type Error = rusqlite::Error;
    type ColumnType = DefaultColumnType;

    fn run(&mut self, sql: &str) -> rusqlite::Result<DBOutput<DefaultColumnType>> {
        let mut statement = self.0.prepare(sql)?;
        let count = statement.column_count();
        if count == 0 {
            return Ok(DBOutput::StatementComplete(statement.execute([])? as u64));
        }
        let mut types = vec![DefaultColumnType::Any; count];
        let mut rows = statement.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let mut cells = Vec::new();
            for (column, known) in types.iter_mut().enumerate() {
                let (cell, class) = match row.get_ref(column)? {
                    ValueRef::Null => ("NULL".to_owned(), None),
                    ValueRef::Integer(integer) => (integer.to_string(), Some(DefaultColumnType::Integer)),
                    ValueRef::Text(b"") => ("(empty)".to_owned(), Some(DefaultColumnType::Text)),
                    ValueRef::Text(text) => {
                        let text = std::str::from_utf8(text).expect("a result is UTF-8");
                        (text.replace('\n', "␤"), Some(DefaultColumnType::Text))
                    }
                    other => panic!("a {} cannot be shown; in {sql}", other.data_type()),
                };
                if let Some(class) = class {
                    assert!(*known == DefaultColumnType::Any || *known == class, "two types; in {sql}");
                    *known = class;
                }
                cells.push(cell);
            }
            all.push(cells);
        }
        Ok(DBOutput::Rows { types, rows: all })
    }
}

fn through_rusqlite(encoding: Encoding) {
    for file in files() {
        let mut runner = Runner::new(|| async { Ok(Database(support::connection_in(encoding))) });
        for label in labels(version(rusqlite::version()), encoding, "rusqlite") {
            runner.add_label(&label);
        }
        // No rows, no types.
        runner.with_column_validator(|actual, expected| {
            actual.len() == expected.len()
                && (actual.iter().zip(expected)).all(|(a, e)| a == e || *a == DefaultColumnType::Any)
        });
        runner.with_normalizer(String::clone);
        runner.run_file(&file.path).unwrap_or_else(|error| panic!("{encoding:?}: {error}"));
    }
}

#[test]
fn rusqlite_utf8() {
    through_rusqlite(Encoding::Utf8);
}

#[test]
fn rusqlite_utf16le() {
    through_rusqlite(Encoding::Utf16le);
}

#[test]
fn rusqlite_utf16be() {
    through_rusqlite(Encoding::Utf16be);
}

// ── a shell ─────────────────────────────────────────────────────────────────────────────────────────────────

/// A `sqlite3` shell that can load extensions.
struct Shell {
    command: Vec<String>,
    version: (u32, u32),
}

/// What a shell made of one record.
#[derive(Debug, Default)]
struct Outcome {
    /// Rows of cells, as the shell wrote them.
    output: String,
    error: Option<String>,
}

const CELL: char = '\x1f';
const ROW: char = '\x1e';
const MARK: &str = "=== record ";

impl Shell {
    /// The shell, or why there is none.
    fn find() -> Result<Shell, String> {
        let command = std::env::var("RESQ_SQLITE3").unwrap_or("sqlite3".to_owned());
        let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let mut shell = Shell { command, version: (0, 0) };
        let (output, errors) =
            shell.run(&format!("{}\nselect sqlite_version();\n", shell.load())).map_err(|e| e.to_string())?;
        if !errors.is_empty() {
            return Err(errors);
        }
        shell.version = version(&output);
        Ok(shell)
    }

    fn load(&self) -> String {
        format!(".load '{}'", support::extension().display())
    }

    fn run(&self, script: &str) -> std::io::Result<(String, String)> {
        let [program, arguments @ ..] = &self.command[..] else { panic!("RESQ_SQLITE3 is empty") };
        let mut child = Command::new(program)
            .args(arguments)
            .args(["-batch", "-init", if cfg!(windows) { "nul" } else { "/dev/null" }, ":memory:"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut input = child.stdin.take().unwrap();
        let script = script.to_owned();
        let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
        let output = child.wait_with_output()?;
        let _ = writer.join();
        let utf8 = |bytes| String::from_utf8(bytes).expect("a shell writes UTF-8");
        Ok((utf8(output.stdout), utf8(output.stderr)))
    }

    /// Runs each SQL text and tells what came out, all in one process.
    fn outcomes(&self, encoding: Encoding, texts: &[&str]) -> Vec<Outcome> {
        let escape = if self.version >= (3, 50) { " --escape off" } else { "" };
        let mut script = format!(
            "pragma encoding='{}';\n{}\n.mode list{escape}\n.headers off\n.nullvalue NULL\n.separator \"\\037\" \"\\036\"\n",
            encoding.name(),
            self.load()
        );
        // An error's message tells the line of its statement's beginning.
        let mut begins = BTreeMap::new();
        for (index, sql) in texts.iter().enumerate() {
            script += &format!(".print '{MARK}{index}'\n");
            begins.insert(script.lines().count() + 1, index);
            let end = if sql.trim_end().ends_with(';') { "" } else { "\n;" };
            script += &format!("{sql}{end}\n");
        }
        let (output, errors) = self.run(&script).unwrap();

        let mut outcomes: Vec<Outcome> = texts.iter().map(|_| Outcome::default()).collect();
        let (head, output) = output.split_once(MARK).expect("the shell ran the script");
        assert_eq!(head.trim(), "", "before the first record");
        for (index, part) in output.split(MARK).enumerate() {
            let (number, output) = part.split_once('\n').unwrap();
            assert_eq!(number, index.to_string(), "a record is missing\n{errors}");
            outcomes[index].output = output.to_owned();
        }
        let mut current: Option<usize> = None;
        for line in errors.lines() {
            let near = line.split_once("near line ").and_then(|(_, rest)| rest.split_once(':'));
            if let Some((number, message)) = near.and_then(|(n, m)| Some((n.parse::<usize>().ok()?, m))) {
                let (_, index) = begins.range(..=number).next_back().expect("an error in a record");
                current = Some(*index);
                outcomes[*index].error = Some(message.trim().to_owned());
            } else {
                let index = current.unwrap_or_else(|| panic!("an error outside of all records:\n{errors}"));
                outcomes[index].error.get_or_insert_default().push_str(line);
            }
        }
        outcomes
    }
}

fn cell(text: &str) -> String {
    if text.is_empty() { "(empty)".to_owned() } else { text.replace('\n', "␤") }
}

/// What is wrong with an outcome.
fn judge(record: &Record<DefaultColumnType>, outcome: &Outcome) -> Result<(), String> {
    let expected_error = match record {
        Record::Statement { expected: StatementExpect::Error(error), .. }
        | Record::Query { expected: QueryExpect::Error(error), .. } => Some(error),
        _ => None,
    };
    match (&outcome.error, expected_error) {
        (Some(error), Some(expected)) if expected.is_match(error, None) => return Ok(()),
        (Some(error), Some(expected)) => return Err(format!("the error is {error:?}, not {expected}")),
        (Some(error), None) => return Err(format!("error: {error}")),
        (None, Some(expected)) => return Err(format!("no error, but {expected} was expected")),
        (None, None) => {}
    }
    let Record::Query { expected: QueryExpect::Results { sort_mode, results, .. }, .. } = record else {
        return Ok(());
    };
    assert!(sort_mode.is_none(), "say ORDER BY");
    let mut rows = Vec::new();
    for row in outcome.output.split_terminator(ROW) {
        rows.push(row.split(CELL).map(cell).collect::<Vec<_>>().join(" "));
    }
    if &rows == results { Ok(()) } else { Err(format!("expected {results:#?}\nbut got  {rows:#?}")) }
}

fn through_shell(encoding: Encoding) {
    let shell = match Shell::find() {
        Ok(shell) => shell,
        Err(why) if std::env::var_os("RESQ_SQLITE3").is_some() => panic!("RESQ_SQLITE3: {why}"),
        Err(why) => return support::skip("a sqlite3 shell that loads extensions", &why.to_string()),
    };
    let labels = labels(shell.version, encoding, "shell");
    let (mut wrong, mut newer) = (Vec::new(), Vec::new());
    for file in files() {
        if file.needs > shell.version {
            newer.push(format!("{} ({}.{})", file.path.display(), file.needs.0, file.needs.1));
            continue;
        }
        let mut jobs = Vec::new();
        for record in &file.records {
            match record {
                Record::Statement { conditions, sql, loc, .. }
                | Record::Query { conditions, sql, loc, .. } => {
                    if !skipped(conditions, &labels) {
                        jobs.push((record, sql.as_str(), loc));
                    }
                }
                Record::Comment(_) | Record::Newline | Record::Condition(_) | Record::Injected(_) => {}
                other => panic!("{}: not for a shell: {other}", file.path.display()),
            }
        }
        let texts: Vec<&str> = jobs.iter().map(|(_, sql, _)| *sql).collect();
        for ((record, sql, loc), outcome) in jobs.iter().zip(shell.outcomes(encoding, &texts)) {
            if let Err(what) = judge(record, &outcome) {
                wrong.push(format!("{loc}: {sql}\n{what}"));
            }
        }
    }
    if !newer.is_empty() {
        // The SQLite that is linked into the tests is new enough for all of them.
        support::say(&format!("shell {:?}: for newer ones are {}", shell.version, newer.join(", ")));
    }
    assert!(wrong.is_empty(), "{encoding:?}, SQLite {:?}:\n{}", shell.version, wrong.join("\n\n"));
}

#[test]
fn shell_utf8() {
    through_shell(Encoding::Utf8);
}

#[test]
fn shell_utf16le() {
    through_shell(Encoding::Utf16le);
}

/// A judge that lets everything pass would make the tests above worthless.
#[test]
fn wrong_outcomes_are_noticed() {
    let records: Records = sqllogictest::parse(
        "query T\nselect 'a'\n----\na\n\nstatement error no such table\nselect * from t\n\nstatement ok\nselect 1\n",
    )
    .unwrap();
    let records: Vec<_> =
        records.iter().filter(|r| matches!(r, Record::Query { .. } | Record::Statement { .. })).collect();
    let outcome = |output: &str, error: Option<&str>| Outcome {
        output: output.to_owned(),
        error: error.map(str::to_owned),
    };
    let [query, failing, passing] = records[..] else { panic!("three records") };
    assert!(judge(query, &outcome("a\x1e", None)).is_ok());
    for wrong in ["", "a \x1e", "b\x1e", "a\x1ea\x1e", "a\x1fa\x1e", "\x1e"] {
        assert!(judge(query, &outcome(wrong, None)).is_err(), "{wrong:?}");
    }
    assert!(judge(query, &outcome("a\x1e", Some("x"))).is_err());
    assert!(judge(failing, &outcome("", Some("no such table: t"))).is_ok());
    assert!(judge(failing, &outcome("", Some("no such column: t"))).is_err());
    assert!(judge(failing, &outcome("", None)).is_err());
    assert!(judge(passing, &outcome("1\x1e", None)).is_ok());
    assert!(judge(passing, &outcome("", Some("x"))).is_err());
}
