//! Scalar functions: SQLite's callback → the [`Scalar`] trait; functions that run SQL → [`Nested`].

use core::ffi::{c_int, c_void};
use std::rc::Rc;

use super::call::{Call, Name};
use super::signature::{Signature, terminated};
use crate::sqlite::bindings::{SQLITE_OK, sqlite3, sqlite3_context, sqlite3_value};
use crate::sqlite::connection::{Api, ConnectionState, Destructor, Reported};
use crate::sqlite::value::Arguments;

/// A function of one row's values.
pub trait Scalar: 'static {
    /// The SQL name.
    const NAME: &'static str;
    /// Gives the result to `call`.
    fn call(call: &Call<'_>, arguments: &Arguments<'_>) -> Result<(), Reported>;
}

/// Registers `S`, by sqlite-loadable where the feature `loadable` is on; false if SQLite refused.
///
/// # Safety
/// `db` is an open connection of the SQLite of `api`, which is the installed one.
#[cfg(feature = "loadable")]
pub(in crate::sqlite) unsafe fn define<S: Scalar>(
    _api: &'static Api,
    db: *mut sqlite3,
    _connection: &Rc<ConnectionState>,
    signature: &Signature,
) -> bool {
    crate::sqlite::loadable::define_scalar(
        db,
        S::NAME,
        signature.count,
        signature.flags.0,
        |context, values| {
            let count = c_int::try_from(values.len()).unwrap_or(0);
            // SAFETY: SQLite's live context and as many values as the slice has.
            unsafe { run::<S>(context, count, values.as_ptr().cast_mut()) };
        },
    )
}

/// Registers `S`, by sqlite-loadable where the feature `loadable` is on; false if SQLite refused.
///
/// # Safety
/// `db` is an open connection of the SQLite of `api`, which is the installed one.
#[cfg(not(feature = "loadable"))]
pub(in crate::sqlite) unsafe fn define<S: Scalar>(
    api: &'static Api,
    db: *mut sqlite3,
    _connection: &Rc<ConnectionState>,
    signature: &Signature,
) -> bool {
    // SAFETY: the caller gives an open connection; this function needs no data.
    unsafe { create(api, db, signature, core::ptr::null_mut(), call_scalar::<S>, None) }
}

/// # Safety
/// For SQLite alone, as xFunc of a function registered by [`define`].
#[cfg(not(feature = "loadable"))]
unsafe extern "C" fn call_scalar<S: Scalar>(
    context: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    // SAFETY: SQLite calls with a live context and `count` values.
    unsafe { run::<S>(context, count, values) };
}

/// The body of xFunc.
///
/// # Safety
/// The arguments are those of an xFunc: a live context, and `count` values.
#[inline(always)]
unsafe fn run<S: Scalar>(context: *mut sqlite3_context, count: c_int, values: *mut *mut sqlite3_value) {
    let body = |call: &Call<'_>| {
        // SAFETY: the caller gives `count` protected values, which live until the call ends.
        S::call(call, &unsafe { Arguments::new(call.api, count, values) })
    };
    // SAFETY: the caller gives a live context.
    unsafe { Call::guard(context, Name::Fixed(S::NAME), body) };
}

/// Registers a scalar function; false if SQLite refused.
///
/// # Safety
/// `db` is an open connection of the SQLite of `api`. `data` is what `call` expects as its user
/// data. SQLite gives it to `release` once, also if it refuses the function.
#[inline(never)]
unsafe fn create(
    api: &'static Api,
    db: *mut sqlite3,
    signature: &Signature,
    data: *mut c_void,
    call: unsafe extern "C" fn(*mut sqlite3_context, c_int, *mut *mut sqlite3_value),
    release: Destructor,
) -> bool {
    let name = terminated(signature.name);
    // SAFETY: the caller gives an open connection, and data that fits the callbacks. SQLite copies
    // the name, which ends with NUL.
    let code = unsafe {
        (api.create_function_v2)(
            db,
            name.as_ptr().cast(),
            signature.count,
            signature.flags.0,
            data,
            Some(call),
            None,
            None,
            release,
        )
    };
    code == SQLITE_OK as c_int
}

/// A scalar function that runs SQL, and so needs the connection's state.
pub trait Nested: 'static {
    /// The SQL name.
    const NAME: &'static str;
    /// Gives the result to `call`.
    fn call(
        call: &Call<'_>,
        connection: &Rc<ConnectionState>,
        arguments: &Arguments<'_>,
    ) -> Result<(), Reported>;
}

/// Registers `N` with a share of `connection`; false if SQLite refused.
///
/// # Safety
/// `db` is an open connection of the SQLite of `api`, which is the installed one.
pub(in crate::sqlite) unsafe fn define_nested<N: Nested>(
    api: &'static Api,
    db: *mut sqlite3,
    connection: &Rc<ConnectionState>,
    signature: &Signature,
) -> bool {
    let share = connection.share();
    // SAFETY: the caller gives an open connection. `call_nested` takes such a share, and `release`
    // frees it.
    unsafe { create(api, db, signature, share, call_nested::<N>, Some(ConnectionState::release)) }
}

/// # Safety
/// For SQLite alone, as xFunc of a function registered by [`define_nested`].
unsafe extern "C" fn call_nested<N: Nested>(
    context: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    let body = |call: &Call<'_>| {
        // SAFETY: `define_nested` has registered the function with such a share, and SQLite still
        // has it.
        let connection = unsafe { ConnectionState::shared(call.user_data()) };
        // SAFETY: SQLite gives `count` protected values, which live until the call ends.
        let arguments = unsafe { Arguments::new(call.api, count, values) };
        N::call(call, &connection, &arguments)
    };
    // SAFETY: SQLite calls this with a live context, for a function that was registered with a
    // share.
    unsafe { Call::guard(context, Name::Nested(N::NAME), body) };
}
