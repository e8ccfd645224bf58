//! One object of all rows, a member each.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasherDefault, DefaultHasher};

use super::RowError;
use super::keys::{self, KeyVisitor};
use super::rows::Shape;
use super::sequence::{Brackets, Sequence};
use super::value::{Choices, write};
use crate::buffer::{BufferError, Finished, Memory};
use crate::value::Row;

/// The keys that an object has, where each may come once (R25).
#[derive(Default)]
pub struct SeenKeys {
    keys: HashSet<Vec<u8>, BuildHasherDefault<DefaultHasher>>,
    /// In the order in which they came, for a frame that slides.
    order: VecDeque<Vec<u8>>,
}

impl SeenKeys {
    /// Adds a key; false if it is there already. Keys are compared as they are written: repaired
    /// (R4).
    #[inline(never)]
    pub fn add(&mut self, key: &[u8]) -> Result<bool, BufferError> {
        let key = String::from_utf8_lossy(key);
        if self.keys.contains(key.as_bytes()) {
            return Ok(false);
        }
        self.keys.try_reserve(1).map_err(|_| BufferError::NoMemory)?;
        self.order.try_reserve(1).map_err(|_| BufferError::NoMemory)?;
        self.order.push_back(copy(key.as_bytes())?);
        self.keys.insert(copy(key.as_bytes())?);
        Ok(true)
    }

    /// Takes the key away that came first.
    fn remove_first(&mut self) {
        if let Some(key) = self.order.pop_front() {
            self.keys.remove(&key);
        }
    }
}

#[inline(never)]
fn copy(bytes: &[u8]) -> Result<Vec<u8>, BufferError> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len()).map_err(|_| BufferError::NoMemory)?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// An object with one member a row: its key and its value.
pub struct Map<M: Memory> {
    sequence: Sequence<M>,
    choices: Choices,
    seen: Option<SeenKeys>,
}

impl<M: Memory + Clone> Shape<M> for Map<M> {
    type Reusable = ();

    fn start(memory: M, choices: Choices, (): ()) -> Self {
        let seen = choices.unique_keys.then(SeenKeys::default);
        Map { sequence: Sequence::new(memory, Brackets::OBJECT), choices, seen }
    }

    #[inline(never)]
    fn step(&mut self, row: &impl Row) -> Result<(), RowError> {
        if row.len() != 2 {
            return Err(RowError::Count(row.len()));
        }
        let key = match row.visit_plain(0, KeyVisitor).ok_or(BufferError::NoMemory)? {
            Ok(key) => key,
            Err(class) => return Err(RowError::KeyType(0, class)),
        };
        let text = self.sequence.text();
        let begin = text.len();
        if let Some(seen) = &mut self.seen
            && !seen.add(key)?
        {
            return Err(RowError::KeyRepeated(0));
        }
        text.push(b',');
        keys::name(key, self.choices.ascii, text);
        write(&row.get(1).ok_or(BufferError::NoMemory)?, self.choices, text);
        Ok(self.sequence.end_element(begin)?)
    }

    fn inverse(&mut self) {
        if let Some(seen) = &mut self.seen {
            seen.remove_first();
        }
        self.sequence.remove_first();
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, BufferError> {
        self.sequence.with_brackets(read)
    }

    fn finish(self) -> Result<Finished<'static, M>, BufferError> {
        self.sequence.into_brackets()
    }
}
