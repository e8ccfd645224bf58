//! Reals as the shortest decimal text that reads back to the same bits (R3).
//!
//! The format is part of the contract: deterministic output may sit in an index. With `d` the shortest digits,
//! the nearest to the value among those:
//!
//! ```text
//!   10^-5 <= |x| < 10^16    plain, with at least one digit on both sides of the point   0.00001  12.99  1.0
//!   everything else         d.ddde<exponent>, no point if there is one digit, no `+`    1e21  2.5e-324
//!   zero                    0.0 or -0.0
//! ```

use crate::decimal::{Digits, ROOM};

/// `x` in text; nothing for infinities and NaN, which JSON has no word for.
#[inline]
pub fn real(x: f64) -> Option<Digits> {
    if !x.is_finite() {
        return None;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(x).as_bytes();
    let mut bytes = [0; ROOM];
    let mut length = 0;
    for &byte in text.iter().filter(|&&byte| byte != b'+') {
        if let Some(to) = bytes.get_mut(length) {
            *to = byte;
            length += 1;
        }
    }
    Some(Digits::new(bytes, length))
}
