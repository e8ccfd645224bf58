//! Integers as decimal digits (R2), one value a call.
//!
//! A value is cut into groups of eight digits. A group's digits are spread over the bytes of one
//! `u64` by three rounds of multiply and add, each on all parts of the word at once (first digit
//! left, in the highest byte):
//!
//! ```text
//!   12345678            one number below 10^8
//!   1234 | 5678         two below 10^4, in 32 bits each
//!   12 | 34 | 56 | 78   four below 10^2, in 16 bits each
//!   1|2|3|4|5|6|7|8     eight digits, in a byte each
//! ```
//!
//! Each round is `n + (n / d) * (2^k - d)`: the quotient goes k bits up, the remainder stays.
//! Leading zeros are then zero bytes at one end of the word, and all of it stays in registers until
//! the caller stores it: bytes that are written to memory in small pieces and read back as a word
//! would stall.

/// A number in text: a minus or none, and two pieces, to be appended one after the other with
/// stores of fixed size.
#[derive(Clone, Copy)]
pub struct Digits {
    minus: u32,
    head: u64,
    head_len: u32,
    tail: u128,
    tail_len: u32,
}

impl Digits {
    /// `minus` (1 or 0) signs and pieces whose first byte is the lowest one.
    #[inline(always)]
    pub(crate) fn new(minus: u32, (head, head_len): (u64, u32), tail: u128, tail_len: u32) -> Digits {
        debug_assert!(minus <= 1 && head_len <= 8 && tail_len <= 16);
        Digits { minus, head, head_len, tail, tail_len }
    }

    /// How many minus signs stand in front: one or none.
    #[inline(always)]
    pub fn minus_len(&self) -> usize {
        self.minus as usize
    }

    /// The first piece; its bytes from [`Digits::head_len`] on mean nothing.
    #[inline(always)]
    pub fn head(&self) -> [u8; 8] {
        self.head.to_le_bytes()
    }

    /// How many bytes of the first piece count: one or more.
    #[inline(always)]
    pub fn head_len(&self) -> usize {
        self.head_len as usize
    }

    /// The second piece; its bytes from [`Digits::tail_len`] on mean nothing.
    #[inline(always)]
    pub fn tail(&self) -> [u8; 16] {
        self.tail.to_le_bytes()
    }

    /// How many bytes of the second piece count: none for short numbers.
    #[inline(always)]
    pub fn tail_len(&self) -> usize {
        self.tail_len as usize
    }
}

/// The digit 0 in each byte.
pub(crate) const ZEROS: u64 = 0x3030_3030_3030_3030;

/// The four digits of `n`, below 10^4, first digit in the lowest byte, as numbers 0 to 9.
#[inline(always)]
fn four(n: u32) -> u32 {
    let high = (n * 10_486) >> 20;
    let n = n + high * ((1 << 16) - 100);
    let high = ((n * 103) >> 10) & 0xf_000f;
    (n + high * ((1 << 8) - 10)).swap_bytes()
}

/// The eight digits of `n`, below 10^8, first digit in the lowest byte, as numbers 0 to 9.
///
/// 10486 / 2^20 and 103 / 2^10 stand for 1/100 and 1/10: exact for all numbers below 10^4 and 10^2,
/// which the tests all try.
#[inline(always)]
pub(crate) fn eight(n: u32) -> u64 {
    let high = u64::from(n / 10_000);
    let n = u64::from(n) + high * ((1 << 32) - 10_000);
    let high = ((n * 10_486) >> 20) & 0x7f_0000_007f;
    let n = n + high * ((1 << 16) - 100);
    let high = ((n * 103) >> 10) & 0xf_000f_000f_000f;
    (n + high * ((1 << 8) - 10)).swap_bytes()
}

/// The sixteen digits of `n`, below 10^16, as two words of `eight`.
#[inline(always)]
pub(crate) fn sixteen(n: u64) -> [u64; 2] {
    let high = n / 100_000_000;
    [eight(high as u32), eight((n - high * 100_000_000) as u32)]
}

/// A word of `eight` without its leading zeros, but with one digit at least, and how many digits
/// that leaves.
#[inline(always)]
pub(crate) fn head(digits: u64) -> (u64, u32) {
    let empty = (digits | 1 << 56).trailing_zeros() & 56;
    (digits >> empty | ZEROS, 8 - empty / 8)
}

/// The decimal digits of `n`, with a minus in front if it is negative.
///
/// Always inlined: returned through memory, its pieces would be read back in other sizes than they
/// were written.
#[inline(always)]
pub fn integer(n: i64) -> Digits {
    const GROUP: u64 = 100_000_000;
    let minus = u32::from(n < 0);
    let n = n.unsigned_abs();
    if n < GROUP {
        return Digits::new(minus, head(eight(n as u32)), 0, 0);
    }
    let high = n / GROUP;
    let low = u128::from(eight((n - high * GROUP) as u32) | ZEROS);
    if high < GROUP {
        return Digits::new(minus, head(eight(high as u32)), low, 8);
    }
    let highest = high / GROUP;
    let middle = u128::from(eight((high - highest * GROUP) as u32) | ZEROS);
    // At most 922.
    let digits = u64::from(four(highest as u32)) << 32;
    Digits::new(minus, head(digits), middle | low << 64, 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(mut n: u64, count: usize) -> Vec<u8> {
        let mut digits: Vec<u8> = (0..count)
            .map(|_| {
                let digit = (n % 10) as u8;
                n /= 10;
                digit
            })
            .collect();
        digits.reverse();
        digits
    }

    #[test]
    fn four_of_all_numbers() {
        for n in 0..10_000 {
            assert_eq!(four(n).to_le_bytes().to_vec(), spread(n.into(), 4));
        }
    }

    /// The halves of a group are worked on apart after the first round, which is a plain division:
    /// so all numbers in either half are all there is to try.
    #[test]
    fn eight_of_all_halves() {
        for half in 0..10_000 {
            for n in [half, half * 10_000, 99_990_000 + half, half * 10_000 + 9_999] {
                assert_eq!(eight(n).to_le_bytes().to_vec(), spread(n.into(), 8));
            }
        }
    }

    #[test]
    fn sixteen_of_all_halves_of_both_groups() {
        for half in 0..10_000 {
            for low in [half, half * 10_000, 99_990_000 + half, half * 10_000 + 9_999] {
                for n in [low, low * 100_000_000 + 99_999_999, low * 100_000_000 + low] {
                    let digits = spread(n, 16);
                    assert_eq!(sixteen(n).map(u64::to_le_bytes).concat(), digits);
                }
            }
        }
    }
}
