//! resq in a program that has SQLite linked in: nothing is loaded, and every new connection has the
//! functions.
//!
//! The SQLite here is that of `libsqlite3-sys`. Its types stand for the same C structs as those of
//! `bindings`; the entry point below casts between them.

use core::ffi::{c_char, c_int};

use crate::sqlite::entry::{self, Registration};

/// The functions that an entry point without parameters of its own can register.
pub trait Linked {
    /// As for `load`: the last line is `resq_version`.
    const TABLE: &'static [Registration];
}

/// Registers `T`'s functions for every connection that this program's SQLite opens from now on. The
/// error is SQLite's code.
pub fn auto_extension<T: Linked>() -> Result<(), i32> {
    // SAFETY: an entry point of the type that SQLite expects, which lives as long as the program.
    match unsafe { libsqlite3_sys::sqlite3_auto_extension(Some(entry_point::<T>)) } {
        libsqlite3_sys::SQLITE_OK => Ok(()),
        code => Err(code),
    }
}

/// # Safety
/// For SQLite alone, as for [`entry::load`].
unsafe extern "C" fn entry_point<T: Linked>(
    db: *mut libsqlite3_sys::sqlite3,
    message: *mut *mut c_char,
    routines: *const libsqlite3_sys::sqlite3_api_routines,
) -> c_int {
    // SAFETY: SQLite gives the arguments of an entry point. The types on both sides stand for the
    // same C structs.
    unsafe { entry::load(db.cast(), message, routines.cast(), T::TABLE) }
}
