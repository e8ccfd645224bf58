//! SQLite's allocator as a buffer's memory. SQLite takes over the results that are built there
//! without a copy, and its own limits and statistics count them.
//!
//! There are two kinds of blocks. Plain ones are freed by `sqlite3_free`. The others have a head
//! before the text, which names a pool. SQLite gives such a block back to its pool when it is done
//! with the result. The next large result is then written to pages that are there already, without
//! a page fault for each:
//!
//! ```text
//!     | capacity | pool | text …                             |
//!      head               ^ what the buffer and SQLite see
//! ```

use core::ffi::c_void;
use core::ptr::{self, NonNull};
use std::rc::Rc;

use super::api::{Api, Destructor};
use super::block_pool::{BlockPool, Head};
use crate::buffer::{Block, Memory};

/// `sqlite3_realloc64` and `sqlite3_free`, with the connection's SQLITE_LIMIT_LENGTH.
#[derive(Clone, Copy)]
pub struct SqliteMemory {
    api: &'static Api,
    limit: usize,
    /// Null: the blocks are plain. Else the pool lives for as long as a function of its connection
    /// runs, and with that function ends all that it builds.
    pool: *const BlockPool,
}

impl SqliteMemory {
    /// Plain blocks.
    pub(in crate::sqlite) fn new(api: &'static Api, limit: usize) -> Self {
        SqliteMemory { api, limit, pool: ptr::null() }
    }

    /// Blocks that go back to `pool`.
    ///
    /// # Safety
    /// `pool` is null, or the running function's registration holds it. What is built in this
    /// memory is dropped before the function's statement ends, or is handed over.
    #[inline]
    pub(in crate::sqlite) unsafe fn pooled(self, pool: *const BlockPool) -> Self {
        SqliteMemory { pool, ..self }
    }

    fn pool(&self) -> Option<&BlockPool> {
        // SAFETY: null, or alive for as long as this is used: `pooled`'s caller has promised it.
        unsafe { self.pool.as_ref() }
    }

    fn realloc(&self, old: *mut c_void, size: usize) -> Option<NonNull<c_void>> {
        let size = u64::try_from(size).ok()?;
        // SAFETY: null, or a live block of this allocator: `Memory`'s callers promise it.
        NonNull::new(unsafe { (self.api.realloc64)(old, size) })
    }

    #[inline(never)]
    fn reallocate_pooled(
        &self,
        pool: &BlockPool,
        old: Option<NonNull<u8>>,
        size: usize,
    ) -> Option<NonNull<u8>> {
        // SAFETY: a block of a memory with a pool, so the text has a head before it.
        let old = old.map(|text| unsafe { Head::of(text) });
        // SAFETY: the head of a live block, which nobody changes.
        let before = old.map_or(0, |head| unsafe { head.as_ref() }.capacity);
        if size <= before {
            return old.map(Head::text);
        }
        if let Some(block) = pool.take(size) {
            let text = Head::text(block);
            if let Some(old) = old {
                // SAFETY: two live blocks, so they do not overlap. The new one has room for `size`
                // bytes, the old one has `before`, which is less.
                unsafe { ptr::copy_nonoverlapping(Head::text(old).as_ptr(), text.as_ptr(), before) };
                // SAFETY: a block of this allocator, which the caller of `reallocate` has given up.
                unsafe { (self.api.free)(old.as_ptr().cast()) };
            }
            return Some(text);
        }
        let old = old.map_or(ptr::null_mut(), |head| head.as_ptr().cast());
        let whole = size.checked_add(size_of::<Head>())?;
        let block = self.realloc(old, whole).or_else(|| {
            // What is kept only for speed must not be the reason that memory runs out.
            pool.clear(self.api).then(|| self.realloc(old, whole))?
        });
        let head = block?.cast::<Head>();
        // SAFETY: a block of `whole` bytes, which begins with room for a head. SQLite aligns it to
        // 8.
        unsafe { head.write(Head { capacity: size, pool }) };
        Some(Head::text(head))
    }

    /// Gives a finished text away: its begin, its length, and what SQLite frees it by.
    pub(in crate::sqlite) fn hand_over(block: Block<SqliteMemory>) -> (NonNull<u8>, usize, Destructor) {
        let memory = *block.memory();
        let (text, length) = block.into_raw();
        if memory.pool.is_null() {
            return (text, length, Some(memory.api.free));
        }
        // SAFETY: alive, as in `pool`, and made by `Rc`: only a connection's state holds pools.
        unsafe { Rc::increment_strong_count(memory.pool) };
        (text, length, Some(give_back))
    }
}

/// # Safety
/// For SQLite alone, which calls this once for a text that `hand_over` gave away with it.
unsafe extern "C" fn give_back(text: *mut c_void) {
    let (Some(text), Some(api)) = (NonNull::new(text.cast()), Api::installed()) else { return };
    // SAFETY: `hand_over` gives this function away with texts that have a head only.
    let head = unsafe { Head::of(text) };
    // SAFETY: the head of a live block.
    let pool = unsafe { head.as_ref() }.pool;
    // SAFETY: `hand_over` has counted this share.
    let pool = unsafe { Rc::from_raw(pool) };
    pool.put(api, head);
}

// SAFETY: sqlite3_realloc64 is documented to behave like realloc, with blocks aligned to 8 bytes.
// Where a block of the pool takes the place of another, the bytes are copied.
unsafe impl Memory for SqliteMemory {
    #[inline(never)]
    fn reallocate(&self, old: Option<NonNull<u8>>, size: usize) -> Option<NonNull<u8>> {
        match self.pool() {
            Some(pool) => self.reallocate_pooled(pool, old, size),
            None => {
                self.realloc(old.map_or(ptr::null_mut(), |old| old.as_ptr().cast()), size).map(NonNull::cast)
            }
        }
    }

    #[inline(never)]
    fn free(&self, block: NonNull<u8>) {
        let start = match self.pool() {
            // SAFETY: a block of a memory with a pool, so the text has a head before it.
            Some(_) => unsafe { Head::of(block) }.cast(),
            None => block,
        };
        // SAFETY: a live block of this allocator, which `free`'s caller gives up.
        unsafe { (self.api.free)(start.as_ptr().cast()) }
    }

    fn limit(&self) -> usize {
        self.limit
    }

    fn beside(&self) -> Self {
        SqliteMemory::new(self.api, self.limit)
    }
}
