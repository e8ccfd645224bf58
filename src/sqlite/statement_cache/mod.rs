//! What a call makes for later calls: nested statements, above all, so that they need not be prepared each time.
//!
//! ```text
//!   auxiliary data   what hangs on one argument of one call in a running statement. SQLite keeps it while that argument is a
//!        |  ^        constant, and frees it when the statement is reset
//!        v  |        on its way out an item joins the idle ones, if all went well; a call that finds none takes one from there
//!   idle             the latest few items of a connection that nobody uses
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

use crate::buffer::{BufferError, Memory};
use crate::sqlite::connection::{ConnectionState, IdleStatements, Link, Report, Reported, SqliteMemory};
use crate::sqlite::function::Call;
use crate::sqlite::statement::Statement;

mod close_hook;

pub(in crate::sqlite) use close_hook::define;

/// Older SQLites do not always prepare a statement anew where the connection's encoding changes or it gets another database
/// image (3.41.2 and 3.46.0 were seen not to), and read a file's schema, with that encoding, and perhaps after waiting for a lock,
/// later than with the first SELECT. This is the oldest version that the tests found right.
const OLDEST_WITH_CACHE: c_int = 3_054_000;

/// Something that calls keep.
pub trait Cacheable: Sized + 'static {
    /// Is it worth keeping, and right to keep, beyond the outer statement's run?
    fn is_cacheable(&mut self) -> bool;
}

#[repr(C)]
struct Entry<T> {
    link: Link,
    /// Somebody is using it: whoever comes meanwhile makes another.
    busy: Cell<bool>,
    /// It may join the idle ones: nothing has gone wrong with it.
    sound: Cell<bool>,
    /// The limits under which it was made: SQLite holds new statements to them, not old ones.
    limits: u64,
    memory: SqliteMemory,
    connection: Rc<ConnectionState>,
    item: UnsafeCell<T>,
}

/// Marks an item as free again, also after a panic.
struct Busy<'k>(&'k Cell<bool>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl<T: Cacheable> Entry<T> {
    fn matches(&self, fits: &impl Fn(&T) -> bool) -> bool {
        // SAFETY: it is not busy, so there is no other reference to the item; `fits` makes none.
        !self.busy.get() && fits(unsafe { &*self.item.get() })
    }

    /// Runs `run` on an item that is not busy.
    fn run<R>(
        &self,
        call: &Call<'_>,
        run: impl FnOnce(&mut T) -> Result<R, Reported>,
    ) -> Result<R, Reported> {
        self.busy.set(true);
        let _busy = Busy(&self.busy);
        let sound = self.sound.replace(false);
        // SAFETY: it was not busy, so this is the only reference.
        let item = unsafe { &mut *self.item.get() };
        let result = run(item)?;
        // A statement that has found its table in an attached database does not see a table of that name come in MAIN.
        self.sound.set(sound && item.is_cacheable() && call.host().is_alone());
        Ok(result)
    }
}

/// An entry that nobody else knows of. Dropped, it goes where auxiliary data goes.
struct OwnedEntry<T: Cacheable>(NonNull<Entry<T>>);

impl<T: Cacheable> OwnedEntry<T> {
    fn new(
        call: &Call<'_>,
        connection: &Rc<ConnectionState>,
        limits: u64,
        item: T,
    ) -> Result<Self, Reported> {
        const { assert!(align_of::<Entry<T>>() <= 8, "SQLite's blocks are aligned to 8 bytes") };
        let memory = call.host().memory();
        let block =
            memory.reallocate(None, size_of::<Entry<T>>()).ok_or_else(|| call.fail(BufferError::NoMemory))?;
        let block = block.cast::<Entry<T>>();
        let entry = Entry {
            link: Link::new(TypeId::of::<T>(), free::<T>),
            busy: Cell::new(false),
            sound: Cell::new(true),
            limits,
            memory,
            connection: Rc::clone(connection),
            item: UnsafeCell::new(item),
        };
        // SAFETY: a fresh block of the right size and alignment.
        unsafe { block.write(entry) };
        Ok(OwnedEntry(block))
    }

    fn into_raw(self) -> *mut c_void {
        core::mem::ManuallyDrop::new(self).0.as_ptr().cast()
    }
}

impl<T: Cacheable> Drop for OwnedEntry<T> {
    fn drop(&mut self) {
        // SAFETY: it is given up here.
        unsafe { give_back::<T>(self.0.as_ptr().cast()) };
    }
}

/// Runs `run` on the entry at argument number `index` of this call, or on an idle one of the connection, if it is free and
/// `fits`; else on a new one, which is kept if all goes well.
pub fn cached<T: Cacheable, R>(
    call: &Call<'_>,
    connection: &Rc<ConnectionState>,
    index: c_int,
    fits: impl Fn(&T) -> bool,
    make: impl FnOnce() -> Result<T, Reported>,
    run: impl FnOnce(&mut T) -> Result<R, Reported>,
) -> Result<R, Reported> {
    let idle = &connection.idle;
    // SAFETY: a live context.
    let here = unsafe { (call.api.get_auxdata)(call.context, index) }.cast::<Entry<T>>();
    // SAFETY: null, or what was left below at this argument of this function, whose type of item does not change; SQLite
    // frees it only between calls.
    let (block, owned) = match unsafe { here.as_ref() } {
        Some(entry) if entry.matches(&fits) => (NonNull::from(entry), None),
        _ => {
            let limits = call.host().limits();
            let usable = |link: NonNull<Link>| {
                // SAFETY: the head of an item of this type, which is alive.
                let entry = unsafe { link.cast::<Entry<T>>().as_ref() };
                entry.limits == limits && entry.matches(&fits)
            };
            let owned = match idle.take(TypeId::of::<T>(), usable) {
                Some(link) => OwnedEntry(link.cast()),
                None => OwnedEntry::new(call, connection, limits, make()?)?,
            };
            (owned.0, Some(owned))
        }
    };
    // SAFETY: alive for as long as it is owned, or as SQLite has it.
    let entry = unsafe { block.as_ref() };
    let result = entry.run(call, run)?;
    if let Some(owned) = owned {
        if entry.sound.get() {
            open(call, idle);
        }
        if here.is_null() {
            // SAFETY: a live context. SQLite takes the item, and may give it back at once.
            unsafe { (call.api.set_auxdata)(call.context, index, owned.into_raw(), Some(give_back::<T>)) };
        }
    }
    Ok(result)
}

/// Lets items wait, where this SQLite is new enough.
fn open(call: &Call<'_>, idle: &IdleStatements) {
    if call.host().version() >= OLDEST_WITH_CACHE {
        idle.open(|| drop(Statement::try_prepare(call, b"select 1 from resq_kept")));
    }
}

/// Takes an item out of use: it joins the idle ones, if those are open, or is freed.
///
/// # Safety
/// `kept` is null or an `Entry<T>` that is given up.
unsafe extern "C" fn give_back<T: Cacheable>(kept: *mut c_void) {
    let Some(block) = NonNull::new(kept.cast::<Entry<T>>()) else { return };
    // SAFETY: the caller's duty. The connection outlives the call, for its idle list may free this very item.
    unsafe {
        let connection = Rc::clone(&block.as_ref().connection);
        if !(block.as_ref().sound.get() && connection.idle.give(block.cast())) {
            free::<T>(block.cast());
        }
    }
}

/// # Safety
/// `link` is the head of an `Entry<T>` that is given up.
unsafe fn free<T>(link: NonNull<Link>) {
    let block = link.cast::<Entry<T>>();
    // SAFETY: the caller's duty.
    unsafe {
        let memory = block.as_ref().memory;
        // A panic must not reach SQLite; what it leaves undone is leaked.
        let dropped = std::panic::catch_unwind(AssertUnwindSafe(|| block.drop_in_place()));
        core::mem::forget(dropped);
        memory.free(block.cast());
    }
}
