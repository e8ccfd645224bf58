//! Kernels of 32 bytes for x86-64 with AVX2.

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::ssse3::{BASE64_ORDERS, BASE64_PADDING, Base64End};
use super::{Base64Encoder, Escaped, escape_one, ssse3};

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
    // SAFETY: as above.
    unsafe {
        asm!("vpmullw {0}, {1}, {2}", lateout(ymm_reg) product, in(ymm_reg) a, in(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags))
    };
    product
}

// ---- Strings ------------------------------------------------------------------------------------------
//
// As with SSSE3, 32 bytes a step; what is shorter than that is left to those 16 bytes wide.

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 readable bytes; no alignment asked.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(bytes: &mut [MaybeUninit<u8>; 32], vector: __m256i) {
    // SAFETY: 32 writable bytes; no alignment asked.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) }
}

/// One bit for each byte that needs attention; see the SSSE3 one.
#[inline]
#[target_feature(enable = "avx2")]
fn attention<const STOP: bool>(bytes: __m256i) -> u32 {
    let swapped = _mm256_xor_si256(bytes, _mm256_set1_epi8(2));
    let low = match STOP {
        true => _mm256_cmpgt_epi8(_mm256_set1_epi8(0x21), swapped),
        false => _mm256_cmpeq_epi8(_mm256_min_epu8(swapped, _mm256_set1_epi8(0x20)), swapped),
    };
    let backslash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'\\' as i8));
    _mm256_movemask_epi8(_mm256_or_si256(low, backslash)) as u32
}

/// See [`super::escape`].
#[target_feature(enable = "avx2")]
pub fn escape<const STOP: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    if src.len() <= 32 {
        return ssse3::escape::<STOP>(src, dst);
    }
    let (mut read, mut written) = (0, 0);
    while let Some(bytes) = src[read..].first_chunk() {
        let Some(room) = dst.get_mut(written..).and_then(|room| room.first_chunk_mut()) else { break };
        let bytes = load(bytes);
        store(room, bytes);
        let hits = attention::<STOP>(bytes);
        if hits == 0 {
            // Not through `trailing_zeros`: the next load would have to wait for it.
            read += 32;
            written += 32;
            continue;
        }
        let plain = hits.trailing_zeros() as usize;
        read += plain;
        written += plain;
        if !escape_one::<STOP>(src, dst, &mut read, &mut written) {
            return Escaped { read, written };
        }
    }
    ssse3::finish::<STOP>(src, dst, read, written)
}

/// See [`super::quote`].
#[target_feature(enable = "avx2")]
pub fn quote(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    let inside = match super::open(dst) {
        Some(room) => escape::<true>(src, room),
        None => return Escaped { read: 0, written: 0 },
    };
    super::close(src, dst, inside)
}
