//! Elements in one text: they come in at the end and leave at the front (R11, R12).
//!
//! ```text
//!              head
//!                |
//!   ,{"a":1},{"a":2},{"a":3}     a comma before every element; to make an array, the one at the
//!    gone   [               ]    head becomes a bracket, and the other bracket is appended
//! ```
//!
//! A queue of the elements' lengths tells how far the head moves. The text is moved down only when
//! more than half of it is gone. So each byte is moved once on average, and a frame slides in
//! amortised constant time.

use crate::buffer::{Buffer, BufferError, Finished, Memory};

/// The text is not moved down before this many bytes are gone.
const FEW: usize = 4096;

/// What stands around the elements.
#[derive(Clone, Copy)]
pub struct Brackets {
    open: u8,
    close: u8,
    empty: &'static [u8],
}

impl Brackets {
    /// Of an array.
    pub const ARRAY: Brackets = Brackets { open: b'[', close: b']', empty: b"[]" };
    /// Of an object.
    pub const OBJECT: Brackets = Brackets { open: b'{', close: b'}', empty: b"{}" };

    /// The one before.
    pub fn open(self) -> u8 {
        self.open
    }

    /// The one after.
    pub fn close(self) -> u8 {
        self.close
    }
}

/// The elements and their lengths.
pub struct Sequence<M: Memory> {
    text: Buffer<'static, M>,
    head: usize,
    lengths: Vec<u32>,
    first: usize,
    /// The length of the first element, as long as it is the only one: then nothing is allocated
    /// for it. Else 0.
    only: u32,
    brackets: Brackets,
}

impl<M: Memory + Clone> Sequence<M> {
    /// No elements.
    pub fn new(memory: M, brackets: Brackets) -> Self {
        Sequence { text: Buffer::new(memory), head: 0, lengths: Vec::new(), first: 0, only: 0, brackets }
    }

    /// Where the next element is to be appended.
    #[inline]
    pub fn text(&mut self) -> &mut Buffer<'static, M> {
        &mut self.text
    }

    /// Ends an element: it is what was appended since the text was `begin` bytes long.
    #[inline]
    pub fn end_element(&mut self, begin: usize) -> Result<(), BufferError> {
        if let Some(failure) = self.text.failure() {
            return Err(failure);
        }
        let length = u32::try_from(self.text.len() - begin).map_err(|_| BufferError::TooBig)?;
        if self.lengths.len() == self.lengths.capacity() {
            return self.more(length);
        }
        self.lengths.push(length);
        Ok(())
    }

    #[inline(never)]
    fn more(&mut self, length: u32) -> Result<(), BufferError> {
        if self.lengths.capacity() == 0 && self.only == 0 {
            self.only = length;
            return Ok(());
        }
        self.lengths.try_reserve(64).map_err(|_| BufferError::NoMemory)?;
        if self.only > 0 {
            self.lengths.push(core::mem::take(&mut self.only));
        }
        self.lengths.push(length);
        Ok(())
    }

    /// Are there no elements?
    pub(super) fn is_empty(&self) -> bool {
        self.first == self.lengths.len() && self.only == 0
    }

    /// Drops the first element. Returns its length, 0 if there is none.
    pub(super) fn remove_first(&mut self) -> usize {
        let length = match self.lengths.get(self.first) {
            Some(&length) => {
                self.first += 1;
                length
            }
            None => core::mem::take(&mut self.only),
        };
        if length == 0 {
            return 0;
        }
        self.head += length as usize;
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

    /// The elements as they are, one after the other.
    pub(super) fn plain(&self) -> &[u8] {
        self.text.as_slice().get(self.head..).unwrap_or_default()
    }

    /// Gives the elements in their brackets to `read`. More elements can come after that.
    pub fn with_brackets<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, BufferError> {
        if self.is_empty() {
            return Ok(read(self.brackets.empty));
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

    /// The elements in their brackets, for good.
    #[inline(never)]
    pub(super) fn into_brackets(mut self) -> Result<Finished<'static, M>, BufferError> {
        if self.is_empty() && self.text.failure().is_none() {
            self.text.truncate(0);
            self.text.extend(self.brackets.empty);
        } else {
            self.close();
            self.text.remove_front(self.head);
        }
        self.text.finish()
    }

    /// The elements as they are, for good.
    #[inline(never)]
    pub(super) fn into_plain(mut self) -> Result<Finished<'static, M>, BufferError> {
        self.text.remove_front(self.head);
        self.text.finish()
    }

    fn close(&mut self) {
        if let Some(first) = self.text.as_mut_slice().get_mut(self.head) {
            *first = self.brackets.open;
        }
        self.text.push(self.brackets.close);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::buffer::testing::Heap;

    /// A pseudo-random sequence, the same each time.
    fn random(state: &mut u64) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*state >> 33) as usize
    }

    fn push(sequence: &mut Sequence<Heap>, element: &[u8]) {
        let begin = sequence.text().len();
        sequence.text().push(b',');
        sequence.text().extend(element);
        assert_eq!(sequence.end_element(begin), Ok(()));
    }

    fn array(elements: &VecDeque<Vec<u8>>) -> Vec<u8> {
        let elements: Vec<_> = elements.iter().map(Vec::as_slice).collect();
        [b"[", &elements.join(&b',')[..], b"]"].concat()
    }

    impl Sequence<Heap> {
        /// Removes the first element and tells how many bytes were moved for it.
        fn remove_counting(&mut self) -> usize {
            let first = self.first;
            self.remove_first();
            let compacted = self.first <= first && self.head == 0;
            if compacted { self.text.len() } else { 0 }
        }
    }

    /// Bytes, and lengths, are moved at most once on average, whatever the frame and the elements
    /// (R12).
    #[test]
    fn a_slide_moves_no_more_than_what_came_in() {
        let mut state = 1;
        for (frame, most) in
            [(1, 10), (10, 10), (1000, 10), (5000, 3), (10, 5000), (100, 1000), (1000, 200), (1, 100_000)]
        {
            let mut sequence = Sequence::new(Heap(usize::MAX / 4), Brackets::ARRAY);
            let (mut appended, mut moved, mut highest, mut inside) = (0, 0, 0, 0);
            for number in 0..20_000 {
                let length = random(&mut state) % most;
                push(&mut sequence, &vec![b'x'; length]);
                appended += length + 1;
                inside += length + 1;
                highest = highest.max(inside);
                if number >= frame {
                    let first =
                        sequence.lengths.get(sequence.first).copied().unwrap_or(sequence.only) as usize;
                    inside -= first;
                    moved += sequence.remove_counting();
                }
                assert!(sequence.text.len() <= 2 * highest + FEW + most, "what has gone is kept");
                assert!(sequence.lengths.len() <= 2 * frame + FEW, "lengths of what has gone are kept");
            }
            assert!(
                moved <= appended,
                "{moved} bytes moved for {appended} that came in, frame {frame}, elements {most}"
            );
        }
    }

    #[test]
    fn random_frames_against_a_queue() {
        let mut state = 2;
        for _ in 0..200 {
            let mut sequence = Sequence::new(Heap(1 << 30), Brackets::ARRAY);
            let mut queue = VecDeque::new();
            for number in 0..300 {
                match random(&mut state) % 5 {
                    0 | 1 => {
                        assert_eq!(
                            sequence.remove_first(),
                            queue.pop_front().map_or(0, |e: Vec<u8>| e.len() + 1)
                        );
                    }
                    _ => {
                        let element = vec![b'a' + (number % 26) as u8; random(&mut state) % 400];
                        push(&mut sequence, &element);
                        queue.push_back(element);
                    }
                }
                assert_eq!(sequence.is_empty(), queue.is_empty());
                if random(&mut state).is_multiple_of(3) {
                    // Twice, since the first call must leave everything as it was.
                    for _ in 0..2 {
                        assert_eq!(sequence.with_brackets(<[u8]>::to_vec), Ok(array(&queue)));
                    }
                }
            }
            match sequence.into_brackets() {
                Ok(Finished::Owned(block)) => assert_eq!(block.as_slice(), array(&queue)),
                _ => panic!("no array"),
            }
        }
    }

    /// Only elements that are inside count against the limit.
    #[test]
    fn the_limit_is_for_what_is_inside() {
        let mut sequence = Sequence::new(Heap(10_000), Brackets::ARRAY);
        for number in 0..100 {
            if number >= 3 {
                sequence.remove_first();
            }
            push(&mut sequence, &[b'x'; 3000]);
        }
        assert_eq!(sequence.with_brackets(<[u8]>::len), Ok(3 * 3001 + 1));
        push(&mut sequence, &[b'x'; 900]);
        let begin = sequence.text().len();
        sequence.text().extend(&[b'x'; 10_000]);
        assert_eq!(sequence.end_element(begin), Err(BufferError::TooBig));
    }
}
