//! Sixteen digits at once with SSE2, which every x86-64 processor has: no tier, no detection.
//!
//! The rounds of `decimal`, on two groups of eight digits side by side. A round splits each part of the register in
//! two: the quotient moves to the lower half, the remainder to the upper one, so that the first digit ends up in the
//! lowest byte.

use core::arch::x86_64::{
    _mm_cvtsi128_si64, _mm_mul_epu32, _mm_mulhi_epu16, _mm_mullo_epi16, _mm_or_si128, _mm_set_epi64x,
    _mm_set1_epi16, _mm_set1_epi32, _mm_set1_epi64x, _mm_slli_epi16, _mm_slli_epi32, _mm_slli_epi64,
    _mm_srli_epi16, _mm_srli_epi64, _mm_sub_epi16, _mm_sub_epi64, _mm_unpackhi_epi64,
};

/// The sixteen digits of `n`, below 10^16, as numbers 0 to 9, eight in a word, the first in the lowest byte.
#[inline(always)]
pub fn sixteen(n: u64) -> [u64; 2] {
    let high = n / 100_000_000;
    let low = n - high * 100_000_000;
    // SAFETY: SSE2 is part of the x86-64 baseline, and none of these touches memory.
    unsafe {
        let n = _mm_set_epi64x(low as i64, high as i64);
        // 3518437209 / 2^45, 5243 / 2^19 and 6554 / 2^16 stand for 1/10^4, 1/100 and 1/10: exact for all numbers below
        // 10^8, 10^4 and 100.
        let quotient = _mm_srli_epi64::<45>(_mm_mul_epu32(n, _mm_set1_epi64x(3_518_437_209)));
        let product = _mm_mul_epu32(quotient, _mm_set1_epi64x(10_000));
        let n = _mm_or_si128(_mm_slli_epi64::<32>(_mm_sub_epi64(n, product)), quotient);
        let quotient = _mm_srli_epi16::<3>(_mm_mulhi_epu16(n, _mm_set1_epi32(5_243)));
        let product = _mm_mullo_epi16(quotient, _mm_set1_epi32(100));
        let n = _mm_or_si128(_mm_slli_epi32::<16>(_mm_sub_epi16(n, product)), quotient);
        let quotient = _mm_mulhi_epu16(n, _mm_set1_epi16(6_554));
        let product = _mm_mullo_epi16(quotient, _mm_set1_epi16(10));
        let n = _mm_or_si128(_mm_slli_epi16::<8>(_mm_sub_epi16(n, product)), quotient);
        [_mm_cvtsi128_si64(n) as u64, _mm_cvtsi128_si64(_mm_unpackhi_epi64(n, n)) as u64]
    }
}
