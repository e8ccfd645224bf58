//! Kernels of 64 bytes for x86-64 with AVX-512 F, BW, VL, VBMI and VBMI2. Masks make them end at any byte.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{Base64Encoder, Escaped, escape_one};

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
    // SAFETY: as above.
    let order = unsafe { _mm512_loadu_si512(BASE64_ORDER.as_ptr().cast()) };
    let windows = _mm512_set1_epi64(BASE64_WINDOWS);
    let sextets = |bytes| _mm512_multishift_epi64_epi8(windows, _mm512_permutexvar_epi8(order, bytes));

    let (mut from, mut to) = (src.as_ptr().cast::<i8>(), dst.as_mut_ptr().cast::<i8>());
    let (mut left, mut room) = (src.len(), dst.len());
    if left > 48 {
        // The last step does 1 to 48 bytes, each of these 48.
        if room < 64 * ((left - 1) / 48) {
            return &mut [];
        }
        // SAFETY: every step is where `left > 48`, a wide one where `left >= 64`, so that what it loads lies in `src`.
        // Then 64 characters from `to` on lie in `dst`: `room >= 64 * ((left - 1) / 48)` holds again after each.
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
    let bytes = load_some(src, 0, 0, _mm512_setzero_si512());
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

// ---- Strings ------------------------------------------------------------------------------------------
//
// 64 bytes a step, stored before anybody looks at them; a masked load makes a short text as cheap as a whole
// block. Where there are hits every byte becomes a pair of a backslash and itself (or its letter), and a
// compression keeps the backslashes of the hits alone. However many hits, that is one pass without a branch:
//
//   bytes  a  "  b  \n            keep   -x xx -x xx
//   pairs  \a \" \b \n   compressed to   a\"b\n
//
// Controls without a letter are left to the portable code.

/// What follows the backslash of a short escape; 0 for other controls.
static LETTERS: [u8; 64] = {
    let mut letters = [0; 64];
    let mut byte = 0x20;
    while byte < 64 {
        letters[byte] = byte as u8;
        byte += 1;
    }
    letters[0x08] = b'b';
    letters[b'\t' as usize] = b't';
    letters[b'\n' as usize] = b'n';
    letters[0x0c] = b'f';
    letters[b'\r' as usize] = b'r';
    letters
};

/// For each half of a block: backslashes (from 64 on: the second table) and the half's bytes in turn.
static PAIRS: [[u8; 64]; 2] = {
    let mut pairs = [[64; 64]; 2];
    let mut index = 0;
    while index < 64 {
        pairs[index / 32][2 * (index % 32) + 1] = index as u8;
        index += 1;
    }
    pairs
};

/// The second byte of every pair.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 readable bytes; no alignment asked.
    unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
}

/// Bytes of `bytes`: its byte `at - shift` comes first, and where it has none there is `fill`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn load_some(bytes: &[u8], at: usize, shift: usize, fill: __m512i) -> __m512i {
    let below = first(shift.saturating_sub(at));
    let real = first((bytes.len() + shift).saturating_sub(at)) & !below;
    let start = bytes.as_ptr().wrapping_add(at).wrapping_sub(shift);
    // SAFETY: the mask admits only bytes of the slice, and what it does not admit is not read.
    unsafe { _mm512_mask_loadu_epi8(fill, real, start.cast()) }
}

/// The first half of `load_some(bytes, 0, 1, fill)`.
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
fn store(room: &mut [MaybeUninit<u8>; 128], place: usize, vector: __m512i) {
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

/// The lowest `count` bits, all of them from 64 on.
#[inline]
#[target_feature(enable = "bmi2")]
fn first(count: usize) -> u64 {
    _bzhi_u64(!0, count.min(64) as u32)
}

/// One bit for each of the `real` bytes that needs attention. Exchanging " with space puts all that is escaped,
/// but the backslash, below 0x21; as a signed number, all that is not ASCII too. What is not real is no
/// backslash.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn attention<const STOP: bool>(real: u64, bytes: __m512i) -> u64 {
    let swapped = _mm512_xor_si512(bytes, _mm512_set1_epi8(2));
    let low = match STOP {
        true => _mm512_mask_cmplt_epi8_mask(real, swapped, _mm512_set1_epi8(0x21)),
        false => _mm512_mask_cmplt_epu8_mask(real, swapped, _mm512_set1_epi8(0x21)),
    };
    low | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'\\' as i8))
}

/// `attention::<true>` of half a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn attention_half(real: u32, bytes: __m256i) -> u32 {
    let swapped = _mm256_xor_si256(bytes, _mm256_set1_epi8(2));
    let low = _mm256_mask_cmplt_epi8_mask(real, swapped, _mm256_set1_epi8(0x21));
    low | _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8(b'\\' as i8))
}

/// The bytes, with the letters of their short escapes for controls, and 0 for controls that have none.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn letters(bytes: __m512i) -> __m512i {
    let controls = _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(0x20));
    _mm512_mask_permutexvar_epi8(bytes, controls, bytes, load(&LETTERS))
}

/// Writes the `real` bytes, a backslash in front of each of `hits`; returns how many bytes that makes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn expand(letters: __m512i, real: u64, hits: u64, room: &mut [MaybeUninit<u8>; 128]) -> usize {
    let backslash = _mm512_set1_epi8(b'\\' as i8);
    let [low, high] = [0, 32].map(|half| _pdep_u64(hits >> half, !ODD) | _pdep_u64(real >> half, ODD));
    let pairs = _mm512_permutex2var_epi8(letters, load(&PAIRS[0]), backslash);
    store(room, 0, _mm512_maskz_compress_epi8(low, pairs));
    let pairs = _mm512_permutex2var_epi8(letters, load(&PAIRS[1]), backslash);
    store(room, low.count_ones() as usize, _mm512_maskz_compress_epi8(high, pairs));
    (low.count_ones() + high.count_ones()) as usize
}

/// See [`super::quote`]. A short plain text is one load and one store: the load leaves room for one byte in
/// front, and all that is not text is a quotation mark. Half a block for the shortest, because whole ones cross a
/// cache line wherever they lie.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub fn quote<const STOP: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    if src.len() <= 62
        && let Some(room) = dst.first_chunk_mut()
    {
        let plain = if src.len() <= 30 {
            let bytes = load_half(src, _mm256_set1_epi8(b'"' as i8));
            store_half(room, bytes);
            attention_half((first(src.len()) << 1) as u32, bytes) == 0
        } else {
            let bytes = load_some(src, 0, 1, _mm512_set1_epi8(b'"' as i8));
            store(room, 0, bytes);
            attention::<true>(first(src.len()) << 1, bytes) == 0
        };
        if plain {
            return Escaped { read: src.len(), written: src.len() + 2 };
        }
        return quote_short::<STOP>(src, dst);
    }
    quote_any(src, dst)
}

/// A text of 62 bytes or fewer that has hits, all in one go if they have letters or are well-formed UTF-8.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn quote_short<const STOP: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    let bytes = load_some(src, 0, 1, _mm512_set1_epi8(b'"' as i8));
    let letters = letters(bytes);
    let beyond = _mm512_movepi8_mask(bytes);
    if let Some(room) = dst.first_chunk_mut()
        && _mm512_testn_epi8_mask(letters, letters) == 0
        && (beyond == 0 || !STOP && well_formed(src))
    {
        let hits = attention::<false>(first(src.len()) << 1, bytes);
        let written = expand(letters, first(src.len() + 2), hits, room);
        return Escaped { read: src.len(), written };
    }
    quote_any(src, dst)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn quote_any(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    let inside = match super::open(dst) {
        Some(room) => escape::<true>(src, room),
        None => return Escaped { read: 0, written: 0 },
    };
    super::close(src, dst, inside)
}

/// See [`super::escape`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub fn escape<const STOP: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    let (mut read, mut written) = (0, 0);
    while let Some(rest) = src.get(read..) {
        let Some(room) = dst.get_mut(written..).and_then(|room| room.first_chunk_mut()) else { break };
        // Whole blocks get by without masks.
        let (bytes, mut real, width) = match rest.first_chunk() {
            Some(block) => (load(block), !0, 64),
            None if rest.is_empty() => break,
            None => (load_some(rest, 0, 0, _mm512_setzero_si512()), first(rest.len()), rest.len()),
        };
        store(room, 0, bytes);
        let mut hits = attention::<STOP>(real, bytes);
        if hits == 0 {
            read += width;
            written += width;
            continue;
        }

        let letters = letters(bytes);
        let mut others = _mm512_mask_testn_epi8_mask(real, letters, letters);
        if STOP {
            others |= _mm512_movepi8_mask(bytes);
        }
        if others == 0 {
            read += width;
            written += expand(letters, real, hits, room);
            continue;
        }
        // Only what is below the first of them has pairs to show for it.
        real = others.wrapping_sub(1) & !others;
        hits &= real;
        read += real.count_ones() as usize;
        written += expand(letters, real, hits, room);
        if !escape_one::<STOP>(src, dst, &mut read, &mut written) {
            break;
        }
    }
    Escaped { read, written }
}

// ---- UTF-8 --------------------------------------------------------------------------------------------
//
// The lookup method (Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte"): each fault
// that two bytes in a row can have is a bit; three lookups, by the nibbles of the first and the high nibble of the
// second, leave the bits of the faults that the pair has. The highest says "a second continuation byte", which is
// no fault exactly where a lead byte two or three places before asks for one. The bytes before come by
// loads from before. For short texts only: on long ones AVX2 is as fast, and simdutf8 has that.

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

const fn second_high(nibble: u8) -> u8 {
    let continuation = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS;
    match nibble {
        8 => continuation | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
        9 => continuation | OVERLONG_3 | TOO_LARGE,
        0xa | 0xb => continuation | SURROGATE | TOO_LARGE,
        _ => TOO_SHORT,
    }
}

/// A lookup by nibbles, once for every 16 bytes.
macro_rules! table {
    ($of:ident) => {{
        let mut table = [0; 64];
        let mut index = 0;
        while index < 64 {
            table[index] = $of(index as u8 % 16);
            index += 1;
        }
        table
    }};
}

static FIRST_HIGH: [u8; 64] = table!(first_high);
static FIRST_LOW: [u8; 64] = table!(first_low);
static SECOND_HIGH: [u8; 64] = table!(second_high);

/// Is this well-formed UTF-8? Only for texts shorter than a block: behind them a zero shows a sequence cut off.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub fn well_formed(text: &[u8]) -> bool {
    debug_assert!(text.len() < 64);
    let zero = _mm512_setzero_si512();
    let [bytes, before, before_2, before_3] = [0, 1, 2, 3].map(|shift| load_some(text, 0, shift, zero));
    let nibble = _mm512_set1_epi8(0x0f);
    let high = |bytes| _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), nibble);
    let first_high = _mm512_shuffle_epi8(load(&FIRST_HIGH), high(before));
    let first_low = _mm512_shuffle_epi8(load(&FIRST_LOW), _mm512_and_si512(before, nibble));
    let second_high = _mm512_shuffle_epi8(load(&SECOND_HIGH), high(bytes));
    let faults = _mm512_and_si512(_mm512_and_si512(first_high, first_low), second_high);
    let asked = _mm512_cmpge_epu8_mask(before_2, _mm512_set1_epi8(0xe0_u8 as i8))
        | _mm512_cmpge_epu8_mask(before_3, _mm512_set1_epi8(0xf0_u8 as i8));
    let others = _mm512_test_epi8_mask(faults, _mm512_set1_epi8(0x7f));
    (asked ^ _mm512_movepi8_mask(faults)) | others == 0
}
