//! Portable kernels: what runs where no vector kernel does, and what finishes the tails of those that do.

use core::mem::MaybeUninit;

use super::{Base64Decoder, Base64Encoder, Escaped, escape_one};

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes everything, 12 bits at a time: two loads and two 16-bit stores for each group of 3 bytes.
///
/// ```text
///   bytes     a        b        c
///          aaaaaaaa bbbbbbbb cccccccc
///   pairs  \__ 12 bits __/\_ 12 bits _/      pairs[12 bits] is two characters
/// ```
///
/// Nothing at all if `dst` is too short.
#[inline]
pub fn base64<'a>(encoder: &Base64Encoder, src: &[u8], dst: &'a mut [MaybeUninit<u8>]) -> &'a mut [u8] {
    // Not by way of `base64_rest`: what calls that too must not change the code of the short path.
    let count = base64_from(encoder, src, dst, 0);
    // SAFETY: so many characters have just been written.
    unsafe { super::written(dst, count) }
}

/// Up to 15 bytes between quotation marks, for an alphabet with padding and a table that is known when this is compiled.
/// Nothing at all of more bytes, or to less than 32 of `dst`.
#[inline(always)]
pub fn base64_quoted<'a>(
    pairs: &'static [[u8; 2]; 4096],
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    let (groups, last) = src.as_chunks::<3>();
    let Some(room) = dst.first_chunk_mut::<32>().filter(|_| src.len() < 16) else { return &mut [] };
    let pair = |twelve: usize| pairs[twelve & 0xfff];
    let (first, fours) = room.split_at_mut(1);
    first[0].write(b'"');
    for (&group, four) in groups.iter().zip(fours.as_chunks_mut::<4>().0) {
        *four = base64_group(pair, group).map(MaybeUninit::new);
    }
    let end = 1 + 4 * groups.len();
    let (tail, count) = match *last {
        [a, ref b @ ..] => {
            let [p, q, r, s] = base64_last(pair, a, b.first().copied());
            ([p, q, r, s, b'"', 0, 0, 0], end + 5)
        }
        [] => ([b'"', 0, 0, 0, 0, 0, 0, 0], end + 1),
    };
    let Some(rest) = room.get_mut(end..).and_then(|rest| rest.first_chunk_mut::<8>()) else { return &mut [] };
    *rest = tail.map(MaybeUninit::new);
    // SAFETY: the first mark, the groups, and the tail with the last mark.
    unsafe { super::written(dst, count) }
}

/// The characters of three bytes.
#[inline(always)]
fn base64_group(pair: impl Fn(usize) -> [u8; 2], [a, b, c]: [u8; 3]) -> [u8; 4] {
    let bits = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
    // As words: bytes would be taken apart and put together again.
    let word = |twelve| u32::from(u16::from_le_bytes(pair(twelve)));
    (word(bits >> 12) | word(bits) << 16).to_le_bytes()
}

/// The characters of one or two bytes, padded.
#[inline(always)]
fn base64_last(pair: impl Fn(usize) -> [u8; 2], a: u8, b: Option<u8>) -> [u8; 4] {
    let bits = usize::from(a) << 8 | usize::from(b.unwrap_or(0));
    let [p, q] = pair(bits >> 4);
    let r = if b.is_none() { b'=' } else { pair(bits << 8)[0] };
    [p, q, r, b'=']
}

/// [`base64`] for long inputs, out of the way of what calls it.
#[inline(never)]
pub fn base64_long<'a>(encoder: &Base64Encoder, src: &[u8], dst: &'a mut [MaybeUninit<u8>]) -> &'a mut [u8] {
    base64(encoder, src, dst)
}

/// [`base64`] of what a vector kernel has left: all but the first `done` groups.
///
/// # Safety
/// The characters of the first `done` groups are written.
#[inline]
pub unsafe fn base64_rest<'a>(
    encoder: &Base64Encoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
    done: usize,
) -> &'a mut [u8] {
    let written = base64_from(encoder, src, dst, done);
    // SAFETY: the caller's groups, and what has just been written behind them.
    unsafe { super::written(dst, written) }
}

/// [`base64_by`] the table of `encoder`, or by its characters where it has none.
#[inline(always)]
fn base64_from(encoder: &Base64Encoder, src: &[u8], dst: &mut [MaybeUninit<u8>], done: usize) -> usize {
    match encoder.pairs {
        Some(pairs) => base64_by(|twelve| pairs[twelve & 0xfff], encoder.padded, src, dst, done),
        None => {
            let pair = |twelve: usize| [encoder.chars[twelve >> 6 & 63], encoder.chars[twelve & 63]];
            base64_by(pair, encoder.padded, src, dst, done)
        }
    }
}

/// Writes all but the first `done` groups, two characters at a time; tells how long the whole text is, 0 if there is no
/// room for it.
#[inline(always)]
fn base64_by(
    pair: impl Fn(usize) -> [u8; 2],
    padded: bool,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    done: usize,
) -> usize {
    let (groups, last) = src.as_chunks::<3>();
    let whole = 4 * groups.len();
    let total = match last.len() {
        0 => whole,
        _ if padded => whole + 4,
        bytes => whole + bytes + 1,
    };
    let (Some(end), Some(left)) = (dst.get_mut(whole..total), groups.get(done..)) else { return 0 };
    if let [a, ref b @ ..] = *last {
        let four = base64_last(&pair, a, b.first().copied()).map(MaybeUninit::new);
        if let Some(end) = end.first_chunk_mut() {
            *end = four;
        } else {
            end.copy_from_slice(&four[..end.len()]);
        }
    }
    let fours = dst.as_chunks_mut::<4>().0.get_mut(done..).unwrap_or(&mut []);
    for (&group, four) in left.iter().zip(fours) {
        *four = base64_group(&pair, group).map(MaybeUninit::new);
    }
    total
}

/// Decodes groups of four characters from the one with index `groups` on; the last characters of
/// the last group are so much `padding`. See [`super::base64_decode`]. How many groups are decoded
/// then, those before included.
#[inline(never)]
pub fn base64_decode(
    decoder: &Base64Decoder,
    src: &[u8],
    padding: usize,
    dst: &mut [MaybeUninit<u8>],
    mut groups: usize,
) -> usize {
    let all = src.len() / 4;
    let fours = src.as_chunks::<4>().0.iter().skip(groups);
    let threes = dst.as_chunks_mut::<3>().0.iter_mut().skip(groups);
    for (four, three) in fours.zip(threes) {
        let mut four = *four;
        if groups + 1 == all && padding > 0 {
            four[3] = b'A';
            if padding > 1 {
                four[2] = b'A';
            }
        }
        let [p, q, r, s] = four.map(|byte| decoder.sextets[usize::from(byte)]);
        if (p | q | r | s) > 63 {
            break;
        }
        let bits = u32::from(p) << 18 | u32::from(q) << 12 | u32::from(r) << 6 | u32::from(s);
        let [_, a, b, c] = bits.to_be_bytes();
        *three = [a, b, c].map(MaybeUninit::new);
        groups += 1;
    }
    groups
}

// ---- Strings ------------------------------------------------------------------------------------------
//
// Eight bytes at a time in one general register (SWAR). Words are read as little-endian numbers on every
// processor, so that the first byte is the lowest and `trailing_zeros` finds the first hit.

const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
const TWOS: u64 = u64::from_ne_bytes([2; 8]);
const LIMITS: u64 = u64::from_ne_bytes([0x21; 8]);
const BACKSLASHES: u64 = u64::from_ne_bytes([b'\\'; 8]);

/// The high bit of every byte that needs attention. Exchanging " with space puts all that is escaped, but the
/// backslash, below 0x21. A subtraction's borrow can set the bit of a byte above
/// one that rightly has it, so only the lowest bit is to be believed.
#[inline(always)]
fn attention<const STOP: bool>(word: u64) -> u64 {
    let low = (word ^ TWOS).wrapping_sub(LIMITS);
    let backslash = (word ^ BACKSLASHES).wrapping_sub(ONES);
    let hits = low | backslash;
    (if STOP { hits | word } else { hits & !word }) & HIGHS
}

/// The bytes of `src` from `read` on, at most eight of them, and how many. The bytes above are zero.
#[inline(always)]
pub fn word(src: &[u8], read: usize) -> (u64, usize) {
    let rest = &src[read..];
    if let Some(whole) = rest.first_chunk::<8>() {
        return (u64::from_le_bytes(*whole), 8);
    }
    let left = rest.len();
    if let Some(last) = src.last_chunk::<8>() {
        // The last word overlaps what was read before; shift that out.
        return (u64::from_le_bytes(*last).checked_shr(8 * (8 - left as u32)).unwrap_or(0), left);
    }
    let low = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    if let (Some(first), Some(last)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        // Two halves that overlap, and agree where they do.
        return (low(first) | low(last) << (8 * (left - 4)), left);
    }
    let bytes = match *rest {
        [a, b, c] => u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]),
        [a, b] => u64::from_le_bytes([a, b, 0, 0, 0, 0, 0, 0]),
        [a] => u64::from(a),
        _ => 0,
    };
    (bytes, left)
}

/// See [`super::escape`].
pub fn escape<const STOP: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let Some(room) = dst.get_mut(written..).and_then(|room| room.first_chunk_mut::<8>()) else { break };
        let (word, width) = word(src, read);
        room.write_copy_of_slice(&word.to_le_bytes());
        let hits = attention::<STOP>(word);
        // Zero bytes above a short word look like controls, but they come after all that is real.
        let hits = if width < 8 { hits & ((1 << (8 * width)) - 1) } else { hits };
        if hits == 0 {
            // Not through `trailing_zeros`: the next load would have to wait for it.
            read += width;
            written += width;
            continue;
        }
        let plain = hits.trailing_zeros() as usize / 8;
        read += plain;
        written += plain;
        if !escape_one::<STOP>(src, dst, &mut read, &mut written) {
            break;
        }
    }
    Escaped { read, written }
}

/// See [`super::quote`].
#[inline]
pub fn quote(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    let inside = match super::open(dst) {
        Some(room) => escape::<true>(src, room),
        None => return Escaped { read: 0, written: 0 },
    };
    super::close(src, dst, inside)
}
