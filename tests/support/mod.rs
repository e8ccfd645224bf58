//! What tests share: where the built extension is, and how it gets into a SQLite.
#![allow(dead_code, unsafe_code)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusqlite::Connection;

/// The folder of `Cargo.toml`.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder that cargo builds into.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target))
}

/// The extension: what `RESQ_EXTENSION` names, or a release build made once per test program.
pub fn extension() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        if let Some(path) = std::env::var_os("RESQ_EXTENSION") {
            return root().join(path);
        }
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--release", "--lib"])
            .current_dir(root())
            .status()
            .expect("cargo runs");
        assert!(built.success(), "the extension does not build");
        let name = [std::env::consts::DLL_PREFIX, "resq", std::env::consts::DLL_SUFFIX].concat();
        target().join("release").join(name)
    })
}

/// Loads the extension into a connection, as a host does.
pub fn load(db: &Connection) -> rusqlite::Result<()> {
    // SAFETY: the extension is ours.
    unsafe {
        db.load_extension_enable()?;
        db.load_extension(extension(), None::<&str>)?;
    }
    db.load_extension_disable()
}

/// The shell's command that loads the extension.
pub fn dot_load() -> String {
    format!(".load '{}'", extension().display())
}

/// Runs `cargo run --example` in the profile of the test itself, with the extension where the example looks for it.
/// Warnings of the build may come on stderr.
pub fn example(name: &str, options: &[&str]) -> Output {
    let mut run = Command::new(env!("CARGO"));
    run.args(["run", "--quiet", "--example", name]);
    if !cfg!(debug_assertions) {
        run.arg("--release");
    }
    run.args(options).current_dir(root()).env("RESQ_EXTENSION", extension());
    run.output().expect("cargo runs")
}

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Says that a host is missing, past the test runner's capture, and counts. With `RESQ_REQUIRE_HOSTS=1` that is a failure.
pub fn skip(host: &str, why: &str) {
    let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
    assert!(std::env::var_os("RESQ_REQUIRE_HOSTS").is_none_or(|it| it != "1"), "{host} is required: {why}");
    let _ = writeln!(std::io::stderr(), "skipped, {count} so far: {host}: {why}");
}
