//! Loading: from SQLite's call of an entry point to registered functions.

use core::ffi::{CStr, c_char, c_int};
use core::{fmt, ptr};
use std::ffi::CString;
use std::rc::Rc;

use crate::sqlite::bindings::{
    SQLITE_ERROR, SQLITE_NOMEM, SQLITE_OK, SQLITE_ROW, sqlite3, sqlite3_api_routines,
};
use crate::sqlite::connection::{Api, ConnectionState, HostError, Message};
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

/// A connection that is loading resq.
pub struct Connection {
    api: &'static Api,
    db: *mut sqlite3,
}

impl Connection {
    /// Does this connection have this very version of resq already?
    fn has_resq(&self) -> bool {
        let mut statement = ptr::null_mut();
        // SAFETY: an open connection and a NUL-terminated text; a statement that is finalized in any case. A column's
        // text is read before that, with its length.
        unsafe {
            let (api, sql) = (self.api, c"select resq_version()");
            let mut same = false;
            if (api.prepare_v2)(self.db, sql.as_ptr(), -1, &mut statement, ptr::null_mut())
                == SQLITE_OK as c_int
                && (api.step)(statement) == SQLITE_ROW as c_int
            {
                let text = (api.column_text)(statement, 0);
                let count = usize::try_from((api.column_bytes)(statement, 0)).unwrap_or(0);
                same = !text.is_null()
                    && core::slice::from_raw_parts(text, count) == env!("CARGO_PKG_VERSION").as_bytes();
            }
            (api.finalize)(statement);
            same
        }
    }

    /// Registers every line of the table; else says which one was refused. SQLite replaces a function that is there
    /// already, unless a statement runs, and 3.26 replaces no module: then it may stay if it is of this version (R24).
    fn register(&self, table: &[Registration]) -> Result<(), LoadError> {
        let connection = Rc::default();
        for entry in table {
            // SAFETY: an open connection of the installed SQLite.
            if unsafe { (entry.define)(self.api, self.db, &connection, &entry.signature) } {
                continue;
            }
            // SAFETY: an open connection; the message is NUL-terminated and lives until the next call.
            let (code, why) = unsafe {
                ((self.api.extended_errcode)(self.db), CStr::from_ptr((self.api.errmsg)(self.db)).to_owned())
            };
            if code != SQLITE_NOMEM as c_int && self.has_resq() {
                return Ok(());
            }
            return Err(LoadError::Unregistered(entry.signature.name, why));
        }
        // SAFETY: as above.
        unsafe { statement_cache::define(self.api, self.db, &connection) };
        Ok(())
    }
}

/// Why a load failed.
enum LoadError {
    Refused(HostError),
    /// The function, and SQLite's reason.
    Unregistered(&'static str, CString),
    Panicked,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Refused(refusal) => refusal.fmt(f),
            LoadError::Unregistered(name, why) => {
                write!(f, "resq: cannot register {name}: {}", why.to_str().unwrap_or("unknown error"))
            }
            LoadError::Panicked => f.write_str("resq: internal error while loading"),
        }
    }
}

/// Loads resq into a connection: the body of the C entry points. The last line of `table` is `resq_version`, by which a
/// second load knows that the first one was whole.
///
/// # Safety
/// The arguments are those of a SQLite entry point: an open connection, null or a place for a message, and null or
/// the API table of that connection's SQLite.
#[inline(never)]
pub unsafe fn load(
    db: *mut sqlite3,
    message: *mut *mut c_char,
    routines: *const sqlite3_api_routines,
    table: &[Registration],
) -> c_int {
    let loaded = std::panic::catch_unwind(|| {
        // SAFETY: the caller's duty.
        let api = unsafe { Api::install(routines) }.map_err(LoadError::Refused)?;
        let connection = Connection { api, db };
        let mut outcome = Ok(());
        let register = || outcome = connection.register(table);
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
    // SAFETY: the caller's duty.
    unsafe { tell(&why, message, routines) };
    SQLITE_ERROR as c_int
}

/// Puts a message, in memory of the host's, where the entry point's caller looks for it.
///
/// # Safety
/// As for [`load`]. `sqlite3_malloc` is in the table of every SQLite 3, so that an old host can be told why it is refused.
unsafe fn tell(why: &LoadError, message: *mut *mut c_char, routines: *const sqlite3_api_routines) {
    if message.is_null() || routines.is_null() {
        return;
    }
    // SAFETY: the table has this field in every version.
    let Some(malloc) = (unsafe { (&raw const (*routines).malloc).read() }) else { return };
    let why = Message::new(format_args!("{why}"));
    let why = why.as_bytes();
    // SAFETY: the host's own allocator, asked for a text of at most 501 bytes.
    let text = unsafe { malloc(c_int::try_from(why.len() + 1).unwrap_or(1)) }.cast::<u8>();
    if text.is_null() {
        return;
    }
    // SAFETY: `text` has room for the message and its NUL; `message` is writable.
    unsafe {
        ptr::copy_nonoverlapping(why.as_ptr(), text, why.len());
        text.add(why.len()).write(0);
        *message = text.cast();
    }
}
