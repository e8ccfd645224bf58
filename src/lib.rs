//! resq: rows become JSON inside SQLite.
//!
//! ```text
//!   functions ──────┬──────────────┐         what SQL sees
//!       │           │              │
//!     sqlite      json           base64      the C API │ values and shapes as JSON │ RFC 4648
//!       │        ┌──┴───┬────┐     │
//!       │     escape  real decimal │         strings, reals, integers
//!       │        └──────┬──────────┘
//!     value, buffer    arch                  what all speak │ the kernels of each processor
//! ```
//!
//! A row travels one way: `sqlite3_value` → `sqlite::Arguments` → `Value` → `json` → `Buffer` → `sqlite::Call`.
//!
//! As a loadable extension: `.load ./libresq`. Linked into a program: feature `static`, `auto_extension`.

pub mod arch;
pub mod base64;
pub mod buffer;
pub mod decimal;
pub mod escape;
mod functions;
pub mod json;
pub mod real;
mod sqlite;
pub mod value;

#[cfg(feature = "static")]
pub use sqlite::auto_extension;

use core::ffi::{c_char, c_int};

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
    // SAFETY: the caller's duty.
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
    // Not by way of the other entry point: SQLite loads with RTLD_GLOBAL, so that an exported name may mean the one
    // in a copy of this file that was loaded before.
    // SAFETY: the caller's duty.
    unsafe { sqlite::load(db, message, routines, functions::TABLE) }
}
