//! How a call fails: the same for a function's call and a virtual table's method.
//!
//! The errors of the crate, each named after what is in error:
//!
//! ```text
//!   BufferError   a text does not fit, or there is no memory    buffer
//!   RowError      the arguments make no row                     json
//!   InvalidJson, InvalidBase64   a text is not what it should be, from this byte on
//!   SqlError      a statement has failed: SQLite's code and message
//!   HostError     this SQLite cannot be served                  api
//!   LoadError     a connection cannot load resq                 entry
//! ```
//!
//! A call that fails tells SQLite through [`Report`]. What is left then is [`Reported`]: nothing
//! more to say.

use core::ffi::c_int;
use core::fmt::{self, Write};

use super::host::Host;
use crate::buffer::BufferError;
use crate::sqlite::bindings::{SQLITE_AUTH, SQLITE_ERROR, SQLITE_NOMEM, SQLITE_SCHEMA, SQLITE_TOOBIG};

/// The call has failed, and SQLite has been told why. Only a [`Report`] makes it.
#[derive(Debug)]
pub struct Reported(pub(in crate::sqlite) ());

/// Somebody who can tell SQLite that a call has failed.
pub trait Report {
    /// The SQL name of what was called, for messages.
    fn name(&self) -> &'static str;
    /// The connection.
    fn host(&self) -> Host;
    /// Fails with a result code, and with the message as it is. Without a message SQLite takes its
    /// own for that code.
    fn raise(&self, code: c_int, message: Option<&[u8]>) -> Reported;

    /// Fails with a message, after the name and a colon.
    #[cold]
    fn error(&self, text: fmt::Arguments<'_>) -> Reported {
        self.raise(1, Some(Message::new(format_args!("{}: {text}", self.name())).as_bytes()))
    }

    /// Fails as SQLITE_NOMEM or SQLITE_TOOBIG.
    #[cold]
    fn fail(&self, failure: BufferError) -> Reported {
        let code = match failure {
            BufferError::NoMemory => SQLITE_NOMEM,
            BufferError::TooBig => SQLITE_TOOBIG,
        };
        self.raise(code as c_int, None)
    }

    /// Fails as a statement of this connection has just failed: with its message and extended code
    /// (R19).
    #[cold]
    fn pass_on(&self) -> Reported {
        self.fail_with(&self.last_error())
    }

    /// Why a statement of this connection has just failed.
    #[cold]
    fn last_error(&self) -> SqlError {
        let host = self.host();
        let message = host.error_message(|why| {
            let why = String::from_utf8_lossy(why.to_bytes());
            // The error of a query in the query begins with a name of ours already.
            match why.starts_with("resq_") {
                true => Message::new(format_args!("{why}")),
                false => Message::new(format_args!("{}: {why}", self.name())),
            }
        });
        SqlError { code: host.error_code(), message }
    }

    /// Fails with the error of a statement.
    #[cold]
    fn fail_with(&self, error: &SqlError) -> Reported {
        if error.code & 0xff == SQLITE_NOMEM as c_int {
            return self.fail(BufferError::NoMemory);
        }
        self.raise(error.code, Some(error.message.as_bytes()))
    }
}

/// The error of a statement.
pub struct SqlError {
    code: c_int,
    message: Message,
}

impl SqlError {
    /// Can its cause be that SQLite had to prepare the statement anew, since the schema or the
    /// authorizer has changed?
    pub fn may_be_of_preparing(&self) -> bool {
        matches!(self.code as u32 & 0xff, SQLITE_ERROR | SQLITE_SCHEMA | SQLITE_AUTH)
    }
}

/// A message of bounded length on the stack, so that nothing is allocated for it. What does not fit
/// is left out.
pub(in crate::sqlite) struct Message {
    bytes: [u8; 500],
    length: usize,
}

impl Message {
    pub(in crate::sqlite) fn new(text: fmt::Arguments<'_>) -> Self {
        let mut message = Message { bytes: [0; 500], length: 0 };
        // An error means that the text was too long: the message is what came before.
        let _ = message.write_fmt(text);
        message
    }

    pub(in crate::sqlite) fn as_bytes(&self) -> &[u8] {
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
