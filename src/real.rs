//! Reals as the shortest decimal text that reads back to the same bits (R3).
//!
//! The format is part of the contract, since deterministic output may sit in an index. The digits
//! are the fewest that read back to the value, of those the nearest to it, and of two equally near
//! the even one; they are written
//!
//! ```text
//!   10^-5 <= |x| < 10^16    plainly, with a digit or more on both sides of the point   0.00001  12.99  1.0
//!   all other numbers       with an exponent, without a point after a lone digit       1e21  2.5e-7
//!   zero                    0.0  -0.0
//! ```
//!
//! Numbers below 2^52 with few decimals, which prices, coordinates and times are, need no search
//! for the digits: eight decimals below 45 million, six below 2 billion, and so on to none. All
//! others go to zmij, which is maintained, agrees with the standard library but for ties, and beat
//! ryu by a third or more.

use crate::decimal::{Digits, ZEROS, eight, head, sixteen};

/// Room for a text that [`real`] lends.
#[derive(Default)]
pub struct Room {
    buffer: zmij::Buffer,
    plusless: [u8; 24],
}

/// A real in text.
pub enum Real<'room> {
    /// In two pieces.
    Short(Digits),
    /// As it is in the room.
    Long(&'room [u8]),
    /// Infinite or not a number, for which JSON has no word.
    Unwritable,
}

/// `x` in text: [`short`], or else [`other`].
#[inline(always)]
pub fn real(x: f64, room: &mut Room) -> Real<'_> {
    match short(x) {
        Some(digits) => Real::Short(digits),
        None => other(x, room),
    }
}

/// `x` in text, if [`short`] is not for it. A caller has it in a function of its own: digits of two
/// origins in one place are no longer in registers.
#[inline(always)]
pub fn other(x: f64, room: &mut Room) -> Real<'_> {
    match large(x) {
        Some(digits) => Real::Short(digits),
        None => match long(x, room) {
            Some(text) => Real::Long(text),
            None => Real::Unwritable,
        },
    }
}

/// Adding 2^52 rounds a number below that to a whole one, which is then in the sum's low bits.
const WHOLE: f64 = (1_u64 << 52) as f64;

/// Below this `short` scales by 10^8.
const SMALL: f64 = WHOLE / 1e8;

/// `x` in text, if it has eight decimals or fewer, and at most so many that it is below 2^52
/// without its point.
///
/// `n / 10^8` is `x` after division and rounding, so that is what its digits read back to. `n` is
/// below 2^52, so that reals of its size lie closer than one 10^8th: no other number with eight
/// decimals reads back to `x`, and what is left of the digits without the zeros at the end is the
/// shortest text, and the only one of that length.
#[inline(always)]
pub fn short(x: f64) -> Option<Digits> {
    let size = x.abs();
    if size >= SMALL {
        return None;
    }
    let sum = size * 1e8 + WHOLE;
    let n = sum.to_bits() & ((1 << 52) - 1);
    // NaN is unequal to itself. Numbers below 10^-5 are written with an exponent, except zero.
    if (sum - WHOLE) / 1e8 != size || (1..1000).contains(&n) {
        return None;
    }
    let [digits, part] = sixteen(n);
    let (point, zeros) = fraction(part);
    Some(Digits::new((x.to_bits() >> 63) as u32, head(digits), point, 9 - zeros))
}

/// A point and eight digits, and how many of them are zeros at the end; the first is kept, also if
/// it is 0.
#[inline(always)]
fn fraction(digits: u64) -> (u128, u32) {
    let zeros = (digits.swap_bytes() | 1 << 56).trailing_zeros() / 8;
    (u128::from(digits | ZEROS) << 8 | u128::from(b'.'), zeros)
}

/// By how many decimals reals of one binary exponent are scaled, as a power of ten: by as many as
/// leave them below 2^52. The first is for [`FIRST`], the exponent of [`SMALL`], the last for 51.
const POWERS: [u32; 27] = {
    let mut powers = [1; 27];
    let mut i = 0;
    while i < 27 {
        while (powers[i] as u64 * 10) << (FIRST + 1 + i as u32) <= 1 << 52 {
            powers[i] *= 10;
        }
        i += 1;
    }
    powers
};

const FIRST: u32 = 25;

/// `POWERS`.
static SCALES: [f64; 27] = {
    let mut scales = [0.0; 27];
    let mut i = 0;
    while i < 27 {
        scales[i] = POWERS[i] as f64;
        i += 1;
    }
    scales
};

/// 10^8, divided by each of `POWERS`.
static RESTS: [u32; 27] = {
    let mut rests = [0; 27];
    let mut i = 0;
    while i < 27 {
        rests[i] = 100_000_000 / POWERS[i];
        i += 1;
    }
    rests
};

/// [`short`] from [`SMALL`] to 2^52, with fewer decimals the larger they are.
#[inline(always)]
fn large(x: f64) -> Option<Digits> {
    let size = x.abs();
    let exponent = (size.to_bits() >> 52) as usize;
    let index = exponent.wrapping_sub(1023 + FIRST as usize);
    let (scale, rest) = (*SCALES.get(index)?, u64::from(*RESTS.get(index)?));
    let sum = size * scale + WHOLE;
    if (sum - WHOLE) / scale != size {
        return None;
    }
    let n = sum.to_bits() & ((1 << 52) - 1);
    // `size` rounded down, which is `n` without its decimals: a whole number above `n / scale`
    // would read back to more.
    let sum = size + WHOLE;
    let whole = (sum.to_bits() & ((1 << 52) - 1)) - u64::from(sum - WHOLE > size);
    // Below 10^8, whatever is carried away before.
    let part = n.wrapping_mul(rest).wrapping_sub(whole.wrapping_mul(100_000_000));
    let (point, zeros) = fraction(eight(part as u32));
    let minus = (x.to_bits() >> 63) as u32;
    if whole < 100_000_000 {
        return Some(Digits::new(minus, head(eight(whole as u32)), point, 9 - zeros));
    }
    let [high, low] = sixteen(whole);
    let tail = u128::from(low | ZEROS) | point << 64;
    Some(Digits::new(minus, head(high), tail, 17 - zeros))
}

#[inline(always)]
fn long(x: f64, room: &mut Room) -> Option<&[u8]> {
    if !x.is_finite() {
        return None;
    }
    let text = room.buffer.format_finite(x).as_bytes();
    if x.abs() < 1e16 {
        return Some(text);
    }
    // The crate writes 1e+21.
    let mut length = 0;
    for (&byte, to) in text.iter().filter(|&&byte| byte != b'+').zip(&mut room.plusless) {
        *to = byte;
        length += 1;
    }
    room.plusless.get(..length)
}
