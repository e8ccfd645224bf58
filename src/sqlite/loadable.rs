//! What goes through the framework sqlite-loadable: the entry point and scalar functions.
//!
//! Its types and those of [`bindings`](crate::sqlite::bindings) stand for the same C structs;
//! pointers are cast where they meet. It keeps a pointer of its own to the API table.

use core::ffi::{c_char, c_int};
use std::cell::RefCell;
use std::ptr;

use sqlite_loadable::entrypoints::register_entrypoint;
use sqlite_loadable::ext::{self, faux_sqlite_extension_init2};
use sqlite_loadable::{FunctionFlags, define_scalar_function};

use crate::sqlite::bindings::{sqlite3, sqlite3_api_routines, sqlite3_context, sqlite3_value};

/// Gives it the API table.
///
/// # Safety
/// `routines` is the table of a SQLite that resq runs on, and no other thread is in a function of
/// sqlite-loadable.
pub(super) unsafe fn install(routines: *const sqlite3_api_routines) {
    // SAFETY: the caller gives a complete table, and no other thread uses the pointer to it
    // meanwhile.
    unsafe { faux_sqlite_extension_init2(routines.cast_mut().cast()) };
}

/// Runs `register` as the callback of an entry point.
pub(super) fn entry_point(db: *mut sqlite3, message: *mut *mut c_char, register: impl FnMut()) {
    let register = RefCell::new(register);
    // With a null table sqlite-loadable leaves the pointer that `install` has set.
    register_entrypoint(db.cast(), message, ptr::null_mut(), |_| {
        (register.borrow_mut())();
        Ok(())
    });
}

/// Registers a scalar function with SQLite's number of arguments and flags; false if SQLite
/// refused.
///
/// sqlite-loadable leaks a box for `call`. That has no size, because `call` captures nothing.
#[inline(always)]
pub(super) fn define_scalar<F>(db: *mut sqlite3, name: &str, count: c_int, flags: c_int, call: F) -> bool
where
    F: Fn(*mut sqlite3_context, &[*mut sqlite3_value]),
{
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: sqlite-loadable gives names to some of the bits only, and passes all of them on.
    let flags = unsafe { FunctionFlags::from_bits_unchecked(flags) };
    let call = move |context: *mut ext::sqlite3_context, values: &[*mut ext::sqlite3_value]| {
        // SAFETY: pointers to the same C struct, under two names.
        let values = unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), values.len()) };
        call(context.cast(), values);
        Ok(())
    };
    define_scalar_function(db.cast(), name, count, call, flags).is_ok()
}
