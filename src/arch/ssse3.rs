//! Kernels of 16 bytes for x86-64 with SSSE3.

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{Base64Encoder, scalar};

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes everything, 12 bytes to 16 characters a step. The last step ends where the text ends, does some groups
/// twice, and pads; what is left of a text without padding is done by table.
///
/// A load is 16 bytes wide. But for the first it begins 4 bytes or more before the 12, so that it never reaches behind
/// them:
///
/// ```text
///   0           12          24              length
///   |aaabbbcccddd|...........|...               |
///   [  first load   ]                           |
///           [ load at 12-4  ]                   |
///                                [ load at l-16 ]   12 bytes from 4 on; from 5 or 6 on if padding follows
/// ```
#[inline]
#[target_feature(enable = "ssse3")]
pub fn base64<'a>(encoder: &Base64Encoder, src: &[u8], dst: &'a mut [MaybeUninit<u8>]) -> &'a mut [u8] {
    let end = Base64End::of(src.len(), encoder.padded);
    if src.len() < 16 || dst.len() < 4 * end.groups {
        return scalar::base64(encoder, src, dst);
    }
    let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
    let last = end.groups - 4;
    // SAFETY: 16 bytes are readable in each; the last load ends where `src` does. Group `g <= last` is bytes `3 * g ..`:
    // other loads begin with them or 4 before, and end at 16 or, at the latest, with group `g + 3 < groups`.
    // All stores end at character `4 * groups` or before.
    unsafe {
        let shifts = _mm_loadu_si128(encoder.shifts.as_ptr().cast());
        let head = _mm_loadu_si128(BASE64_ORDERS[0].as_ptr().cast());
        let body = _mm_loadu_si128(BASE64_ORDERS[4].as_ptr().cast());
        let step = |bytes: *const u8, order| {
            let bytes = _mm_loadu_si128(bytes.cast());
            base64_characters(_mm_shuffle_epi8(bytes, order), shifts)
        };
        _mm_storeu_si128(to.cast(), step(from, head));
        let mut group = 4;
        while group < last {
            _mm_storeu_si128(to.add(4 * group).cast(), step(from.add(3 * group - 4), body));
            group += 4;
        }
        let order = _mm_loadu_si128(BASE64_ORDERS[end.skip].as_ptr().cast());
        let padding = _mm_loadu_si128(BASE64_PADDING[end.padding].as_ptr().cast());
        let text = _mm_add_epi8(step(from.add(src.len() - 16), order), padding);
        _mm_storeu_si128(to.add(4 * last).cast(), text);
    }
    // SAFETY: steps at 0, 4, … and at `last` wrote 16 characters each: those of all `groups`.
    unsafe { end.rest(encoder, src, dst) }
}

/// How the last vector step of a kernel ends.
#[derive(Clone, Copy)]
pub(super) struct Base64End {
    /// Groups that end with that step, one that is padded included.
    pub groups: usize,
    /// Where the step's last 12 bytes begin among the source's last 16. With padding there are only 11 or 10.
    pub skip: usize,
    /// Characters of padding.
    pub padding: usize,
}

impl Base64End {
    #[inline]
    pub fn of(length: usize, padded: bool) -> Self {
        let (groups, rest) = (length / 3, length % 3);
        match rest {
            0 => Base64End { groups, skip: 4, padding: 0 },
            _ if padded => Base64End { groups: groups + 1, skip: 7 - rest, padding: 3 - rest },
            _ => Base64End { groups, skip: 4 - rest, padding: 0 },
        }
    }

    /// What no vector step did.
    ///
    /// # Safety
    /// The characters of all `groups` are written.
    #[inline]
    pub unsafe fn rest<'a>(
        self,
        encoder: &Base64Encoder,
        src: &[u8],
        dst: &'a mut [MaybeUninit<u8>],
    ) -> &'a mut [u8] {
        if 3 * self.groups >= src.len() {
            // SAFETY: the caller's promise.
            return unsafe { super::written(dst, 4 * self.groups) };
        }
        // SAFETY: as above.
        unsafe { scalar::base64_rest(encoder, src, dst, self.groups) }
    }
}

/// The order `b a c b` of four groups that begin at byte 0 to 6 of a vector; zero for bytes behind it.
pub(super) static BASE64_ORDERS: [[u8; 16]; 7] = {
    let mut orders = [[0x80; 16]; 7];
    let mut i = 0;
    while i < 7 * 16 {
        let (first, lane) = (i / 16, i % 16);
        let byte = first + lane / 4 * 3 + [1, 0, 2, 1][lane % 4];
        if byte < 16 {
            orders[first][lane] = byte as u8;
        }
        i += 1;
    }
    orders
};

/// Makes `=` of the last no, one or two `A`.
pub(super) static BASE64_PADDING: [[u8; 16]; 3] = {
    const TO_PADDING: u8 = b'='.wrapping_sub(b'A');
    let mut padding = [[0; 16]; 3];
    padding[1][15] = TO_PADDING;
    padding[2][14] = TO_PADDING;
    padding[2][15] = TO_PADDING;
    padding
};

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
    let ac = _mm_and_si128(groups, _mm_set1_epi32(0x0fc0_fc00));
    let ac = high_product(ac, _mm_set1_epi32(0x0400_0040));
    let bd = _mm_and_si128(groups, _mm_set1_epi32(0x003f_03f0));
    let bd = low_product(bd, _mm_set1_epi32(0x0100_0010));
    let sextets = _mm_or_si128(ac, bd);
    // 0 for 0–51, 1–12 for 52–63; then one more from 26 on, where the comparison is −1.
    let range = _mm_subs_epu8(sextets, _mm_set1_epi8(51));
    let range = _mm_sub_epi8(range, _mm_cmpgt_epi8(sextets, _mm_set1_epi8(25)));
    _mm_add_epi8(sextets, _mm_shuffle_epi8(shifts, range))
}

/// The high halves of unsigned 16-bit products. Written out, because of products with powers of two, and of any in a loop,
/// the compiler makes five instructions and more (shifts, widening, packing).
#[inline]
#[target_feature(enable = "ssse3")]
fn high_product(mut a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: it reads and writes the two registers alone.
    unsafe {
        asm!("pmulhuw {0}, {1}", inout(xmm_reg) a, in(xmm_reg) b, options(pure, nomem, nostack, preserves_flags))
    };
    a
}

/// The low halves of 16-bit products; see [`high_product`].
#[inline]
#[target_feature(enable = "ssse3")]
fn low_product(mut a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: as above.
    unsafe {
        asm!("pmullw {0}, {1}", inout(xmm_reg) a, in(xmm_reg) b, options(pure, nomem, nostack, preserves_flags))
    };
    a
}
