//! What a call makes for later calls: nested statements, above all, so that they need not be prepared each time.
//!
//! ```text
//!   auxiliary data   what hangs on one argument of one call in a running statement. SQLite keeps it while that argument is a
//!        |  ^        constant, and frees it when the statement is reset
//!        v  |        on its way out an item goes to the store, if all went well; a call that finds none takes one from there
//!   the store        the latest few items of a connection that nobody uses
//! ```
//!
//! A connection with statements cannot be closed, so the store is open only while our table function is connected:
//! `sqlite3_close` disconnects virtual tables, which empties the store, before it looks for statements. A statement that reads
//! that table function itself holds it back, and is not stored.
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

use super::call::Call;
use super::memory::SqliteMemory;
use super::report::{Failed, Report};
use super::session::Session;
use super::statement::Statement;
use crate::buffer::{Failure, Memory};

/// How many items wait in a connection's store, at most.
const MOST: usize = 8;
/// How often a connection tries to open its store before it does without.
const TRIES: u8 = 3;

/// Something that calls keep.
pub trait Keep: Sized + 'static {
    /// A query of the table function whose connection holds the store open.
    const HOLDER: &'static str;
    /// Is it worth keeping, and right to keep, beyond the outer statement's run?
    fn lasts(&self) -> bool;
}

/// What every kept item begins with, whatever it is.
struct Link {
    next: Cell<Option<NonNull<Link>>>,
    what: TypeId,
    /// Frees the item for good.
    free: unsafe fn(NonNull<Link>),
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

    /// Runs `run` on an item that is not busy. `planned`: see [`Store::planned`], before the call.
    fn run<R>(
        &self,
        call: &Call<'_>,
        planned: u32,
        run: impl FnOnce(&mut T) -> Result<R, Failed>,
    ) -> Result<R, Failed> {
        self.busy.set(true);
        let _using = Using(&self.busy);
        let sound = self.sound.replace(false);
        // SAFETY: it was not busy, so this is the only reference.
        let item = unsafe { &mut *self.item.get() };
        let result = run(item)?;
        let planned = planned == self.session.store.planned.get();
        // A statement that has found its table in an attached database does not see a table of that name come in MAIN.
        self.sound.set(sound && planned && item.lasts() && call.host().is_alone());
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
            link: Link { next: Cell::new(None), what: TypeId::of::<T>(), free: free::<T> },
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
    let planned = store.planned.get();
    // SAFETY: a live context.
    let here = unsafe { (call.api.get_auxdata)(call.context, index) }.cast::<Kept<T>>();
    // SAFETY: null, or what was left below at this argument of this function, whose type of item does not change; SQLite
    // frees it only between calls.
    let (block, owned) = match unsafe { here.as_ref() } {
        Some(kept) if kept.matches(&fits) => (NonNull::from(kept), None),
        _ => {
            let limits = call.host().limits();
            let owned = match store.take(limits, &fits) {
                Some(owned) => owned,
                None => Owned::new(call, session, limits, make()?)?,
            };
            (owned.0, Some(owned))
        }
    };
    // SAFETY: alive for as long as it is owned, or as SQLite has it.
    let kept = unsafe { block.as_ref() };
    let result = kept.run(call, planned, run)?;
    if let Some(owned) = owned {
        if kept.sound.get() {
            store.open(call, T::HOLDER);
        }
        if here.is_null() {
            // SAFETY: a live context. SQLite takes the item, and may give it back at once.
            unsafe { (call.api.set_auxdata)(call.context, index, owned.into_raw(), Some(give_back::<T>)) };
        }
    }
    Ok(result)
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

/// The items of a connection that nobody uses, the latest first. Each holds a share of the session, so all of them have to go
/// before it does: they do when the table that holds the store open is disconnected.
#[derive(Default)]
pub(super) struct Store {
    first: Cell<Option<NonNull<Link>>>,
    /// How many tables hold it open: a new one may be connected while a statement still has the old one.
    tables: Cell<u32>,
    tries: Cell<u8>,
    /// How often a statement has been prepared that reads our table function. It holds the table back, and so may not
    /// be held by it.
    planned: Cell<u32>,
}

impl Store {
    fn take<T: Keep>(&self, limits: u64, fits: &impl Fn(&T) -> bool) -> Option<Owned<T>> {
        let mut place = &self.first;
        while let Some(link) = place.get() {
            // SAFETY: what is in the store is alive.
            let head = unsafe { link.as_ref() };
            if head.what == TypeId::of::<T>() {
                let block = link.cast::<Kept<T>>();
                // SAFETY: the head of an item of this type.
                let kept = unsafe { block.as_ref() };
                if kept.limits == limits && kept.matches(fits) {
                    place.set(head.next.take());
                    return Some(Owned(block));
                }
            }
            place = &head.next;
        }
        None
    }

    /// Takes an item, and frees the one that has waited longest if there are too many; false if the store is closed.
    ///
    /// # Safety
    /// `link` is the head of an item, which is given up.
    unsafe fn give(&self, link: NonNull<Link>) -> bool {
        if self.tables.get() == 0 {
            return false;
        }
        // SAFETY: the caller's duty, also of those who gave the others.
        unsafe {
            link.as_ref().next.set(self.first.replace(Some(link)));
            let mut last = link;
            for _ in 1..MOST {
                let Some(next) = last.as_ref().next.get() else { return true };
                last = next;
            }
            if let Some(old) = last.as_ref().next.take() {
                (old.as_ref().free)(old);
            }
        }
        true
    }

    /// Has SQLite connect the table that holds the store open, if there is none. If it does not, nothing is kept.
    fn open(&self, call: &Call<'_>, holder: &str) {
        if self.tables.get() == 0 && self.tries.get() < TRIES {
            self.tries.set(self.tries.get() + 1);
            let planned = self.planned.get();
            drop(Statement::try_prepare(call, holder.as_bytes()));
            self.planned.set(planned);
        }
    }

    /// A table is connected.
    pub(super) fn connected(&self) {
        self.tables.set(self.tables.get() + 1);
    }

    /// A table is disconnected; with the last one all items go.
    pub(super) fn disconnected(&self) {
        self.tables.set(self.tables.get().saturating_sub(1));
        if self.tables.get() > 0 {
            return;
        }
        self.tries.set(0);
        // One by one, since what is freed may call back.
        while let Some(link) = self.first.get() {
            // SAFETY: what is in the store is alive, and is freed as what it is.
            unsafe {
                self.first.set(link.as_ref().next.take());
                (link.as_ref().free)(link);
            }
        }
    }

    /// A statement is being prepared that reads our table function.
    pub(super) fn planned(&self) {
        self.planned.set(self.planned.get().wrapping_add(1));
    }
}
