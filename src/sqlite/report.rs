//! Where errors go: the same for a function's call and a virtual table's method.

use core::ffi::{CStr, c_int};
use core::fmt::{self, Write};

use super::bindings::{
    SQLITE_AUTH, SQLITE_ERROR, SQLITE_LIMIT_FUNCTION_ARG, SQLITE_LIMIT_LENGTH, SQLITE_NOMEM, SQLITE_SCHEMA,
    SQLITE_TOOBIG, sqlite3,
};

use super::api::Api;
use super::memory::SqliteMemory;
use crate::buffer::Failure;

/// The call has failed, and SQLite has been told why. Made by a [`Report`] alone.
#[derive(Debug)]
pub struct Failed(pub(super) ());

/// A connection, as its callees see it.
#[derive(Clone, Copy)]
pub struct Host {
    pub(super) api: &'static Api,
    pub(super) db: *mut sqlite3,
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
    pub(super) fn version(self) -> c_int {
        self.api.version
    }

    /// All limits of this connection, and MAIN's name, in one number: what SQLite looks at while it prepares a
    /// statement, and does not prepare one anew for.
    pub(super) fn limits(self) -> u64 {
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
    pub(super) fn is_alone(self) -> bool {
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

/// Somebody who can tell SQLite that a call has failed.
pub trait Report {
    /// The SQL name of what was called, for messages.
    fn name(&self) -> &'static str;
    /// The connection.
    fn host(&self) -> Host;
    /// Fails with a result code and a message as it is; without one, SQLite's own for that code.
    fn raise(&self, code: c_int, message: Option<&[u8]>) -> Failed;

    /// Fails with a message; the name is put before it.
    #[cold]
    fn error(&self, text: fmt::Arguments<'_>) -> Failed {
        self.raise(1, Some(Message::new(format_args!("{}: {text}", self.name())).as_bytes()))
    }

    /// Fails as SQLITE_NOMEM or SQLITE_TOOBIG.
    #[cold]
    fn fail(&self, failure: Failure) -> Failed {
        let code = match failure {
            Failure::NoMemory => SQLITE_NOMEM,
            Failure::TooBig => SQLITE_TOOBIG,
        };
        self.raise(code as c_int, None)
    }

    /// Fails as a statement of this connection has just failed: its message, its extended code (R19).
    #[cold]
    fn pass_on(&self) -> Failed {
        self.fail_with(&self.last_error())
    }

    /// Why a statement of this connection has just failed, to be told later or not at all.
    #[cold]
    fn last_error(&self) -> SqlError {
        let Host { api, db } = self.host();
        // SAFETY: an open connection; its message is NUL-terminated, and is copied before anything else is asked.
        let (code, why) = unsafe { ((api.extended_errcode)(db), CStr::from_ptr((api.errmsg)(db))) };
        let why = String::from_utf8_lossy(why.to_bytes());
        // An error of a query within the query bears a name of ours already.
        let message = match why.starts_with("resq_") {
            true => Message::new(format_args!("{why}")),
            false => Message::new(format_args!("{}: {why}", self.name())),
        };
        SqlError { code, message }
    }

    /// Fails with an error that was kept.
    #[cold]
    fn fail_with(&self, error: &SqlError) -> Failed {
        if error.code & 0xff == SQLITE_NOMEM as c_int {
            return self.fail(Failure::NoMemory);
        }
        self.raise(error.code, Some(error.message.as_bytes()))
    }
}

/// An error of a statement.
pub struct SqlError {
    code: c_int,
    message: Message,
}

impl SqlError {
    /// May it come from preparing the statement anew, the schema or the authorizer having changed?
    pub fn may_be_of_preparing(&self) -> bool {
        matches!(self.code as u32 & 0xff, SQLITE_ERROR | SQLITE_SCHEMA | SQLITE_AUTH)
    }
}

/// Text of bounded length on the stack: messages are made without allocating. What does not fit is left out.
pub(super) struct Message {
    bytes: [u8; 500],
    length: usize,
}

impl Message {
    pub(super) fn new(text: fmt::Arguments<'_>) -> Self {
        let mut message = Message { bytes: [0; 500], length: 0 };
        // It ends early when the text is too long; what came before is the message then.
        let _ = message.write_fmt(text);
        message
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let spare = self.bytes.get_mut(self.length..).unwrap_or_default();
        let fitting = text.floor_char_boundary(spare.len());
        for (to, from) in spare.iter_mut().zip(text.bytes().take(fitting)) {
            *to = from;
        }
        self.length += fitting;
        if fitting == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}
