//! The crate as a registry would have it: a program outside this tree links it with the feature `static` alone, without
//! the patch of the top Cargo.toml and without libclang.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/repository.rs"]
mod repository;
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Runs a command that must end well; gives what it wrote.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{words}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A folder that stays from run to run, since SQLite takes long to compile.
fn folder() -> &'static Path {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("dependent");
    Box::leak(folder.into_boxed_path())
}

/// The package, unpacked.
fn package() -> &'static Path {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    PACKAGE.get_or_init(|| {
        let root = env!("CARGO_MANIFEST_DIR");
        run(Command::new(env!("CARGO"))
            .args(["package", "--quiet", "--no-verify", "--allow-dirty", "--target-dir"])
            .arg(folder())
            .current_dir(root));
        let name = concat!("resq-", env!("CARGO_PKG_VERSION"));
        let unpacked = folder().join(name);
        let _ = std::fs::remove_dir_all(&unpacked);
        run(Command::new("tar")
            .args(["-x", "-z", "-f"])
            .arg(folder().join("package").join(format!("{name}.crate")))
            .arg("-C")
            .arg(folder()));
        unpacked
    })
}

/// A crate that depends on the package, and cargo in it with `words`. No crate that asks for libclang may be among all that
/// it needs.
fn dependent(name: &str, dependencies: &str, main: &str, words: &[&str]) -> String {
    let here = folder().join(name);
    std::fs::create_dir_all(here.join("src")).unwrap();
    let package = package().display();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n\
         resq = {{ path = '{package}', default-features = false, features = [\"static\"] }}\n{dependencies}\n"
    );
    std::fs::write(here.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(here.join("src/main.rs"), main).unwrap();
    let _ = std::fs::remove_file(here.join("Cargo.lock"));
    let told = run(Command::new(env!("CARGO"))
        .args(words)
        .current_dir(&here)
        .env("CARGO_TARGET_DIR", folder().join("target"))
        .env("LIBCLANG_PATH", "/nowhere"));
    let lock = std::fs::read_to_string(here.join("Cargo.lock")).unwrap();
    assert!(lock.contains("\"libsqlite3-sys\""));
    for other in ["bindgen", "clang-sys", "sqlite-loadable", "sqlite3ext-sys"] {
        assert!(!lock.contains(&format!("name = \"{other}\"")), "{name} needs {other}");
    }
    told
}

#[test]
fn a_program_links_the_package() {
    const MAIN: &str = r#"
fn main() -> Result<(), Box<dyn std::error::Error>> {
    resq::auto_extension().map_err(|code| format!("SQLite's code {code}"))?;
    let db = rusqlite::Connection::open_in_memory()?;
    db.execute_batch("create table t(a, b); insert into t values (1, x'00ff'), (2, 'x')")?;
    for sql in [
        "select resq_json('a', a, 'b', b) from t",
        "select group_concat(j, ' ') from (select resq_json(a) over (order by a rows 1 preceding) as j from t)",
        "select resq_object('a', a) from t limit 1",
        "select resq_query('select a from t where a > ?', 1)",
        "select replace(group_concat(piece, ''), char(10), ' ') from resq_stream('select a from t')",
        "select resq_b64(b) || ' ' || resq_b64(b, 'url') from t limit 1",
        "select hex(resq_unb64('AP8='))",
        "select resq_raw('[]')",
        "select resq_version()",
    ] {
        println!("{}", db.query_row(sql, [], |row| row.get::<_, String>(0))?);
    }
    for sql in ["select resq_raw('[')", "select resq_b64(1)"] {
        println!("{}", db.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap_err());
    }
    println!("{}", resq::VERSION);
    Ok(())
}
"#;
    let told = dependent(
        "links",
        "rusqlite = { version = \"0.43\", features = [\"bundled\"] }",
        MAIN,
        &["run", "--quiet"],
    );
    let version = env!("CARGO_PKG_VERSION");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines[..8],
        [
            r#"[{"a":1,"b":"AP8="},{"a":2,"b":"x"}]"#,
            "[1] [1,2]",
            r#"{"a":1}"#,
            r#"[{"a":2}]"#,
            r#"{"a":1} {"a":2} "#,
            "AP8= AP8",
            "00FF",
            "[]"
        ]
    );
    assert_eq!(lines[8], version);
    assert!(lines[9].starts_with("resq_raw: "), "{}", lines[9]);
    assert!(lines[10].starts_with("resq_b64: "), "{}", lines[10]);
    assert_eq!(lines[11..], [version]);
}

/// The oldest libsqlite3-sys of those that Cargo.toml names.
#[test]
fn an_old_libsqlite3_sys_will_do() {
    const MAIN: &str = "fn main() { assert_eq!(resq::auto_extension(), Ok(())) }";
    dependent("old", "libsqlite3-sys = \"=0.30.1\"", MAIN, &["check", "--quiet"]);
}

/// What a test of the package reads is in it: every file that git knows, but for how the repository itself is
/// checked and for packages of their own below it, which cargo leaves out.
#[test]
fn the_package_is_complete() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(files) = repository::files() else {
        return support::skip("the list of the repository's files", "no git, or no repository");
    };
    assert!(files.iter().any(|name| name == "tests/package.rs"));
    let others: Vec<&str> = files.iter().filter_map(|name| name.strip_suffix("/Cargo.toml")).collect();
    for name in files.iter().filter(|name| root.join(name).exists()) {
        let outside =
            name.starts_with(".ci/") || others.iter().any(|other| Path::new(name).starts_with(other));
        let there = package().join(name).exists();
        assert!(there != outside, "{name}: in the package: {there}");
    }
}
