//! What resq keeps for a connection: how deep its nested queries are, and a large block of memory that is out of use.

use std::cell::Cell;
use std::ptr::NonNull;
use std::rc::Rc;

use super::api::Api;
use super::memory::Head;
use super::report::{Failed, Report};

/// How many nested queries may run inside each other (R18).
const DEEPEST: u32 = 16;

/// Blocks below this are not kept, nor is the one that is kept spent on them: an allocator has such at hand, their pages
/// there already (glibc gives memory back from 128 KiB on).
const LEAST: usize = 64 << 10;
/// The largest block that is kept, so that an idle connection holds no more: a buffer that has doubled up to 16 MiB, and
/// some bytes for its ends.
const MOST: usize = (16 << 20) + 1024;

/// Shared by everything on one connection that runs SQL or makes large results; the last one to go frees it.
#[derive(Default)]
pub struct Session {
    depth: Cell<u32>,
    spare: Cell<Option<NonNull<Head>>>,
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

    /// The spare block, if it is there, has room for `size` bytes, and `size` is worth it.
    pub(super) fn take_spare(&self, size: usize) -> Option<NonNull<Head>> {
        let block = self.spare.get().filter(|_| size >= LEAST)?;
        // SAFETY: a live block that nobody else uses.
        if unsafe { block.as_ref() }.capacity < size {
            return None;
        }
        self.spare.set(None);
        Some(block)
    }

    /// Takes a block that is out of use: keeps the larger one of it and the spare one, if that is within bounds.
    pub(super) fn keep(&self, api: &Api, block: NonNull<Head>) {
        // SAFETY: live blocks that nobody else uses.
        let capacity = |block: NonNull<Head>| unsafe { block.as_ref() }.capacity;
        let spare = self.spare.get();
        let useless = if (LEAST..=MOST).contains(&capacity(block))
            && spare.is_none_or(|spare| capacity(spare) < capacity(block))
        {
            self.spare.set(Some(block));
            spare
        } else {
            Some(block)
        };
        if let Some(block) = useless {
            // SAFETY: a block of this allocator, which nothing points to any more.
            unsafe { (api.free)(block.as_ptr().cast()) };
        }
    }

    /// Frees the spare block; false if there is none.
    pub(super) fn free_spare(&self, api: &Api) -> bool {
        let Some(block) = self.spare.take() else { return false };
        // SAFETY: a block of this allocator, which nothing points to any more.
        unsafe { (api.free)(block.as_ptr().cast()) };
        true
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(api) = Api::installed() {
            self.free_spare(api);
        }
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        self.0.depth.set(self.0.depth.get().saturating_sub(1));
    }
}
