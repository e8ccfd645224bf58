//! Aggregate and window functions: SQLite's four callbacks → the [`Aggregate`] trait.
//!
//! SQLite gives each group or partition a few bytes of zeroed memory, and does not say when they
//! are freed. But xFinal always comes, also after errors and interrupts. So the state lies in that
//! memory, in a [`Slot`] that is valid when it is all zero, and xFinal moves the state out.

use core::cell::Cell;
use core::ffi::{c_int, c_void};
use core::mem::{MaybeUninit, align_of, size_of};
use std::rc::Rc;

use super::call::{Call, Name, UserData};
use super::signature::{Flags, Signature, terminated};
use crate::buffer::BufferError;
use crate::sqlite::bindings::{SQLITE_OK, sqlite3, sqlite3_context, sqlite3_value};
use crate::sqlite::connection::{Api, ConnectionState, Report, Reported};
use crate::sqlite::value::Arguments;

/// The state of an aggregate over the rows of one group, partition or frame.
pub trait Aggregate: Sized + 'static {
    /// What one group leaves for the next one to use.
    type Reusable: Default;
    /// The state before the first row. `reusable` is what the last group has left.
    fn start(call: &Call<'_>, reusable: Self::Reusable) -> Self;
    /// A row comes in at the end.
    fn step(&mut self, call: &Call<'_>, row: &Arguments<'_>) -> Result<(), Reported>;
    /// The first row leaves.
    fn inverse(&mut self, call: &Call<'_>) -> Result<(), Reported>;
    /// Gives the result over the rows that are in; more may come.
    fn value(&mut self, call: &Call<'_>) -> Result<(), Reported>;
    /// What the next group can use. Called just before `finish`.
    fn reusable(&mut self) -> Self::Reusable;
    /// Gives the result and ends.
    fn finish(self, call: &Call<'_>) -> Result<(), Reported>;
}

/// What lies in the memory that SQLite has for a group. All zero is a valid, empty slot.
#[repr(C)]
struct Slot<A> {
    stage: u64,
    state: MaybeUninit<A>,
}

const EMPTY: u64 = 0;
const LIVE: u64 = 1;
/// A step has failed: there is no state any more, and no result.
const FAILED: u64 = 2;

impl<A: Aggregate> Slot<A> {
    const SIZE: c_int = {
        assert!(align_of::<Self>() <= 8, "SQLite aligns an aggregate's memory to 8 bytes");
        assert!(size_of::<Self>() <= 4096);
        size_of::<Self>() as c_int
    };

    /// The slot of this call's group; made by the first row.
    ///
    /// # Safety
    /// The call is one of an aggregate of `A`. Within it this is called once, and the slot is not
    /// used after it.
    #[inline]
    unsafe fn make<'s>(call: &Call<'_>) -> Result<&'s mut Self, Reported> {
        // SAFETY: the caller's promises are those that `at` asks for.
        unsafe { Self::at(call, Self::SIZE) }.ok_or_else(|| call.fail(BufferError::NoMemory))
    }

    /// The slot of this call's group, if a row ever came.
    ///
    /// # Safety
    /// As for [`Slot::make`].
    unsafe fn find<'s>(call: &Call<'_>) -> Option<&'s mut Self> {
        // SAFETY: the caller's promises are those that `at` asks for.
        unsafe { Self::at(call, 0) }
    }

    /// The memory of this call's group. If there is none yet, SQLite makes so many bytes; 0: it
    /// makes none.
    ///
    /// # Safety
    /// As for [`Slot::make`].
    #[inline]
    unsafe fn at<'s>(call: &Call<'_>, size: c_int) -> Option<&'s mut Self> {
        // SAFETY: a live context.
        let memory = unsafe { (call.api.aggregate_context)(call.context, size) };
        // SAFETY: null, or `SIZE` bytes, aligned to 8, which were zero at first and since then were
        // used as a slot of `A`. SQLite lets one callback at a time run, and the caller asks once
        // in it.
        unsafe { memory.cast::<Self>().as_mut() }
    }

    #[inline]
    fn state(&mut self) -> Option<&mut A> {
        // SAFETY: LIVE is set where the state is written, and cleared where it is moved out.
        (self.stage == LIVE).then(|| unsafe { self.state.assume_init_mut() })
    }

    fn take(&mut self, then: u64) -> Option<A> {
        let live = core::mem::replace(&mut self.stage, then) == LIVE;
        // SAFETY: it was LIVE, so the state is there. Now it is not, so nobody moves the state out
        // again.
        live.then(|| unsafe { self.state.assume_init_read() })
    }
}

/// What SQLite keeps for an aggregate. All groups of a connection share it.
#[repr(C)]
struct AggregateData<A: Aggregate> {
    data: UserData,
    reusable: Cell<A::Reusable>,
}

/// What the last group has left.
///
/// # Safety
/// The call is one of an aggregate of `A`.
unsafe fn reusable<'c, A: Aggregate>(call: &Call<'c>) -> &'c Cell<A::Reusable> {
    let data = call.user_data().cast::<AggregateData<A>>();
    // SAFETY: `define_for` has registered the aggregate with it. It lives as long as the
    // registration, and that as long as the call.
    unsafe { &(*data).reusable }
}

/// Runs `body` on the state of this call's group, if there is one. If it fails, the state is
/// dropped.
fn with_state<A: Aggregate>(
    call: &Call<'_>,
    slot: &mut Slot<A>,
    body: impl FnOnce(&mut A) -> Result<(), Reported>,
) -> Result<(), Reported> {
    let Some(state) = slot.state() else {
        return Err(call.error(format_args!("an earlier row has failed")));
    };
    body(state).inspect_err(|_| drop(slot.take(FAILED)))
}

/// The result over no rows.
#[cold]
#[inline(never)]
fn empty<A: Aggregate>(call: &Call<'_>) -> Result<(), Reported> {
    A::start(call, A::Reusable::default()).finish(call)
}

/// Registers `A` with a share of `connection`; false if SQLite refused.
///
/// One with SQLITE_SUBTYPE is registered for no arguments too, without that flag. SQLite's window
/// code reads the subtype of the first argument of a function that has it, and does not ask whether
/// there is one: from 3.31 on, `f() over ()` crashes the process if `f` takes any number of
/// arguments.
///
/// # Safety
/// `db` is an open connection of the SQLite of `api`.
pub(in crate::sqlite) unsafe fn define<A: Aggregate>(
    api: &'static Api,
    db: *mut sqlite3,
    connection: &Rc<ConnectionState>,
    signature: &Signature,
) -> bool {
    let (count, flags) = (signature.count, signature.flags);
    let define = |count, flags| {
        // SAFETY: the caller gives an open connection of this SQLite.
        unsafe { define_for::<A>(api, db, connection, signature, count, flags) }
    };
    let without_subtype = flags.without_subtype();
    define(count, flags) && (without_subtype == flags || define(0, without_subtype))
}

/// Registers `A` for so many arguments.
///
/// # Safety
/// `db` is an open connection of the SQLite of `api`.
unsafe fn define_for<A: Aggregate>(
    api: &'static Api,
    db: *mut sqlite3,
    connection: &Rc<ConnectionState>,
    signature: &Signature,
    count: c_int,
    flags: Flags,
) -> bool {
    let Some(variant) = signature.variant else { return false };
    let name = terminated(signature.name);
    let data = UserData { variant, connection: Rc::clone(connection) };
    let registered = Box::new(AggregateData::<A> { data, reusable: Cell::default() });
    // SAFETY: the caller gives an open connection. SQLite copies the name, which ends with NUL. The
    // callbacks are those for `A`, whose data the box is. SQLite gives the box to `release` once,
    // also if it refuses the function.
    let code = unsafe {
        (api.create_window_function)(
            db,
            name.as_ptr().cast(),
            count,
            flags.0,
            Box::into_raw(registered).cast(),
            Some(step::<A>),
            Some(finish::<A>),
            Some(value::<A>),
            Some(inverse::<A>),
            Some(release::<A>),
        )
    };
    code == SQLITE_OK as c_int
}

/// Runs `body` as one call of an aggregate of `A`.
///
/// # Safety
/// SQLite has passed `context` to a callback of an aggregate that [`define`] has registered.
#[inline(always)]
unsafe fn guard(context: *mut sqlite3_context, body: impl FnOnce(&Call<'_>) -> Result<(), Reported>) {
    // SAFETY: the caller gives a live context. `AggregateData` begins with a `UserData`.
    unsafe { Call::guard(context, Name::Registered, body) };
}

/// # Safety
/// For SQLite alone, as xStep.
unsafe extern "C" fn step<A: Aggregate>(
    context: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    let body = |call: &Call<'_>| {
        // SAFETY: SQLite calls this for an aggregate of `A`. The slot is asked for once, and used
        // in this call only.
        let slot = unsafe { Slot::<A>::make(call)? };
        if slot.stage == EMPTY {
            // SAFETY: an aggregate of `A`.
            let reusable = unsafe { reusable::<A>(call) };
            slot.state.write(A::start(call, reusable.take()));
            slot.stage = LIVE;
        }
        // SAFETY: SQLite gives `count` protected values, which live until the call ends.
        let row = unsafe { Arguments::new(call.api, count, values) };
        with_state(call, slot, |state| state.step(call, &row))
    };
    // SAFETY: SQLite calls this with a live context, for an aggregate of `A`.
    unsafe { guard(context, body) };
}

/// # Safety
/// For SQLite alone, as xInverse.
unsafe extern "C" fn inverse<A: Aggregate>(
    context: *mut sqlite3_context,
    _count: c_int,
    _values: *mut *mut sqlite3_value,
) {
    // SAFETY: SQLite calls this for an aggregate of `A`. The slot is asked for once, and used in
    // this call only.
    let body = |call: &Call<'_>| match unsafe { Slot::<A>::find(call) } {
        Some(slot) => with_state(call, slot, |state| state.inverse(call)),
        None => Ok(()),
    };
    // SAFETY: SQLite calls this with a live context, for an aggregate of `A`.
    unsafe { guard(context, body) };
}

/// # Safety
/// For SQLite alone, as xValue.
unsafe extern "C" fn value<A: Aggregate>(context: *mut sqlite3_context) {
    // SAFETY: SQLite calls this for an aggregate of `A`. The slot is asked for once, and used in
    // this call only.
    let body = |call: &Call<'_>| match unsafe { Slot::<A>::find(call) } {
        Some(slot) => with_state(call, slot, |state| state.value(call)),
        None => empty::<A>(call),
    };
    // SAFETY: SQLite calls this with a live context, for an aggregate of `A`.
    unsafe { guard(context, body) };
}

/// # Safety
/// For SQLite alone, as xFinal.
unsafe extern "C" fn finish<A: Aggregate>(context: *mut sqlite3_context) {
    let body = |call: &Call<'_>| {
        // SAFETY: SQLite calls this for an aggregate of `A`. The slot is asked for once, and used
        // in this call only.
        let Some(slot) = (unsafe { Slot::<A>::find(call) }) else { return empty::<A>(call) };
        if slot.stage == FAILED {
            return Ok(());
        }
        if let Some(state) = slot.state() {
            // SAFETY: an aggregate of `A`.
            unsafe { reusable::<A>(call) }.set(state.reusable());
        }
        match slot.take(EMPTY) {
            Some(state) => state.finish(call),
            None => empty::<A>(call),
        }
    };
    // SAFETY: SQLite calls this with a live context, for an aggregate of `A`.
    unsafe { guard(context, body) };
}

/// # Safety
/// For SQLite alone, as xDestroy: `data` is a box that [`define_for`] has leaked.
unsafe extern "C" fn release<A: Aggregate>(data: *mut c_void) {
    // SAFETY: SQLite gives the box back, and does so once.
    drop(unsafe { Box::from_raw(data.cast::<AggregateData<A>>()) });
}
