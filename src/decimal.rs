//! Integers as decimal digits (R2), one value a call.
//!
//! A value is cut into groups of eight digits. A group's digits are spread over the bytes of one `u64` by three rounds
//! of multiply and add, each on all parts of the word at once (first digit left, in the highest byte):
//!
//! ```text
//!   12345678            one number below 10^8
//!   1234 | 5678         two below 10^4, in 32 bits each
//!   12 | 34 | 56 | 78   four below 10^2, in 16 bits each
//!   1|2|3|4|5|6|7|8     eight digits, in a byte each
//! ```
//!
//! Each round is `n + (n / d) * (2^k - d)`: the quotient goes k bits up, the remainder stays. Leading zeros are then
//! zero bytes at one end of the word, a minus takes the last of them, and all of it stays in registers until the
//! caller stores it: bytes that are written to memory in small pieces and read back as a word would stall.

/// A number in text, in two pieces that are appended one after the other with stores of fixed size.
#[derive(Clone, Copy)]
pub struct Digits {
    head: u64,
    head_len: u32,
    tail: u128,
    tail_len: u32,
}

impl Digits {
    /// Pieces whose first byte is the lowest one.
    #[inline(always)]
    pub(crate) fn new(head: u64, head_len: u32, tail: u128, tail_len: u32) -> Digits {
        debug_assert!(head_len <= 8 && tail_len <= 16);
        Digits { head, head_len, tail, tail_len }
    }

    /// The first piece; its bytes from [`Digits::head_len`] on mean nothing.
    #[inline(always)]
    pub fn head(&self) -> [u8; 8] {
        self.head.to_le_bytes()
    }

    /// How many bytes of the first piece count.
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
/// 10486 / 2^20 and 103 / 2^10 stand for 1/100 and 1/10: exact for all numbers below 10^4 and 10^2, which the tests
/// all try.
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

/// What turns the digit 0 into a minus.
const TO_MINUS: u64 = (b'0' - b'-') as u64;

/// A first piece: `minus` (1 or 0) signs, then the digits in `digits` from bit `empty` on. There is a zero byte below
/// those if `minus` is 1. No digits at all (`empty` is 64) are fine.
#[inline(always)]
pub(crate) fn head(minus: u64, digits: u64, empty: u32) -> (u64, u32) {
    let empty = empty - 8 * minus as u32;
    // Of all words only 0 is asked to be shifted by 64, so that it does not matter that this shifts by 0 then.
    ((digits.wrapping_shr(empty) | ZEROS) - TO_MINUS * minus, 8 - empty / 8)
}

/// The bits below the first digit that is not 0: all 64, if there is none.
#[inline(always)]
fn empty(digits: u64) -> u32 {
    digits.trailing_zeros() & !7
}

/// The decimal digits of `n`, with `-` in front if it is negative.
///
/// Always inlined: returned through memory, its pieces would be read back in other sizes than they were written.
#[inline(always)]
pub fn integer(n: i64) -> Digits {
    let minus = u64::from(n < 0);
    let n = n.unsigned_abs();
    if n < 10_000_000 {
        let digits = eight(n as u32);
        let (head, head_len) = head(minus, digits, empty(digits | 1 << 56));
        return Digits { head, head_len, tail: 0, tail_len: 0 };
    }
    let (digits, tail, tail_len);
    if n < 1_000_000_000_000_000 {
        // One to seven digits and eight; or none and eight, and those begin with another digit than 0.
        let [high, low] = sixteen(n);
        digits = high;
        tail = u128::from(low | ZEROS);
        tail_len = 8;
    } else {
        // One to four digits and sixteen; or none and sixteen, and those begin with another digit than 0.
        let high = n / 10_000_000_000_000_000;
        digits = u64::from(four(high as u32)) << 32;
        let [middle, low] = sixteen(n - high * 10_000_000_000_000_000);
        tail = u128::from(middle | ZEROS) | u128::from(low | ZEROS) << 64;
        tail_len = 16;
    }
    let (head, head_len) = head(minus, digits, empty(digits));
    Digits { head, head_len, tail, tail_len }
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

    /// The halves of a group are worked on apart after the first round, which is a plain division: so all numbers in
    /// either half are all there is to try.
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
