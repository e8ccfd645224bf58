//! Kernels of 32 bytes for x86-64 with AVX2.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{Base64Encoder, Escaped, escape_one, ssse3};

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes whole groups of 3 bytes, 24 bytes to 32 characters a step; the last step ends where the groups end and
/// does some of them twice. Below 24 bytes the steps are those of SSSE3.
///
/// The 24 bytes come as two loads of 16 that overlap, so that neither reaches over the block's edges:
///
/// ```text
///   p           p+8     p+12    p+16        p+24
///   [ low lane: 12 used  | 4 not ]
///               [ 4 not | high lane: 12 used]
/// ```
#[inline]
#[target_feature(enable = "avx2")]
pub fn base64_blocks<'a>(
    encoder: &Base64Encoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    let groups = (src.len() / 3).min(dst.len() / 4);
    if groups < 8 {
        return ssse3::base64_blocks(encoder, src, dst);
    }
    // SAFETY: 16 bytes are readable there.
    let shifts = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(encoder.shifts.as_ptr().cast()) });
    let order = _mm256_setr_epi8(
        1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10, //
        5, 4, 6, 5, 8, 7, 9, 8, 11, 10, 12, 11, 14, 13, 15, 14,
    );
    let last = groups - 8;
    let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
    // SAFETY: group `g`, `g <= last`, begins at byte `3 * g`, and the loads end at byte `3 * g + 24`, the end of
    // group `g + 7 <= groups - 1`. The store ends at character `4 * g + 32 <= 4 * groups`.
    let step = |group: usize| unsafe {
        let low = _mm_loadu_si128(from.add(3 * group).cast());
        let high = _mm_loadu_si128(from.add(3 * group + 8).cast());
        let text = base64_characters(_mm256_shuffle_epi8(_mm256_set_m128i(high, low), order), shifts);
        _mm256_storeu_si256(to.add(4 * group).cast(), text);
    };
    let mut group = 0;
    while group + 24 <= last {
        step(group);
        step(group + 8);
        step(group + 16);
        step(group + 24);
        group += 32;
    }
    while group < last {
        step(group);
        group += 8;
    }
    step(last);
    // SAFETY: steps at 0, 8, … and at `last` wrote 32 characters each: all of them up to `4 * groups`.
    unsafe { super::written(dst, 4 * groups) }
}

/// The 32 characters of eight groups, each of which lies in 4 bytes as `b a c b`: see its namesake for SSSE3.
#[inline]
#[target_feature(enable = "avx2")]
fn base64_characters(groups: __m256i, shifts: __m256i) -> __m256i {
    let ac = _mm256_and_si256(groups, _mm256_set1_epi32(0x0fc0_fc00));
    let ac = _mm256_mulhi_epu16(ac, _mm256_set1_epi32(0x0400_0040));
    let bd = _mm256_and_si256(groups, _mm256_set1_epi32(0x003f_03f0));
    let bd = _mm256_mullo_epi16(bd, _mm256_set1_epi32(0x0100_0010));
    let sextets = _mm256_or_si256(ac, bd);
    // 0 for 0–51, 1–12 for 52–63; then 13 for 0–25.
    let above = _mm256_subs_epu8(sextets, _mm256_set1_epi8(51));
    let upper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), sextets);
    let range = _mm256_or_si256(above, _mm256_and_si256(upper, _mm256_set1_epi8(13)));
    _mm256_add_epi8(sextets, _mm256_shuffle_epi8(shifts, range))
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
