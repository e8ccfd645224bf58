//! Items of a connection that wait for the next call that can use them.
//!
//! A connection with statements cannot be closed, so the store is open only while our table function is connected:
//! `sqlite3_close` disconnects virtual tables, which empties the store, before it looks for statements. A statement that reads
//! that table function itself holds it back, and is not stored.

use core::any::TypeId;
use core::cell::Cell;
use core::ptr::NonNull;

use super::report::Report;
use super::statement::Statement;

/// How many items wait in a connection's store, at most.
const MOST: usize = 8;
/// How often a connection tries to open its store before it does without.
const TRIES: u8 = 3;

/// What every kept item begins with, whatever it is.
pub(super) struct Link {
    next: Cell<Option<NonNull<Link>>>,
    pub(super) what: TypeId,
    /// Frees the item for good.
    free: unsafe fn(NonNull<Link>),
}

impl Link {
    /// The head of an item of the type `what`. `free` frees that item for good, given its head.
    pub(super) fn new(what: TypeId, free: unsafe fn(NonNull<Link>)) -> Self {
        Link { next: Cell::new(None), what, free }
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
    /// Takes out an item of the type `what` that fits; it is the caller's.
    pub(super) fn take(&self, what: TypeId, fits: impl Fn(NonNull<Link>) -> bool) -> Option<NonNull<Link>> {
        let mut place = &self.first;
        while let Some(link) = place.get() {
            // SAFETY: what is in the store is alive.
            let head = unsafe { link.as_ref() };
            if head.what == what && fits(link) {
                place.set(head.next.take());
                return Some(link);
            }
            place = &head.next;
        }
        None
    }

    /// Takes an item, and frees the one that has waited longest if there are too many; false if the store is closed.
    ///
    /// # Safety
    /// `link` is the head of an item, which is given up.
    pub(super) unsafe fn give(&self, link: NonNull<Link>) -> bool {
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
    pub(super) fn open(&self, report: &dyn Report, holder: &str) {
        if self.tables.get() == 0 && self.tries.get() < TRIES {
            self.tries.set(self.tries.get() + 1);
            let planned = self.planned.get();
            drop(Statement::try_prepare(report, holder.as_bytes()));
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
    pub(super) fn plans(&self) {
        self.planned.set(self.planned.get().wrapping_add(1));
    }

    /// How often that was.
    pub(super) fn planned(&self) -> u32 {
        self.planned.get()
    }
}
