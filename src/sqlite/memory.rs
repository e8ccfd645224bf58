//! The host's allocator as a buffer's memory: results built there are handed over without a copy, and
//! SQLite's own limits and statistics see them.

use core::ptr::NonNull;

use super::api::Api;
use crate::buffer::Memory;

/// `sqlite3_realloc64` and `sqlite3_free`, with the connection's SQLITE_LIMIT_LENGTH.
#[derive(Clone, Copy)]
pub struct SqliteMemory {
    api: &'static Api,
    limit: usize,
}

impl SqliteMemory {
    pub(super) fn new(api: &'static Api, limit: usize) -> Self {
        SqliteMemory { api, limit }
    }
}

// SAFETY: sqlite3_realloc64 is documented to behave like realloc, with blocks aligned to 8 bytes.
unsafe impl Memory for SqliteMemory {
    fn reallocate(&self, old: Option<NonNull<u8>>, size: usize) -> Option<NonNull<u8>> {
        let size = u64::try_from(size).ok()?;
        let old = old.map_or(core::ptr::null_mut(), NonNull::as_ptr);
        // SAFETY: `old` is null or a live block of this allocator.
        NonNull::new(unsafe { (self.api.realloc64)(old.cast(), size) }.cast())
    }

    fn free(&self, block: NonNull<u8>) {
        // SAFETY: a live block of this allocator, which the caller gives up.
        unsafe { (self.api.free)(block.as_ptr().cast()) }
    }

    fn limit(&self) -> usize {
        self.limit
    }
}
