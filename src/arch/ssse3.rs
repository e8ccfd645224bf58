//! Kernels of 16 bytes for x86-64 with SSSE3.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::Base64Encoder;

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes whole groups of 3 bytes, 12 bytes to 16 characters a step. The last step ends where the groups end
/// and does some of them twice. Does nothing below 16 bytes.
///
/// A load is 16 bytes wide. It begins 4 bytes before the 12 (3 where there are no 4), so that it never reaches
/// behind them; only the first begins with them:
///
/// ```text
///   0           12          24   e-12         e
///   |aaabbbcccddd|....        |   |           |
///   [   first load  ]         |   |           |
///           [ load at 12-4   ]    |           |
///                             [ load at e-16  ]
/// ```
#[inline]
#[target_feature(enable = "ssse3")]
pub fn base64_blocks<'a>(
    encoder: &Base64Encoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    let groups = (src.len() / 3).min(dst.len() / 4);
    if groups < 4 || src.len() < 16 {
        return &mut [];
    }
    // SAFETY: 16 bytes are readable there.
    let shifts = unsafe { _mm_loadu_si128(encoder.shifts.as_ptr().cast()) };
    // The groups' bytes begin at byte 0 of a load, or 4 later.
    let head = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    let body = _mm_add_epi8(head, _mm_set1_epi8(4));
    let last = groups - 4;
    let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
    // SAFETY: group `g`, `g <= last`, begins at byte `3 * g`; with `back <= 3 * g` the load begins within `src`,
    // and ends at `3 * g + 16 - back`: for `back == 4` that is the end of group `g + 3 <= groups - 1`, for
    // `g <= 1` at most 16. The store ends at character `4 * g + 16 <= 4 * groups`.
    let step = |group: usize, back: usize, order: __m128i| unsafe {
        let bytes = _mm_loadu_si128(from.add(3 * group - back).cast());
        let text = base64_characters(_mm_shuffle_epi8(bytes, order), shifts);
        _mm_storeu_si128(to.add(4 * group).cast(), text);
    };
    step(0, 0, head);
    let mut group = 4;
    while group <= last {
        step(group, 4, body);
        group += 4;
    }
    match last {
        0 => {}
        1 => step(1, 3, _mm_add_epi8(head, _mm_set1_epi8(3))),
        _ => step(last, 4, body),
    }
    // SAFETY: steps at 0, 4, … and at `last` wrote 16 characters each: all of them up to `4 * groups`.
    unsafe { super::written(dst, 4 * groups) }
}

/// The 16 characters of four groups, each of which lies in 4 bytes as `b a c b`.
///
/// ```text
///   16-bit lanes      low: b a             high: c b           (high byte of the lane left)
///                 aaaaaaaabbbbbbbb       bbbbbbbbcccccccc
///   sextets A, C  ^^^^^^                     ^^^^^^            down to bit 0: the high half of a product
///   sextets B, D        ^^^^^^                     ^^^^^^      up to bit 8: the low half of a product
/// ```
#[inline]
#[target_feature(enable = "ssse3")]
fn base64_characters(groups: __m128i, shifts: __m128i) -> __m128i {
    let ac = _mm_mulhi_epu16(_mm_and_si128(groups, _mm_set1_epi32(0x0fc0_fc00)), _mm_set1_epi32(0x0400_0040));
    let bd = _mm_mullo_epi16(_mm_and_si128(groups, _mm_set1_epi32(0x003f_03f0)), _mm_set1_epi32(0x0100_0010));
    let sextets = _mm_or_si128(ac, bd);
    // 0 for 0–51, 1–12 for 52–63; then 13 for 0–25.
    let above = _mm_subs_epu8(sextets, _mm_set1_epi8(51));
    let upper = _mm_cmpgt_epi8(_mm_set1_epi8(26), sextets);
    let range = _mm_or_si128(above, _mm_and_si128(upper, _mm_set1_epi8(13)));
    _mm_add_epi8(sextets, _mm_shuffle_epi8(shifts, range))
}
