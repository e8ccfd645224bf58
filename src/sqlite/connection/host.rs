//! A connection of the host, and what SQLite says of it.

use core::ffi::{CStr, c_int};

use super::api::Api;
use super::memory::SqliteMemory;
use crate::sqlite::bindings::{SQLITE_LIMIT_FUNCTION_ARG, SQLITE_LIMIT_LENGTH, sqlite3};

/// A connection, as its callees see it.
#[derive(Clone, Copy)]
pub struct Host {
    pub(in crate::sqlite) api: &'static Api,
    pub(in crate::sqlite) db: *mut sqlite3,
}

impl Host {
    /// The allocator and the length limit of this connection.
    #[inline]
    pub fn memory(self) -> SqliteMemory {
        // SAFETY: an open connection; -1 asks for the limit and leaves it.
        let limit = unsafe { (self.api.limit)(self.db, SQLITE_LIMIT_LENGTH as c_int, -1) };
        SqliteMemory::new(self.api, usize::try_from(limit).unwrap_or(0))
    }

    /// SQLite's version number.
    pub(in crate::sqlite) fn version(self) -> c_int {
        self.api.version
    }

    /// All limits of this connection, and MAIN's name, in one number: what SQLite looks at while it prepares a
    /// statement, and does not prepare one anew for.
    pub(in crate::sqlite) fn limits(self) -> u64 {
        // SAFETY: as above; behind the last one comes -1.
        let limit = |id| u32::try_from(unsafe { (self.api.limit)(self.db, id, -1) }).ok();
        let all = (0..).map_while(limit);
        // SAFETY: as above; 0 is MAIN, and its name ends with NUL.
        let name = self.api.db_name.map_or(&[][..], |db_name| unsafe {
            let name = db_name(self.db, 0);
            if name.is_null() { &[] } else { CStr::from_ptr(name).to_bytes() }
        });
        let all = name.iter().map(|&byte| u32::from(byte)).chain(all);
        // FNV-1a, a number at a time.
        all.fold(0xcbf2_9ce4_8422_2325, |all, one| (all ^ u64::from(one)).wrapping_mul(0x0100_0000_01b3))
    }

    /// Is it certain that no database is attached?
    pub(in crate::sqlite) fn is_alone(self) -> bool {
        // SAFETY: an open connection. Behind MAIN and TEMP, numbers 0 and 1, come those that are attached.
        self.api.db_name.is_some_and(|db_name| unsafe { db_name(self.db, 2) }.is_null())
    }

    /// How many arguments a function may be given.
    pub fn most_arguments(self) -> usize {
        // SAFETY: as above.
        let most = unsafe { (self.api.limit)(self.db, SQLITE_LIMIT_FUNCTION_ARG as c_int, -1) };
        usize::try_from(most).unwrap_or(0)
    }
}
