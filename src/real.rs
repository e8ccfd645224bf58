//! Reals as the shortest decimal text that reads back to the same bits (R3).
//!
//! The format is part of the contract, since deterministic output may sit in an index. The digits are the fewest that
//! read back to the value, of those the nearest to it, and of two equally near the even one; they are written
//!
//! ```text
//!   10^-5 <= |x| < 10^16    plainly, with a digit or more on both sides of the point   0.00001  12.99  1.0
//!   all other numbers       with an exponent, without a point after a lone digit       1e21  2.5e-7
//!   zero                    0.0  -0.0
//! ```
//!
//! Numbers below 10^7 with eight decimals or fewer, which prices and coordinates are, need no search for the digits.
//! All others go to zmij, which is maintained, agrees with the standard library but for ties, and beat ryu by a third or more.

use crate::decimal::{Digits, ZEROS, head, sixteen};

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

/// `x` in text.
#[inline(always)]
pub fn real(x: f64, room: &mut Room) -> Real<'_> {
    match decimals(x) {
        Some(digits) => Real::Short(digits),
        None => match long(x, room) {
            Some(text) => Real::Long(text),
            None => Real::Unwritable,
        },
    }
}

/// `x` in text, if it is below 10^7 and has eight decimals or fewer.
///
/// `n / 10^8` is `x` after division and rounding, so that is what its digits read back to. It has at most fifteen
/// digits, and no two numbers with at most fifteen digits read back to the same real: what is left of them without the
/// zeros at the end is the shortest text, and the only one of that length.
#[inline(always)]
fn decimals(x: f64) -> Option<Digits> {
    // Adding 2^52 rounds a number below 2^51 to a whole one, which is then in the sum's low bits.
    const WHOLE: f64 = (1_u64 << 52) as f64;
    let size = x.abs();
    if size >= 1e7 {
        return None;
    }
    let sum = size * 1e8 + WHOLE;
    let n = sum.to_bits() & ((1 << 52) - 1);
    // NaN is unequal to itself. Numbers below 10^-5 are written with an exponent, except zero.
    if (sum - WHOLE) / 1e8 != size || (1..1000).contains(&n) {
        return None;
    }
    let [digits, part] = sixteen(n);
    // The first digit is kept, also if it is 0.
    let zeros = (part.swap_bytes() | 1 << 56).trailing_zeros() / 8;
    let tail = u128::from(part | ZEROS) << 8 | u128::from(b'.');
    Some(Digits::new((x.to_bits() >> 63) as u32, head(digits), tail, 9 - zeros))
}

#[inline(never)]
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
