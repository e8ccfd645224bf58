//! Scalar functions: sqlite-loadable's callback → the [`Scalar`] trait; functions that run SQL → [`Nested`].

use core::ffi::{c_int, c_void};
use std::rc::Rc;

use sqlite_loadable::{FunctionFlags, define_scalar_function};
use sqlite3ext_sys::{SQLITE_OK, sqlite3, sqlite3_context, sqlite3_value};

use super::api::Api;
use super::argument::Arguments;
use super::call::{Call, Name};
use super::report::Failed;
use super::session::Session;
use super::signature::{Signature, terminated};

/// A function of one row's values.
pub trait Scalar: 'static {
    /// The SQL name.
    const NAME: &'static str;
    /// Gives the result to `call`.
    fn call(call: &Call<'_>, arguments: &Arguments<'_>) -> Result<(), Failed>;
}

/// Registers `S` through sqlite-loadable; false if SQLite refused. Its closure holds nothing, so that the box which
/// sqlite-loadable leaks for it is of size zero.
///
/// # Safety
/// `db` is an open connection of the SQLite whose API is installed.
pub(super) unsafe fn define<S: Scalar>(
    _api: &'static Api,
    db: *mut sqlite3,
    _session: &Rc<Session>,
    signature: &Signature,
) -> bool {
    // SAFETY: a bit set of SQLite's; sqlite-loadable names only some of them and passes them all on.
    let flags = unsafe { FunctionFlags::from_bits_unchecked(signature.flags.0) };
    define_scalar_function(
        db,
        S::NAME,
        signature.count,
        |context, values| {
            // SAFETY: SQLite's live context and as many values as the slice has.
            unsafe {
                Call::guard(context, Name::Fixed(S::NAME), |call| {
                    let count = c_int::try_from(values.len()).unwrap_or(0);
                    let arguments = Arguments::new(call.api, count, values.as_ptr().cast_mut());
                    S::call(call, &arguments)
                });
            }
            Ok(())
        },
        flags,
    )
    .is_ok()
}

/// A scalar function that runs SQL, and so needs the connection's session.
pub trait Nested: 'static {
    /// The SQL name.
    const NAME: &'static str;
    /// Gives the result to `call`.
    fn call(call: &Call<'_>, session: &Rc<Session>, arguments: &Arguments<'_>) -> Result<(), Failed>;
}

/// Registers `N` with a share of `session`, which sqlite-loadable could not free; false if SQLite refused.
///
/// # Safety
/// `db` is an open connection of the SQLite behind `api`, which is the installed one.
pub(super) unsafe fn define_nested<N: Nested>(
    api: &'static Api,
    db: *mut sqlite3,
    session: &Rc<Session>,
    signature: &Signature,
) -> bool {
    let name = terminated(N::NAME);
    let share = Rc::into_raw(Rc::clone(session));
    // SAFETY: an open connection, a NUL-terminated name that SQLite copies. `release` gets the share back, once, also
    // where SQLite refuses.
    let code = unsafe {
        (api.create_function_v2)(
            db,
            name.as_ptr().cast(),
            signature.count,
            signature.flags.0,
            share.cast_mut().cast(),
            Some(call_nested::<N>),
            None,
            None,
            Some(release),
        )
    };
    code == SQLITE_OK as c_int
}

/// # Safety
/// For SQLite alone, as xFunc of a function registered by [`define_nested`].
unsafe extern "C" fn call_nested<N: Nested>(
    context: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    // SAFETY: SQLite calls with a live context, `count` values, and the share that was registered; it stays SQLite's.
    unsafe {
        Call::guard(context, Name::Nested(N::NAME), |call| {
            let share = (call.api.user_data)(context).cast::<Session>().cast_const();
            Rc::increment_strong_count(share);
            let session = Rc::from_raw(share);
            N::call(call, &session, &Arguments::new(call.api, count, values))
        });
    }
}

/// # Safety
/// For SQLite alone, as xDestroy: `share` was made by `Rc::into_raw`.
pub(super) unsafe extern "C" fn release(share: *mut c_void) {
    // SAFETY: the caller's duty.
    drop(unsafe { Rc::from_raw(share.cast::<Session>().cast_const()) });
}
