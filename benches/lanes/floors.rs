//! Floors: what any aggregate with these arguments costs, before it makes JSON. They live in `floors.c`, which says what each does
//! and why it is a library of its own; here it is compiled, loaded and given SQLite's functions.

use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::host::{Connection, Final, Step, api};

/// A C file of this folder as a shared library.
pub fn compiled(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches").join(name).with_extension("c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(name).with_extension("so");
    let new = folder.join(format!("{name}-{}", std::process::id()));
    let compiler = std::env::var("CC").unwrap_or("cc".to_owned());
    let options = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O2", "-o"];
    let made = Command::new(compiler).args(options).arg(&new).arg(source).status();
    assert!(made.expect("a C compiler").success());
    std::fs::rename(new, &file).unwrap();
    file
}

/// The functions in the order of `struct api`.
type Table = [*const c_void; 12];

fn library() -> &'static libloading::Library {
    static LIBRARY: OnceLock<libloading::Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let api = api();
        let table: Table = [
            api.sqlite3_aggregate_context as _,
            api.sqlite3_value_type as _,
            api.sqlite3_value_int64 as _,
            api.sqlite3_value_double as _,
            api.sqlite3_value_text as _,
            api.sqlite3_value_blob as _,
            api.sqlite3_value_bytes as _,
            api.sqlite3_value_subtype as _,
            api.sqlite3_realloc64 as _,
            api.sqlite3_free as _,
            api.sqlite3_result_int64 as _,
            api.sqlite3_result_text64 as _,
        ];
        // SAFETY: our own library; it copies a table of pointers, which has the layout of its struct.
        unsafe {
            let library = libloading::Library::new(compiled("floors")).unwrap();
            library.get::<unsafe extern "C" fn(*const Table)>(b"floors_install").unwrap()(&table);
            library
        }
    })
}

/// How many bytes one row is to append to the copies floor's text, on average.
pub fn row_bytes(bytes: usize) {
    // SAFETY: as declared in floors.c.
    unsafe { library().get::<unsafe extern "C" fn(i64)>(b"floors_row_bytes").unwrap()(bytes as i64) };
}

pub fn register(db: Connection) {
    for (name, floor) in [
        ("floor_nothing", "nothing"),
        ("floor_reads", "reads"),
        ("floor_reads_again", "reads"),
        ("floor_copies", "copies"),
    ] {
        // SAFETY: as declared in floors.c.
        unsafe {
            let step = *library().get::<Step>(floor.as_bytes()).unwrap();
            let end = *library().get::<Final>(format!("{floor}_final").as_bytes()).unwrap();
            db.aggregate(name, step, end);
        }
    }
}
