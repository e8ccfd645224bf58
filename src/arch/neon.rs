//! Kernels of 16 bytes for little-endian AArch64, where NEON is part of the baseline.

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use super::{Base64Encoder, scalar};

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes everything: whole blocks of 48 bytes to 64 characters by vectors, the rest by table. Loads that
/// de-interleave and stores that interleave leave nothing to permute.
///
/// ```text
///   ld3         a: 16 first bytes    b: 16 second bytes    c: 16 third bytes   of 16 groups
///               aaaaaaaa             bbbbbbbb              cccccccc
///   sextets     \_A__/\B              __/\_C_              _/\_D__/
///   tbl, st4    each by a table of 64 bytes, then A B C D A B C D …
/// ```
///
/// Never inlined: in one function with the small path it would cost that path registers.
#[inline(never)]
#[target_feature(enable = "neon")]
pub fn base64<'a>(encoder: &Base64Encoder, src: &[u8], dst: &'a mut [MaybeUninit<u8>]) -> &'a mut [u8] {
    let blocks = (src.len() / 48).min(dst.len() / 64);
    // SAFETY: 64 bytes are readable there.
    let alphabet = unsafe { vld1q_u8_x4(encoder.chars.as_ptr()) };
    let low = vdupq_n_u8(0x3f);
    let (mut from, mut to) = (src.as_ptr(), dst.as_mut_ptr().cast::<u8>());
    for _ in 0..blocks {
        // SAFETY: block after block, `from` and `to` stay within `blocks` times 48 bytes and 64 characters.
        unsafe {
            let uint8x16x3_t(a, b, c) = vld3q_u8(from);
            let sextets = [
                vshrq_n_u8::<2>(a),
                vandq_u8(vsliq_n_u8::<4>(vshrq_n_u8::<4>(b), a), low),
                vandq_u8(vsliq_n_u8::<2>(vshrq_n_u8::<6>(c), b), low),
                vandq_u8(c, low),
            ];
            let [a, b, c, d] = sextets.map(|sextet| vqtbl4q_u8(alphabet, sextet));
            vst4q_u8(to, uint8x16x4_t(a, b, c, d));
            from = from.add(48);
            to = to.add(64);
        }
    }
    // SAFETY: every block wrote the characters of its 16 groups.
    unsafe { scalar::base64_rest(encoder, src, dst, 16 * blocks) }
}
