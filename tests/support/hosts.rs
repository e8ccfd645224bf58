//! What the tests that start other programs share: where things are.
#![allow(dead_code, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub use crate::support::skip;

use crate::support::extension;

/// The folder of `Cargo.toml`.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder that stays from run to run, for what a host needs from a registry.
pub fn installed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("hosts").join(name)
}

/// The shell's command that loads the extension.
pub fn dot_load() -> String {
    format!(".load '{}'", extension().display())
}

/// Does this command end well?
pub fn works(command: &mut Command) -> Result<(), String> {
    match command.output() {
        Ok(run) if run.status.success() => Ok(()),
        Ok(run) => Err(String::from_utf8_lossy(&run.stderr).lines().last().unwrap_or("failed").to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs `cargo run --example` in the profile of the test itself, with the extension where the example looks for it.
/// Warnings of the build may come on stderr. With every feature, as `make test` has it: the library's file bears no mark of
/// its features, and the documentation's tests come after and take the one that is there.
pub fn example(name: &str) -> Output {
    let mut run = Command::new(env!("CARGO"));
    run.args(["run", "--quiet", "--all-features", "--example", name]);
    if !cfg!(debug_assertions) {
        run.arg("--release");
    }
    run.current_dir(root()).env("RESQ_EXTENSION", extension());
    run.output().expect("cargo runs")
}
