//! What the string kernels of the tiers share: the tables, and one loop for those without masks
//! (SSSE3, AVX2, NEON).
//!
//! The loop takes a vector of the text at a time, and leaves none to the portable code but controls
//! without a short escape. Eight bytes are expanded by one shuffle, chosen by which of them are
//! escaped:
//!
//! ```text
//!   bytes      a  "  b  \n  c  d  e  f        escaped: bits 1 and 3
//!   letters    a  "  b  n   c  d  e  f
//!   shuffle    0  \  1  2  \  3  4  5  6  7   of EXPANSIONS.orders[0b1010]; \ stands for itself
//!   text       a  \  "  b  \  n  c  d  e  f
//! ```
//!
//! UTF-8 is checked by lookup (Keiser and Lemire, "Validating UTF-8 in less than one instruction
//! per byte"): each fault that two bytes in a row can have is a bit; three lookups, by the nibbles
//! of the first and the high nibble of the second, leave the bits of the faults that the pair has.
//! The highest says "a second continuation byte", which is no fault exactly where a lead byte two
//! or three places before asks for one.

use super::NonAscii;

/// What is wanted of a text.
#[derive(Clone, Copy)]
pub struct How {
    pub non_ascii: NonAscii,
    /// Quotation marks around it?
    pub quoted: bool,
}

// ---- Escapes ------------------------------------------------------------------------------------

/// How eight bytes of a string are expanded, by a mask of those that are escaped.
#[repr(C, align(64))]
pub struct Expansions {
    /// How many are escaped.
    pub counts: [u8; 256],
    /// Where each byte comes from. A backslash is [`BACKSLASH`], which a shuffle turns into zero.
    pub orders: [[u8; 16]; 256],
}

/// `\` above the highest bit: what is left of it when 0x80 is subtracted and all below becomes
/// zero.
pub const BACKSLASH: u8 = 0x80 | b'\\';

pub static EXPANSIONS: Expansions = {
    let mut table = Expansions { counts: [0; 256], orders: [[0; 16]; 256] };
    let mut mask = 0;
    while mask < 256 {
        let (mut byte, mut length) = (0, 0);
        while byte < 8 {
            if mask >> byte & 1 == 1 {
                table.orders[mask][length] = BACKSLASH;
                length += 1;
            }
            table.orders[mask][length] = byte;
            length += 1;
            byte += 1;
        }
        table.counts[mask] = length as u8 - 8;
        mask += 1;
    }
    table
};

/// What to add to a control below 0x10 to get the letter of its short escape; 0 for those that have
/// none.
pub static TO_LETTER: [u8; 16] = {
    let mut letters = [0; 16];
    letters[0x08] = b'b' - 0x08;
    letters[b'\t' as usize] = b't' - b'\t';
    letters[b'\n' as usize] = b'n' - b'\n';
    letters[0x0c] = b'f' - 0x0c;
    letters[b'\r' as usize] = b'r' - b'\r';
    letters
};

/// Shuffles that move the bytes of a vector down: sixteen from place n on move them by n. The rest
/// is [`FILLING`].
pub static DOWN: [u8; 48] = {
    let mut down = [FILLING; 48];
    let mut index = 0;
    while index < 16 {
        down[index] = index as u8;
        index += 1;
    }
    down
};

/// A space above the highest bit, as [`BACKSLASH`] is.
pub const FILLING: u8 = 0x80 | b' ';

impl Expansions {
    /// How many of eight bytes are escaped; the compiler sees that it is no more than 15.
    #[inline(always)]
    pub fn count(&self, hits: usize) -> usize {
        usize::from(self.counts[hits & 0xff] & 15)
    }
}

// ---- UTF-8 --------------------------------------------------------------------------------------

const TOO_SHORT: u8 = 1 << 0;
const TOO_LONG: u8 = 1 << 1;
const OVERLONG_3: u8 = 1 << 2;
const TOO_LARGE: u8 = 1 << 3;
const SURROGATE: u8 = 1 << 4;
const OVERLONG_2: u8 = 1 << 5;
const TOO_LARGE_1000: u8 = 1 << 6;
const OVERLONG_4: u8 = 1 << 6;
const TWO_CONTINUATIONS: u8 = 1 << 7;
/// The faults that the low nibble of the first byte says nothing about.
const ANY_LOW: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

/// Faults that a pair may have, by the high nibble of its first byte.
const fn first_high(nibble: u8) -> u8 {
    match nibble {
        0..=7 => TOO_LONG,
        8..=0xb => TWO_CONTINUATIONS,
        0xc => TOO_SHORT | OVERLONG_2,
        0xd => TOO_SHORT,
        0xe => TOO_SHORT | OVERLONG_3 | SURROGATE,
        _ => TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
    }
}

/// Faults that a pair may have, by the low nibble of its first byte.
const fn first_low(nibble: u8) -> u8 {
    ANY_LOW
        | match nibble {
            0 => OVERLONG_2 | OVERLONG_3 | OVERLONG_4,
            1 => OVERLONG_2,
            2 | 3 => 0,
            4 => TOO_LARGE,
            0xd => TOO_LARGE | TOO_LARGE_1000 | SURROGATE,
            _ => TOO_LARGE | TOO_LARGE_1000,
        }
}

/// Faults that a pair may have, by the high nibble of its second byte.
const fn second_high(nibble: u8) -> u8 {
    let continuation = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS;
    match nibble {
        8 => continuation | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
        9 => continuation | OVERLONG_3 | TOO_LARGE,
        0xa | 0xb => continuation | SURROGATE | TOO_LARGE,
        _ => TOO_SHORT,
    }
}

/// A table for lookups by a nibble, again and again for every 16 of `N` bytes.
macro_rules! nibble_table {
    ($of:ident) => {{
        let mut table = [0; N];
        let mut index = 0;
        while index < N {
            table[index] = $of(index as u8 % 16);
            index += 1;
        }
        table
    }};
}

/// The three lookups.
#[repr(C, align(64))]
pub struct Faults<const N: usize> {
    pub first_high: [u8; N],
    pub first_low: [u8; N],
    pub second_high: [u8; N],
}

impl<const N: usize> Faults<N> {
    pub const fn new() -> Self {
        Faults {
            first_high: nibble_table!(first_high),
            first_low: nibble_table!(first_low),
            second_high: nibble_table!(second_high),
        }
    }
}

/// `table`, but the compiler cannot know that: so it loads what is in it where that is used, and does
/// not keep it in registers for a whole loop, which has too few, or load it for texts without need.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn unknown<T>(table: &'static T) -> &'static T {
    let mut address: *const T = table;
    // SAFETY: it is a comment, and does nothing.
    unsafe { core::arch::asm!("/* {0} */", inout(reg) address, options(readonly, nostack, preserves_flags)) };
    // SAFETY: the address of `table`, which the comment did not change.
    unsafe { &*address }
}

/// For kernels that look up 16 bytes at a time.
pub static FAULTS: Faults<16> = Faults::new();

// ---- The loop -----------------------------------------------------------------------------------

/// Defines `quote` and `escape` of a tier without masks.
///
/// After `$calm` vectors without a hit the next is copied instead of expanded. Whether a vector has
/// hits nobody can foretell, and to guess wrong costs more than to expand, so this is 3 where it was
/// timed. With 1 only vectors with hits are expanded: fewer instructions and more branches, for a
/// processor on which only instructions could be counted.
///
/// Texts shorter than `$least` bytes are done by `$narrower`, a narrower tier's `escape_from`.
///
/// The tier's file has, for vectors of `$width` bytes:
///
/// ```text
///   load, store, array   from and to arrays
///   partial(src, read)   what is left of a text, fewer than `$width` bytes, and spaces after it
///   plain_short          `plain` for texts shorter than a vector: all of it or nothing
///   plain_pair(a, b)     is no byte of both escaped or beyond ASCII?
///   hits(v)              a bit for each byte that is escaped
///   beyond_ascii(v)      is there a byte that is?
///   letters(v)           the bytes; where a control has a short escape, the letter of that
///   controls(letters)    a bit for each that is still a control
///   expand(letters, hits, room)
///                        writes the letters, a backslash in front of each hit: how many bytes?
///   last_of(v), nothing()
///                        the last 16 bytes or more, all that `faults` needs of the vector before
///   faults(before, v)    not zero for each byte that is no UTF-8 after that
///   zero, or, any        of vectors
/// ```
macro_rules! string_kernels {
    ($width:literal, $calm:literal, $features:literal, $least:literal by $narrower:path) => {
        /// How long a text is that two vectors hold with a byte to spare.
        const LENGTHS: core::ops::Range<usize> = $least..2 * $width;

        /// See [`super::quote`].
        #[target_feature(enable = $features)]
        pub fn quote(src: &[u8], dst: &mut [MaybeUninit<u8>], non_ascii: NonAscii) -> Escaped {
            let Some(room) = super::open(dst) else { return Escaped { read: 0, written: 0 } };
            let read = plain(src, room);
            if read == src.len() {
                return super::close(src, dst, Escaped { read, written: read });
            }
            let fits = LENGTHS.contains(&src.len()) && non_ascii == NonAscii::Check;
            if fits && copy_short(src, room) {
                return super::close(src, dst, Escaped { read: src.len(), written: src.len() });
            }
            escape_from(read, src, dst, How { non_ascii, quoted: true })
        }

        /// See [`super::escape`].
        #[target_feature(enable = $features)]
        pub fn escape(src: &[u8], dst: &mut [MaybeUninit<u8>], non_ascii: NonAscii) -> Escaped {
            escape_from(0, src, dst, How { non_ascii, quoted: false })
        }

        /// Copies vector by vector as long as all is plain; tells how many bytes that was. The last
        /// vector ends where the text does, and copies some bytes again.
        #[inline]
        #[target_feature(enable = $features)]
        fn plain(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
            let Some(last) = src.last_chunk::<$width>() else { return plain_short(src, dst) };
            let Some(room) = dst.get_mut(..src.len()) else { return 0 };
            let mut read = 0;
            loop {
                let bytes = src.get(read..).and_then(|rest| rest.first_chunk::<$width>());
                let to = room.get_mut(read..).and_then(|room| room.first_chunk_mut::<$width>());
                let (Some(bytes), Some(to)) = (bytes, to) else { return read };
                let bytes = load(bytes);
                if $calm == 1 && !plain_pair(bytes, bytes) {
                    return read;
                }
                if src.len() - read <= 2 * $width {
                    let last = load(last);
                    if !plain_pair(bytes, last) {
                        return read;
                    }
                    store(to, bytes);
                    if let Some(to) = room.last_chunk_mut::<$width>() {
                        store(to, last);
                    }
                    return src.len();
                }
                store(to, bytes);
                if $calm != 1 && !plain_pair(bytes, bytes) {
                    return read;
                }
                read += $width;
            }
        }

        /// Copies a text of less than two vectors if it is well-formed, has bytes beyond ASCII and
        /// no escapes, which is what most names and words in most alphabets are. Did it?
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn copy_short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
            let spaces = load(&[b' '; $width]);
            let (first, second) = match src.split_first_chunk() {
                Some((first, [])) => (load(first), spaces),
                Some((first, _)) => (load(first), partial(src, $width)),
                None => (partial(src, 0), spaces),
            };
            if !beyond_ascii(or(first, second)) || hits(first) | hits(second) != 0 {
                return false;
            }
            // A sequence that the text's end cuts off is at fault before a space.
            if any(or(faults(nothing(), first), faults(last_of(first), second))) {
                return false;
            }
            let Some((low, high)) = dst.split_first_chunk_mut::<$width>() else { return false };
            let Some(high) = high.first_chunk_mut::<$width>() else { return false };
            store(low, first);
            store(high, second);
            true
        }

        /// How many bytes in front of the first beyond ASCII?
        #[inline]
        #[target_feature(enable = $features)]
        fn ascii(src: &[u8]) -> usize {
            let mut rest = src;
            while let Some((bytes, after)) = rest.split_first_chunk()
                && !beyond_ascii(load(bytes))
            {
                rest = after;
            }
            let beyond = rest.iter().position(|&byte| byte >= 0x80).unwrap_or(rest.len());
            src.len() - rest.len() + beyond
        }

        /// [`super::escape`] or, if it is to be quoted, [`super::quote`] of a text whose first
        /// `start` bytes are plain and copied. From the first byte beyond ASCII on all vectors are
        /// checked.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(super) fn escape_from(
            start: usize,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            how: How,
        ) -> Escaped {
            let mark = usize::from(how.quoted);
            let text = match how.non_ascii {
                NonAscii::Stop => src.get(..ascii(src)).unwrap_or_default(),
                NonAscii::Copy | NonAscii::Check => src,
            };
            if text.len() < LENGTHS.start {
                return $narrower(start, src, dst, how);
            }
            // Room for the closing mark is kept.
            let end = dst.len().saturating_sub(mark);
            let mut room = dst.get_mut(start + mark..end).unwrap_or_default();
            let all_room = room.len();
            let (mut before, mut faulty, mut beyond_seen) = (nothing(), zero(), false);
            // A bit for each vector so far, the last one lowest: has it hits?
            let mut had_hits = 0_u32;
            let (mut read, mut filling) = (start, 0);
            while let Some(left) = text.get(read..)
                && !left.is_empty()
            {
                // The last vector is filled up, so that those before it need not ask.
                let last;
                let mut rest = left;
                if left.len() < $width {
                    last = array(partial(text, read));
                    rest = &last;
                    filling = $width - left.len();
                }
                let mut others = 0;
                while let Some((bytes, after)) = rest.split_first_chunk()
                    && let Some(here) = room.first_chunk_mut()
                {
                    let bytes = load(bytes);
                    beyond_seen = beyond_seen || beyond_ascii(bytes);
                    if beyond_seen {
                        faulty = or(faulty, faults(before, bytes));
                        before = last_of(bytes);
                    }
                    let hits = hits(bytes);
                    had_hits = had_hits << 1 | u32::from(hits != 0);
                    if had_hits & ((1 << $calm) - 1) == 0 {
                        store(here, bytes);
                        rest = after;
                        room = core::mem::take(&mut room).get_mut($width..).unwrap_or_default();
                        continue;
                    }
                    let letters = letters(bytes);
                    others = controls(letters);
                    if others != 0 {
                        // Only what is before the first of the others is done here.
                        let done = others.trailing_zeros();
                        let expanded = expand(letters, hits & !(u32::MAX << done), here);
                        let written = expanded + done as usize - $width;
                        rest = rest.get(done as usize..).unwrap_or_default();
                        room = core::mem::take(&mut room).get_mut(written..).unwrap_or_default();
                        break;
                    }
                    let expanded = expand(letters, hits, here);
                    // Not by `trailing_zeros` of anything: the next load would have to wait for it.
                    rest = after;
                    room = core::mem::take(&mut room).get_mut(expanded..).unwrap_or_default();
                }
                if rest.is_empty() {
                    read = text.len();
                    break;
                }
                read = text.len() + filling - rest.len();
                filling = 0;
                if others == 0 {
                    // A vector is left, or less than one.
                    if rest.len() >= $width {
                        break;
                    }
                    continue;
                }
                // What comes next has an escape before it, so that nothing before that matters.
                before = nothing();
                let (mut escaped, mut written) = (0, 0);
                let more = escape_one::<false>(rest, room, &mut escaped, &mut written);
                read += escaped;
                room = core::mem::take(&mut room).get_mut(written..).unwrap_or_default();
                if !more {
                    break;
                }
            }
            let mut written = start + mark + all_room - room.len() - filling;
            if how.non_ascii == NonAscii::Check && beyond_seen {
                if any(faulty) {
                    return escape_from(start, src, dst, How { non_ascii: NonAscii::Stop, ..how });
                }
                let open = super::unfinished(text.get(..read).unwrap_or_default());
                (read, written) = (read - open, written - open);
            }
            if how.quoted
                && read == src.len()
                && let Some(last) = dst.get_mut(written)
            {
                last.write(b'"');
                written += 1;
            }
            Escaped { read, written }
        }
    };
}
pub(super) use string_kernels;
