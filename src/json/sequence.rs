//! Elements that come in at the end and leave at the front, kept as one text.
//!
//! ```text
//!              head
//!                |
//!   ,{"a":1},{"a":2},{"a":3}        a comma before every element; the one at the head becomes the bracket,
//!    gone   [               ]       the other bracket is appended for as long as it is needed
//! ```
//!
//! A queue of element lengths tells how far the head moves. Bytes that are gone are moved away only when they are more
//! than half of all, so each byte is moved once on average: a frame slides in amortised constant time (R12).

use crate::buffer::{Buffer, Failure, Finished, Memory};

/// Gone bytes below this number are never worth moving the rest.
const FEW: usize = 4096;

/// The elements and their lengths.
pub(super) struct Sequence<M: Memory> {
    text: Buffer<'static, M>,
    head: usize,
    lengths: Vec<u32>,
    first: usize,
}

impl<M: Memory + Clone> Sequence<M> {
    pub(super) fn new(memory: M) -> Self {
        Sequence { text: Buffer::new(memory), head: 0, lengths: Vec::new(), first: 0 }
    }

    /// Where the next element is to be appended.
    #[inline]
    pub(super) fn text(&mut self) -> &mut Buffer<'static, M> {
        &mut self.text
    }

    /// Counts what was appended since the text was `begin` bytes long as one element.
    #[inline]
    pub(super) fn end_element(&mut self, begin: usize) -> Result<(), Failure> {
        if let Some(failure) = self.text.failure() {
            return Err(failure);
        }
        if self.lengths.len() == self.lengths.capacity() && self.lengths.try_reserve(64).is_err() {
            return Err(Failure::NoMemory);
        }
        let length = u32::try_from(self.text.len() - begin).map_err(|_| Failure::TooBig)?;
        self.lengths.push(length);
        Ok(())
    }

    /// No elements?
    pub(super) fn is_empty(&self) -> bool {
        self.first == self.lengths.len()
    }

    /// Drops the first element, if there is one, and tells its length.
    pub(super) fn remove_first(&mut self) -> usize {
        let Some(&length) = self.lengths.get(self.first) else { return 0 };
        self.head += length as usize;
        self.first += 1;
        if self.is_empty() || (self.head > FEW && self.head > self.text.len() / 2) {
            self.text.remove_front(self.head);
            self.lengths.drain(..self.first);
            self.head = 0;
            self.first = 0;
        } else {
            self.text.discount(self.head);
        }
        length as usize
    }

    /// The elements as they are, one behind the other.
    pub(super) fn plain(&self) -> &[u8] {
        self.text.as_slice().get(self.head..).unwrap_or_default()
    }

    /// Makes the elements an array, lets `read` see it, and takes the closing bracket back.
    pub(super) fn with_array<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, Failure> {
        if self.is_empty() {
            return Ok(read(b"[]"));
        }
        let length = self.text.len();
        self.close();
        let failure = self.text.failure();
        let result = match failure {
            Some(failure) => Err(failure),
            None => Ok(read(self.plain())),
        };
        self.text.truncate(length);
        result
    }

    /// The array, for good.
    pub(super) fn into_array(mut self) -> Result<Finished<'static, M>, Failure> {
        if self.is_empty() && self.text.failure().is_none() {
            self.text.truncate(0);
            self.text.extend(b"[]");
        } else {
            self.close();
            self.text.remove_front(self.head);
        }
        self.text.finish()
    }

    /// The elements as they are, for good.
    pub(super) fn into_plain(mut self) -> Result<Finished<'static, M>, Failure> {
        self.text.remove_front(self.head);
        self.text.finish()
    }

    fn close(&mut self) {
        if let Some(first) = self.text.as_mut_slice().get_mut(self.head) {
            *first = b'[';
        }
        self.text.push(b']');
    }
}
