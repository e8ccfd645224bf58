//! Items of a connection that wait for the next call that can use them: nested statements, mostly.
//!
//! They make up a list, which is open while a certain virtual table is connected; see
//! [`statement_cache`](crate::sqlite::statement_cache). The first call that has an item to leave
//! opens it. Once it is closed, it stays closed, even if SQLite then refuses to close the
//! connection.

use core::any::TypeId;
use core::cell::Cell;
use core::ptr::NonNull;

/// The most items that wait in a connection's list.
const MAX_IDLE: usize = 8;

/// What every item begins with, whatever its type is.
pub(in crate::sqlite) struct Link {
    next: Cell<Option<NonNull<Link>>>,
    /// The item's type.
    pub(in crate::sqlite) what: TypeId,
    /// Frees the item.
    free: unsafe fn(NonNull<Link>),
}

impl Link {
    /// The link of an item of the type `what`. `free` frees the item that begins with a given link.
    pub(in crate::sqlite) fn new(what: TypeId, free: unsafe fn(NonNull<Link>)) -> Self {
        Link { next: Cell::new(None), what, free }
    }
}

/// The idle items of a connection, the latest first. Each holds a share of the connection's state,
/// which has this list in it: so all of them are freed when the list is closed, before the state
/// is.
#[derive(Default)]
pub(in crate::sqlite) struct IdleStatements {
    first: Cell<Option<NonNull<Link>>>,
    state: Cell<State>,
    opening: Cell<bool>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// It was never open.
    #[default]
    New,
    Open,
    /// It was open once, or could not be opened.
    Closed,
}

impl IdleStatements {
    /// Takes out an item of the type `what` that fits. It belongs to the caller then.
    pub(in crate::sqlite) fn take(
        &self,
        what: TypeId,
        fits: impl Fn(NonNull<Link>) -> bool,
    ) -> Option<NonNull<Link>> {
        let mut place = &self.first;
        while let Some(link) = place.get() {
            // SAFETY: what is in the list is alive, and is changed through its cells only.
            let head = unsafe { link.as_ref() };
            if head.what == what && fits(link) {
                place.set(head.next.take());
                return Some(link);
            }
            place = &head.next;
        }
        None
    }

    /// Puts in an item, and frees the one that has waited longest if there are too many; false if
    /// the list is not open.
    ///
    /// # Safety
    /// `link` is that of a live item, which belongs to the list then.
    pub(in crate::sqlite) unsafe fn give(&self, link: NonNull<Link>) -> bool {
        if self.state.get() != State::Open {
            return false;
        }
        // SAFETY: the caller gives a live item; those in the list are alive, too. All are changed
        // through their cells only.
        let next = |link: NonNull<Link>| unsafe { &link.as_ref().next };
        next(link).set(self.first.replace(Some(link)));
        let mut last = link;
        for _ in 1..MAX_IDLE {
            let Some(link) = next(last).get() else { return true };
            last = link;
        }
        if let Some(old) = next(last).take() {
            // SAFETY: it was in the list, and now nothing points to it.
            unsafe { free(old) };
        }
        true
    }

    /// Opens the list, if it was never open before, by `connect`, which makes SQLite connect the
    /// table. If that fails the list stays closed.
    pub(in crate::sqlite) fn open(&self, connect: impl FnOnce()) {
        if self.state.get() == State::New {
            self.opening.set(true);
            connect();
            self.opening.set(false);
            if self.state.get() == State::New {
                self.state.set(State::Closed);
            }
        }
    }

    /// Is `open` just making SQLite connect the table?
    pub(in crate::sqlite) fn is_opening(&self) -> bool {
        self.opening.get()
    }

    /// The table is connected.
    pub(in crate::sqlite) fn opened(&self) {
        if self.state.get() != State::Closed {
            self.state.set(State::Open);
        }
    }

    /// The table is disconnected: all items are freed.
    pub(in crate::sqlite) fn close(&self) {
        self.state.set(State::Closed);
        // One by one, since freeing one may call this again.
        while let Some(link) = self.first.get() {
            // SAFETY: what is in the list is alive.
            self.first.set(unsafe { link.as_ref() }.next.take());
            // SAFETY: it was in the list, and now nothing points to it.
            unsafe { free(link) };
        }
    }
}

/// Frees an item.
///
/// # Safety
/// `link` is that of a live item, which nobody uses any more.
unsafe fn free(link: NonNull<Link>) {
    // SAFETY: the caller gives a live item.
    let free = unsafe { link.as_ref() }.free;
    // SAFETY: this function was made for items of this type, and the caller gives the item up.
    unsafe { free(link) };
}
