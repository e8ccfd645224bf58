//! The repository's own files.
#![allow(clippy::unwrap_used)]

use std::process::Command;

/// The files that git knows, from the top folder on; none where there is no git or no repository.
pub fn files() -> Option<Vec<String>> {
    let output =
        Command::new("git").args(["-C", env!("CARGO_MANIFEST_DIR"), "ls-files", "-z"]).output().ok()?;
    let list = String::from_utf8(output.stdout).unwrap();
    output.status.success().then(|| list.split_terminator('\0').map(str::to_owned).collect())
}
