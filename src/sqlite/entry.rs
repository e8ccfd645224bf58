//! Loading: from SQLite's call of an entry point to registered functions.

use core::ffi::{CStr, c_char, c_int};
use core::mem::MaybeUninit;
use core::{fmt, ptr, slice};
use std::ffi::CString;
use std::rc::Rc;

use crate::sqlite::bindings::{
    SQLITE_ERROR, SQLITE_NOMEM, SQLITE_OK, SQLITE_ROW, sqlite3, sqlite3_api_routines,
};
use crate::sqlite::connection::{Api, ConnectionState, Host, HostError, Message, text};
use crate::sqlite::function::{self, Aggregate, Flags, Nested, Scalar, Signature, Variant};
use crate::sqlite::statement_cache;
use crate::sqlite::vtab::{self, Table};

/// Registers a function on a connection; false if SQLite refused.
type Define = unsafe fn(&'static Api, *mut sqlite3, &Rc<ConnectionState>, &Signature) -> bool;

/// One line of the registration table.
pub struct Registration {
    signature: Signature,
    define: Define,
}

impl Registration {
    /// An aggregate that also is a window function.
    pub const fn aggregate<A: Aggregate>(variant: &'static Variant, count: c_int, flags: Flags) -> Self {
        let signature = Signature { name: variant.name, count, flags, variant: Some(variant) };
        Registration { signature, define: function::define_aggregate::<A> }
    }

    /// A scalar function.
    pub const fn scalar<S: Scalar>(count: c_int, flags: Flags) -> Self {
        Registration {
            signature: Signature { name: S::NAME, count, flags, variant: None },
            define: function::define_scalar::<S>,
        }
    }

    /// A scalar function that runs SQL.
    pub const fn nested<N: Nested>(count: c_int) -> Self {
        let signature = Signature { name: N::NAME, count, flags: Flags::DIRECT, variant: None };
        Registration { signature, define: function::define_nested::<N> }
    }

    /// A table function that runs SQL.
    pub const fn table<T: Table>() -> Self {
        let signature = Signature { name: T::NAME, count: -1, flags: Flags::DIRECT, variant: None };
        Registration { signature, define: vtab::define::<T> }
    }
}

/// Does this connection have this very version of resq already?
fn has_resq(host: Host) -> bool {
    let Host { api, db } = host;
    let mut statement = ptr::null_mut();
    let sql = c"select resq_version()";
    // SAFETY: an open connection, and a text that ends with NUL.
    let code = unsafe { (api.prepare_v2)(db, sql.as_ptr(), -1, &mut statement, ptr::null_mut()) };
    let mut same = false;
    // SAFETY: a statement that was just prepared.
    if code == SQLITE_OK as c_int && unsafe { (api.step)(statement) } == SQLITE_ROW as c_int {
        // SAFETY: a live statement on a row.
        let version = unsafe { (api.column_text)(statement, 0) };
        // SAFETY: null, or a text that ends with NUL and stays until the statement is asked for
        // more.
        let version = unsafe { text(version.cast()) };
        same = version.is_some_and(|version| version.to_bytes() == env!("CARGO_PKG_VERSION").as_bytes());
    }
    // SAFETY: null, or a live statement that nobody uses any more.
    unsafe { (api.finalize)(statement) };
    same
}

/// Registers every line of the table, or says which one SQLite refused. A function that is there
/// already is replaced, unless a statement runs; SQLite 3.26 replaces no module. Then it may stay
/// if it is of this version (R24).
fn register(host: Host, table: &[Registration]) -> Result<(), LoadError> {
    let connection = Rc::default();
    for entry in table {
        // SAFETY: an open connection of the installed SQLite.
        if unsafe { (entry.define)(host.api, host.db, &connection, &entry.signature) } {
            continue;
        }
        let code = host.error_code();
        let why = host.error_message(CStr::to_owned);
        if code != SQLITE_NOMEM as c_int && has_resq(host) {
            return Ok(());
        }
        return Err(LoadError::Unregistered(entry.signature.name, why));
    }
    // SAFETY: an open connection of the installed SQLite.
    unsafe { statement_cache::define(host.api, host.db, &connection) };
    Ok(())
}

/// Why a connection cannot load resq.
enum LoadError {
    Refused(HostError),
    /// The function, and SQLite's reason.
    Unregistered(&'static str, CString),
    Panicked,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Refused(error) => error.fmt(f),
            LoadError::Unregistered(name, why) => {
                write!(f, "resq: cannot register {name}: {}", why.to_str().unwrap_or("unknown error"))
            }
            LoadError::Panicked => f.write_str("resq: internal error while loading"),
        }
    }
}

/// Loads resq into a connection: the body of the C entry points. The last line of `table` is
/// `resq_version`: by that a second load knows that the first one was complete.
///
/// # Safety
/// The arguments are those of a SQLite entry point: an open connection, null or a place for a
/// message, and null or the API table of that connection's SQLite.
#[inline(never)]
pub unsafe fn load(
    db: *mut sqlite3,
    message: *mut *mut c_char,
    routines: *const sqlite3_api_routines,
    table: &[Registration],
) -> c_int {
    let loaded = std::panic::catch_unwind(|| {
        // SAFETY: the caller gives null or SQLite's API table.
        let api = unsafe { Api::install(routines) }.map_err(LoadError::Refused)?;
        let mut outcome = Ok(());
        let register = || outcome = register(Host { api, db }, table);
        #[cfg(feature = "loadable")]
        crate::sqlite::loadable::entry_point(db, message, register);
        #[cfg(not(feature = "loadable"))]
        core::iter::once(register).for_each(|mut register| register());
        outcome
    });
    let why = match loaded {
        Ok(Ok(())) => return SQLITE_OK as c_int,
        Ok(Err(why)) => why,
        Err(panic) => {
            core::mem::forget(panic);
            LoadError::Panicked
        }
    };
    // SAFETY: the caller gives the place for a message and the API table.
    unsafe { tell(&why, message, routines) };
    SQLITE_ERROR as c_int
}

/// Puts a message where SQLite looks for it.
///
/// # Safety
/// As for [`load`]. `sqlite3_malloc` is in the table of every SQLite 3, so that also one that is
/// too old can be told.
unsafe fn tell(why: &LoadError, message: *mut *mut c_char, routines: *const sqlite3_api_routines) {
    if message.is_null() || routines.is_null() {
        return;
    }
    // SAFETY: the caller gives an API table, which has this field in every version.
    let Some(malloc) = (unsafe { (*routines).malloc }) else { return };
    let why = Message::new(format_args!("{why}"));
    let why = why.as_bytes();
    // SAFETY: SQLite's allocator, which is asked for at most 501 bytes.
    let text = unsafe { malloc(c_int::try_from(why.len() + 1).unwrap_or(1)) }.cast::<u8>();
    if text.is_null() {
        return;
    }
    // SAFETY: a new block with room for the message and a NUL.
    let bytes = unsafe { slice::from_raw_parts_mut(text.cast::<MaybeUninit<u8>>(), why.len() + 1) };
    let all = why.iter().chain(&[0]);
    for (to, &from) in bytes.iter_mut().zip(all) {
        to.write(from);
    }
    // SAFETY: the caller gives a place for a message.
    unsafe { message.write(text.cast()) };
}
