//! What all functions of a connection share: how deep its nested queries are, idle statements, free
//! blocks of memory.

use core::cell::Cell;
use core::ffi::c_void;
use std::rc::Rc;

use super::block_pool::BlockPool;
use super::error::{Report, Reported};
use super::idle::IdleStatements;
use super::sizes::SizeHints;

/// How many nested queries may run inside each other (R18).
const MAX_DEPTH: u32 = 16;

/// Every registration that runs SQL or makes results holds a share; the last one frees it.
#[derive(Default)]
pub struct ConnectionState {
    depth: Cell<u32>,
    pub(in crate::sqlite) pool: Rc<BlockPool>,
    pub(in crate::sqlite) idle: IdleStatements,
    /// Which queries have given many rows.
    pub sizes: SizeHints,
}

/// One level of nesting, which ends when this is dropped.
pub struct NestingLevel(Rc<ConnectionState>);

impl ConnectionState {
    /// A share of it for SQLite to keep, which [`ConnectionState::release`] gives back.
    pub(in crate::sqlite) fn share(self: &Rc<Self>) -> *mut c_void {
        Rc::into_raw(Rc::clone(self)).cast_mut().cast()
    }

    /// The state whose share SQLite keeps.
    ///
    /// # Safety
    /// `share` was made by [`ConnectionState::share`] and has not been given back.
    pub(in crate::sqlite) unsafe fn shared(share: *mut c_void) -> Rc<Self> {
        let share = share.cast::<ConnectionState>().cast_const();
        // SAFETY: the caller promises a share that SQLite still has.
        unsafe { Rc::increment_strong_count(share) };
        // SAFETY: this is the share that was just counted; SQLite's stays.
        unsafe { Rc::from_raw(share) }
    }

    /// # Safety
    /// For SQLite alone, as xDestroy: `share` was made by [`ConnectionState::share`], and is given
    /// back once.
    pub(in crate::sqlite) unsafe extern "C" fn release(share: *mut c_void) {
        // SAFETY: SQLite gives back what `share` made, and does so once.
        drop(unsafe { Rc::from_raw(share.cast::<ConnectionState>().cast_const()) });
    }

    /// Goes one level deeper.
    pub fn enter(self: &Rc<Self>, report: &dyn Report) -> Result<NestingLevel, Reported> {
        if self.depth.get() >= MAX_DEPTH {
            return Err(report.error(format_args!("queries are nested deeper than {MAX_DEPTH} levels")));
        }
        self.depth.set(self.depth.get() + 1);
        Ok(NestingLevel(Rc::clone(self)))
    }
}

impl Drop for NestingLevel {
    fn drop(&mut self) {
        self.0.depth.set(self.0.depth.get().saturating_sub(1));
    }
}
