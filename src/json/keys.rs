//! An object's keys: escaped once, compared on every row.
//!
//! A key argument is nearly always a literal. But SQLite does not say so, and another key may have
//! the same address. So each row's keys are compared by length and bytes with the known ones, which
//! come from the first row or from the group before. If a key is equal, the fragment that was made
//! of the known key is appended; else the key is escaped anew (R9).

use core::mem::MaybeUninit;
use core::ops::Range;

use super::RowError;
use super::value::Prefix;
use crate::buffer::{Buffer, BufferError, Memory};
use crate::escape;
use crate::value::{Value, Visitor};

/// A known key.
struct Key {
    /// The fragment, if the key is short: at most 16 bytes, and the fragment fits.
    short: Prefix,
    /// Both ends of the key. Of a short key that is all.
    ends: [u64; 2],
    /// The length of a short key, or [`NOT_SHORT`].
    short_length: usize,
    /// Where the key lies in `Keys::long_keys`, if it is not short.
    key: Range<usize>,
    /// Where its fragment lies in `Keys::long_fragments`.
    fragment: Range<usize>,
}

/// A length that no key has.
const NOT_SHORT: usize = usize::MAX;

/// Keys of one group, for the next one.
#[derive(Default)]
pub struct ReusableKeys(Vec<Key>);

/// More keys than this are not kept for the next group.
const MAX_REUSABLE: usize = 64;

/// The known keys.
pub(super) struct Keys<M: Memory> {
    keys: Vec<Key>,
    /// The keys that are not short. They and their fragments lie apart, so that neither text is
    /// longer than the output.
    long_keys: Buffer<'static, M>,
    long_fragments: Buffer<'static, M>,
    memory: M,
    ascii: bool,
}

/// Eight bytes of each end of a key. Two keys of the same length, up to 16 bytes, are equal if
/// these are.
#[inline(always)]
fn ends(key: &[u8]) -> [u64; 2] {
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
        Keys::with_reusable(memory, ascii, ReusableKeys::default())
    }

    /// With the keys of another one, which had the same `ascii`.
    pub(super) fn with_reusable(memory: M, ascii: bool, reusable: ReusableKeys) -> Self {
        let (long_keys, long_fragments) = (Buffer::new(memory.clone()), Buffer::new(memory.clone()));
        Keys { keys: reusable.0, long_keys, long_fragments, memory, ascii }
    }

    /// Takes the keys out for the next one to use; none, if they take more than a little memory.
    pub(super) fn reusable(&mut self) -> ReusableKeys {
        let small =
            self.long_keys.is_empty() && self.long_fragments.is_empty() && self.keys.len() <= MAX_REUSABLE;
        ReusableKeys(if small { core::mem::take(&mut self.keys) } else { Vec::new() })
    }

    /// Forgets all keys.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
    }

    /// How many keys are known.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Learns the next of `count` keys. Its fragment is `before`, the key as a string, and `:`.
    pub(super) fn learn(&mut self, key: &[u8], before: &[u8], count: usize) -> Result<(), BufferError> {
        let mut room = [MaybeUninit::uninit(); 256];
        let mut fragment = Buffer::within(&mut room, self.memory.clone());
        fragment.extend(before);
        name(key, self.ascii, &mut fragment);
        if let Some(failure) = fragment.failure() {
            return Err(failure);
        }
        let fragment = fragment.as_slice();
        let mut bytes = [0; _];
        let (short, short_length) = match bytes.get_mut(..fragment.len()) {
            Some(short) if key.len() <= 16 => {
                short.copy_from_slice(fragment);
                (Prefix::new(bytes, fragment.len()), key.len())
            }
            _ => (Prefix::NONE, NOT_SHORT),
        };
        let (key_begin, fragment_begin) = (self.long_keys.len(), self.long_fragments.len());
        if short_length == NOT_SHORT {
            self.long_keys.extend(key);
            self.long_fragments.extend(fragment);
        }
        if let Some(failure) = self.long_keys.failure().or(self.long_fragments.failure()) {
            return Err(failure);
        }
        if self.keys.is_empty() {
            self.keys.try_reserve_exact(count).map_err(|_| BufferError::NoMemory)?;
        }
        self.keys.try_reserve(1).map_err(|_| BufferError::NoMemory)?;
        self.keys.push(Key {
            short,
            ends: ends(key),
            short_length,
            key: key_begin..self.long_keys.len(),
            fragment: fragment_begin..self.long_fragments.len(),
        });
        Ok(())
    }

    /// The keys in order.
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

impl<'k, M: Memory> KnownKey<'k, M> {
    /// Is it `key`, and short?
    #[inline(always)]
    fn is_short(&self, key: &[u8]) -> bool {
        self.key.short_length == key.len() && self.key.ends == ends(key)
    }

    /// Is it `key`?
    #[inline]
    pub(super) fn is(&self, key: &[u8]) -> bool {
        self.is_short(key)
            || self.key.short_length == NOT_SHORT
                && self.keys.long_keys.as_slice().get(self.key.key.clone()) == Some(key)
    }

    /// Begins a member with its fragment. The caller has to append what is returned.
    #[inline(always)]
    pub(super) fn begin(&self, out: &mut Buffer<'_, M>) -> &'k Prefix {
        if self.key.short_length == NOT_SHORT {
            self.append_long(out);
        }
        &self.key.short
    }

    #[inline(never)]
    fn append_long(&self, out: &mut Buffer<'_, M>) {
        let fragments = self.keys.long_fragments.as_slice();
        out.extend(fragments.get(self.key.fragment.clone()).unwrap_or_default());
    }

    /// Begins a member whose key is `key`, where this one is expected. If it is another, the
    /// fragment is made anew, with `before`. The caller has to append what is returned.
    #[inline(always)]
    pub(super) fn begin_as(
        &self,
        key: &[u8],
        before: impl FnOnce() -> &'static [u8],
        out: &mut Buffer<'_, M>,
    ) -> &'k Prefix {
        if !self.is_short(key) {
            self.begin_other(key, before(), out);
            return &Prefix::NONE;
        }
        &self.key.short
    }

    #[inline(never)]
    fn begin_other(&self, key: &[u8], before: &[u8], out: &mut Buffer<'_, M>) {
        if self.is(key) {
            self.append_long(out);
        } else {
            out.extend(before);
            name(key, self.keys.ascii, out);
        }
    }
}

/// Returns the text of a key argument, or its class if it is not TEXT.
pub(super) struct KeyVisitor;

impl<'v> Visitor<'v> for KeyVisitor {
    type Output = Result<&'v [u8], &'static str>;

    #[inline(always)]
    fn visit(self, value: Value<'v>) -> Self::Output {
        match value {
            Value::Text(key) | Value::Json(key) => Ok(key),
            other => Err(other.class()),
        }
    }
}

/// Appends a key as a string, and `:`.
#[inline(never)]
pub(super) fn name<M: Memory>(key: &[u8], ascii: bool, out: &mut Buffer<'_, M>) {
    if ascii {
        escape::string_ascii(key, out);
    } else {
        escape::string(key, out);
    }
    out.push(b':');
}

/// The text of a key argument, which has to be TEXT (R8). `index` is for the error.
#[inline]
pub(super) fn text<'a>(value: Option<Value<'a>>, index: usize) -> Result<&'a [u8], RowError> {
    match value {
        Some(Value::Text(text) | Value::Json(text)) => Ok(text),
        Some(other) => Err(RowError::KeyType(index, other.class())),
        None => Err(RowError::Buffer(BufferError::NoMemory)),
    }
}
