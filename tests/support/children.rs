//! Cases that run in processes of their own, so that a crash is the failure of one case: the test's program starts
//! itself again for every library, and after a crash once more behind the case that crashed.
//!
//! ```text
//!   parent ── RESQ_CHILD_LIBRARY, RESQ_CHILD_FROM ──▶ child: the ignored test of that name
//!      ▲                                               │
//!      └── folder/current: the case that runs ─────────┤
//!      └── folder/report: faults, figures, the end ────┘
//! ```
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::library::Library;

const LIBRARY: &str = "RESQ_CHILD_LIBRARY";
const FROM: &str = "RESQ_CHILD_FROM";
const FOLDER: &str = "RESQ_CHILD_FOLDER";

/// What begins so is done by SQLite alone: a crash then is SQLite's own.
pub const SQLITE_ALONE: &str = "SQLite alone: ";

/// SQLite's own crashes are no faults in debug builds, which stop at what others live with, and before this version.
const OWN_CRASHES_BEFORE: super::library::Version = (3, 41, 0);

/// More crashes than this on one library, and its other cases are not run.
const MOST_CRASHES: usize = 20;

/// What ran on one library.
#[derive(Debug, Default)]
pub struct Outcome {
    pub library: String,
    /// A case each: what it was, what was wrong.
    pub faults: Vec<(String, String)>,
    /// What the children said of themselves, in order.
    pub notes: Vec<String>,
}

impl Outcome {
    /// The sum of a figure that the children noted as `name number`.
    pub fn sum(&self, name: &str) -> u64 {
        let of = |note: &String| note.strip_prefix(name)?.trim().parse::<u64>().ok();
        self.notes.iter().filter_map(of).sum()
    }
}

/// Runs the ignored test `child` on a library, as often as it takes to get past all cases, with one more variable in its
/// environment.
pub fn run(child: &str, library: &str, variable: (&str, &str)) -> Outcome {
    let folder = super::folder(&format!("{child}-{library}"));
    let mut outcome = Outcome { library: library.to_owned(), ..Outcome::default() };
    let opened = Library::open(library).unwrap_or_else(|why| panic!("SQLite {library}: {why}"));
    let own_crashes = opened.checks_itself() || opened.version() < OWN_CRASHES_BEFORE;
    let (mut from, mut crashes) = (0, 0);
    loop {
        for file in ["current", "report"] {
            File::create(folder.join(file)).unwrap();
        }
        let run = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", child, "--ignored", "--nocapture", "--test-threads=1"])
            .env(LIBRARY, library)
            .env(FROM, from.to_string())
            .env(FOLDER, &folder)
            .env("RESQ_EXTENSION", super::extension())
            .env("RUST_BACKTRACE", "0")
            .env(variable.0, variable.1)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .expect("the test's own program runs");
        let mut ended = false;
        for line in std::fs::read_to_string(folder.join("report")).unwrap().lines() {
            match serde_json::from_str::<Vec<String>>(line).unwrap().as_slice() {
                [kind, what, why] if kind == "fault" => outcome.faults.push((what.clone(), why.clone())),
                [kind, note] if kind == "note" => outcome.notes.push(note.clone()),
                [kind] if kind == "end" => ended = true,
                other => panic!("{other:?}"),
            }
        }
        if ended && run.status.success() {
            return outcome;
        }
        let current = std::fs::read_to_string(folder.join("current")).unwrap();
        let (number, what) = current.split_once('\n').unwrap_or(("", "before the first case"));
        let errors = String::from_utf8_lossy(&run.stderr);
        let last: Vec<&str> = errors.lines().rev().take(8).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        let why = format!("the process ended: {}\n{}", run.status, last.join("\n"));
        // A panic is the test's own, and ends with a code.
        if own_crashes && run.status.code().is_none() && what.starts_with(SQLITE_ALONE) {
            outcome.notes.push("own crashes 1".to_owned());
        } else {
            outcome.faults.push((what.to_owned(), why));
        }
        crashes += 1;
        let Ok(number) = number.parse::<u64>() else { return outcome };
        if crashes >= MOST_CRASHES || ended {
            return outcome;
        }
        from = number + 1;
    }
}

/// The child's side.
pub struct Child {
    pub library: &'static Library,
    /// The first case to run.
    pub from: u64,
    current: File,
    report: File,
}

impl Child {
    /// None if the program was not started as a child.
    pub fn new() -> Option<Child> {
        let name = std::env::var(LIBRARY).ok()?;
        let folder = PathBuf::from(std::env::var_os(FOLDER)?);
        let append = |file| File::options().append(true).open(folder.join(file)).unwrap();
        Some(Child {
            library: Library::open(&name).unwrap_or_else(|why| panic!("SQLite {name}: {why}")),
            from: std::env::var(FROM).unwrap().parse().unwrap(),
            current: File::options().write(true).read(true).open(folder.join("current")).unwrap(),
            report: append("report"),
        })
    }

    /// Case number `number` begins.
    pub fn begin(&mut self, number: u64, what: &str) {
        let text = format!("{number}\n{what}");
        self.current.seek(SeekFrom::Start(0)).unwrap();
        self.current.write_all(text.as_bytes()).unwrap();
        self.current.set_len(text.len() as u64).unwrap();
    }

    /// What runs now, as [`begin`](Self::begin) was told.
    pub fn current(&mut self) -> String {
        let mut text = String::new();
        self.current.seek(SeekFrom::Start(0)).unwrap();
        self.current.read_to_string(&mut text).unwrap();
        text
    }

    pub fn fault(&mut self, what: &str, why: &str) {
        self.say(&["fault", what, why]);
    }

    pub fn note(&mut self, note: &str) {
        self.say(&["note", note]);
    }

    pub fn end(mut self) {
        self.say(&["end"]);
    }

    fn say(&mut self, words: &[&str]) {
        let mut line = serde_json::to_string(words).unwrap();
        line.push('\n');
        self.report.write_all(line.as_bytes()).unwrap();
    }
}

/// The names of the libraries that a test is to run on, several of which may be wanted at least.
pub fn libraries() -> Vec<String> {
    let names = super::library::names();
    let least = std::env::var("RESQ_SQLITES_LEAST").map_or(1, |least| least.parse().unwrap());
    assert!(names.len() >= least, "{least} SQLite libraries are wanted, these are at hand: {names:?}");
    names
}

/// Prints a line for each library, and fails if there was a fault. The figure of that name is left under the target
/// folder for `tests/sqlite/matrix.sh`, one line a library.
pub fn judge(test: &str, outcomes: &[Outcome], figure: &str, line: impl Fn(&Outcome) -> String) {
    let mut faults = String::new();
    let matrix = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("matrix");
    std::fs::create_dir_all(&matrix).unwrap();
    let rows = outcomes
        .iter()
        .map(|outcome| format!("{}\t{}\t{}\n", outcome.library, outcome.sum(figure), outcome.faults.len()));
    std::fs::write(matrix.join(test), rows.collect::<String>()).unwrap();
    for outcome in outcomes {
        let own = match outcome.sum("own crashes ") {
            0 => String::new(),
            own => format!(", {own} crashes of SQLite's own"),
        };
        println!("SQLite {}: {}{own}, {} faults", outcome.library, line(outcome), outcome.faults.len());
        for (what, why) in outcome.faults.iter().take(12) {
            faults += &format!("\nSQLite {}: {what}\n  {why}\n", outcome.library);
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
