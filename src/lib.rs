//! resq: rows become JSON inside SQLite.
//!
//! ```text
//!   functions ──────┬──────────────┐         what SQL sees
//!       │           │              │
//!     sqlite      json ─────────── base64    the C API │ values and shapes as JSON │ RFC 4648
//!       │        ┌──┴───┐          │
//!       │     escape   real        │         strings, reals
//!       │        │       └ decimal │         integers: digits for both
//!       │        └──────┬──────────┘
//!     value, buffer    arch                  what all speak │ the kernels of each processor
//! ```
//!
//! R1, R2, … in comments and tests are the rules of `docs/rules.md`.
//!
//! A row travels one way: `sqlite3_value` → `sqlite::Arguments` → `Value` → `json` → `Buffer` →
//! `sqlite::Call`.
//!
//! `sqlite` has rooms of its own, drawn in its `mod.rs`, and so has `functions`. `tests/layout.rs`
//! holds the plan.
//!
//! As a loadable extension: `.load ./libresq`. Linked into a program: feature `static`,
//! `auto_extension`.

#![warn(clippy::multiple_unsafe_ops_per_block)]
#![cfg_attr(not(feature = "internals"), allow(dead_code, reason = "tests and benchmarks use it"))]

mod arch;
mod base64;
mod buffer;
mod decimal;
mod escape;
mod functions;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod json;
mod real;
mod sqlite;
mod value;

use core::ffi::{c_char, c_int};

/// resq's version, which `resq_version()` returns.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Gives resq's functions to every connection that this program's SQLite opens from now on.
///
/// Call it once, before the first connection is opened; a second call changes nothing. The SQLite
/// is that of `libsqlite3-sys`, which `rusqlite` and others link. A connection that loads `libresq`
/// as well stays as it is.
///
/// # Errors
/// SQLite's result code, such as SQLITE_NOMEM.
///
/// ```
/// resq::auto_extension().map_err(|code| format!("SQLite's code {code}"))?;
/// let db = rusqlite::Connection::open_in_memory()?;
/// let json: String = db.query_row("select resq_json('a', 1, 'b', x'00ff')", [], |row| row.get(0))?;
/// assert_eq!(json, r#"[{"a":1,"b":"AP8="}]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "static")]
pub fn auto_extension() -> Result<(), i32> {
    struct Functions;
    impl sqlite::Linked for Functions {
        const TABLE: &'static [sqlite::Registration] = functions::TABLE;
    }
    sqlite::auto_extension::<Functions>()
}

/// The entry point that SQLite looks for in a file named `libresq`.
///
/// # Safety
/// For SQLite alone: an open connection, a place for an error message, and that SQLite's API table.
#[cfg_attr(feature = "loadable", unsafe(no_mangle))]
#[allow(unsafe_code)]
pub unsafe extern "C" fn sqlite3_resq_init(
    db: *mut sqlite::sqlite3,
    message: *mut *mut c_char,
    routines: *const sqlite::sqlite3_api_routines,
) -> c_int {
    // SAFETY: SQLite gives the arguments of an entry point.
    unsafe { sqlite::load(db, message, routines, functions::TABLE) }
}

/// The entry point that SQLite looks for in a file of any other name.
///
/// # Safety
/// As for [`sqlite3_resq_init`].
#[cfg(feature = "loadable")]
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub unsafe extern "C" fn sqlite3_extension_init(
    db: *mut sqlite::sqlite3,
    message: *mut *mut c_char,
    routines: *const sqlite::sqlite3_api_routines,
) -> c_int {
    // It must not call the other entry point. SQLite loads with RTLD_GLOBAL: an exported name may
    // mean the one in a copy of this file that was loaded before.
    // SAFETY: SQLite gives the arguments of an entry point.
    unsafe { sqlite::load(db, message, routines, functions::TABLE) }
}
