//! Items of a connection that wait for the next call that can use them.
//!
//! The store is open while the table that holds it is connected (see [`holder`](super::holder)). It is opened by the first call
//! that has something to leave there, and once it is closed, as by a `sqlite3_close` that is refused, it stays so.

use core::any::TypeId;
use core::cell::Cell;
use core::ffi::{CStr, c_int};
use core::ptr::NonNull;

use super::report::Report;
use super::statement::Statement;

/// The name of the table that holds it open.
pub(super) const HOLDER: &CStr = c"resq_kept";

/// How many items wait in a connection's store, at most.
const MOST: usize = 8;
/// Older SQLites do not always prepare a statement anew where the connection's encoding changes or it gets another database
/// image (3.41.2 and 3.46.0 were seen not to), and read a file's schema, with that encoding, and perhaps after waiting for a lock,
/// later than with the first SELECT. This is the oldest version that the tests found right.
const OLDEST: c_int = 3_054_000;

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
        if self.state.get() != State::Open {
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

    /// Has SQLite connect the table that holds the store open. If it does not, nothing is kept; it is asked once.
    pub(super) fn open(&self, report: &dyn Report) {
        if self.state.get() == State::New && report.host().version() >= OLDEST {
            self.opening.set(true);
            drop(Statement::try_prepare(report, b"select 1 from resq_kept"));
            self.opening.set(false);
            if self.state.get() == State::New {
                self.state.set(State::Closed);
            }
        }
    }

    /// Is a statement being prepared that connects the table?
    pub(super) fn is_opening(&self) -> bool {
        self.opening.get()
    }

    /// The table is connected.
    pub(super) fn opened(&self) {
        if self.state.get() != State::Closed {
            self.state.set(State::Open);
        }
    }

    /// The table is disconnected: all items go.
    pub(super) fn close(&self) {
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
