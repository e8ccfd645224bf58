//! Aggregate and window functions: SQLite's four callbacks → the [`Aggregate`] trait.
//!
//! SQLite gives each group or partition a few bytes of zeroed memory and no word when it is gone, except
//! that xFinal always comes, after errors and interrupts too. The state lives right there, in a [`Slot`] that is
//! valid when zeroed, and xFinal moves it out.

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

/// The state of an aggregate over the rows of one group, partition or frame. Its names are in its registrations'
/// variants.
pub trait Aggregate: Sized + 'static {
    /// What the connection keeps between one group and the next.
    type Reusable: Default;
    /// The state before the first row.
    fn start(call: &Call<'_>, reusable: Self::Reusable) -> Self;
    /// A row comes in at the end.
    fn step(&mut self, call: &Call<'_>, row: &Arguments<'_>) -> Result<(), Reported>;
    /// The first row leaves.
    fn inverse(&mut self, call: &Call<'_>) -> Result<(), Reported>;
    /// Gives the result over the rows now inside, and goes on.
    fn value(&mut self, call: &Call<'_>) -> Result<(), Reported>;
    /// What the next group can use, before this one ends.
    fn reusable(&mut self) -> Self::Reusable;
    /// Gives the result and ends.
    fn finish(self, call: &Call<'_>) -> Result<(), Reported>;
}

/// An aggregate's place in the memory that SQLite keeps for it. All zero is a valid, empty slot.
#[repr(C)]
struct Slot<A> {
    stage: u64,
    state: MaybeUninit<A>,
}

const EMPTY: u64 = 0;
const LIVE: u64 = 1;
/// A step failed: nothing comes out of this one any more.
const FAILED: u64 = 2;

impl<A: Aggregate> Slot<A> {
    const SIZE: c_int = {
        assert!(align_of::<Self>() <= 8, "SQLite aligns an aggregate's memory to 8 bytes");
        assert!(size_of::<Self>() <= 4096);
        size_of::<Self>() as c_int
    };

    /// The slot of this call's group; made if need be.
    ///
    /// # Safety
    /// The call is one of an aggregate of `A`, and the slot is borrowed once at a time and not beyond the call.
    #[inline]
    unsafe fn make<'s>(call: &Call<'_>) -> Result<&'s mut Self, Reported> {
        // SAFETY: a live context. SQLite returns null or `SIZE` bytes, zeroed when new and else as the caller's
        // earlier calls left them, aligned to 8, used by one callback at a time.
        let slot = unsafe { (call.api.aggregate_context)(call.context, Self::SIZE).cast::<Self>().as_mut() };
        slot.ok_or_else(|| call.fail(BufferError::NoMemory))
    }

    /// The slot of this call's group, if a row ever came.
    ///
    /// # Safety
    /// As for [`Slot::make`].
    unsafe fn find<'s>(call: &Call<'_>) -> Option<&'s mut Self> {
        // SAFETY: as in `make`; 0 bytes asks without making one.
        unsafe { (call.api.aggregate_context)(call.context, 0).cast::<Self>().as_mut() }
    }

    #[inline]
    fn state(&mut self) -> Option<&mut A> {
        // SAFETY: LIVE is set only where the state is written, and cleared where it is moved out.
        (self.stage == LIVE).then(|| unsafe { self.state.assume_init_mut() })
    }

    fn take(&mut self, then: u64) -> Option<A> {
        let live = core::mem::replace(&mut self.stage, then) == LIVE;
        // SAFETY: it was LIVE, so the state is there; it no longer is LIVE, so nobody reads it again.
        live.then(|| unsafe { self.state.assume_init_read() })
    }
}

/// What an aggregate is registered with; all of its calls on a connection share it.
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
    // SAFETY: a live context. An aggregate of `A` is registered with one of these, which lives until the registration ends;
    // nobody else holds the cell's inside, and one callback of a connection runs at a time.
    unsafe { &(*(call.api.user_data)(call.context).cast::<AggregateData<A>>()).reusable }
}

/// Runs `body` on the state of this call's group, if there is one; its failure ends the state.
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
/// One with SQLITE_SUBTYPE is registered for no arguments too, without that flag. SQLite's window code reads
/// the subtype of the first argument of a function that has it, and does not ask whether there is one: from
/// 3.31 on, `f() over ()` crashes the process if `f` takes any number of arguments.
///
/// # Safety
/// `db` is an open connection of the SQLite behind `api`.
pub(in crate::sqlite) unsafe fn define<A: Aggregate>(
    api: &'static Api,
    db: *mut sqlite3,
    connection: &Rc<ConnectionState>,
    signature: &Signature,
) -> bool {
    let (count, flags) = (signature.count, signature.flags);
    // SAFETY: `db` is an open connection of this SQLite, by this function's own duty.
    unsafe {
        define_for::<A>(api, db, connection, signature, count, flags)
            && (flags.without_subtype() == flags
                || define_for::<A>(api, db, connection, signature, 0, flags.without_subtype()))
    }
}

/// Registers `A` for so many arguments.
///
/// # Safety
/// `db` is an open connection of the SQLite behind `api`.
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
    // SAFETY: an open connection, a NUL-terminated name that SQLite copies, callbacks of the right types. `release` gets the
    // box back, once, also where SQLite refuses.
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

/// # Safety
/// For SQLite alone, as xStep.
pub(in crate::sqlite) unsafe extern "C" fn step<A: Aggregate>(
    context: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    // SAFETY: SQLite calls with a live context and `count` values; an aggregate is registered with its data; the slot is
    // found once in this call.
    unsafe {
        Call::guard(context, Name::Registered, |call| {
            let slot = Slot::<A>::make(call)?;
            if slot.stage == EMPTY {
                slot.state.write(A::start(call, reusable::<A>(call).take()));
                slot.stage = LIVE;
            }
            let row = Arguments::new(call.api, count, values);
            with_state(call, slot, |state| state.step(call, &row))
        });
    }
}

/// # Safety
/// For SQLite alone, as xInverse.
pub(in crate::sqlite) unsafe extern "C" fn inverse<A: Aggregate>(
    context: *mut sqlite3_context,
    _count: c_int,
    _values: *mut *mut sqlite3_value,
) {
    // SAFETY: SQLite calls with a live context; an aggregate is registered with its data; the slot is found once in this
    // call.
    unsafe {
        Call::guard(context, Name::Registered, |call| match Slot::<A>::find(call) {
            Some(slot) => with_state(call, slot, |state| state.inverse(call)),
            None => Ok(()),
        });
    }
}

/// # Safety
/// For SQLite alone, as xValue.
pub(in crate::sqlite) unsafe extern "C" fn value<A: Aggregate>(context: *mut sqlite3_context) {
    // SAFETY: SQLite calls with a live context; an aggregate is registered with its data; the slot is found once in this
    // call.
    unsafe {
        Call::guard(context, Name::Registered, |call| match Slot::<A>::find(call) {
            Some(slot) => with_state(call, slot, |state| state.value(call)),
            None => empty::<A>(call),
        });
    }
}

/// # Safety
/// For SQLite alone, as xFinal.
pub(in crate::sqlite) unsafe extern "C" fn finish<A: Aggregate>(context: *mut sqlite3_context) {
    // SAFETY: SQLite calls with a live context; an aggregate is registered with its data; the slot is found once in this
    // call.
    unsafe {
        Call::guard(context, Name::Registered, |call| {
            let Some(slot) = Slot::<A>::find(call) else { return empty::<A>(call) };
            if slot.stage == FAILED {
                return Ok(());
            }
            if let Some(state) = slot.state() {
                reusable::<A>(call).set(state.reusable());
            }
            match slot.take(EMPTY) {
                Some(state) => state.finish(call),
                None => empty::<A>(call),
            }
        });
    }
}

/// # Safety
/// For SQLite alone, as xDestroy: `registered` is a leaked box.
unsafe extern "C" fn release<A: Aggregate>(registered: *mut c_void) {
    // SAFETY: the caller's duty.
    drop(unsafe { Box::from_raw(registered.cast::<AggregateData<A>>()) });
}
