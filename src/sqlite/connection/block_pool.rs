//! Blocks of memory that are out of use, kept for a connection until it needs one of their size.

use core::cell::Cell;
use core::ptr::NonNull;

use super::api::Api;

/// What stands in front of the text in a block that may come back.
#[repr(C)]
pub(super) struct Head {
    /// Bytes behind the head.
    pub(super) capacity: usize,
    /// Where it goes back to: a share, from the hand-over to SQLite on.
    pub(super) home: *const BlockPool,
}

const _: () = assert!(size_of::<Head>().is_multiple_of(8), "the text is aligned as the host's blocks are");

impl Head {
    /// # Safety
    /// `text` stands behind a head.
    pub(super) unsafe fn of(text: NonNull<u8>) -> NonNull<Head> {
        // SAFETY: the caller's duty.
        unsafe { text.cast::<Head>().sub(1) }
    }

    pub(super) fn text(head: NonNull<Head>) -> NonNull<u8> {
        // SAFETY: every head has its text, of one byte or more, behind it.
        unsafe { head.add(1).cast() }
    }
}

/// Blocks of more than [`MAX_SMALL`] bytes and less than this are neither kept nor taken from the pool: an
/// allocator has such at hand, with their pages there already (glibc gives memory back from 128 KiB on).
const MIN_LARGE: usize = 64 << 10;
/// The largest block that is kept, so that an idle connection holds no more: a buffer that has doubled up to 16 MiB, and
/// some bytes for its ends.
const MAX_POOLED: usize = (16 << 20) + 1024;

/// Blocks up to this, of a buffer that never grew, are kept apart: an array of few rows, of which a query that groups has
/// many, then needs no allocation.
const MAX_SMALL: usize = 600;

/// Blocks that are out of use, kept for a connection, a small one and a large one; freed with it.
#[derive(Default)]
pub(in crate::sqlite) struct BlockPool {
    small: Cell<Option<NonNull<Head>>>,
    large: Cell<Option<NonNull<Head>>>,
}

impl BlockPool {
    /// The place for blocks of so many bytes, if such are kept.
    fn place(&self, size: usize) -> Option<&Cell<Option<NonNull<Head>>>> {
        match size {
            ..=MAX_SMALL => Some(&self.small),
            MIN_LARGE.. => Some(&self.large),
            _ => None,
        }
    }

    /// The spare block, if it is there and has room for `size` bytes.
    pub(super) fn take(&self, size: usize) -> Option<NonNull<Head>> {
        let place = self.place(size)?;
        let block = place.get()?;
        // SAFETY: a live block that nobody else uses.
        if unsafe { block.as_ref() }.capacity < size {
            return None;
        }
        place.set(None);
        Some(block)
    }

    /// Takes a block that is out of use: keeps the larger one of it and the spare one, if that is within bounds.
    pub(super) fn put(&self, api: &Api, block: NonNull<Head>) {
        // SAFETY: live blocks that nobody else uses.
        let capacity = |block: NonNull<Head>| unsafe { block.as_ref() }.capacity;
        let mut useless = Some(block);
        if capacity(block) <= MAX_POOLED
            && let Some(place) = self.place(capacity(block))
            && place.get().is_none_or(|spare| capacity(spare) < capacity(block))
        {
            useless = place.replace(useless);
        }
        if let Some(block) = useless {
            // SAFETY: a block of this allocator, which nothing points to any more.
            unsafe { (api.free)(block.as_ptr().cast()) };
        }
    }

    /// Frees what is spare; false if there is nothing.
    pub(super) fn clear(&self, api: &Api) -> bool {
        let spare = [self.small.take(), self.large.take()];
        for block in spare.into_iter().flatten() {
            // SAFETY: a block of this allocator, which nothing points to any more.
            unsafe { (api.free)(block.as_ptr().cast()) };
        }
        spare.iter().any(Option::is_some)
    }
}

impl Drop for BlockPool {
    fn drop(&mut self) {
        if let Some(api) = Api::installed() {
            self.clear(api);
        }
    }
}
