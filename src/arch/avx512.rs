//! Kernels of 64 bytes for x86-64 with AVX-512 F, BW, VL, VBMI and VBMI2. Masks make them end at any byte.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::Base64Encoder;

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes everything, 48 bytes to 64 characters a step, the last step masked and padded; only the whole blocks
/// if `dst` is too short for everything.
///
/// ```text
///   permute      each group of 3 to 4 bytes     b a c b    (low address left)
///   multishift   each byte a window of 8 bits   A B C D    (two high bits of no meaning)
///   permute      look up by the low six bits
/// ```
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub fn base64_blocks<'a>(
    encoder: &Base64Encoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    let blocks = (src.len() / 48).min(dst.len() / 64);
    let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
    // SAFETY: 64 bytes are readable there.
    let alphabet = unsafe { _mm512_loadu_si512(encoder.chars.as_ptr().cast()) };
    // SAFETY: as above.
    let order = unsafe { _mm512_loadu_si512(BASE64_ORDER.as_ptr().cast()) };
    // In a 64-bit lane with the bytes b a c b | b a c b the first window begins at bit 10: above b's low two.
    let windows = _mm512_set1_epi64(0x3036_242a_1016_040a);
    let sextets = |bytes| _mm512_multishift_epi64_epi8(windows, _mm512_permutexvar_epi8(order, bytes));

    // SAFETY: block `b`, `b < blocks`, is bytes `48 * b ..` and characters `64 * b ..`; the mask ends the load
    // at byte `48 * b + 48`.
    let step = |block: usize| unsafe {
        let bytes = _mm512_maskz_loadu_epi8((1 << 48) - 1, from.add(48 * block).cast());
        let text = _mm512_permutexvar_epi8(sextets(bytes), alphabet);
        _mm512_storeu_si512(to.add(64 * block).cast(), text);
    };
    let mut block = 0;
    while block + 4 <= blocks {
        step(block);
        step(block + 1);
        step(block + 2);
        step(block + 3);
        block += 4;
    }
    while block < blocks {
        step(block);
        block += 1;
    }

    let rest = src.len() - 48 * blocks;
    let plain = (4 * rest).div_ceil(3);
    let whole = if encoder.padded { plain.next_multiple_of(4) } else { plain };
    if rest == 0 || rest > 48 || whole > dst.len() - 64 * blocks {
        // SAFETY: every block wrote its 64 characters.
        return unsafe { super::written(dst, 64 * blocks) };
    }
    // SAFETY: the load is masked to the last `rest` bytes of `src`, the store to `whole` characters, for which `dst`
    // has room; `1 <= rest <= 48`, so that `1 <= plain <= whole <= 64`.
    unsafe {
        let bytes = _mm512_maskz_loadu_epi8(u64::MAX >> (64 - rest), from.add(48 * blocks).cast());
        let text = u64::MAX >> (64 - plain);
        let text = _mm512_mask_permutexvar_epi8(_mm512_set1_epi8(b'=' as i8), text, sextets(bytes), alphabet);
        _mm512_mask_storeu_epi8(to.add(64 * blocks).cast(), u64::MAX >> (64 - whole), text);
    }
    // SAFETY: that were all characters from block `blocks` on.
    unsafe { super::written(dst, 64 * blocks + whole) }
}

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
