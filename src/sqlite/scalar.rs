//! Scalar functions: sqlite-loadable's callback → the [`Scalar`] trait.

use core::ffi::c_int;

use sqlite_loadable::{FunctionFlags, define_scalar_function};
use sqlite3ext_sys::sqlite3;

use super::argument::Arguments;
use super::call::{Call, Failed};

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
pub(super) unsafe fn define<S: Scalar>(db: *mut sqlite3, count: c_int, flags: c_int) -> bool {
    // SAFETY: a bit set of SQLite's; sqlite-loadable names only some of them and passes them all on.
    let flags = unsafe { FunctionFlags::from_bits_unchecked(flags) };
    define_scalar_function(
        db,
        S::NAME,
        count,
        |context, values| {
            // SAFETY: SQLite's live context and as many values as the slice has.
            unsafe {
                Call::guard(context, S::NAME, |call| {
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
