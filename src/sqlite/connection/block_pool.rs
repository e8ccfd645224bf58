//! Free blocks of memory, kept for a connection until it needs one of their size.

use core::cell::Cell;
use core::ptr::NonNull;

use super::api::Api;

/// What stands before the text in a block that goes back to a pool.
#[repr(C)]
pub(super) struct Head {
    /// Bytes after the head.
    pub(super) capacity: usize,
    /// The pool. From the moment on at which SQLite takes the text over, this counts as a share of
    /// it.
    pub(super) pool: *const BlockPool,
}

const _: () = assert!(size_of::<Head>().is_multiple_of(8), "the text is aligned as SQLite's blocks are");

impl Head {
    /// # Safety
    /// `text` has a head before it.
    pub(super) unsafe fn of(text: NonNull<u8>) -> NonNull<Head> {
        // SAFETY: the caller promises that the block begins with a head, just before the text.
        unsafe { text.cast::<Head>().sub(1) }
    }

    pub(super) fn text(head: NonNull<Head>) -> NonNull<u8> {
        // SAFETY: after every head comes its text, of one byte or more.
        unsafe { head.add(1).cast() }
    }
}

/// Blocks up to this size are for short results. A query with many groups makes many short arrays,
/// which then need no allocation.
const MAX_SMALL: usize = 600;
/// Blocks from this size on are for long results. Those between are not pooled: an allocator has
/// such blocks at hand, with their pages (glibc gives memory back to the system from 128 KiB on).
const MIN_LARGE: usize = 64 << 10;
/// The largest block that is pooled, so that an idle connection holds no more: a buffer that has
/// doubled up to 16 MiB, and some bytes for its ends.
const MAX_POOLED: usize = (16 << 20) + 1024;

/// Free blocks of a connection: at most one for short results and one for long ones. They are freed
/// with it.
#[derive(Default)]
pub(in crate::sqlite) struct BlockPool {
    small: Cell<Option<NonNull<Head>>>,
    large: Cell<Option<NonNull<Head>>>,
}

impl BlockPool {
    /// The place for blocks of so many bytes; `None` if such are not pooled.
    fn place(&self, size: usize) -> Option<&Cell<Option<NonNull<Head>>>> {
        match size {
            ..=MAX_SMALL => Some(&self.small),
            MIN_LARGE.. => Some(&self.large),
            _ => None,
        }
    }

    /// Takes out a block with room for `size` bytes, if there is one.
    pub(super) fn take(&self, size: usize) -> Option<NonNull<Head>> {
        let place = self.place(size)?;
        let block = place.get()?;
        // SAFETY: a block in the pool is alive, and nobody else uses it.
        if unsafe { block.as_ref() }.capacity < size {
            return None;
        }
        place.set(None);
        Some(block)
    }

    /// Puts in a free block. Of two for the same place the larger one stays, the other is freed.
    pub(super) fn put(&self, api: &Api, block: NonNull<Head>) {
        // SAFETY: the given block and those in the pool are alive, and nobody else uses them.
        let capacity = |block: NonNull<Head>| unsafe { block.as_ref() }.capacity;
        let mut useless = Some(block);
        if capacity(block) <= MAX_POOLED
            && let Some(place) = self.place(capacity(block))
            && place.get().is_none_or(|other| capacity(other) < capacity(block))
        {
            useless = place.replace(useless);
        }
        if let Some(block) = useless {
            // SAFETY: a block of SQLite's allocator, which nothing points to any more.
            unsafe { (api.free)(block.as_ptr().cast()) };
        }
    }

    /// Frees the blocks; false if there are none.
    pub(super) fn clear(&self, api: &Api) -> bool {
        let blocks = [self.small.take(), self.large.take()];
        for block in blocks.into_iter().flatten() {
            // SAFETY: a block of SQLite's allocator, which nothing points to any more.
            unsafe { (api.free)(block.as_ptr().cast()) };
        }
        blocks.iter().any(Option::is_some)
    }
}

impl Drop for BlockPool {
    fn drop(&mut self) {
        if let Some(api) = Api::installed() {
            self.clear(api);
        }
    }
}
