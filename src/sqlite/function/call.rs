//! One call of one SQL function: where its errors and its result go.

use core::ffi::{c_int, c_void};
use core::ptr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use crate::buffer::{BufferError, Finished};
use crate::sqlite::bindings::{SQLITE_NOMEM, SQLITE_TOOBIG, SQLITE_UTF8, sqlite3_context};
use crate::sqlite::connection::text as c_text;
use crate::sqlite::connection::{Api, ConnectionState, Destructor, Host, Report, Reported, SqliteMemory};
use crate::sqlite::value::JSON_SUBTYPE;

/// SQLITE_UTF8_ZT, "UTF-8 with a NUL after it". An older SQLite takes it for an encoding that it
/// does not have. It is used from the oldest version on that the tests run with, which is not the
/// first that knows it.
const UTF8_ZT: u8 = 16;
const KNOWS_UTF8_ZT: c_int = 3_054_000;

/// How a call knows the SQL name of its function, and what the function was registered with.
#[derive(Clone, Copy)]
pub(in crate::sqlite) enum Name {
    /// The name is this. The function was registered with nothing.
    Fixed(&'static str),
    /// The name is this. The function was registered with a share of the connection's state.
    Nested(&'static str),
    /// The function was registered with something that begins with a [`UserData`], and the name is
    /// in there.
    Registered,
}

/// One of the registrations of a function that has several: its name, and how it differs.
pub struct Variant {
    /// The SQL name.
    pub name: &'static str,
    /// Does its first argument name choices?
    pub with_choices: bool,
}

/// What SQLite keeps for an aggregate, as the head of more.
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
    /// Runs `body` as one call. A panic in it becomes an SQL error (R23).
    ///
    /// # Safety
    /// SQLite has passed `context` to the callback in which this runs. The function was registered
    /// with what `name` says.
    #[inline]
    pub(in crate::sqlite) unsafe fn guard(
        context: *mut sqlite3_context,
        name: Name,
        body: impl FnOnce(&Call<'c>) -> Result<(), Reported>,
    ) {
        let Some(api) = Api::installed() else { return };
        let call = Call { api, context, name, alive: core::marker::PhantomData };
        // If it is an `Err`, SQLite has been told already.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| body(&call))) {
            call.panicked(panic.as_ref());
            // It is not dropped, because that may panic again.
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
        let pool = match self.name {
            Name::Fixed(_) => ptr::null(),
            Name::Nested(_) => {
                let state = self.user_data().cast::<ConnectionState>();
                // SAFETY: `Name::Nested` says that the function was registered with a share of the
                // state.
                Rc::as_ptr(&unsafe { &*state }.pool)
            }
            Name::Registered => Rc::as_ptr(&self.data().connection.pool),
        };
        // SAFETY: the registration holds the pool, and SQLite keeps the registration until the
        // statement ends. What a call makes is dropped or handed over before that.
        unsafe { self.host().memory().pooled(pool) }
    }

    /// What SQLite keeps for the function.
    #[inline]
    pub(in crate::sqlite) fn user_data(&self) -> *mut c_void {
        // SAFETY: a live context.
        unsafe { (self.api.user_data)(self.context) }
    }

    fn data(&self) -> &UserData {
        let data = self.user_data().cast::<UserData>();
        // SAFETY: `Name::Registered` says that the function was registered with one of these; only
        // such calls come here. It lives as long as the registration.
        unsafe { &*data }
    }

    /// Which of its registrations was called. Only for functions that have several.
    pub fn variant(&self) -> &'static Variant {
        self.data().variant
    }

    /// SQLite's version, as "3.40.1".
    pub fn host_version(&self) -> &'static str {
        // SAFETY: a function of SQLite's that takes no arguments.
        let version = unsafe { (self.api.libversion)() };
        // SAFETY: a constant text that ends with NUL.
        unsafe { c_text(version) }.and_then(|version| version.to_str().ok()).unwrap_or("?")
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
        let (start, utf8) = (text.as_ptr().cast(), SQLITE_UTF8 as u8);
        // SAFETY: a live context, and a text of this length. `transient` makes SQLite copy it at
        // once.
        unsafe { (self.api.result_text64)(self.context, start, length(text), transient(), utf8) };
        Ok(())
    }

    /// The result is this text, which SQLite takes over. It holds no NUL.
    #[inline]
    pub fn text(&self, text: Result<Finished<'_, SqliteMemory>, BufferError>) -> Result<(), Reported> {
        match text {
            Ok(Finished::Borrowed(text)) => self.copied_text(text),
            Ok(Finished::Owned(block)) => {
                let (start, length, free) = SqliteMemory::hand_over(block);
                let start = start.as_ptr().cast();
                let encoding = match self.name {
                    _ if self.api.version >= KNOWS_UTF8_ZT => Some(UTF8_ZT),
                    // SQLite copies an aggregate's result, and puts a NUL after the copy.
                    Name::Registered => Some(SQLITE_UTF8 as u8),
                    // SQLite sees that there is a NUL after a text that `sqlite3_free` frees.
                    Name::Fixed(_) if self.api.version >= 3_041_000 => Some(SQLITE_UTF8 as u8),
                    // SQLite would copy a text of known length, to put a NUL after it. If the
                    // length is not told, it knows that there is one.
                    _ => None,
                };
                match encoding {
                    // SAFETY: a live context, and a text of this length with a NUL after it. It is
                    // given away with the function that frees it.
                    Some(encoding) => unsafe {
                        (self.api.result_text64)(self.context, start, length as u64, free, encoding);
                    },
                    // SAFETY: a live context, and a text that ends at its NUL, for it has none before.
                    // It is given away with the function that frees it.
                    None => unsafe { (self.api.result_text)(self.context, start, -1, free) },
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
        // SAFETY: a live context, whose result is there already.
        unsafe { (self.api.result_subtype)(self.context, JSON_SUBTYPE) };
    }

    /// The result is this BLOB, which SQLite takes over.
    pub fn blob(&self, bytes: Result<Finished<'_, SqliteMemory>, BufferError>) -> Result<(), Reported> {
        match bytes {
            // SAFETY: a live context, and a BLOB of this length. `transient` makes SQLite copy it
            // at once.
            Ok(Finished::Borrowed(bytes)) => unsafe {
                (self.api.result_blob64)(self.context, bytes.as_ptr().cast(), length(bytes), transient());
            },
            Ok(Finished::Owned(block)) => {
                let (start, length, free) = SqliteMemory::hand_over(block);
                let start = start.as_ptr().cast();
                // SAFETY: a live context, and a BLOB of this length. It is given away with the
                // function that frees it.
                unsafe { (self.api.result_blob64)(self.context, start, length as u64, free) };
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
        let (api, context) = (self.api, self.context);
        match (message, code as u32) {
            // SAFETY: a live context.
            (None, SQLITE_NOMEM) => unsafe { (api.result_error_nomem)(context) },
            // SAFETY: a live context.
            (None, SQLITE_TOOBIG) => unsafe { (api.result_error_toobig)(context) },
            _ => {
                if let Some(text) = message {
                    let length = c_int::try_from(text.len()).unwrap_or(0);
                    // SAFETY: a live context, and a text of this length, which SQLite copies at
                    // once.
                    unsafe { (api.result_error)(context, text.as_ptr().cast(), length) };
                }
                // After a message the code leaves it alone; else it brings SQLite's own message for
                // it.
                // SAFETY: a live context.
                unsafe { (api.result_error_code)(context, code) };
            }
        }
        Reported(())
    }
}

fn length(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}

/// SQLITE_TRANSIENT: -1 in the place of a function pointer.
fn transient() -> Destructor {
    // SAFETY: nobody calls it, SQLite compares it with -1. `Option` of a function pointer has the
    // layout of a pointer, and -1 is not null.
    unsafe { core::mem::transmute::<*const c_void, Destructor>(core::ptr::without_provenance(usize::MAX)) }
}
