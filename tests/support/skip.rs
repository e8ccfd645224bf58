//! What a test does where something that it needs is missing.
#![allow(dead_code)]

use std::io::Write;

/// Says that a check cannot run here, past the test runner's capture. With `RESQ_REQUIRE_HOSTS=1`, which CI sets, that
/// is a failure.
#[track_caller]
pub fn skip(what: &str, why: &str) {
    assert!(std::env::var_os("RESQ_REQUIRE_HOSTS").is_none_or(|it| it != "1"), "{what} is required: {why}");
    say(&format!("skipped: {what}: {why}"));
}

/// A line on standard error, past the test runner's capture.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
