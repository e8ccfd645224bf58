//! Kernels of 64 bytes for x86-64 with AVX-512 F, BW, VL, VBMI and VBMI2. Masks make them end at any byte.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::strings::{Faults, How, unknown};
use super::{Base64Decoder, Base64Encoder, Escaped, NonAscii, escape_one, scalar};

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes everything, 48 bytes to 64 characters a step, the last step masked and padded.
///
/// ```text
///   permute      each group of 3 to 4 bytes     b a c b    (low address left)
///   multishift   each byte a window of 8 bits   A B C D    (two high bits of no meaning)
///   permute      look up by the low six bits
/// ```
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi2")]
pub fn base64<'a>(encoder: &Base64Encoder, src: &[u8], dst: &'a mut [MaybeUninit<u8>]) -> &'a mut [u8] {
    // SAFETY: 64 bytes are readable there.
    let alphabet = unsafe { _mm512_loadu_si512(encoder.chars.as_ptr().cast()) };
    // SAFETY: 64 bytes are readable there.
    let order = unsafe { _mm512_loadu_si512(BASE64_ORDER.as_ptr().cast()) };
    let windows = _mm512_set1_epi64(BASE64_WINDOWS);
    let sextets = |bytes| _mm512_multishift_epi64_epi8(windows, _mm512_permutexvar_epi8(order, bytes));

    let (mut from, mut to) = (src.as_ptr().cast::<i8>(), dst.as_mut_ptr().cast::<i8>());
    let (mut left, mut room) = (src.len(), dst.len());
    if left > 48 {
        // The last step does 1 to 48 bytes, each of these 48.
        if room / 4 * 3 + 2 < left {
            return &mut [];
        }
        // SAFETY: every step is where `left > 48`, a wide one where `left >= 64`, so that what it loads lies in `src`.
        // Then 64 characters from `to` on lie in `dst`: `room / 4 * 3 + 2 >= left > 48` makes at least 16 fours, and it holds
        // again after each.
        unsafe {
            let encode = |bytes, to: *mut i8| {
                _mm512_storeu_si512(to.cast(), _mm512_permutexvar_epi8(sextets(bytes), alphabet));
            };
            let wide = |from: *const i8, to| encode(_mm512_loadu_si512(from.cast()), to);
            if left > BASE64_ALIGN && to.addr() % 4 == 0 {
                // Whole groups up to the next cache line; then no store straddles two.
                wide(from, to);
                let groups = 16 - to.addr() % 64 / 4;
                (from, to) = (from.add(3 * groups), to.add(4 * groups));
                (left, room) = (left - 3 * groups, room - 4 * groups);
            }
            while left >= 3 * 48 + 64 {
                // All loads before the first store: a load that waits for a store 4 KiB away stops the others less.
                let bytes = [0, 48, 96, 144].map(|at| _mm512_loadu_si512(from.add(at).cast()));
                let [a, b, c, d] = bytes.map(|bytes| _mm512_permutexvar_epi8(sextets(bytes), alphabet));
                _mm512_storeu_si512(to.cast(), a);
                _mm512_storeu_si512(to.add(64).cast(), b);
                _mm512_storeu_si512(to.add(128).cast(), c);
                _mm512_storeu_si512(to.add(192).cast(), d);
                (from, to, left, room) = (from.add(192), to.add(256), left - 192, room - 256);
            }
            while left >= 64 {
                wide(from, to);
                (from, to, left, room) = (from.add(48), to.add(64), left - 48, room - 64);
            }
            if left > 48 {
                encode(_mm512_maskz_loadu_epi8((1 << 48) - 1, from), to);
                (from, to, left, room) = (from.add(48), to.add(64), left - 48, room - 64);
            }
        }
    }
    if room > 64 {
        return &mut [];
    }
    // SAFETY: the load is masked to the `left <= 48` bytes of `src` that are left, the store to the `room <= 64`
    // characters of `dst`.
    unsafe {
        let bytes = _mm512_maskz_loadu_epi8(_bzhi_u64(u64::MAX, left as u32), from);
        let padding = _mm512_set1_epi8(b'=' as i8);
        let text = _mm512_mask_permutexvar_epi8(padding, BASE64_TEXT[left], sextets(bytes), alphabet);
        _mm512_mask_storeu_epi8(to, _bzhi_u64(u64::MAX, room as u32), text);
    }
    let all = dst.len();
    // SAFETY: the steps wrote all characters up to the last `room`, the last step those.
    unsafe { super::written(dst, all) }
}

/// Up to [`BASE64_ONE`](super::BASE64_ONE) bytes between quotation marks, padded, in one step. Nothing of more, or to less
/// than 64 bytes of `dst`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi2")]
pub fn base64_quoted<'a>(
    encoder: &Base64Encoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    if src.len() > super::BASE64_ONE || dst.len() < 64 {
        return &mut [];
    }
    let length = (src.len() as u32).div_ceil(3) * 4;
    let inside = _bzhi_u64(u64::MAX, length) << 1;
    let marks = _mm512_set1_epi8(b'"' as i8);
    let padding = _mm512_set1_epi8(b'=' as i8);
    let bytes = load_some(src, 0, _mm512_setzero_si512());
    let sextets = _mm512_multishift_epi64_epi8(
        _mm512_set1_epi64(BASE64_WINDOWS),
        _mm512_permutexvar_epi8(load(&BASE64_ORDER), bytes),
    );
    let text = _mm512_mask_permutexvar_epi8(padding, BASE64_TEXT[src.len()], sextets, load(&encoder.chars));
    let text = _mm512_mask_permutexvar_epi8(marks, inside, load(&BASE64_BEHIND), text);
    // SAFETY: 64 bytes are writable.
    unsafe { _mm512_storeu_epi8(dst.as_mut_ptr().cast(), text) };
    // SAFETY: at most 62 of the 64 bytes.
    unsafe { super::written(dst, length as usize + 2) }
}

/// Each byte comes from the place before its own.
static BASE64_BEHIND: [u8; 64] = {
    let mut behind = [0; 64];
    let mut i = 1;
    while i < 64 {
        behind[i] = i as u8 - 1;
        i += 1;
    }
    behind
};

/// From this many bytes on it pays to align the stores.
const BASE64_ALIGN: usize = 512;

/// Which of 64 characters are not padding, by the number of bytes they stand for.
static BASE64_TEXT: [u64; 49] = {
    let mut text = [0; 49];
    let mut bytes = 1;
    while bytes < 49 {
        text[bytes] = u64::MAX >> (64 - (4 * bytes).div_ceil(3));
        bytes += 1;
    }
    text
};

/// Where each sextet's byte begins: in a 64-bit lane with the bytes b a c b | b a c b the first at bit 10, above b's low two.
const BASE64_WINDOWS: i64 = 0x3036_242a_1016_040a;

/// Where each byte of `b a c b` comes from, for 16 groups.
static BASE64_ORDER: [u8; 64] = {
    let mut order = [0; 64];
    let mut i = 0;
    while i < 64 {
        order[i] = (i / 4 * 3) as u8 + [1, 0, 2, 1][i % 4];
        i += 1;
    }
    order
};

/// Decodes 64 characters to 48 bytes a step, the last step masked: see [`super::base64_decode`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2")]
pub fn base64_decode(
    decoder: &Base64Decoder,
    src: &[u8],
    padding: usize,
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let groups = if src.len() <= 64 { 0 } else { base64_decode_blocks(decoder, src, dst) };
    let rest = src.get(4 * groups..).unwrap_or_default();
    let Some(room) = dst.get_mut(3 * groups..).and_then(|room| room.first_chunk_mut::<64>()) else {
        return scalar::base64_decode(decoder, src, padding, dst, groups);
    };
    let most = (rest.len() / 4).min(16);
    // Not for nothing: a load whose whole mask is empty is slow where no memory is.
    if most == 0 {
        return groups;
    }
    let padding = if 4 * most == rest.len() { padding } else { 0 };
    let here = _bzhi_u64(u64::MAX, (4 * most - padding) as u32);
    // SAFETY: the load is masked to characters of `rest`.
    let characters = unsafe { _mm512_maskz_loadu_epi8(here, rest.as_ptr().cast()) };
    let sextets = _mm512_maskz_mov_epi8(here, base64_sextets(decoder, characters));
    store(room, 0, base64_threes(sextets));
    let wrong = _mm512_movepi8_mask(_mm512_or_si512(characters, sextets));
    if wrong == 0 {
        return groups + most;
    }
    groups + wrong.trailing_zeros() as usize / 4
}

/// What the AVX-512 decoder looks up in: the sextets of ASCII, where the highest bit is set if there is no character.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2")]
fn base64_sextets(decoder: &Base64Decoder, characters: __m512i) -> __m512i {
    let (tables, _) = decoder.sextets.as_chunks::<64>();
    _mm512_permutex2var_epi8(load(&tables[0]), characters, load(&tables[1]))
}

/// The bytes of 64 sextets: pairs of them become 12 bits, pairs of those 24, of which the lowest three bytes are the group's,
/// the highest of them first.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2")]
fn base64_threes(sextets: __m512i) -> __m512i {
    let pairs = _mm512_maddubs_epi16(sextets, _mm512_set1_epi16(0x0140));
    let fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x0001_1000));
    _mm512_permutexvar_epi8(load(&BASE64_THREES.0), fours)
}

/// [`base64_decode`] of whole blocks. A step stores 64 bytes, of which the last 16 are overwritten or not counted.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2")]
fn base64_decode_blocks(decoder: &Base64Decoder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut groups = 0;
    while let Some(room) = dst.get_mut(3 * groups..).and_then(|room| room.first_chunk_mut::<64>())
        && let Some(block) = src.get(4 * groups..).and_then(|rest| rest.first_chunk())
    {
        let characters = load(block);
        let sextets = base64_sextets(decoder, characters);
        if _mm512_movepi8_mask(_mm512_or_si512(characters, sextets)) != 0 {
            break;
        }
        store(room, 0, base64_threes(sextets));
        groups += 16;
    }
    groups
}

/// The bytes of 16 groups: each lies in 4 bytes as `c b a 0`.
static BASE64_THREES: Order = {
    let mut order = [0; 64];
    let mut i = 0;
    while i < 48 {
        order[i] = (i / 3 * 4 + 2 - i % 3) as u8;
        i += 1;
    }
    Order(order)
};

/// An order of bytes that crosses no cache line.
#[repr(C, align(64))]
struct Order([u8; 64]);

// ---- Strings ------------------------------------------------------------------------------------
//
// 64 bytes a step. Where there are hits the bytes, letters in the place of controls, are spread
// over a register of backslashes, so that one shows in front of each hit; however many hits, that
// is one pass without a branch:
//
//   bytes    a  "  b  \n
//   pairs    \a \" \b \n        each but the backslash of what is no hit gets a bit:  x xx x xx
//   letters  a  "  b  n        spread to                                          a\"b\n
//
// Controls without a letter are left to the portable code.

/// What follows the backslash of " and of controls; 0 for those that have no short escape.
static LETTERS: [u8; 64] = {
    let mut letters = [0; 64];
    letters[b'"' as usize] = b'"';
    letters[0x08] = b'b';
    letters[b'\t' as usize] = b't';
    letters[b'\n' as usize] = b'n';
    letters[0x0c] = b'f';
    letters[b'\r' as usize] = b'r';
    letters
};

/// The second byte of every pair.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 readable bytes; no alignment asked.
    unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
}

/// The first bytes of `bytes`, moved up by `shift`; where there are none there is `fill`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn load_some(bytes: &[u8], shift: usize, fill: __m512i) -> __m512i {
    let real = first(bytes.len() + shift) & !first(shift);
    let start = bytes.as_ptr().wrapping_sub(shift);
    // SAFETY: the mask admits only bytes of the slice, and what it does not admit is not read.
    unsafe { _mm512_mask_loadu_epi8(fill, real, start.cast()) }
}

/// The first half of `load_some(bytes, 1, fill)`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn load_half(bytes: &[u8], fill: __m256i) -> __m256i {
    let real = (first(bytes.len()) << 1) as u32;
    let start = bytes.as_ptr().wrapping_sub(1);
    // SAFETY: the mask admits only bytes of the slice, and what it does not admit is not read.
    unsafe { _mm256_mask_loadu_epi8(fill, real, start.cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store<const N: usize>(room: &mut [MaybeUninit<u8>; N], place: usize, vector: __m512i) {
    if let Some(room) = room.get_mut(place..).and_then(|room| room.first_chunk_mut::<64>()) {
        // SAFETY: 64 writable bytes; no alignment asked.
        unsafe { _mm512_storeu_epi8(room.as_mut_ptr().cast(), vector) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn store_half(room: &mut [MaybeUninit<u8>; 128], vector: __m256i) {
    // SAFETY: more writable bytes than 32; no alignment asked.
    unsafe { _mm256_storeu_epi8(room.as_mut_ptr().cast(), vector) }
}

/// The lowest `count` bits, of 64 at most; never more than `count`, however large that is.
#[inline]
#[target_feature(enable = "bmi2")]
fn first(count: usize) -> u64 {
    _bzhi_u64(!0, count as u32)
}

/// Which are controls or "? Exchanging " with space puts them below 0x21.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn low(bytes: __m512i) -> u64 {
    _mm512_cmplt_epu8_mask(_mm512_xor_si512(bytes, _mm512_set1_epi8(2)), _mm512_set1_epi8(0x21))
}

/// One bit for each byte that is escaped.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn attention(bytes: __m512i) -> u64 {
    low(bytes) | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'\\' as i8))
}

/// One bit for each of the `real` bytes that is escaped or not ASCII: those are below 0x21 as
/// signed numbers, but the backslash. What is not real is no backslash.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn not_plain(real: u64, bytes: __m512i) -> u64 {
    let swapped = _mm512_xor_si512(bytes, _mm512_set1_epi8(2));
    let low = _mm512_mask_cmplt_epi8_mask(real, swapped, _mm512_set1_epi8(0x21));
    low | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'\\' as i8))
}

/// One bit for each of half a block that is escaped or not ASCII: those are below 0x21 as signed
/// numbers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn not_plain_half(real: u32, bytes: __m256i) -> u32 {
    let swapped = _mm256_xor_si256(bytes, _mm256_set1_epi8(2));
    let low = _mm256_mask_cmplt_epi8_mask(real, swapped, _mm256_set1_epi8(0x21));
    low | _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8(b'\\' as i8))
}

/// The bytes, with the letters of their short escapes for controls, and 0 for controls that have
/// none.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn letters(bytes: __m512i) -> __m512i {
    _mm512_mask_permutexvar_epi8(bytes, low(bytes), bytes, load(&LETTERS))
}

/// Writes the bytes, a backslash in front of each of `hits`. What is written behind them means
/// nothing.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn expand(letters: __m512i, hits: u64, room: &mut [MaybeUninit<u8>; 128]) {
    let backslash = _mm512_set1_epi8(b'\\' as i8);
    // Of the 32 pairs of half a block, all that stays; of that, what is no backslash.
    let spread = |hits| _pext_u64(ODD, _pdep_u64(hits, !ODD) | ODD);
    store(room, 0, _mm512_mask_expand_epi8(backslash, spread(hits), letters));
    let upper = _mm512_shuffle_i64x2::<0b1110>(letters, letters);
    let place = 32 + (hits as u32).count_ones() as usize;
    store(room, place, _mm512_mask_expand_epi8(backslash, spread(hits >> 32), upper));
}

/// See [`super::quote`]. A short plain text is one load and one store: the load leaves room for one
/// byte in front, and all that is not text is a quotation mark. Half a block for the shortest,
/// because whole ones cross a cache line wherever they lie.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub fn quote(src: &[u8], dst: &mut [MaybeUninit<u8>], non_ascii: NonAscii) -> Escaped {
    if let Some(room) = dst.first_chunk_mut() {
        let plain = if src.len() <= 30 {
            let bytes = load_half(src, _mm256_set1_epi8(b'"' as i8));
            store_half(room, bytes);
            not_plain_half((first(src.len()) << 1) as u32, bytes) == 0
        } else if src.len() <= 62 {
            let bytes = load_some(src, 1, _mm512_set1_epi8(b'"' as i8));
            store(room, 0, bytes);
            not_plain(first(src.len()) << 1, bytes) == 0
        } else {
            return escape_by(src, dst, How { non_ascii, quoted: true });
        };
        if plain {
            return Escaped { read: src.len(), written: src.len() + 2 };
        }
        return quote_short(src, dst, non_ascii);
    }
    escape_by(src, dst, How { non_ascii, quoted: true })
}

/// A text of 62 bytes or fewer that is not plain, all in one go if its controls have letters and it
/// is well-formed.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn quote_short(src: &[u8], dst: &mut [MaybeUninit<u8>], non_ascii: NonAscii) -> Escaped {
    let bytes = load_some(src, 1, _mm512_set1_epi8(b'"' as i8));
    let letters = letters(bytes);
    if let Some(room) = dst.first_chunk_mut()
        && _mm512_testn_epi8_mask(letters, letters) == 0
        && (_mm512_movepi8_mask(bytes) == 0
            || non_ascii == NonAscii::Check && all_zero(utf8(_mm512_setzero_si512(), bytes)))
    {
        let hits = attention(bytes) & first(src.len()) << 1;
        expand(letters, hits, room);
        return Escaped { read: src.len(), written: src.len() + 2 + hits.count_ones() as usize };
    }
    escape_by(src, dst, How { non_ascii, quoted: true })
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn all_zero(bytes: __m512i) -> bool {
    _mm512_test_epi8_mask(bytes, bytes) == 0
}

/// See [`super::escape`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub fn escape(src: &[u8], dst: &mut [MaybeUninit<u8>], non_ascii: NonAscii) -> Escaped {
    escape_by(src, dst, How { non_ascii, quoted: false })
}

/// [`escape`] or, if it is to be quoted, [`quote`] of a text of any length. Which of a text's
/// blocks have hits nobody can foretell, and to guess wrong costs more than to expand: so plain
/// blocks are taken in pairs, and from the first hit on all blocks are expanded until three in a
/// row have none. In the same way all are checked from the first byte on that is not ASCII.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn escape_by(src: &[u8], dst: &mut [MaybeUninit<u8>], how: How) -> Escaped {
    let mark = usize::from(how.quoted);
    let stop = how.non_ascii == NonAscii::Stop;
    if how.quoted {
        let [first, _, ..] = dst else { return Escaped { read: 0, written: 0 } };
        first.write(b'"');
    }
    // Room for the closing mark is kept.
    let end = dst.len() - mark;
    let (mut read, mut written) = (0, mark);
    let zero = _mm512_setzero_si512();
    let mut faults = zero;
    'text: while read < src.len() {
        if let Some(last) = src.len().checked_sub(64)
            && end - written >= src.len() - read
        {
            let shift = written - read;
            loop {
                // The last block ends where the text does, and may begin where all was plain, and
                // so is written again.
                let places = [read.min(last), last.min(read + 64)];
                // SAFETY: 64 bytes from `last` on, or from before, lie in `src`.
                let blocks = places.map(|place| unsafe { _mm512_loadu_epi8(src.as_ptr().add(place).cast()) });
                if not_plain(!0, blocks[0]) | not_plain(!0, blocks[1]) != 0 {
                    break;
                }
                for (place, block) in places.into_iter().zip(blocks) {
                    // SAFETY: so do they in `dst`, `shift` bytes further on, where as much is left
                    // as of `src`.
                    unsafe { _mm512_storeu_epi8(dst.as_mut_ptr().add(place + shift).cast(), block) };
                }
                read = places[1] + 64;
                if read >= src.len() {
                    written = read + shift;
                    break 'text;
                }
            }
            written = read + shift;
        }

        let (mut before, mut beyond_seen, mut hits_before) = (zero, 0, [!0; 2]);
        while let Some(rest) = src.get(read..) {
            let room = dst.get_mut(written..end).and_then(|room| room.first_chunk_mut());
            let Some(room) = room else { break 'text };
            // Whole blocks get by without masks.
            let (bytes, width) = match rest.first_chunk() {
                Some(block) => (load(block), 64),
                None if rest.is_empty() => break 'text,
                None => (load_some(rest, 0, _mm512_set1_epi8(b' ' as i8)), rest.len()),
            };
            let hits = attention(bytes);
            let beyond = _mm512_movepi8_mask(bytes);
            beyond_seen |= beyond;
            if beyond_seen != 0 {
                faults = _mm512_or_si512(faults, utf8(before, bytes));
            }
            if hits | hits_before[0] | hits_before[1] == 0 && width == 64 && (beyond == 0 || !stop) {
                store(room, 0, bytes);
                read += width;
                written += width;
                if beyond_seen == 0 {
                    continue 'text;
                }
                before = bytes;
                continue;
            }
            (before, hits_before) = (bytes, [hits, hits_before[0]]);
            let letters = letters(bytes);
            let mut others = _mm512_testn_epi8_mask(letters, letters);
            if stop {
                others |= beyond;
            }
            if others == 0 {
                read += width;
                written += width + hits.count_ones() as usize;
                expand(letters, hits, room);
                continue;
            }
            // Only what is below the first of them is done here.
            before = zero;
            let hits = hits & others.wrapping_sub(1) & !others;
            expand(letters, hits, room);
            let width = others.trailing_zeros() as usize;
            read += width;
            written += width + hits.count_ones() as usize;
            if !escape_one::<true>(src, dst.get_mut(..end).unwrap_or_default(), &mut read, &mut written) {
                break 'text;
            }
        }
    }
    if how.non_ascii == NonAscii::Check {
        if !all_zero(faults) {
            return escape_by(src, dst, How { non_ascii: NonAscii::Stop, ..how });
        }
        let open = super::unfinished(src.get(..read).unwrap_or_default());
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

// ---- UTF-8 --------------------------------------------------------------------------------------
//
// The lookups of `strings`, 64 bytes at a time. No mask is made of what they give before the end:
// to bring one to a general register costs as much as four of these steps.

/// What [`utf8`] looks up.
#[repr(C, align(64))]
struct Tables {
    faults: Faults<64>,
    /// The last three bytes of one block, and those of the next.
    before: [u8; 66],
}

static TABLES: Tables = Tables {
    faults: Faults::new(),
    before: {
        let mut places = [0; 66];
        let mut index = 0;
        while index < 66 {
            places[index] = 61 + index as u8;
            index += 1;
        }
        places
    },
};

/// Which bytes of a block are at fault? Those that are not zero. `before` is the block before.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn utf8(before: __m512i, bytes: __m512i) -> __m512i {
    let tables = unknown(&TABLES);
    let [before_3, before_2, before] = [0, 1, 2].map(|shift| {
        // SAFETY: with the last shift it is the last 64 of the 66.
        let places = unsafe { _mm512_loadu_epi8(tables.before.as_ptr().add(shift).cast()) };
        _mm512_permutex2var_epi8(before, places, bytes)
    });
    // The lookups take six bits, of which the tables ignore two.
    let lookup = |table, by| _mm512_permutexvar_epi8(by, load(table));
    let high = |bytes| _mm512_srli_epi16::<4>(bytes);
    let first = _mm512_and_si512(
        lookup(&tables.faults.first_high, high(before)),
        lookup(&tables.faults.first_low, before),
    );
    let faults = _mm512_and_si512(first, lookup(&tables.faults.second_high, high(bytes)));
    // The highest bit is set from 0xe0 and from 0xf0 on.
    let threes = _mm512_subs_epu8(before_2, _mm512_set1_epi8(0x60));
    let fours = _mm512_subs_epu8(before_3, _mm512_set1_epi8(0x70));
    let asked = _mm512_and_si512(_mm512_or_si512(threes, fours), _mm512_set1_epi8(0x80_u8 as i8));
    _mm512_xor_si512(faults, asked)
}

/// Is this well-formed UTF-8? Only for texts shorter than a block: behind them a zero shows a
/// sequence cut off.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub fn well_formed(text: &[u8]) -> bool {
    debug_assert!(text.len() < 64);
    let zero = _mm512_setzero_si512();
    all_zero(utf8(zero, load_some(text, 0, zero)))
}
