//! A growing byte buffer, in memory that somebody else provides, with a sticky error.
//!
//! Whoever appends need not look at errors: after the first one appending does nothing, and
//! `finish` reports it (R21, R22). A buffer may start in a room that its caller provides, usually
//! on the stack. When that is full, it moves to `Memory`:
//!
//! ```text
//!   start                 len                 capacity
//!     |  bytes written     |  spare room       | 0 |      one spare byte, so that `finish` can end
//!     +--------------------+-------------------+---+      the text with NUL as SQLite wants it
//! ```
//!
//! The length limit is SQLITE_LIMIT_LENGTH. A buffer may have [`SLACK`] bytes more, because callers
//! reserve a little more than they write; `finish` checks the text itself against the limit.
#![allow(unsafe_code)]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};

/// How many bytes over the length limit may be reserved. A finished text is never longer than the
/// limit.
pub const SLACK: usize = 192;

/// Size of a buffer's first allocation, in bytes.
const FIRST_CAPACITY: usize = 512;

/// Smaller capacities are rounded up to a power of two.
const ROUNDED_BELOW: usize = 64 << 10;

/// Where a buffer gets its memory from.
///
/// # Safety
/// `reallocate` must behave like C's `realloc`. The block that it returns is writable for `size`
/// bytes, begins with the bytes of the old one, and stays valid until `reallocate` or `free` of an
/// equal `Memory` gets it.
pub unsafe trait Memory {
    /// Makes a block of `size` bytes, out of `old` if there is one. `None` if there is no memory;
    /// `old` then stays as it is.
    fn reallocate(&self, old: Option<NonNull<u8>>, size: usize) -> Option<NonNull<u8>>;
    /// Gives a block back.
    fn free(&self, block: NonNull<u8>);
    /// The most bytes a finished text may have.
    fn limit(&self) -> usize;
    /// Memory for what is not part of the result, but grows while the result does.
    fn beside(&self) -> Self
    where
        Self: Clone,
    {
        self.clone()
    }
}

/// No memory at all: the buffer stays in the room that it was given, or fails. For tests and
/// benchmarks.
#[derive(Clone, Copy, Debug)]
pub struct RoomOnly;

// SAFETY: it gives no block.
unsafe impl Memory for RoomOnly {
    fn reallocate(&self, _: Option<NonNull<u8>>, _: usize) -> Option<NonNull<u8>> {
        None
    }
    fn free(&self, _: NonNull<u8>) {}
    fn limit(&self) -> usize {
        isize::MAX as usize - SLACK
    }
}

/// Why a buffer takes no more bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferError {
    /// More bytes than the limit allows (SQLITE_TOOBIG).
    TooBig,
    /// No memory (SQLITE_NOMEM).
    NoMemory,
}

/// A finished text.
pub enum Finished<'a, M: Memory> {
    /// It lies in the room that the buffer was given.
    Borrowed(&'a [u8]),
    /// It lies in a block of `Memory`.
    Owned(Block<M>),
}

/// A block of [`Memory`] that holds a text and a NUL after it. It is freed when this is dropped.
pub struct Block<M: Memory> {
    start: NonNull<u8>,
    length: usize,
    memory: M,
}

impl<M: Memory> Block<M> {
    /// The bytes, without the NUL.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: `finish` makes blocks only. The first `length` bytes of a block are initialised.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    /// Where it is from.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// Gives the block away, to be freed by the caller. After the text comes a NUL.
    pub fn into_raw(self) -> (NonNull<u8>, usize) {
        let raw = (self.start, self.length);
        core::mem::forget(self);
        raw
    }
}

impl<M: Memory> Drop for Block<M> {
    fn drop(&mut self) {
        self.memory.free(self.start);
    }
}

/// A text of at most `N` bytes. To append it, all `N` are written, which is a store or two and no
/// call; then only as many count as it has.
#[derive(Clone, Copy)]
pub struct ShortBytes<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> ShortBytes<N> {
    /// The empty text.
    pub const NONE: Self = ShortBytes { bytes: [0; N], length: 0 };

    /// A text of at most `N` bytes.
    pub const fn text(text: &[u8]) -> Self {
        let mut bytes = [0; N];
        bytes.split_at_mut(text.len()).0.copy_from_slice(text);
        ShortBytes { bytes, length: text.len() }
    }

    /// The first `length` bytes (all of them if `length` is larger).
    #[inline(always)]
    pub fn new(bytes: [u8; N], length: usize) -> Self {
        ShortBytes { bytes, length: length.min(N) }
    }
}

/// Short texts that are appended one after the other, with one look at the room.
///
/// # Safety
/// `store` writes at most `ROOM` bytes. It returns at most `ROOM`, and has initialised as many
/// bytes as it returns.
pub unsafe trait ShortParts: Copy {
    /// How many bytes `store` may write.
    const ROOM: usize;

    /// Writes the texts to `to`, and returns how many bytes count.
    ///
    /// # Safety
    /// `ROOM` bytes at `to` are writable, and none of the texts lies there.
    unsafe fn store(self, to: *mut u8) -> usize;
}

// SAFETY: it writes `N` bytes, and `length` is at most `N`.
unsafe impl<const N: usize> ShortParts for &ShortBytes<N> {
    const ROOM: usize = N;

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) -> usize {
        // SAFETY: the caller gives room for `N` bytes, in which this does not lie.
        unsafe { ptr::copy_nonoverlapping(self.bytes.as_ptr(), to, N) };
        self.length
    }
}

// SAFETY: it writes and returns what the reference to it does.
unsafe impl<const N: usize> ShortParts for ShortBytes<N> {
    const ROOM: usize = N;

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) -> usize {
        // SAFETY: the caller gives room for `N` bytes. The copy of this on the stack does not lie
        // in it.
        unsafe { (&self).store(to) }
    }
}

// SAFETY: the first returns no more than its room, so the second begins within both rooms together
// and ends there. It begins where the first's counted bytes end, so all that is counted is
// initialised.
unsafe impl<A: ShortParts, B: ShortParts> ShortParts for (A, B) {
    const ROOM: usize = A::ROOM + B::ROOM;

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) -> usize {
        // SAFETY: the caller gives room for both.
        let first = unsafe { self.0.store(to) };
        // SAFETY: the first returns no more than its room, so this lies in the room for both.
        let after = unsafe { to.add(first) };
        // SAFETY: as many bytes as the second writes are left of the room.
        first + unsafe { self.1.store(after) }
    }
}

/// The buffer; see the module's picture.
pub struct Buffer<'room, M: Memory> {
    start: NonNull<u8>,
    length: usize,
    capacity: usize,
    /// Bytes at the begin that do not count against the limit.
    gone: usize,
    owned: bool,
    failure: Option<BufferError>,
    memory: M,
    room: PhantomData<&'room mut [MaybeUninit<u8>]>,
}

impl<M: Memory> Buffer<'static, M> {
    /// An empty buffer that has not allocated yet.
    pub fn new(memory: M) -> Self {
        Buffer {
            start: NonNull::dangling(),
            length: 0,
            capacity: 0,
            gone: 0,
            owned: false,
            failure: None,
            memory,
            room: PhantomData,
        }
    }
}

impl<'room, M: Memory> Buffer<'room, M> {
    /// An empty buffer that starts in `room`, and allocates only when that is full.
    pub fn within(room: &'room mut [MaybeUninit<u8>], memory: M) -> Self {
        let capacity = room.len().saturating_sub(1);
        Buffer {
            start: NonNull::from(room).cast(),
            length: 0,
            capacity,
            gone: 0,
            owned: false,
            failure: None,
            memory,
            room: PhantomData,
        }
    }

    /// Bytes written so far.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Bytes that there is room for.
    #[inline]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Nothing written yet?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The bytes written so far.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the first `length` bytes at `start` are initialised: `commit` counts only such
        // bytes.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    /// The bytes written so far, to be changed in place.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: the first `length` bytes are initialised, and `self` is borrowed while the slice
        // lives.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }

    /// The first failure, if there was one.
    #[inline]
    pub fn failure(&self) -> Option<BufferError> {
        self.failure
    }

    /// Makes the buffer fail; the first failure stays.
    #[cold]
    pub fn fail(&mut self, failure: BufferError) {
        self.failure.get_or_insert(failure);
        // Without spare room every later append comes to `grow`, which refuses.
        self.capacity = self.length;
    }

    /// Makes sure that there is spare room for `extra` bytes. False if the buffer has failed.
    #[inline]
    pub fn reserve(&mut self, extra: usize) -> bool {
        extra <= self.capacity - self.length || self.grow(extra)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, extra: usize) -> bool {
        if self.failure.is_some() {
            return extra == 0;
        }
        let most = self.memory.limit().saturating_add(SLACK).saturating_add(self.gone);
        let need = match self.length.checked_add(extra) {
            Some(need) if need <= most => need,
            _ => {
                self.fail(BufferError::TooBig);
                return false;
            }
        };
        let roomy = need.max(self.capacity.saturating_mul(2)).max(FIRST_CAPACITY);
        // With rounded sizes a buffer can use a block that another one has left.
        let roomy = if roomy < ROUNDED_BELOW { roomy.next_power_of_two() } else { roomy };
        let roomy = roomy.min(most);
        let old = self.owned.then_some(self.start);
        let (block, capacity) = match self.memory.reallocate(old, roomy + 1) {
            Some(block) => (block, roomy),
            None => match self.memory.reallocate(old, need + 1) {
                Some(block) => (block, need),
                None => {
                    self.fail(BufferError::NoMemory);
                    return false;
                }
            },
        };
        if !self.owned {
            // SAFETY: `length` bytes at `start` are initialised. The new block has room for `need`
            // bytes, which is no less, and does not overlap the room.
            unsafe { ptr::copy_nonoverlapping(self.start.as_ptr(), block.as_ptr(), self.length) };
        }
        self.start = block;
        self.capacity = capacity;
        self.owned = true;
        true
    }

    /// Appends one byte.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        if self.reserve(1) {
            // SAFETY: there is spare room for a byte.
            unsafe { self.end().write(byte) };
            // SAFETY: it was just written.
            unsafe { self.commit(1) };
        }
    }

    /// Appends bytes.
    #[inline]
    pub fn extend(&mut self, bytes: &[u8]) {
        if self.reserve(bytes.len()) {
            // SAFETY: there is spare room for that many bytes. `bytes` does not lie in it, because
            // nobody has a reference into a buffer that is borrowed mutably.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.end(), bytes.len()) };
            // SAFETY: they were just written.
            unsafe { self.commit(bytes.len()) };
        }
    }

    /// Appends the first `length` bytes of `bytes`, or all of them if `length` is larger. It copies
    /// all `N`, which for a small constant `N` is a store or two and no call.
    #[inline]
    pub fn extend_short<const N: usize>(&mut self, bytes: &[u8; N], length: usize) {
        if self.reserve(N) {
            // SAFETY: there is spare room for `N` bytes. `bytes` does not lie in it, as in
            // `extend`.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.end(), N) };
            // SAFETY: `N` bytes were just written.
            unsafe { self.commit(length.min(N)) };
        }
    }

    /// Appends short texts, one after the other, with one look at the room.
    #[inline(always)]
    pub fn extend_parts<P: ShortParts>(&mut self, parts: P) {
        if self.reserve(P::ROOM) {
            // SAFETY: there is spare room for all that the texts write. They do not lie in it, as
            // in `extend`.
            let count = unsafe { parts.store(self.end()) };
            // SAFETY: `store` has initialised that many bytes.
            unsafe { self.commit(count) };
        }
    }

    /// Appends what `write` puts at the begin of the spare room and returns. The room has at least
    /// `room` bytes. If the buffer has failed, `write` is not called, unless `room` is 0. What
    /// `write` returns is appended only if it is at the begin of the room.
    #[inline(always)]
    pub fn extend_with<F>(&mut self, room: usize, write: F)
    where
        F: for<'a> FnOnce(&'a mut [MaybeUninit<u8>]) -> &'a mut [u8],
    {
        self.extend_after(ShortBytes::<0>::NONE, room, write);
    }

    /// [`Buffer::extend_parts`] and [`Buffer::extend_with`], with one look at the room.
    #[inline(always)]
    pub fn extend_after<P: ShortParts, F>(&mut self, before: P, room: usize, write: F)
    where
        F: for<'a> FnOnce(&'a mut [MaybeUninit<u8>]) -> &'a mut [u8],
    {
        if self.reserve(room.saturating_add(P::ROOM)) {
            // SAFETY: there is spare room for all that the texts write. They do not lie in it, as
            // in `extend`.
            let first = unsafe { before.store(self.end()) };
            // SAFETY: `first` is at most `P::ROOM`, so this lies in the spare room.
            let start = unsafe { self.end().add(first) };
            let most = self.capacity - self.length - first;
            // SAFETY: so many bytes from there on belong to the buffer. `MaybeUninit` does not ask
            // that they are initialised.
            let written = write(unsafe { core::slice::from_raw_parts_mut(start.cast(), most) });
            let here = ptr::eq(written.as_ptr(), start) && written.len() <= most;
            let count = first + if here { written.len() } else { 0 };
            // SAFETY: `store` has initialised the first of them, and `written` are initialised
            // bytes after those.
            unsafe { self.commit(count) };
        }
    }

    /// Where the spare room begins.
    #[inline(always)]
    fn end(&mut self) -> *mut u8 {
        // SAFETY: `length` is at most the capacity, and so many bytes belong to the buffer.
        unsafe { self.start.as_ptr().add(self.length) }
    }

    /// Counts `count` bytes of spare room as written.
    ///
    /// # Safety
    /// They are within the capacity, and initialised.
    #[inline]
    unsafe fn commit(&mut self, count: usize) {
        self.length += count;
    }

    /// Drops the bytes from `length` on.
    #[inline]
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        if self.failure.is_some() {
            self.capacity = self.length;
        }
    }

    /// From now on the first `count` bytes do not count against the limit, since `remove_front`
    /// will drop them.
    #[inline]
    pub fn discount(&mut self, count: usize) {
        self.gone = count;
    }

    /// Drops the first `count` bytes and moves the rest down.
    pub fn remove_front(&mut self, count: usize) {
        self.gone = 0;
        let count = count.min(self.length);
        self.as_mut_slice().copy_within(count.., 0);
        self.truncate(self.length - count);
    }

    /// Ends the text: checks it against the limit, and puts a NUL after it.
    pub fn finish(mut self) -> Result<Finished<'room, M>, BufferError>
    where
        M: Clone,
    {
        if self.length > self.memory.limit() {
            self.fail(BufferError::TooBig);
        }
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let (start, length) = (self.start, self.length);
        if !self.owned {
            // SAFETY: the bytes lie in the room, which is borrowed for `'room`, and are
            // initialised. Only this buffer writes there, and it ends here.
            return Ok(Finished::Borrowed(unsafe { core::slice::from_raw_parts(start.as_ptr(), length) }));
        }
        // SAFETY: a block has `capacity + 1` bytes, and `length` is at most the capacity.
        let after = unsafe { start.as_ptr().add(length) };
        // SAFETY: it is a byte of the block.
        unsafe { after.write(0) };
        self.owned = false;
        Ok(Finished::Owned(Block { start, length, memory: self.memory.clone() }))
    }
}

impl<M: Memory> Drop for Buffer<'_, M> {
    fn drop(&mut self) {
        if self.owned {
            self.memory.free(self.start);
        }
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Memory for unit tests.

    use super::{Memory, NonNull};
    use core::cell::Cell;
    use std::alloc::{Layout, alloc, dealloc, realloc};

    /// Blocks of the global allocator, and a limit.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Heap(pub usize);

    const HEAD: usize = 16;
    /// After a block's last byte, so that a write over its end is noticed.
    const GUARD: [u8; 16] = [0xa5; 16];

    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, HEAD).unwrap_or(Layout::new::<u128>())
    }

    /// The begin of a block of [`Heap`], and its layout.
    fn whole(block: NonNull<u8>) -> (*mut u8, Layout) {
        // SAFETY: before every block lies a head.
        let head = unsafe { block.as_ptr().sub(HEAD) };
        // SAFETY: the head begins with the whole size.
        let size = unsafe { head.cast::<usize>().read() };
        // SAFETY: the guard is the last of these bytes.
        let guard = unsafe { head.add(size - GUARD.len()) };
        // SAFETY: as large as the guard, and initialised by `reallocate`.
        let guard = unsafe { guard.cast::<[u8; GUARD.len()]>().read_unaligned() };
        assert_eq!(guard, GUARD, "written over the end of a block");
        (head, layout(size))
    }

    // SAFETY: before a block lies a head with its size, so that it goes back with the layout that
    // it came with.
    unsafe impl Memory for Heap {
        fn reallocate(&self, old: Option<NonNull<u8>>, size: usize) -> Option<NonNull<u8>> {
            let size = HEAD + size + GUARD.len();
            let block = match old.map(whole) {
                // SAFETY: the size is not zero.
                None => unsafe { alloc(layout(size)) },
                // SAFETY: `old` comes from here, with this layout. The size is not zero.
                Some((old, layout)) => unsafe { realloc(old, layout, size) },
            };
            let head = NonNull::new(block)?;
            // SAFETY: a new block has room for its head.
            unsafe { head.cast::<usize>().write(size) };
            // SAFETY: the guard is the last of `size` bytes.
            let guard = unsafe { head.add(size - GUARD.len()) };
            // SAFETY: a new block has room for its guard.
            unsafe { guard.cast::<[u8; GUARD.len()]>().write_unaligned(GUARD) };
            // SAFETY: after the head come the bytes that were asked for.
            Some(unsafe { head.add(HEAD) })
        }

        fn free(&self, block: NonNull<u8>) {
            let (start, layout) = whole(block);
            // SAFETY: the block comes from here, with this layout.
            unsafe { dealloc(start, layout) };
        }

        fn limit(&self) -> usize {
            self.0
        }
    }

    /// Blocks of the global allocator that run out: `left` counts the allocations that succeed,
    /// `live` the blocks.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Scarce<'a> {
        pub(crate) left: &'a Cell<usize>,
        pub(crate) live: &'a Cell<usize>,
        /// No block may be larger.
        pub(crate) largest: usize,
    }

    // SAFETY: `Heap` does the work.
    unsafe impl Memory for Scarce<'_> {
        fn reallocate(&self, old: Option<NonNull<u8>>, size: usize) -> Option<NonNull<u8>> {
            if self.left.get() == 0 || size > self.largest {
                return None;
            }
            self.left.set(self.left.get() - 1);
            let block = Heap(self.limit()).reallocate(old, size)?;
            self.live.set(self.live.get() + usize::from(old.is_none()));
            Some(block)
        }

        fn free(&self, block: NonNull<u8>) {
            self.live.set(self.live.get() - 1);
            Heap(self.limit()).free(block);
        }

        fn limit(&self) -> usize {
            1 << 30
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use core::cell::Cell;

    use super::testing::{Heap, Scarce};
    use super::*;

    fn bytes<M: Memory>(finished: Result<Finished<'_, M>, BufferError>) -> Result<Vec<u8>, BufferError> {
        Ok(match finished? {
            Finished::Borrowed(bytes) => bytes.to_vec(),
            Finished::Owned(block) => block.as_slice().to_vec(),
        })
    }

    /// Appends `rounds` texts in every way there is, to the buffer and to a model.
    fn fill<M: Memory>(buffer: &mut Buffer<'_, M>, rounds: usize) -> Vec<u8> {
        let mut model = Vec::new();
        for round in 0..rounds {
            let piece = vec![round as u8; round * 7 % 50];
            match round % 4 {
                0 => {
                    buffer.push(round as u8);
                    model.push(round as u8);
                }
                1 => {
                    buffer.extend(&piece);
                    model.extend(&piece);
                }
                2 => {
                    buffer.extend_short(&[round as u8; 16], round % 20);
                    model.extend(&[round as u8; 16][..(round % 20).min(16)]);
                }
                _ => {
                    buffer.extend_with(piece.len(), |spare| spare[..piece.len()].write_copy_of_slice(&piece));
                    model.extend(&piece);
                }
            }
            if round % 11 == 10 {
                buffer.remove_front(round);
                model.drain(..round.min(model.len()));
            }
            if round % 13 == 12 {
                let length = model.len() - model.len().min(5);
                buffer.truncate(length);
                model.truncate(length);
            }
        }
        model
    }

    #[test]
    fn appending_in_every_way() {
        for rounds in 0..120 {
            let mut buffer = Buffer::new(Heap(1 << 20));
            let model = fill(&mut buffer, rounds);
            assert_eq!(
                (buffer.as_slice(), buffer.len(), buffer.is_empty()),
                (&model[..], model.len(), model.is_empty())
            );
            assert_eq!(bytes(buffer.finish()), Ok(model));
        }
    }

    #[test]
    fn out_of_its_room_into_memory() {
        for size in [0, 1, 2, 17, 100, 1000] {
            for rounds in 0..60 {
                let mut room = vec![MaybeUninit::uninit(); size];
                let mut buffer = Buffer::within(&mut room, Heap(1 << 20));
                let model = fill(&mut buffer, rounds);
                assert_eq!(bytes(buffer.finish()), Ok(model));
            }
        }
        let mut room = [MaybeUninit::uninit(); 10];
        let mut buffer = Buffer::within(&mut room, RoomOnly);
        buffer.extend(b"123456789");
        assert!(matches!(buffer.finish(), Ok(Finished::Borrowed(b"123456789"))));
        let mut buffer = Buffer::within(&mut room, RoomOnly);
        buffer.extend(b"1234567890");
        assert_eq!(buffer.failure(), Some(BufferError::NoMemory), "one byte is for the NUL");
    }

    #[test]
    fn an_owned_text_ends_with_nul() {
        for length in [0, 1, 511, 512, 513, 1024, 5000] {
            let mut buffer = Buffer::new(Heap(1 << 20));
            buffer.push(b'y');
            buffer.extend(&vec![b'x'; length]);
            buffer.truncate(length);
            let Ok(Finished::Owned(block)) = buffer.finish() else { panic!("owned") };
            let (start, given) = block.into_raw();
            assert_eq!(given, length);
            // SAFETY: a block has its text and one byte after it.
            let after = unsafe { start.add(length) };
            // SAFETY: that byte is initialised.
            assert_eq!(unsafe { after.read() }, 0);
            Heap(0).free(start);
        }
    }

    #[test]
    fn no_memory_at_any_allocation() {
        for largest in [usize::MAX, 700, 1500] {
            for allocations in 0..20 {
                let (left, live) = (Cell::new(allocations), Cell::new(0));
                let mut buffer = Buffer::new(Scarce { left: &left, live: &live, largest });
                let model = fill(&mut buffer, 200);
                match buffer.failure() {
                    None => assert_eq!(bytes(buffer.finish()), Ok(model)),
                    Some(failure) => {
                        assert_eq!(failure, BufferError::NoMemory);
                        assert_eq!(bytes(buffer.finish()), Err(BufferError::NoMemory));
                    }
                }
                assert_eq!(live.get(), 0, "a block is left");
            }
        }
    }

    /// Buffers come to the same sizes, however they grow, so that they fit each other's blocks.
    #[test]
    fn sizes_of_blocks() {
        for (first, then, capacity) in [
            (1, 0, FIRST_CAPACITY),
            (FIRST_CAPACITY, 0, FIRST_CAPACITY),
            (FIRST_CAPACITY + 1, 0, 2 * FIRST_CAPACITY),
            (600, 500, 2048),
            (ROUNDED_BELOW - 1, 0, ROUNDED_BELOW),
            (ROUNDED_BELOW + 1, 0, ROUNDED_BELOW + 1),
            (ROUNDED_BELOW + 1, 1, 2 * ROUNDED_BELOW + 2),
            (1000, 99_000, 100_000),
        ] {
            let mut buffer = Buffer::new(Heap(1 << 20));
            buffer.extend(&vec![b'x'; first]);
            buffer.extend(&vec![b'y'; then]);
            assert_eq!(buffer.capacity(), capacity, "{first}, {then}");
        }
        let mut room = [MaybeUninit::uninit(); 10];
        assert_eq!(Buffer::within(&mut room, RoomOnly).capacity(), 9);
    }

    /// A block is filled to its last byte, and the NUL comes after that.
    #[test]
    fn a_full_block() {
        for length in [FIRST_CAPACITY, 2 * FIRST_CAPACITY, ROUNDED_BELOW, ROUNDED_BELOW + 1] {
            let mut buffer = Buffer::new(Heap(1 << 20));
            buffer.extend(&vec![b'x'; length]);
            assert_eq!(buffer.capacity(), length);
            assert_eq!(bytes(buffer.finish()), Ok(vec![b'x'; length]));
        }
    }

    /// The room for what is appended ends where the buffer does, whatever goes in front.
    #[test]
    fn the_room_ends_with_the_buffer() {
        let mut buffer = Buffer::new(Heap(1000));
        buffer.extend(b"some");
        let left = buffer.capacity() - buffer.len();
        buffer.extend_after(ShortBytes::<8>::text(b"front"), 10, |spare| {
            assert_eq!(spare.len(), left - 5);
            &mut []
        });
        assert_eq!(buffer.as_slice(), b"somefront");
    }

    #[test]
    fn a_smaller_block_will_do() {
        let (left, live) = (Cell::new(100), Cell::new(0));
        // Twice 600 would be too large.
        let mut buffer = Buffer::new(Scarce { left: &left, live: &live, largest: 1000 });
        buffer.extend(&[b'x'; 600]);
        buffer.extend(&[b'y'; 399]);
        assert_eq!(buffer.failure(), None);
        buffer.push(b'z');
        assert_eq!(buffer.failure(), Some(BufferError::NoMemory));
    }

    #[test]
    fn the_first_failure_stays() {
        for (first, second) in
            [(BufferError::TooBig, BufferError::NoMemory), (BufferError::NoMemory, BufferError::TooBig)]
        {
            let mut buffer = Buffer::new(Heap(1000));
            buffer.extend(b"before");
            buffer.fail(first);
            buffer.fail(second);
            assert_eq!(buffer.failure(), Some(first));
            assert_eq!(bytes(buffer.finish()), Err(first));
        }
        // A length over the limit is found at the end, if nothing failed earlier.
        let mut buffer = Buffer::new(Heap(10));
        buffer.extend(&[b'x'; 11]);
        buffer.fail(BufferError::NoMemory);
        assert_eq!(bytes(buffer.finish()), Err(BufferError::NoMemory));
        // An append that fails is the first failure too.
        let mut buffer = Buffer::new(Heap(1000));
        buffer.extend(&[b'x'; 1000]);
        assert!(!buffer.reserve(SLACK + 1));
        buffer.fail(BufferError::NoMemory);
        assert_eq!(buffer.failure(), Some(BufferError::TooBig));
    }

    #[test]
    fn what_a_failed_buffer_takes() {
        let mut buffer = Buffer::new(Heap(1000));
        buffer.extend(b"before");
        buffer.fail(BufferError::TooBig);
        buffer.push(b'y');
        buffer.extend(b"more");
        buffer.extend_short(b"more", 4);
        buffer.extend_parts(ShortBytes::<4>::text(b"more"));
        buffer.extend_with(4, |_| panic!("a failed buffer has no room"));
        assert!(!buffer.reserve(1) && buffer.reserve(0));
        assert_eq!(buffer.as_slice(), b"before");
        buffer.truncate(3);
        buffer.push(b'y');
        assert_eq!(buffer.as_slice(), b"bef");
        assert_eq!(bytes(buffer.finish()), Err(BufferError::TooBig));
    }

    #[test]
    fn the_limit() {
        for limit in [0, 1, 500, 512, 513, 5000] {
            let mut buffer = Buffer::new(Heap(limit));
            (0..limit).for_each(|_| buffer.push(b'x'));
            assert!(buffer.reserve(SLACK), "more may be reserved");
            assert_eq!(bytes(buffer.finish()).unwrap().len(), limit);
            let mut buffer = Buffer::new(Heap(limit));
            (0..=limit).for_each(|_| buffer.push(b'x'));
            assert_eq!(bytes(buffer.finish()), Err(BufferError::TooBig));
            let mut buffer = Buffer::new(Heap(limit));
            assert!(!buffer.reserve(limit + SLACK + 1) && !buffer.reserve(usize::MAX));
        }
        let mut buffer = Buffer::new(Heap(1000));
        buffer.extend(&[b'x'; 1000]);
        buffer.discount(600);
        buffer.extend(&[b'y'; 600]);
        assert_eq!(buffer.failure(), None);
        buffer.remove_front(600);
        assert_eq!(buffer.as_slice().len(), 1000);
        assert_eq!(bytes(buffer.finish()), Ok([[b'x'; 400].to_vec(), [b'y'; 600].to_vec()].concat()));
    }

    #[test]
    fn only_the_head_of_the_room_is_taken() {
        let mut buffer = Buffer::new(Heap(1000));
        buffer.extend_with(10, |spare| &mut spare[..10].write_copy_of_slice(&[b'x'; 10])[1..3]);
        assert_eq!(buffer.as_slice(), b"");
        buffer.extend_with(10, |_| Box::leak(Box::new([1, 2, 3])));
        assert_eq!(buffer.as_slice(), b"");
        buffer.extend_with(10, |spare| &mut spare[..10].write_copy_of_slice(&[b'x'; 10])[..3]);
        assert_eq!(buffer.as_slice(), b"xxx");
    }
}
