//! What a call makes for later calls: nested statements, above all, so that they need not be prepared each time.
//!
//! ```text
//!   auxiliary data   what hangs on one argument of one call in a running statement. SQLite keeps it while that argument is a
//!        |  ^        constant, and frees it when the statement is reset
//!        v  |        on its way out an item goes to the store, if all went well; a call that finds none takes one from there
//!   the store        the latest few items of a connection that nobody uses
//! ```
//!
//! All this runs within calls of functions, in destructors of their data and in methods of the table, for which SQLite holds
//! the connection's mutex; so no two threads are here at once, though `Cell` and `Rc` go from one to the other.

use core::any::TypeId;
use core::cell::{Cell, UnsafeCell};
use core::ffi::{c_int, c_void};
use core::mem::{align_of, size_of};
use core::ptr::NonNull;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;

use crate::buffer::{Failure, Memory};
use crate::sqlite::connection::{Failed, Link, Report, Session, SqliteMemory, Store};
use crate::sqlite::function::Call;
use crate::sqlite::statement::Statement;

mod close_hook;

pub(in crate::sqlite) use close_hook::define;

/// Older SQLites do not always prepare a statement anew where the connection's encoding changes or it gets another database
/// image (3.41.2 and 3.46.0 were seen not to), and read a file's schema, with that encoding, and perhaps after waiting for a lock,
/// later than with the first SELECT. This is the oldest version that the tests found right.
const OLDEST: c_int = 3_054_000;

/// Something that calls keep.
pub trait Keep: Sized + 'static {
    /// Is it worth keeping, and right to keep, beyond the outer statement's run?
    fn lasts(&mut self) -> bool;
}

#[repr(C)]
struct Kept<T> {
    link: Link,
    /// Somebody is using it: whoever comes meanwhile makes another.
    busy: Cell<bool>,
    /// It may go to the store: nothing has gone wrong with it.
    sound: Cell<bool>,
    /// The limits under which it was made: SQLite holds new statements to them, not old ones.
    limits: u64,
    memory: SqliteMemory,
    session: Rc<Session>,
    item: UnsafeCell<T>,
}

/// Marks an item as free again, also after a panic.
struct Using<'k>(&'k Cell<bool>);

impl Drop for Using<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl<T: Keep> Kept<T> {
    fn matches(&self, fits: &impl Fn(&T) -> bool) -> bool {
        // SAFETY: it is not busy, so there is no other reference to the item; `fits` makes none.
        !self.busy.get() && fits(unsafe { &*self.item.get() })
    }

    /// Runs `run` on an item that is not busy.
    fn run<R>(&self, call: &Call<'_>, run: impl FnOnce(&mut T) -> Result<R, Failed>) -> Result<R, Failed> {
        self.busy.set(true);
        let _using = Using(&self.busy);
        let sound = self.sound.replace(false);
        // SAFETY: it was not busy, so this is the only reference.
        let item = unsafe { &mut *self.item.get() };
        let result = run(item)?;
        // A statement that has found its table in an attached database does not see a table of that name come in MAIN.
        self.sound.set(sound && item.lasts() && call.host().is_alone());
        Ok(result)
    }
}

/// A kept item that nobody else knows of. Dropped, it goes where auxiliary data goes.
struct Owned<T: Keep>(NonNull<Kept<T>>);

impl<T: Keep> Owned<T> {
    fn new(call: &Call<'_>, session: &Rc<Session>, limits: u64, item: T) -> Result<Self, Failed> {
        const { assert!(align_of::<Kept<T>>() <= 8, "SQLite's blocks are aligned to 8 bytes") };
        let memory = call.host().memory();
        let block =
            memory.reallocate(None, size_of::<Kept<T>>()).ok_or_else(|| call.fail(Failure::NoMemory))?;
        let block = block.cast::<Kept<T>>();
        let kept = Kept {
            link: Link::new(TypeId::of::<T>(), free::<T>),
            busy: Cell::new(false),
            sound: Cell::new(true),
            limits,
            memory,
            session: Rc::clone(session),
            item: UnsafeCell::new(item),
        };
        // SAFETY: a fresh block of the right size and alignment.
        unsafe { block.write(kept) };
        Ok(Owned(block))
    }

    fn into_raw(self) -> *mut c_void {
        core::mem::ManuallyDrop::new(self).0.as_ptr().cast()
    }
}

impl<T: Keep> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: it is given up here.
        unsafe { give_back::<T>(self.0.as_ptr().cast()) };
    }
}

/// Runs `run` on what was kept at argument number `index` of this call, or in the connection's store, if it is free and
/// `fits`; else on a new one, which is kept if all goes well.
pub fn cached<T: Keep, R>(
    call: &Call<'_>,
    session: &Rc<Session>,
    index: c_int,
    fits: impl Fn(&T) -> bool,
    make: impl FnOnce() -> Result<T, Failed>,
    run: impl FnOnce(&mut T) -> Result<R, Failed>,
) -> Result<R, Failed> {
    let store = &session.store;
    // SAFETY: a live context.
    let here = unsafe { (call.api.get_auxdata)(call.context, index) }.cast::<Kept<T>>();
    // SAFETY: null, or what was left below at this argument of this function, whose type of item does not change; SQLite
    // frees it only between calls.
    let (block, owned) = match unsafe { here.as_ref() } {
        Some(kept) if kept.matches(&fits) => (NonNull::from(kept), None),
        _ => {
            let limits = call.host().limits();
            let usable = |link: NonNull<Link>| {
                // SAFETY: the head of an item of this type, which is alive.
                let kept = unsafe { link.cast::<Kept<T>>().as_ref() };
                kept.limits == limits && kept.matches(&fits)
            };
            let owned = match store.take(TypeId::of::<T>(), usable) {
                Some(link) => Owned(link.cast()),
                None => Owned::new(call, session, limits, make()?)?,
            };
            (owned.0, Some(owned))
        }
    };
    // SAFETY: alive for as long as it is owned, or as SQLite has it.
    let kept = unsafe { block.as_ref() };
    let result = kept.run(call, run)?;
    if let Some(owned) = owned {
        if kept.sound.get() {
            open(call, store);
        }
        if here.is_null() {
            // SAFETY: a live context. SQLite takes the item, and may give it back at once.
            unsafe { (call.api.set_auxdata)(call.context, index, owned.into_raw(), Some(give_back::<T>)) };
        }
    }
    Ok(result)
}

/// Opens the store, where this SQLite is new enough.
fn open(call: &Call<'_>, store: &Store) {
    if call.host().version() >= OLDEST {
        store.open(|| drop(Statement::try_prepare(call, b"select 1 from resq_kept")));
    }
}

/// Takes an item out of use: to the store, if that is open, or frees it.
///
/// # Safety
/// `kept` is null or a `Kept<T>` that is given up.
unsafe extern "C" fn give_back<T: Keep>(kept: *mut c_void) {
    let Some(block) = NonNull::new(kept.cast::<Kept<T>>()) else { return };
    // SAFETY: the caller's duty. The session outlives the call, for the store may free this very item.
    unsafe {
        let session = Rc::clone(&block.as_ref().session);
        if !(block.as_ref().sound.get() && session.store.give(block.cast())) {
            free::<T>(block.cast());
        }
    }
}

/// # Safety
/// `link` is the head of a `Kept<T>` that is given up.
unsafe fn free<T>(link: NonNull<Link>) {
    let block = link.cast::<Kept<T>>();
    // SAFETY: the caller's duty.
    unsafe {
        let memory = block.as_ref().memory;
        // A panic must not reach SQLite; what it leaves undone is leaked.
        let dropped = std::panic::catch_unwind(AssertUnwindSafe(|| block.drop_in_place()));
        core::mem::forget(dropped);
        memory.free(block.cast());
    }
}
