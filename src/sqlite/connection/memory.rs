//! The host's allocator as a buffer's memory: results built there are handed over without a copy, and
//! SQLite's own limits and statistics see them.
//!
//! Blocks come in two kinds. Plain ones are the host's as they are, for `sqlite3_free`. Those of a memory that knows its
//! home have a head in front, by which the connection gets a large one back when SQLite is done with it; the next
//! large result then is written into pages that are there already, instead of one page fault after the other:
//!
//! ```text
//!     | capacity | home | text …                             |
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
    /// Null: the blocks are plain. Else alive for as long as a function of its connection is running, and with it
    /// everything built by that.
    home: *const BlockPool,
}

impl SqliteMemory {
    /// Plain blocks.
    pub(in crate::sqlite) fn new(api: &'static Api, limit: usize) -> Self {
        SqliteMemory { api, limit, home: ptr::null() }
    }

    /// Blocks that go back to `home`.
    ///
    /// # Safety
    /// `home` is null or held by the running function's registration, and what is made of this memory ends with
    /// the function's statement, or is handed over.
    #[inline]
    pub(in crate::sqlite) unsafe fn pooled(self, home: *const BlockPool) -> Self {
        SqliteMemory { home, ..self }
    }

    fn home(&self) -> Option<&BlockPool> {
        // SAFETY: the duty of `pooled`'s caller.
        unsafe { self.home.as_ref() }
    }

    fn realloc(&self, old: *mut c_void, size: usize) -> Option<NonNull<c_void>> {
        let size = u64::try_from(size).ok()?;
        // SAFETY: `old` is null or a live block of this allocator.
        NonNull::new(unsafe { (self.api.realloc64)(old, size) })
    }

    #[inline(never)]
    fn reallocate_pooled(
        &self,
        pool: &BlockPool,
        old: Option<NonNull<u8>>,
        size: usize,
    ) -> Option<NonNull<u8>> {
        // SAFETY: a block of this memory.
        let old = old.map(|text| unsafe { Head::of(text) });
        // SAFETY: as above.
        let before = old.map_or(0, |head| unsafe { head.as_ref() }.capacity);
        if size <= before {
            return old.map(Head::text);
        }
        if let Some(block) = pool.take(size) {
            let text = Head::text(block);
            if let Some(old) = old {
                // SAFETY: both blocks are live and apart; the one of the pool has room for `size` bytes, which are more than
                // `before`. The old one is given up.
                unsafe {
                    ptr::copy_nonoverlapping(Head::text(old).as_ptr(), text.as_ptr(), before);
                    (self.api.free)(old.as_ptr().cast());
                }
            }
            return Some(text);
        }
        let old = old.map_or(ptr::null_mut(), |head| head.as_ptr().cast());
        let whole = size.checked_add(size_of::<Head>())?;
        let block = self.realloc(old, whole).or_else(|| {
            // What is kept for speed must not make a call fail.
            pool.clear(self.api).then(|| self.realloc(old, whole))?
        });
        let head = block?.cast::<Head>();
        // SAFETY: a block of `whole` bytes, aligned to 8.
        unsafe { head.write(Head { capacity: size, home: pool }) };
        Some(Head::text(head))
    }

    /// Gives a finished text away: where it begins, its length, and by what SQLite is to free it.
    pub(in crate::sqlite) fn hand_over(block: Block<SqliteMemory>) -> (NonNull<u8>, usize, Destructor) {
        let memory = *block.memory();
        let (text, length) = block.into_raw();
        if memory.home.is_null() {
            return (text, length, Some(memory.api.free));
        }
        // SAFETY: alive, and held in an `Rc` by the connection's state.
        unsafe { Rc::increment_strong_count(memory.home) };
        (text, length, Some(give_back))
    }
}

/// # Safety
/// For SQLite alone, on what `hand_over` gave away with it.
unsafe extern "C" fn give_back(text: *mut c_void) {
    let (Some(text), Some(api)) = (NonNull::new(text.cast()), Api::installed()) else { return };
    // SAFETY: a text behind its head, given back once; the share of its home was taken when it was handed over.
    unsafe {
        let head = Head::of(text);
        let home = Rc::from_raw(head.as_ref().home);
        home.put(api, head);
    }
}

// SAFETY: sqlite3_realloc64 is documented to behave like realloc, with blocks aligned to 8 bytes. A block with a head
// only ever grows, and keeps its bytes when it comes from the pool.
unsafe impl Memory for SqliteMemory {
    #[inline(never)]
    fn reallocate(&self, old: Option<NonNull<u8>>, size: usize) -> Option<NonNull<u8>> {
        match self.home() {
            Some(home) => self.reallocate_pooled(home, old, size),
            None => {
                self.realloc(old.map_or(ptr::null_mut(), |old| old.as_ptr().cast()), size).map(NonNull::cast)
            }
        }
    }

    #[inline(never)]
    fn free(&self, block: NonNull<u8>) {
        let start = match self.home() {
            // SAFETY: a block of this memory.
            Some(_) => unsafe { Head::of(block) }.cast(),
            None => block,
        };
        // SAFETY: a live block of this allocator, which the caller gives up.
        unsafe { (self.api.free)(start.as_ptr().cast()) }
    }

    fn limit(&self) -> usize {
        self.limit
    }

    fn beside(&self) -> Self {
        SqliteMemory::new(self.api, self.limit)
    }
}
