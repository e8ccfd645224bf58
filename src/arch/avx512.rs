//! Kernels of 64 bytes for x86-64 with AVX-512 F, BW, VL, VBMI and VBMI2. Masks make them end at any byte.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::Base64Encoder;

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
    // In a 64-bit lane with the bytes b a c b | b a c b the first window begins at bit 10: above b's low two.
    let windows = _mm512_set1_epi64(0x3036_242a_1016_040a);
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
