//! Every example in the documentation, on each SQLite at hand: the bundled one, the `sqlite3` shell's, and 3.54.0 from a
//! Python package, which alone keeps the JSON subtype at scalar subqueries.
//!
//! Fenced blocks of a document run in order on one database. ```` ```sql ```` may say `needs 3.44`. A block behind it of another language is what
//! comes out: rows a line, `|` between columns, `NULL`, and `error: …` where the block ends with one. Without such a block nothing may
//! come out. What stands at a `sqlite>` prompt in a block without a language is run too. ```` ```sh ```` runs beside `shop.db`, the database at that point.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;
#[path = "support/hosts.rs"]
mod tools;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rusqlite::Connection;
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::types::ValueRef;
use tools::{installed, root, skip, works};

const DOCUMENTS: [&str; 5] =
    ["docs/reference.md", "docs/recipes.md", "docs/moving.md", "docs/kept-statements.md", "README.md"];

type Version = (u32, u32);

fn version(text: &str) -> Version {
    let mut numbers = text.trim().split('.').map(|number| number.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

#[derive(Debug)]
struct Example {
    /// Where it stands, for messages.
    place: String,
    shell: bool,
    needs: Version,
    code: String,
    result: String,
}

impl Example {
    /// What comes out, and the error behind that.
    fn expected(&self) -> (&str, Option<&str>) {
        match self.result.rsplit_once("error: ") {
            Some((before, error)) if before.is_empty() || before.ends_with('\n') => {
                (before.trim_end(), Some(error))
            }
            _ => (&self.result, None),
        }
    }
}

/// The examples of a document.
fn examples(document: &str) -> Vec<Example> {
    let text = std::fs::read_to_string(root().join(document)).unwrap();
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = text.lines().enumerate();
    // Only a fence right behind an example's is its result.
    let mut open = false;
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            open &= line.trim().is_empty();
            continue;
        };
        let body: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let body = body.join("\n");
        let mut words = info.split_whitespace();
        match words.next() {
            Some(language @ ("sql" | "sh")) => {
                let needs = match (words.next(), words.next()) {
                    (None, None) => (3, 26),
                    (Some("needs"), Some(wanted)) => version(wanted),
                    other => panic!("{document}:{}: {other:?}", number + 1),
                };
                let place = format!("{document}:{}", number + 1);
                let shell = language == "sh";
                examples.push(Example { place, shell, needs, code: body, result: String::new() });
                open = true;
            }
            None if body.lines().any(|line| line.starts_with(PROMPT)) => {
                examples.extend(session(&format!("{document}:{}", number + 1), &body));
                open = false;
            }
            _ if open => {
                examples.last_mut().unwrap().result = body.trim_end().to_owned();
                open = false;
            }
            _ => {}
        }
    }
    examples
}

const PROMPT: &str = "sqlite> ";

/// The examples of a session with the shell: what is typed at its prompt, and what comes out.
fn session(place: &str, body: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in body.lines() {
        match (line.strip_prefix(PROMPT), examples.last_mut()) {
            (Some(command), _) if command.starts_with('.') => {}
            (Some(code), _) => examples.push(Example {
                place: place.to_owned(),
                shell: false,
                needs: (3, 26),
                code: code.to_owned(),
                result: String::new(),
            }),
            (None, Some(example)) => example.result = format!("{}\n{line}", example.result).trim().to_owned(),
            (None, None) => assert!(line.starts_with('$'), "{place}: {line}"),
        }
    }
    examples
}

#[test]
fn there_are_examples() {
    let count = |document| examples(document).iter().filter(|example| !example.result.is_empty()).count();
    assert!(count("docs/reference.md") > 20);
    assert!(count("docs/recipes.md") > 25);
    assert!(count("docs/moving.md") > 15);
    assert!(count("docs/kept-statements.md") > 1);
    assert!(count("README.md") > 1);
}

/// Each function has its heading with its signature and at least one example, and nothing else has.
#[test]
fn the_reference_has_every_function() {
    let db = support::connection();
    let mut names: BTreeSet<String> =
        BTreeSet::from(["resq_stream".to_owned(), "resq_stream_with".to_owned()]);
    let mut list =
        db.prepare("select distinct name from pragma_function_list where name like 'resq%'").unwrap();
    names.extend(list.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap));
    // Not for use by hand.
    assert!(names.remove("resq_sink"));
    let text = std::fs::read_to_string(root().join("docs/reference.md")).unwrap();
    let mut headings = BTreeSet::new();
    for section in text.split("\n## ").skip(1) {
        let (heading, body) = section.split_once('\n').unwrap();
        if !heading.starts_with("resq_") {
            continue;
        }
        assert!(body.contains("```sql"), "{heading} has no example");
        let signatures =
            body.lines().filter_map(|line| line.strip_prefix("    ")).take_while(|line| !line.is_empty());
        let signatures: BTreeSet<_> =
            signatures.filter_map(|line| line.split_once('(')).map(|(name, _)| name).collect();
        assert!(signatures.contains(heading), "{heading} has no signature");
        headings.extend(signatures.into_iter().map(str::to_owned));
        assert!(text.contains(&format!("[{heading}](#{heading})")), "{heading} is not in the list");
    }
    assert_eq!(headings, names);
}

fn check(host: &str, example: &Example, output: &str, error: Option<&str>) -> Result<(), String> {
    let (expected, expected_error) = example.expected();
    if output.trim_end() == expected && error == expected_error {
        return Ok(());
    }
    Err(format!(
        "{} on {host}:\n{}\nexpected: {expected}\nerror: {expected_error:?}\nbut got:  {output}\nerror: {error:?}\n",
        example.place, example.code
    ))
}

// ── the bundled SQLite ──────────────────────────────────────────────────────────────────────────────────────

/// Runs all statements of `sql`: their rows as the shell writes them, and the error that ended them.
fn run(db: &Connection, sql: &str) -> (String, Option<String>) {
    let mut output = String::new();
    let mut all = || -> rusqlite::Result<()> {
        let mut batch = rusqlite::Batch::new(db, sql);
        while let Some(mut statement) = batch.next()? {
            let count = statement.column_count();
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                for column in 0..count {
                    if column > 0 {
                        output.push('|');
                    }
                    match row.get_ref(column)? {
                        ValueRef::Null => output.push_str("NULL"),
                        ValueRef::Integer(integer) => write!(output, "{integer}").unwrap(),
                        ValueRef::Text(text) => output.push_str(std::str::from_utf8(text).unwrap()),
                        other => panic!("a {} cannot be shown; in {sql}", other.data_type()),
                    }
                }
                output.push('\n');
            }
        }
        Ok(())
    };
    let error = match all() {
        Ok(()) => None,
        Err(rusqlite::Error::SqliteFailure(_, Some(message))) => Some(message),
        Err(rusqlite::Error::SqlInputError { msg, .. }) => Some(msg),
        Err(other) => Some(other.to_string()),
    };
    (output, error)
}

#[test]
fn on_the_bundled_sqlite() {
    let mut wrong = Vec::new();
    for document in DOCUMENTS {
        let db = support::connection();
        for example in examples(document).iter().filter(|example| !example.shell) {
            let (output, error) = run(&db, &example.code);
            wrong.extend(check("the bundled SQLite", example, &output, error.as_deref()).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// ── the shell ───────────────────────────────────────────────────────────────────────────────────────────────

const MARK: &str = "=== example ";

/// Output and errors of a shell that gets this script.
fn shell(script: &str) -> Result<(String, String), String> {
    let mut child = Command::new("sqlite3")
        .args(["-batch", "-init", if cfg!(windows) { "nul" } else { "/dev/null" }, ":memory:"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut input = child.stdin.take().unwrap();
    let script = format!("{}\n{script}\n", tools::dot_load());
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    let utf8 = |bytes| String::from_utf8(bytes).unwrap();
    Ok((utf8(output.stdout), utf8(output.stderr)))
}

#[test]
fn in_the_shell() {
    let have = match shell("select sqlite_version();") {
        Ok((have, errors)) if errors.is_empty() => version(&have),
        Ok((_, why)) | Err(why) => return skip("the sqlite3 shell", &why),
    };
    let escape = if have >= (3, 50) { " --escape off" } else { "" };
    let mut wrong = Vec::new();
    for document in DOCUMENTS {
        let all = examples(document);
        let all: Vec<_> = all.iter().filter(|example| !example.shell && example.needs <= have).collect();
        let mut script = format!(".mode list{escape}\n.headers off\n.nullvalue NULL\n");
        for (index, example) in all.iter().enumerate() {
            writeln!(script, ".print '{MARK}{index}'\n{}", example.code).unwrap();
        }
        let (output, errors) = shell(&script).unwrap();
        let mut outputs = output.split(MARK);
        assert_eq!(outputs.next().map(str::trim), Some(""));
        let mut failed = errors.lines().filter_map(|line| line.split_once("near line ")?.1.split_once(": "));
        for (index, example) in all.iter().enumerate() {
            let (number, output) = outputs.next().unwrap().split_once('\n').unwrap();
            assert_eq!(number, index.to_string());
            let error = example.expected().1.and_then(|_| failed.next());
            wrong.extend(check("the shell", example, output, error.map(|(_, message)| message)).err());
        }
        assert_eq!(failed.next(), None, "{errors}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is typed at a system's own shell.
#[test]
#[cfg(unix)]
fn commands() {
    if let Err(why) = works(Command::new("sqlite3").args([":memory:", &tools::dot_load(), "select 1"])) {
        return skip("the sqlite3 shell", &why);
    }
    let mut count = 0;
    for document in DOCUMENTS {
        let db = support::connection();
        for example in examples(document) {
            if !example.shell {
                run(&db, &example.code);
                continue;
            }
            count += 1;
            let folder = support::folder("docs-commands");
            db.execute("vacuum into ?", [folder.join("shop.db").to_str().unwrap()]).unwrap();
            let code = example.code.replace("./libresq", support::extension().to_str().unwrap());
            let output = Command::new("sh").args(["-e", "-c", &code]).current_dir(&folder).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && errors.is_empty(), "{}: {errors}", example.place);
            let output = String::from_utf8(output.stdout).unwrap();
            check("a system's shell", &example, &output, None).unwrap();
        }
    }
    assert!(count > 0);
}

// ── SQLite 3.54.0 ───────────────────────────────────────────────────────────────────────────────────────────

/// A Python with the package that brings SQLite 3.54.0.
fn python() -> Result<PathBuf, String> {
    let folder = installed("python-sqlite-3.54.0");
    let python = folder.join("bin").join("python");
    let imports = |python: &PathBuf| works(Command::new(python).args(["-c", "import apsw"]));
    if imports(&python).is_ok() {
        return Ok(python);
    }
    let mut makers = ["python3", "/usr/bin/python3"].into_iter();
    if !makers.any(|maker| works(Command::new(maker).args(["-m", "venv"]).arg(&folder)).is_ok()) {
        return Err("no Python that makes virtual environments".to_owned());
    }
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary",
        ":all:",
        "apsw==3.54.0.0",
    ];
    works(Command::new(&python).args(install))?;
    imports(&python).map(|()| python)
}

const SCRIPT: &str = r#"
import apsw, json, sys
assert apsw.sqlite_lib_version() == "3.54.0", apsw.sqlite_lib_version()
results = []
for document in json.load(sys.stdin):
    db = apsw.Connection(":memory:")
    db.enable_load_extension(True)
    db.load_extension(sys.argv[1])
    for sql in document:
        output, error = "", None
        try:
            for row in db.execute(sql):
                output += "|".join("NULL" if cell is None else str(cell) for cell in row) + "\n"
        except apsw.Error as e:
            error = str(e)
        results.append([output, error])
json.dump(results, sys.stdout)
"#;

#[test]
fn on_3_54_0() {
    let python = match python() {
        Ok(python) => python,
        Err(why) => return skip("SQLite 3.54.0, of Python's apsw", &why),
    };
    let documents: Vec<Vec<Example>> = DOCUMENTS
        .iter()
        .map(|document| examples(document).into_iter().filter(|example| !example.shell).collect())
        .collect();
    let codes: Vec<Vec<&str>> =
        documents.iter().map(|all| all.iter().map(|example| example.code.as_str()).collect()).collect();
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(support::extension())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(serde_json::to_string(&codes).unwrap().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let results: Vec<(String, Option<String>)> = serde_json::from_slice(&output.stdout).unwrap();
    let all: Vec<&Example> = documents.iter().flatten().collect();
    assert_eq!(results.len(), all.len());
    let wrong: Vec<String> = (all.iter().zip(&results))
        .filter_map(|(example, (output, error))| {
            check("SQLite 3.54.0", example, output, error.as_deref()).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
