//! An object's keys: escaped once, compared on every row.
//!
//! A key argument is nearly always a literal, but nothing says so, and its address proves nothing. Each row's
//! keys are compared with the first row's by length and bytes; where they are equal the fragment made from the first
//! is appended, else the key is escaped anew (R9).

use super::Fault;
use crate::buffer::{Buffer, Failure, Memory};
use crate::escape;
use crate::value::Value;

/// One key in the two buffers: where it ends. It begins where the one before ends.
#[derive(Clone, Copy)]
struct Ends {
    key: usize,
    fragment: usize,
}

/// The keys of the first row.
pub(super) struct Keys<M: Memory> {
    keys: Buffer<'static, M>,
    fragments: Buffer<'static, M>,
    ends: Vec<Ends>,
    ascii: bool,
}

impl<M: Memory> Keys<M> {
    pub(super) fn new(memory: M, ascii: bool) -> Self
    where
        M: Clone,
    {
        Keys { keys: Buffer::new(memory.clone()), fragments: Buffer::new(memory), ends: Vec::new(), ascii }
    }

    /// How many keys are known.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Learns the next key; `before` and `:` go around it.
    pub(super) fn learn(&mut self, key: &[u8], before: &[u8]) -> Result<(), Failure> {
        self.keys.extend(key);
        self.fragments.extend(before);
        name(key, self.ascii, &mut self.fragments);
        if let Some(failure) = self.keys.failure().or(self.fragments.failure()) {
            return Err(failure);
        }
        self.ends.try_reserve(1).map_err(|_| Failure::NoMemory)?;
        self.ends.push(Ends { key: self.keys.len(), fragment: self.fragments.len() });
        Ok(())
    }

    /// Where key number `index` and its fragment lie.
    #[inline]
    fn spans(&self, index: usize) -> Option<(&[u8], &[u8])> {
        let end = self.ends.get(index)?;
        let begin = match index {
            0 => Ends { key: 0, fragment: 0 },
            _ => *self.ends.get(index - 1)?,
        };
        let key = self.keys.as_slice().get(begin.key..end.key)?;
        Some((key, self.fragments.as_slice().get(begin.fragment..end.fragment)?))
    }

    /// Key number `index` with what goes around it.
    pub(super) fn fragment(&self, index: usize) -> &[u8] {
        self.spans(index).map_or(&[], |(_, fragment)| fragment)
    }

    /// Is key number `index` this one?
    #[inline]
    pub(super) fn is(&self, index: usize, key: &[u8]) -> bool {
        self.spans(index).is_some_and(|(known, _)| known == key)
    }

    /// Appends key number `index`, which on this row is `key`, with `before` in front and `:` behind.
    #[inline]
    pub(super) fn write(&self, index: usize, key: &[u8], before: &[u8], out: &mut Buffer<'_, M>) {
        match self.spans(index) {
            Some((known, fragment)) if known == key => out.extend(fragment),
            _ => {
                out.extend(before);
                name(key, self.ascii, out);
            }
        }
    }
}

/// Appends a key that nobody knows yet, and `:`.
pub(super) fn name<M: Memory>(key: &[u8], ascii: bool, out: &mut Buffer<'_, M>) {
    if ascii {
        escape::string_ascii(key, out);
    } else {
        escape::string(key, out);
    }
    out.push(b':');
}

/// The bytes of argument number `index` as a key, which has to be TEXT (R8).
#[inline]
pub(super) fn text<'a>(value: Option<Value<'a>>, index: usize) -> Result<&'a [u8], Fault> {
    match value {
        Some(Value::Text(text) | Value::Json(text)) => Ok(text),
        Some(other) => Err(Fault::KeyType(index, other.class())),
        None => Err(Fault::Failure(Failure::NoMemory)),
    }
}
