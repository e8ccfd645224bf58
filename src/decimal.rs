//! Integers as decimal digits (R2), one value a call.
//!
//! A value is cut into groups of eight digits. A group's digits are spread over the bytes of one `u64`, first digit
//! in the lowest byte, by three rounds of multiply and shift, each on all parts of the word at once:
//!
//! ```text
//!   12345678            one number below 10^8
//!   5678 | 1234         two below 10^4, in 32 bits each        (low bits at the right)
//!   78 | 56 | 34 | 12   four below 10^2, in 16 bits each
//!   8|7|6|5|4|3|2|1     eight digits, in a byte each
//! ```
//!
//! Leading zeros are then the word's trailing zero bits. Everything stays in registers until the caller stores it:
//! bytes that are written one by one and read back as a word would stall.

/// Room for the longest number: an integer needs 20 bytes, a real 24.
pub const ROOM: usize = 24;

/// A number in text, at the beginning of an array, so that it can be appended with stores of fixed size.
#[derive(Clone, Copy)]
pub struct Digits {
    words: [u64; 3],
    length: usize,
}

impl Digits {
    /// The first `length` of `bytes`.
    #[inline]
    pub fn new(bytes: [u8; ROOM], length: usize) -> Digits {
        let (words, _) = bytes.as_chunks::<8>();
        Digits { words: [0, 1, 2].map(|i| u64::from_le_bytes(words[i])), length }
    }

    /// All the bytes; those from [`Digits::len`] on mean nothing.
    #[inline]
    pub fn bytes(&self) -> [u8; ROOM] {
        let mut bytes = [0; ROOM];
        for (to, word) in bytes.chunks_exact_mut(8).zip(self.words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// How many of the bytes are the number.
    #[inline]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.length
    }
}

const ZEROS: u64 = 0x3030_3030_3030_3030;

/// The eight digits of `n`, the first in the lowest byte.
#[inline]
fn eight(n: u32) -> u64 {
    debug_assert!(n < 100_000_000);
    let n = u64::from(n);
    let high = n / 10_000;
    let n = high | (n - high * 10_000) << 32;
    // ceil(2^20 / 100) and ceil(2^10 / 10): exact for all below 10^4 and 10^2; the tests try each.
    let high = ((n * 10_486) >> 20) & 0x7f_0000_007f;
    let n = high | (n - high * 100) << 16;
    let high = ((n * 103) >> 10) & 0xf_000f_000f_000f;
    high | (n - high * 10) << 8
}

/// The decimal digits of `n`, with `-` in front if it is negative.
#[inline]
pub fn integer(n: i64) -> Digits {
    let negative = n < 0;
    let n = n.unsigned_abs();
    let mut digits = if n < 100_000_000 {
        let word = eight(n as u32);
        let empty = (word | 1 << 56).trailing_zeros() & 56;
        Digits { words: [(word | ZEROS) >> empty, 0, 0], length: 8 - (empty / 8) as usize }
    } else if n < 10_000_000_000_000_000 {
        let word = eight((n / 100_000_000) as u32);
        let last = eight((n % 100_000_000) as u32) | ZEROS;
        let empty = word.trailing_zeros() & 56;
        let first = u128::from((word | ZEROS) >> empty);
        let both = first | u128::from(last) << (64 - empty);
        Digits { words: [both as u64, (both >> 64) as u64, 0], length: 16 - (empty / 8) as usize }
    } else {
        let (head, n) = (n / 10_000_000_000_000_000, n % 10_000_000_000_000_000);
        let word = eight(head as u32);
        let middle = eight((n / 100_000_000) as u32) | ZEROS;
        let last = eight((n % 100_000_000) as u32) | ZEROS;
        let empty = word.trailing_zeros() & 56;
        let shift = 64 - empty;
        let first = (word | ZEROS) >> empty;
        Digits {
            words: [first | middle << shift, middle >> (64 - shift) | last << shift, last >> (64 - shift)],
            length: 24 - (empty / 8) as usize,
        }
    };
    if negative {
        let [a, b, c] = digits.words;
        digits.words = [a << 8 | u64::from(b'-'), b << 8 | a >> 56, c << 8 | b >> 56];
        digits.length += 1;
    }
    digits
}
