//! One call of one SQL function: where its errors and its result go.

use core::ffi::{c_int, c_void};
use core::ptr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use crate::buffer::{BufferError, Finished};
use crate::sqlite::bindings::{SQLITE_NOMEM, SQLITE_TOOBIG, SQLITE_UTF8, sqlite3_context};
use crate::sqlite::connection::{Api, ConnectionState, Destructor, Host, Report, Reported, SqliteMemory};
use crate::sqlite::value::JSON_SUBTYPE;

/// "UTF-8, with a NUL behind it" (SQLITE_UTF8_ZT), which hosts from here on know. An older one takes it for an encoding
/// it does not have, so this is the oldest version that the tests run on, not the first that has it.
const UTF8_ZT: u8 = 16;
const ZERO_TERMINATED: c_int = 3_054_000;

/// How a call knows the SQL name of its function.
#[derive(Clone, Copy)]
pub(in crate::sqlite) enum Name {
    /// A constant.
    Fixed(&'static str),
    /// A constant. It was registered with a share of the connection's state.
    Nested(&'static str),
    /// From what it was registered with, which begins with a [`UserData`].
    Registered,
}

/// What one registration of a function that has several is called, and how it differs.
pub struct Variant {
    /// The SQL name.
    pub name: &'static str,
    /// Does its first argument name choices?
    pub with_choices: bool,
}

/// What an aggregate is registered with.
pub(in crate::sqlite) struct UserData {
    pub(in crate::sqlite) variant: &'static Variant,
    pub(in crate::sqlite) connection: Rc<ConnectionState>,
}

/// The context of a running call.
pub struct Call<'c> {
    pub(in crate::sqlite) api: &'static Api,
    pub(in crate::sqlite) context: *mut sqlite3_context,
    name: Name,
    alive: core::marker::PhantomData<&'c ()>,
}

impl<'c> Call<'c> {
    /// Runs `body` as one call; a panic in it becomes an SQL error (R23).
    ///
    /// # Safety
    /// `context` is the context that SQLite passed to the callback in which this runs. The function was
    /// registered with what `name` says.
    #[inline]
    pub(in crate::sqlite) unsafe fn guard(
        context: *mut sqlite3_context,
        name: Name,
        body: impl FnOnce(&Call<'c>) -> Result<(), Reported>,
    ) {
        let Some(api) = Api::installed() else { return };
        let call = Call { api, context, name, alive: core::marker::PhantomData };
        // An `Err` has told SQLite already.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| body(&call))) {
            call.panicked(panic.as_ref());
            // Dropping a payload runs code of its maker's, which may panic again.
            core::mem::forget(panic);
        }
    }

    #[cold]
    fn panicked(&self, panic: &(dyn core::any::Any + Send)) {
        let what = panic.downcast_ref::<&str>().copied();
        let what = what.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown");
        self.error(format_args!("internal error: {what}"));
    }

    /// The allocator and the length limit of this call's connection, for its result.
    #[inline]
    pub fn memory(&self) -> SqliteMemory {
        let home = match self.name {
            Name::Fixed(_) => ptr::null(),
            // SAFETY: a live context. Who guards a call with `Name::Nested` registers its function with a share of the state.
            Name::Nested(_) => unsafe {
                Rc::as_ptr(&(*(self.api.user_data)(self.context).cast::<ConnectionState>()).pool)
            },
            Name::Registered => Rc::as_ptr(&self.data().connection.pool),
        };
        // SAFETY: the registration holds it. What a call makes is dropped or handed over before its statement ends, and until
        // then SQLite keeps the registration.
        unsafe { self.host().memory().pooled(home) }
    }

    fn data(&self) -> &UserData {
        // SAFETY: a live context. Who guards a call with `Name::Registered` registers its function with one of these.
        unsafe { &*(self.api.user_data)(self.context).cast::<UserData>() }
    }

    /// What this function was registered as; for functions that have several names.
    pub fn variant(&self) -> &'static Variant {
        self.data().variant
    }

    /// The host's version, as "3.40.1".
    pub fn host_version(&self) -> &'static str {
        // SAFETY: sqlite3_libversion gives a constant NUL-terminated string.
        let version = unsafe { core::ffi::CStr::from_ptr((self.api.libversion)()) };
        version.to_str().unwrap_or("?")
    }

    /// The result is NULL.
    pub fn null(&self) -> Result<(), Reported> {
        // SAFETY: a live context.
        unsafe { (self.api.result_null)(self.context) };
        Ok(())
    }

    /// The result is this text, copied.
    #[inline]
    pub fn copied_text(&self, text: &[u8]) -> Result<(), Reported> {
        // SAFETY: a live context; `transient` makes SQLite copy the bytes before the call ends.
        unsafe {
            (self.api.result_text64)(
                self.context,
                text.as_ptr().cast(),
                length(text),
                transient(),
                SQLITE_UTF8 as u8,
            );
        }
        Ok(())
    }

    /// The result is this text, handed over. It holds no NUL.
    #[inline]
    pub fn text(&self, text: Result<Finished<'_, SqliteMemory>, BufferError>) -> Result<(), Reported> {
        match text {
            Ok(Finished::Borrowed(text)) => self.copied_text(text),
            Ok(Finished::Owned(block)) => {
                let (start, length, free) = SqliteMemory::hand_over(block);
                let start = start.as_ptr().cast();
                let encoding = match self.name {
                    _ if self.api.version >= ZERO_TERMINATED => Some(UTF8_ZT),
                    // SQLite copies an aggregate's result and ends the copy.
                    Name::Registered => Some(SQLITE_UTF8 as u8),
                    // SQLite finds the NUL if the text goes back by `sqlite3_free`.
                    Name::Fixed(_) if self.api.version >= 3_041_000 => Some(SQLITE_UTF8 as u8),
                    // A text of known length would be copied to end it; one of unknown length is taken as ended.
                    _ => None,
                };
                // SAFETY: a live context; the block has a NUL behind its text, none in it, and is given away with what
                // frees it.
                unsafe {
                    match encoding {
                        Some(encoding) => {
                            (self.api.result_text64)(self.context, start, length as u64, free, encoding);
                        }
                        None => (self.api.result_text)(self.context, start, -1, free),
                    }
                }
                Ok(())
            }
            Err(failure) => Err(self.fail(failure)),
        }
    }

    /// As [`Call::text`], marked as JSON (R14).
    #[inline]
    pub fn json(&self, text: Result<Finished<'_, SqliteMemory>, BufferError>) -> Result<(), Reported> {
        self.text(text)?;
        self.mark_json();
        Ok(())
    }

    /// Marks the result as JSON.
    #[inline]
    pub fn mark_json(&self) {
        // SAFETY: a live context that has its result.
        unsafe { (self.api.result_subtype)(self.context, JSON_SUBTYPE) };
    }

    /// The result is this BLOB, handed over.
    pub fn blob(&self, bytes: Result<Finished<'_, SqliteMemory>, BufferError>) -> Result<(), Reported> {
        match bytes {
            // SAFETY: a live context; `transient` makes SQLite copy the bytes before the call ends.
            Ok(Finished::Borrowed(bytes)) => unsafe {
                (self.api.result_blob64)(self.context, bytes.as_ptr().cast(), length(bytes), transient());
            },
            Ok(Finished::Owned(block)) => {
                let (start, length, free) = SqliteMemory::hand_over(block);
                // SAFETY: a live context; the block is given away with what frees it.
                unsafe {
                    (self.api.result_blob64)(self.context, start.as_ptr().cast(), length as u64, free);
                }
            }
            Err(failure) => return Err(self.fail(failure)),
        }
        Ok(())
    }
}

impl Report for Call<'_> {
    fn name(&self) -> &'static str {
        match self.name {
            Name::Fixed(name) | Name::Nested(name) => name,
            Name::Registered => self.variant().name,
        }
    }

    #[inline]
    fn host(&self) -> Host {
        // SAFETY: a live context.
        Host { api: self.api, db: unsafe { (self.api.context_db_handle)(self.context) } }
    }

    #[cold]
    fn raise(&self, code: c_int, message: Option<&[u8]>) -> Reported {
        // SAFETY: a live context; SQLite copies the message. An error code that follows leaves the message alone, but
        // makes one of its own where there is none.
        unsafe {
            match (message, code as u32) {
                (None, SQLITE_NOMEM) => (self.api.result_error_nomem)(self.context),
                (None, SQLITE_TOOBIG) => (self.api.result_error_toobig)(self.context),
                (None, _) => (self.api.result_error_code)(self.context, code),
                (Some(text), _) => {
                    let length = c_int::try_from(text.len()).unwrap_or(0);
                    (self.api.result_error)(self.context, text.as_ptr().cast(), length);
                    (self.api.result_error_code)(self.context, code);
                }
            }
        }
        Reported(())
    }
}

fn length(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}

/// SQLITE_TRANSIENT: -1 as a function pointer, never called.
fn transient() -> Destructor {
    // SAFETY: not dereferenced by anybody: SQLite compares it with -1. `Option` of a function pointer has the
    // layout of a pointer, and -1 is not null.
    unsafe { core::mem::transmute::<*const c_void, Destructor>(core::ptr::without_provenance(usize::MAX)) }
}
