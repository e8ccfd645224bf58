//! What the integration tests share: the built extension, connections that have loaded it as a user would,
//! and seeded random numbers.
//!
//! `RESQ_EXTENSION` names the file to test; without it one is made as `make build` does.
#![allow(dead_code, unsafe_code, clippy::unwrap_used, clippy::expect_used)]

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock};

use rusqlite::{Connection, ffi};

mod skip;
#[allow(unused_imports)]
pub use skip::{say, skip};

/// The extension's file.
pub fn extension() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        if let Some(file) = std::env::var_os("RESQ_EXTENSION") {
            return std::path::absolute(file).unwrap();
        }
        // Cargo puts this folder into the target folder, whatever that is.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("extension");
        let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
        let run = Command::new(cargo)
            .args(["rustc", "--quiet", "--release", "--lib", "--crate-type", "cdylib"])
            .args(["--message-format=json-render-diagnostics", "--manifest-path"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&target)
            .stderr(Stdio::inherit())
            .output()
            .expect("cargo runs");
        assert!(run.status.success(), "the extension does not build");
        let name = format!("{DLL_PREFIX}resq{DLL_SUFFIX}");
        // One JSON text a line. The file is in a folder of the target's own if one is configured.
        let messages = String::from_utf8(run.stdout).expect("UTF-8");
        let artifacts =
            messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        artifacts
            .filter_map(|artifact| Some(artifact["filenames"].as_array()?.clone()))
            .flatten()
            .filter_map(|file| file.as_str().map(PathBuf::from))
            .find(|file| file.file_name().is_some_and(|found| *found == *name))
            .expect("cargo names the extension's file")
    })
}

/// A folder of this test's own, emptied.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// For tests that look at SQLite's memory, which it counts for the whole process: they run one after the other.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The bytes that SQLite has in use.
pub fn memory_used() -> i64 {
    // SAFETY: no duties.
    unsafe { ffi::sqlite3_memory_used() }
}

/// How a database keeps its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16le,
    Utf16be,
}

impl Encoding {
    pub const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16le, Encoding::Utf16be];

    /// As PRAGMA encoding spells it.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Utf16le => "UTF-16le",
            Encoding::Utf16be => "UTF-16be",
        }
    }
}

/// A new database in memory, without the extension.
pub fn plain(encoding: Encoding) -> Connection {
    let db = Connection::open_in_memory().unwrap();
    db.pragma_update(None, "encoding", encoding.name()).unwrap();
    db
}

/// Loads a file as an extension.
pub fn load(db: &Connection, file: &Path) -> rusqlite::Result<()> {
    // SAFETY: the file is the extension under test, or a copy of it.
    unsafe {
        db.load_extension_enable()?;
        let loaded = db.load_extension(file, None::<&str>);
        db.load_extension_disable()?;
        loaded
    }
}

/// A new database in memory with the extension.
pub fn connection_in(encoding: Encoding) -> Connection {
    let db = plain(encoding);
    load(&db, extension()).unwrap();
    db
}

/// A new UTF-8 database in memory with the extension.
pub fn connection() -> Connection {
    connection_in(Encoding::Utf8)
}

/// The one value that a query gives.
pub fn one<T: rusqlite::types::FromSql>(db: &Connection, sql: &str) -> rusqlite::Result<T> {
    db.query_row(sql, [], |row| row.get(0))
}

/// The one text that a query gives.
pub fn text(db: &Connection, sql: &str) -> String {
    one(db, sql).unwrap_or_else(|error| panic!("{error}\nin {sql}"))
}

/// The error that a query ends with: its extended code and its message.
pub fn error(db: &Connection, sql: &str) -> (i32, String) {
    let run = || {
        let mut statement = db.prepare(sql)?;
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    };
    match run() {
        Err(rusqlite::Error::SqliteFailure(code, message)) => {
            (code.extended_code, message.unwrap_or_default())
        }
        Err(rusqlite::Error::SqlInputError { error, msg, .. }) => (error.extended_code, msg),
        other => panic!("no SQLite error but {other:?}\nin {sql}"),
    }
}

/// Seeded random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}
