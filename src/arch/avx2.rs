//! Kernels of 32 bytes for x86-64 with AVX2.

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::ssse3::{BASE64_DECODE, BASE64_ORDERS, BASE64_PADDING, BASE64_THREES, Base64End};
use super::strings::{DOWN, FAULTS, How, TO_LETTER, string_kernels, unknown};
use super::{Base64Decoder, Base64Encoder, Escaped, NonAscii, escape_one, ssse3};

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes everything, 24 bytes to 32 characters a step. The last step ends where the text ends, does some groups
/// twice, and pads; what is left of a text without padding is done by table. Does nothing below 24 bytes.
///
/// The 24 bytes come as two loads of 16 that overlap, so that neither reaches over the block's edges:
///
/// ```text
///   p           p+8     p+12    p+16        p+24
///   [ low lane: 12 used  | 4 not ]
///               [ 4 not | high lane: 12 used]      one or two less, and zeros, if padding follows
/// ```
#[inline]
#[target_feature(enable = "avx2")]
pub fn base64<'a>(encoder: &Base64Encoder, src: &[u8], dst: &'a mut [MaybeUninit<u8>]) -> &'a mut [u8] {
    let end = Base64End::of(src.len(), encoder.padded);
    if src.len() < 24 || dst.len() < 4 * end.groups {
        return &mut [];
    }
    let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
    let last = end.groups - 8;
    // SAFETY: 16 bytes are readable in each; the last load ends where `src` does, and the one beside it 8 bytes or less
    // before. Group `g < last` is bytes `3 * g ..`: other loads begin with them and end with group
    // `g + 7 < groups`. All stores end at character `4 * groups` or before.
    unsafe {
        let shifts = _mm256_broadcastsi128_si256(_mm_loadu_si128(encoder.shifts.as_ptr().cast()));
        let head = _mm_loadu_si128(BASE64_ORDERS[0].as_ptr().cast());
        let tail = _mm_loadu_si128(BASE64_ORDERS[end.skip].as_ptr().cast());
        let order = _mm256_set_m128i(_mm_loadu_si128(BASE64_ORDERS[4].as_ptr().cast()), head);
        let step = |low: *const u8, high: *const u8, order| {
            let bytes = _mm256_set_m128i(_mm_loadu_si128(high.cast()), _mm_loadu_si128(low.cast()));
            base64_characters(_mm256_shuffle_epi8(bytes, order), shifts)
        };
        let whole = |group: usize| {
            let text = step(from.add(3 * group), from.add(3 * group + 8), order);
            _mm256_storeu_si256(to.add(4 * group).cast(), text);
        };
        let mut group = 0;
        while group + 24 < last {
            whole(group);
            whole(group + 8);
            whole(group + 16);
            whole(group + 24);
            group += 32;
        }
        while group < last {
            whole(group);
            group += 8;
        }
        let padding = _mm_loadu_si128(BASE64_PADDING[end.padding].as_ptr().cast());
        let padding = _mm256_set_m128i(padding, _mm_setzero_si128());
        let text = step(from.add(3 * last), from.add(src.len() - 16), _mm256_set_m128i(tail, head));
        _mm256_storeu_si256(to.add(4 * last).cast(), _mm256_add_epi8(text, padding));
    }
    // SAFETY: steps at 0, 8, … and at `last` wrote 32 characters each: those of all `groups`.
    unsafe { end.rest(encoder, src, dst) }
}

/// The 32 characters of eight groups, each of which lies in 4 bytes as `b a c b`: see its namesake for SSSE3.
#[inline]
#[target_feature(enable = "avx2")]
fn base64_characters(groups: __m256i, shifts: __m256i) -> __m256i {
    let ac = _mm256_and_si256(groups, _mm256_set1_epi32(0x0fc0_fc00));
    let ac = high_product(ac, _mm256_set1_epi32(0x0400_0040));
    let bd = _mm256_and_si256(groups, _mm256_set1_epi32(0x003f_03f0));
    let bd = low_product(bd, _mm256_set1_epi32(0x0100_0010));
    let sextets = _mm256_or_si256(ac, bd);
    let range = _mm256_subs_epu8(sextets, _mm256_set1_epi8(51));
    let range = _mm256_sub_epi8(range, _mm256_cmpgt_epi8(sextets, _mm256_set1_epi8(25)));
    _mm256_add_epi8(sextets, _mm256_shuffle_epi8(shifts, range))
}

/// The high halves of unsigned 16-bit products: see its namesake for SSSE3.
#[inline]
#[target_feature(enable = "avx2")]
fn high_product(a: __m256i, b: __m256i) -> __m256i {
    let product;
    // SAFETY: it reads and writes the three registers alone.
    unsafe {
        asm!("vpmulhuw {0}, {1}, {2}", lateout(ymm_reg) product, in(ymm_reg) a, in(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags))
    };
    product
}

/// The low halves of 16-bit products.
#[inline]
#[target_feature(enable = "avx2")]
fn low_product(a: __m256i, b: __m256i) -> __m256i {
    let product;
    // SAFETY: it reads and writes the registers alone.
    unsafe {
        asm!("vpmullw {0}, {1}, {2}", lateout(ymm_reg) product, in(ymm_reg) a, in(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags))
    };
    product
}

/// Decodes 32 characters to 24 bytes a step, then as with SSSE3: see [`super::base64_decode`]. A step stores 32 bytes, of
/// which the last eight are overwritten or not counted.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub fn base64_decode(
    decoder: &Base64Decoder,
    src: &[u8],
    padding: usize,
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let mut groups = 0;
    while let Some(room) = dst.get_mut(3 * groups..).and_then(|room| room.first_chunk_mut::<32>())
        && let Some(block) = src.get(4 * groups..).and_then(|rest| rest.first_chunk::<32>())
    {
        let (sextets, wrong) = base64_sextets(load(block));
        if _mm256_movemask_epi8(wrong) != 0 {
            break;
        }
        store(room, base64_threes(sextets));
        groups += 8;
    }
    ssse3::base64_decode(decoder, src, padding, dst, groups)
}

/// The 24 bytes of 32 sextets, and eight more.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn base64_threes(sextets: __m256i) -> __m256i {
    let pairs = _mm256_maddubs_epi16(sextets, _mm256_set1_epi16(0x0140));
    let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x0001_1000));
    let threes = _mm256_shuffle_epi8(fours, twice(&BASE64_THREES));
    _mm256_permutevar8x32_epi32(threes, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7))
}

/// See its namesake for SSSE3.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn base64_sextets(characters: __m256i) -> (__m256i, __m256i) {
    let lookup = |table: &[u8; 16], by| _mm256_shuffle_epi8(twice(table), by);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(characters), _mm256_set1_epi8(0x0f));
    let check = _mm256_add_epi8(high, lookup(&BASE64_DECODE.check, characters));
    let shift = _mm256_add_epi8(high, lookup(&BASE64_DECODE.shift, characters));
    let wrong = _mm256_adds_epi8(characters, lookup(&BASE64_DECODE.minus_least, check));
    (_mm256_add_epi8(characters, lookup(&BASE64_DECODE.shifts, shift)), wrong)
}

// ---- Strings ------------------------------------------------------------------------------------

string_kernels!(32, 3, "avx2,popcnt", 16 by ssse3::escape_from);

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 readable bytes; no alignment asked.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn store<const N: usize>(room: &mut [MaybeUninit<u8>; N], vector: __m256i) {
    const { assert!(N >= 32) };
    // SAFETY: 32 writable bytes or more; no alignment asked.
    unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), vector) }
}

/// 16 bytes, twice.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn twice(bytes: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(ssse3::load(bytes))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn array(vector: __m256i) -> [u8; 32] {
    let mut bytes = [0; 32];
    // SAFETY: 32 writable bytes; no alignment asked.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) };
    bytes
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn zero() -> __m256i {
    _mm256_setzero_si256()
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn nothing() -> __m128i {
    _mm_setzero_si128()
}

/// Half a vector, since the loop has too few registers: what it puts on the stack comes back slowly
/// where it lies across two cache lines, which 16 bytes never do.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn last_of(bytes: __m256i) -> __m128i {
    _mm256_extracti128_si256::<1>(bytes)
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn or(a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn any(bytes: __m256i) -> bool {
    _mm256_testz_si256(bytes, bytes) == 0
}

/// Two loads that end where the text, of 16 bytes or more, does or before, each moved down until
/// only its part of what is left remains.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn partial(src: &[u8], read: usize) -> __m256i {
    let spaces = _mm_set1_epi8(b' ' as i8);
    // A call for shorter ones would cost the loop all its registers.
    let Some(last) = src.last_chunk::<16>() else { return _mm256_set_m128i(spaces, spaces) };
    let left = src.len() - read;
    let first = src.get(read..).and_then(|rest| rest.first_chunk()).unwrap_or(last);
    let moved = |bytes, by: usize| match DOWN.get(by..).and_then(|down| down.first_chunk()) {
        Some(down) => ssse3::shuffle(ssse3::load(bytes), ssse3::load(down)),
        None => spaces,
    };
    _mm256_set_m128i(moved(last, 32 - left), moved(first, 16 - left.min(16)))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn plain_short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (Some(head), Some(last)) = (src.first_chunk(), src.last_chunk()) else { return 0 };
    let (head, last) = (ssse3::load(head), ssse3::load(last));
    let Some(room) = dst.get_mut(..src.len()).filter(|_| ssse3::plain_pair(head, last)) else { return 0 };
    if let Some(room) = room.first_chunk_mut::<16>() {
        ssse3::store(room, head);
    }
    if let Some(room) = room.last_chunk_mut::<16>() {
        ssse3::store(room, last);
    }
    src.len()
}

/// All bits set in each byte that is escaped or not ASCII: see its namesake for SSSE3.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn attention(bytes: __m256i) -> __m256i {
    let swapped = _mm256_xor_si256(bytes, _mm256_set1_epi8(2));
    let low = _mm256_cmpgt_epi8(_mm256_set1_epi8(0x21), swapped);
    _mm256_or_si256(low, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'\\' as i8)))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn plain_pair(a: __m256i, b: __m256i) -> bool {
    _mm256_movemask_epi8(_mm256_or_si256(attention(a), attention(b))) == 0
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn hits(bytes: __m256i) -> u32 {
    let swapped = _mm256_xor_si256(bytes, _mm256_set1_epi8(2));
    let low = _mm256_cmpeq_epi8(_mm256_min_epu8(swapped, _mm256_set1_epi8(0x20)), swapped);
    let backslash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'\\' as i8));
    _mm256_movemask_epi8(_mm256_or_si256(low, backslash)) as u32
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn beyond_ascii(bytes: __m256i) -> bool {
    _mm256_movemask_epi8(bytes) != 0
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn letters(bytes: __m256i) -> __m256i {
    // From 0x10 on the index has its highest bit, for which a shuffle gives zero.
    let index = _mm256_adds_epu8(bytes, _mm256_set1_epi8(0x70));
    _mm256_add_epi8(bytes, _mm256_shuffle_epi8(twice(&TO_LETTER), index))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn controls(letters: __m256i) -> u32 {
    let low = _mm256_cmpeq_epi8(_mm256_min_epu8(letters, _mm256_set1_epi8(0x1f)), letters);
    _mm256_movemask_epi8(low) as u32
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn expand(letters: __m256i, hits: u32, room: &mut [MaybeUninit<u8>; 64]) -> usize {
    let (low, high) = (_mm256_castsi256_si128(letters), _mm256_extracti128_si256::<1>(letters));
    let quarters = [low, _mm_unpackhi_epi64(low, low), high, _mm_unpackhi_epi64(high, high)];
    for (quarter, letters) in quarters.into_iter().enumerate() {
        // Where it comes depends on the mask alone, not on the quarters before.
        let before = hits & !(u32::MAX << (8 * quarter));
        let place = 8 * quarter + before.count_ones() as usize;
        if let Some(room) = room.get_mut(place..).and_then(|room| room.first_chunk_mut::<16>()) {
            ssse3::store(room, ssse3::expand_eight(letters, hits >> (8 * quarter)));
        }
    }
    32 + hits.count_ones() as usize
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn faults(before: __m128i, bytes: __m256i) -> __m256i {
    // What is before, and the lower half of these.
    let between = _mm256_set_m128i(_mm256_castsi256_si128(bytes), before);
    let before_1 = _mm256_alignr_epi8::<15>(bytes, between);
    let before_2 = _mm256_alignr_epi8::<14>(bytes, between);
    let before_3 = _mm256_alignr_epi8::<13>(bytes, between);
    let low = |bytes| _mm256_and_si256(bytes, _mm256_set1_epi8(0xf));
    let high = |bytes| low(_mm256_srli_epi16::<4>(bytes));
    let tables = unknown(&FAULTS);
    let first = _mm256_and_si256(
        _mm256_shuffle_epi8(twice(&tables.first_high), high(before_1)),
        _mm256_shuffle_epi8(twice(&tables.first_low), low(before_1)),
    );
    let pairs = _mm256_and_si256(first, _mm256_shuffle_epi8(twice(&tables.second_high), high(bytes)));
    // The highest bit is set from 0xe0 and from 0xf0 on.
    let threes = _mm256_subs_epu8(before_2, _mm256_set1_epi8(0x60));
    let fours = _mm256_subs_epu8(before_3, _mm256_set1_epi8(0x70));
    let asked = _mm256_and_si256(_mm256_or_si256(threes, fours), _mm256_set1_epi8(0x80_u8 as i8));
    _mm256_xor_si256(pairs, asked)
}
