//! A connection, and what SQLite says of it.

use core::ffi::{CStr, c_char, c_int};

use super::api::Api;
use super::memory::SqliteMemory;
use crate::sqlite::bindings::{SQLITE_LIMIT_FUNCTION_ARG, SQLITE_LIMIT_LENGTH, sqlite3};

/// An open connection. Whoever has one is called by SQLite, which holds the connection's mutex
/// meanwhile and does not close it.
#[derive(Clone, Copy)]
pub struct Host {
    pub(in crate::sqlite) api: &'static Api,
    pub(in crate::sqlite) db: *mut sqlite3,
}

impl Host {
    /// A limit of this connection; negative if there is none of this number.
    #[inline]
    fn limit(self, id: c_int) -> c_int {
        // SAFETY: an open connection; -1 asks for the limit and leaves it as it is.
        unsafe { (self.api.limit)(self.db, id, -1) }
    }

    /// The allocator and the length limit of this connection.
    #[inline]
    pub fn memory(self) -> SqliteMemory {
        SqliteMemory::new(self.api, usize::try_from(self.limit(SQLITE_LIMIT_LENGTH as c_int)).unwrap_or(0))
    }

    /// How many arguments a function may be given.
    pub fn most_arguments(self) -> usize {
        usize::try_from(self.limit(SQLITE_LIMIT_FUNCTION_ARG as c_int)).unwrap_or(0)
    }

    /// SQLite's version number.
    pub(in crate::sqlite) fn version(self) -> c_int {
        self.api.version
    }

    /// All limits of this connection and the name of MAIN, in one number. SQLite looks at them
    /// while it prepares a statement, and does not prepare the statement anew when they change.
    pub(in crate::sqlite) fn limits(self) -> u64 {
        let all = (0..).map_while(|id| u32::try_from(self.limit(id)).ok());
        let name = self.database(0).map_or(&[][..], CStr::to_bytes);
        let all = name.iter().map(|&byte| u32::from(byte)).chain(all);
        // FNV-1a, a number at a time.
        all.fold(0xcbf2_9ce4_8422_2325, |all, one| (all ^ u64::from(one)).wrapping_mul(0x0100_0000_01b3))
    }

    /// Is it certain that no database is attached?
    pub(in crate::sqlite) fn is_alone(self) -> bool {
        self.api.db_name.is_some() && self.database(2).is_none()
    }

    /// The name of a database: number 0 is MAIN, 1 is TEMP, then come those that are attached.
    /// `None` also where SQLite is too old to tell.
    fn database<'a>(self, number: c_int) -> Option<&'a CStr> {
        // SAFETY: an open connection.
        let name = unsafe { self.api.db_name?(self.db, number) };
        // SAFETY: null, or a name that ends with NUL and stays until the database is detached,
        // which no function of ours does.
        unsafe { text(name) }
    }

    /// The extended code of the last error.
    pub(in crate::sqlite) fn error_code(self) -> c_int {
        // SAFETY: an open connection.
        unsafe { (self.api.extended_errcode)(self.db) }
    }

    /// Gives `read` the message of the last error. It must not ask SQLite for anything.
    pub(in crate::sqlite) fn error_message<R>(self, read: impl FnOnce(&CStr) -> R) -> R {
        // SAFETY: an open connection.
        let message = unsafe { (self.api.errmsg)(self.db) };
        // SAFETY: it ends with NUL and stays until the next call of SQLite's.
        read(unsafe { text(message) }.unwrap_or_default())
    }
}

/// A text of SQLite's; `None` if it is null.
///
/// # Safety
/// `start` is null or a text that ends with NUL and stays as it is for `'a`.
pub(in crate::sqlite) unsafe fn text<'a>(start: *const c_char) -> Option<&'a CStr> {
    // SAFETY: the caller gives a text that ends with NUL and lives for `'a`; it is not null.
    (!start.is_null()).then(|| unsafe { CStr::from_ptr(start) })
}
