//! What resq keeps for a connection: how deep its nested queries are, statements that are out of use, and blocks of memory
//! that are.

use std::cell::Cell;
use std::rc::Rc;

use super::memory::Spare;
use super::report::{Failed, Report};
use super::sizes::SizeHints;
use super::store::Store;

/// How many nested queries may run inside each other (R18).
const DEEPEST: u32 = 16;

/// Shared by everything on one connection that runs SQL or makes results; the last one to go frees it.
#[derive(Default)]
pub struct Session {
    depth: Cell<u32>,
    pub(super) spare: Rc<Spare>,
    pub(super) store: Store,
    /// Which queries have given many rows.
    pub sizes: SizeHints,
}

/// One level of nesting, given back when dropped.
pub struct Level(Rc<Session>);

impl Session {
    /// Goes one level deeper.
    pub fn enter(self: &Rc<Self>, report: &dyn Report) -> Result<Level, Failed> {
        if self.depth.get() >= DEEPEST {
            return Err(report.error(format_args!("queries are nested deeper than {DEEPEST} levels")));
        }
        self.depth.set(self.depth.get() + 1);
        Ok(Level(Rc::clone(self)))
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        self.0.depth.set(self.0.depth.get().saturating_sub(1));
    }
}
