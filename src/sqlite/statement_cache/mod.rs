//! What a call makes for later calls, so that they need not make it again: prepared nested
//! statements.
//!
//! ```text
//!   auxiliary data   of one argument of one call in a running statement. SQLite keeps it while
//!        |  ^        that argument is a constant, and frees it when the statement is reset
//!        v  |        then an item goes to the idle ones, if no run of it has failed; a call that
//!   idle items       has no item takes one from there. Only the latest few of a connection wait
//! ```
//!
//! All this runs in calls of functions, in destructors of auxiliary data and in methods of the
//! virtual table. SQLite holds the connection's mutex meanwhile. So no two threads are here at
//! once, although `Cell` and `Rc` go from one thread to the other.

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

/// The oldest SQLite that items wait in: the oldest that the tests found right.
///
/// Older ones do not always prepare a statement anew when the connection's encoding changes or it
/// gets another database image (3.41.2 and 3.46.0 were seen not to). They also read a file's schema
/// later than with the first SELECT, and the encoding with it, perhaps after they have waited for a
/// lock.
const OLDEST_WITH_CACHE: c_int = 3_054_000;

/// Something that one call makes and later ones use.
pub trait Cacheable: Sized + 'static {
    /// After a run: may it wait, idle, for a call of another statement? Not if it takes too much
    /// memory, or if making it anew may give something else.
    fn is_cacheable(&mut self) -> bool;
}

/// A block of SQLite's memory that holds an item.
#[repr(C)]
struct Entry<T> {
    link: Link,
    /// A call uses it; another call in that one makes an item of its own.
    busy: Cell<bool>,
    /// It may join the idle ones: no run of it has failed.
    sound: Cell<bool>,
    /// The limits when it was made. SQLite applies them to new statements only.
    limits: u64,
    memory: SqliteMemory,
    connection: Rc<ConnectionState>,
    item: UnsafeCell<T>,
}

/// Marks an item as not busy when it is dropped, also after a panic.
struct Busy<'k>(&'k Cell<bool>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl<T: Cacheable> Entry<T> {
    fn matches(&self, fits: &impl Fn(&T) -> bool) -> bool {
        // SAFETY: it is not busy, so nobody has a reference to the item, and `fits` keeps none.
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
        // A statement that reads a table of an attached database does not see it when MAIN gets one
        // of that name.
        self.sound.set(sound && item.is_cacheable() && call.host().is_alone());
        Ok(result)
    }
}

/// An entry that only this has. When it is dropped, it goes where auxiliary data goes.
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
        // SAFETY: a new block of this size, which SQLite aligns to 8.
        unsafe { block.write(entry) };
        Ok(OwnedEntry(block))
    }

    fn into_raw(self) -> *mut c_void {
        core::mem::ManuallyDrop::new(self).0.as_ptr().cast()
    }
}

impl<T: Cacheable> Drop for OwnedEntry<T> {
    fn drop(&mut self) {
        // SAFETY: a live entry, which nobody else has.
        unsafe { give_back::<T>(self.0.as_ptr().cast()) };
    }
}

/// Runs `run` on an item: on the one at argument number `index` of this call, or on an idle one of
/// the connection, if that is not busy and `fits`. Else on one that `make` makes; later calls can
/// use that if `run` succeeds.
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
    // SAFETY: null, or an entry that an earlier call has left below. A function has one type of
    // items, and SQLite frees auxiliary data only between calls.
    let (block, owned) = match unsafe { here.as_ref() } {
        Some(entry) if entry.matches(&fits) => (NonNull::from(entry), None),
        _ => {
            let limits = call.host().limits();
            let usable = |link: NonNull<Link>| {
                // SAFETY: `take` asks only about live items of this type.
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
    // SAFETY: alive while it is owned, or while SQLite has it.
    let entry = unsafe { block.as_ref() };
    let result = entry.run(call, run)?;
    if let Some(owned) = owned {
        if entry.sound.get() {
            open(call, idle);
        }
        if here.is_null() {
            let entry = owned.into_raw();
            // SAFETY: a live context. SQLite gives the entry to `give_back` once, perhaps at once.
            unsafe { (call.api.set_auxdata)(call.context, index, entry, Some(give_back::<T>)) };
        }
    }
    Ok(result)
}

/// Opens the list of idle items, if SQLite is new enough.
fn open(call: &Call<'_>, idle: &IdleStatements) {
    if call.host().version() >= OLDEST_WITH_CACHE {
        idle.open(|| drop(Statement::try_prepare(call, b"select 1 from resq_kept")));
    }
}

/// Puts an item that is out of use to the idle ones, if their list is open; else it is freed.
///
/// # Safety
/// `entry` is null or a live `Entry<T>`, which nobody uses any more.
unsafe extern "C" fn give_back<T: Cacheable>(entry: *mut c_void) {
    let Some(block) = NonNull::new(entry.cast::<Entry<T>>()) else { return };
    // SAFETY: the caller gives a live entry.
    let entry = unsafe { block.as_ref() };
    // The list may free this very item, so it must not be the item that keeps the list alive.
    let connection = Rc::clone(&entry.connection);
    // SAFETY: an entry begins with its link, and the caller gives it up.
    let is_idle = entry.sound.get() && unsafe { connection.idle.give(block.cast()) };
    if !is_idle {
        // SAFETY: an entry begins with its link, and the caller gives it up.
        unsafe { free::<T>(block.cast()) };
    }
}

/// # Safety
/// `link` begins a live `Entry<T>`, which nobody uses any more.
unsafe fn free<T>(link: NonNull<Link>) {
    let block = link.cast::<Entry<T>>();
    // SAFETY: the caller gives a live entry.
    let memory = unsafe { block.as_ref() }.memory;
    // SAFETY: the caller gives the entry up.
    let drop = AssertUnwindSafe(|| unsafe { block.drop_in_place() });
    // A panic must not reach SQLite. What is not dropped then is leaked.
    core::mem::forget(std::panic::catch_unwind(drop));
    memory.free(block.cast());
}
