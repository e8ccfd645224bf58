//! Items of a connection that wait for the next call that can use them.
//!
//! The store is open while the table that holds it is connected (see [`statement_cache`](crate::sqlite::statement_cache)). It is opened by the first call
//! that has something to leave there, and once it is closed, as by a `sqlite3_close` that is refused, it stays so.

use core::any::TypeId;
use core::cell::Cell;
use core::ptr::NonNull;

/// How many items wait in a connection's store, at most.
const MAX_IDLE: usize = 8;
/// What every kept item begins with, whatever it is.
pub(in crate::sqlite) struct Link {
    next: Cell<Option<NonNull<Link>>>,
    pub(in crate::sqlite) what: TypeId,
    /// Frees the item for good.
    free: unsafe fn(NonNull<Link>),
}

impl Link {
    /// The head of an item of the type `what`. `free` frees that item for good, given its head.
    pub(in crate::sqlite) fn new(what: TypeId, free: unsafe fn(NonNull<Link>)) -> Self {
        Link { next: Cell::new(None), what, free }
    }
}

/// The items of a connection that nobody uses, the latest first. Each holds a share of the connection's state, so all of them have to go
/// before it does: they do when the table that holds the store open is disconnected.
#[derive(Default)]
pub(in crate::sqlite) struct IdleStatements {
    first: Cell<Option<NonNull<Link>>>,
    state: Cell<State>,
    opening: Cell<bool>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Not yet open.
    #[default]
    New,
    Open,
    /// For good.
    Closed,
}

impl IdleStatements {
    /// Takes out an item of the type `what` that fits; it is the caller's.
    pub(in crate::sqlite) fn take(
        &self,
        what: TypeId,
        fits: impl Fn(NonNull<Link>) -> bool,
    ) -> Option<NonNull<Link>> {
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
    pub(in crate::sqlite) unsafe fn give(&self, link: NonNull<Link>) -> bool {
        if self.state.get() != State::Open {
            return false;
        }
        // SAFETY: the caller's duty, also of those who gave the others.
        unsafe {
            link.as_ref().next.set(self.first.replace(Some(link)));
            let mut last = link;
            for _ in 1..MAX_IDLE {
                let Some(next) = last.as_ref().next.get() else { return true };
                last = next;
            }
            if let Some(old) = last.as_ref().next.take() {
                (old.as_ref().free)(old);
            }
        }
        true
    }

    /// Opens it, once, by `connect`, which makes SQLite connect the table that holds it open. If that fails it stays closed.
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

    /// Is a statement being prepared that connects the table?
    pub(in crate::sqlite) fn is_opening(&self) -> bool {
        self.opening.get()
    }

    /// The table is connected.
    pub(in crate::sqlite) fn opened(&self) {
        if self.state.get() != State::Closed {
            self.state.set(State::Open);
        }
    }

    /// The table is disconnected: all items go.
    pub(in crate::sqlite) fn close(&self) {
        self.state.set(State::Closed);
        // One by one, since what is freed may call back.
        while let Some(link) = self.first.get() {
            // SAFETY: what is in the store is alive, and is freed as what it is.
            unsafe {
                self.first.set(link.as_ref().next.take());
                (link.as_ref().free)(link);
            }
        }
    }
}
