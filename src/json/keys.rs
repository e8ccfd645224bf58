//! An object's keys: escaped once, compared on every row.
//!
//! A key argument is nearly always a literal, but nothing says so, and its address proves nothing. Each row's
//! keys are compared with the first row's by length and bytes; where they are equal the fragment made from the first
//! is appended, else the key is escaped anew (R9).

use core::mem::MaybeUninit;

use super::Fault;
use crate::buffer::{Buffer, Failure, Memory};
use crate::escape;
use crate::value::{Taker, Value};

/// Fragments up to this length are appended by stores of fixed size.
const SHORT: usize = 32;

/// A key of the first row.
struct Key {
    length: usize,
    /// Up to 16 bytes this is the key itself.
    print: [u64; 2],
    /// The fragment, if it is short.
    short: [u8; SHORT],
    fragment_length: usize,
    /// Where the key begins in `Keys::long_keys`, if it has more than 16 bytes.
    key_begin: usize,
    /// Where the fragment begins in `Keys::long_fragments`, if it is not short.
    fragment_begin: usize,
}

/// The keys of the first row.
pub(super) struct Keys<M: Memory> {
    keys: Vec<Key>,
    /// Keys that are too long for their [`Key`]. Apart from the fragments, so that neither is more than what is written.
    long_keys: Buffer<'static, M>,
    long_fragments: Buffer<'static, M>,
    memory: M,
    ascii: bool,
}

/// Eight bytes of each end of a key, all of one of 16 bytes or less. Keys of the same length up to 16 are equal if
/// these are.
#[inline(always)]
fn print(key: &[u8]) -> [u64; 2] {
    if let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) {
        [u64::from_ne_bytes(*head), u64::from_ne_bytes(*tail)]
    } else if let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) {
        [u32::from_ne_bytes(*head).into(), u32::from_ne_bytes(*tail).into()]
    } else {
        match *key {
            [a, b, c] => [u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16, 0],
            [a, b] => [u64::from(a) | u64::from(b) << 8, 0],
            [a] => [u64::from(a), 0],
            _ => [0, 0],
        }
    }
}

impl<M: Memory + Clone> Keys<M> {
    pub(super) fn new(memory: M, ascii: bool) -> Self {
        let (long_keys, long_fragments) = (Buffer::new(memory.clone()), Buffer::new(memory.clone()));
        Keys { keys: Vec::new(), long_keys, long_fragments, memory, ascii }
    }

    /// How many keys are known.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Learns the next key; `before` and `:` go around it. `count` keys are to come in all.
    pub(super) fn learn(&mut self, key: &[u8], before: &[u8], count: usize) -> Result<(), Failure> {
        let mut room = [MaybeUninit::uninit(); 256];
        let mut fragment = Buffer::within(&mut room, self.memory.clone());
        fragment.extend(before);
        name(key, self.ascii, &mut fragment);
        if let Some(failure) = fragment.failure() {
            return Err(failure);
        }
        let fragment = fragment.as_slice();
        let (key_begin, fragment_begin) = (self.long_keys.len(), self.long_fragments.len());
        if key.len() > 16 {
            self.long_keys.extend(key);
        }
        if fragment.len() > SHORT {
            self.long_fragments.extend(fragment);
        }
        if let Some(failure) = self.long_keys.failure().or(self.long_fragments.failure()) {
            return Err(failure);
        }
        let mut short = [0; SHORT];
        for (to, from) in short.iter_mut().zip(fragment) {
            *to = *from;
        }
        if self.keys.is_empty() {
            self.keys.try_reserve_exact(count).map_err(|_| Failure::NoMemory)?;
        }
        self.keys.try_reserve(1).map_err(|_| Failure::NoMemory)?;
        let fragment_length = fragment.len();
        let (length, print) = (key.len(), print(key));
        self.keys.push(Key { length, print, short, fragment_length, key_begin, fragment_begin });
        Ok(())
    }

    /// The keys, in order, to be compared and appended.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = KnownKey<'_, M>> {
        self.keys.iter().map(|key| KnownKey { key, keys: self })
    }
}

/// One of [`Keys`].
pub(super) struct KnownKey<'k, M: Memory> {
    key: &'k Key,
    keys: &'k Keys<M>,
}

impl<M: Memory> KnownKey<'_, M> {
    /// Is it this one?
    #[inline(always)]
    pub(super) fn is(&self, key: &[u8]) -> bool {
        self.key.length == key.len() && self.key.print == print(key) && (key.len() <= 16 || self.is_long(key))
    }

    fn is_long(&self, key: &[u8]) -> bool {
        let begin = self.key.key_begin;
        self.keys.long_keys.as_slice().get(begin..begin + key.len()) == Some(key)
    }

    /// Appends what was made of it: the key with what goes around it.
    #[inline(always)]
    pub(super) fn append(&self, out: &mut Buffer<'_, M>) {
        let Key { ref short, fragment_length, fragment_begin: begin, .. } = *self.key;
        if fragment_length <= SHORT {
            out.extend_short(short, fragment_length);
        } else {
            let fragments = self.keys.long_fragments.as_slice();
            out.extend(fragments.get(begin..begin + fragment_length).unwrap_or_default());
        }
    }

    /// Appends it as on this row it is `key`, with `before` in front and `:` behind.
    #[inline(always)]
    pub(super) fn write(&self, key: &[u8], before: &[u8], out: &mut Buffer<'_, M>) {
        if self.is(key) {
            self.append(out);
        } else {
            other(key, before, self.keys.ascii, out);
        }
    }
}

/// Takes a key argument and appends it; see [`KnownKey::write`].
pub(super) struct KeyTaker<'b, 'r, 'k, M: Memory> {
    pub(super) known: KnownKey<'k, M>,
    pub(super) index: usize,
    pub(super) before: &'static [u8],
    pub(super) out: &'b mut Buffer<'r, M>,
}

impl<M: Memory> Taker<'_> for KeyTaker<'_, '_, '_, M> {
    type Output = Result<(), Fault>;

    #[inline(always)]
    fn take(self, value: Value<'_>) -> Result<(), Fault> {
        match value {
            Value::Text(key) | Value::Json(key) => {
                self.known.write(key, self.before, self.out);
                Ok(())
            }
            other => Err(Fault::KeyType(self.index, other.class())),
        }
    }
}

#[cold]
#[inline(never)]
fn other<M: Memory>(key: &[u8], before: &[u8], ascii: bool, out: &mut Buffer<'_, M>) {
    out.extend(before);
    name(key, ascii, out);
}

/// Appends a key that nobody knows yet, and `:`.
#[inline(never)]
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
