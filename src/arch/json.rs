//! What the check of JSON text asks of sixteen bytes at a time. Of what every processor of its kind
//! has, so that there is no tier to ask for, and short texts lose nothing.

/// Some of sixteen bytes, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places(u64);

impl Places {
    /// How many bits of the mask stand for a byte.
    const BITS: u32 = if cfg!(all(target_arch = "aarch64", target_endian = "little")) { 4 } else { 1 };
    /// What ends a mask that has room behind its last byte.
    const END: u64 = if Self::BITS == 4 { 0 } else { 1 << 16 };

    /// The first of them; 16 if there is none.
    #[inline(always)]
    pub fn first(self) -> usize {
        ((self.0 | Self::END).trailing_zeros() / Self::BITS) as usize
    }

    /// Those from `place` on.
    #[inline(always)]
    pub fn from(self, place: usize) -> Places {
        Places(self.0 & u64::MAX.unbounded_shl(place as u32 * Self::BITS))
    }
}

/// The bytes that cannot stand in a JSON string as they are: `"`, `\` and controls.
#[inline(always)]
pub fn json_not_plain(block: &[u8; 16]) -> Places {
    kernels::not_plain(block)
}

/// The bytes that are no white space of JSON.
#[inline(always)]
pub fn json_not_space(block: &[u8; 16]) -> Places {
    kernels::not_space(block)
}

#[cfg(target_arch = "x86_64")]
mod kernels {
    use core::arch::x86_64::*;

    use super::Places;

    #[inline(always)]
    pub fn not_plain(block: &[u8; 16]) -> Places {
        // SAFETY: every x86-64 has SSE2. 16 bytes are readable; no alignment asked.
        let mask = unsafe {
            let bytes = _mm_loadu_si128(block.as_ptr().cast());
            // With " and space exchanged, " is among the lowest.
            let swapped = _mm_xor_si128(bytes, _mm_set1_epi8(2));
            let low = _mm_cmpeq_epi8(_mm_min_epu8(swapped, _mm_set1_epi8(0x20)), swapped);
            let backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\\' as i8));
            _mm_movemask_epi8(_mm_or_si128(low, backslash))
        };
        Places(mask as u64)
    }

    #[inline(always)]
    pub fn not_space(block: &[u8; 16]) -> Places {
        // SAFETY: as above.
        let mask = unsafe {
            let bytes = _mm_loadu_si128(block.as_ptr().cast());
            let [space, tab, line_feed, carriage_return] =
                [b' ', b'\t', b'\n', b'\r'].map(|byte| _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8)));
            let blank = _mm_or_si128(space, tab);
            _mm_movemask_epi8(_mm_or_si128(blank, _mm_or_si128(line_feed, carriage_return)))
        };
        Places(mask as u64 ^ 0xffff)
    }
}

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod kernels {
    use core::arch::aarch64::*;

    use super::Places;

    #[inline(always)]
    pub fn not_plain(block: &[u8; 16]) -> Places {
        // SAFETY: every AArch64 of this build has NEON. 16 bytes are readable; no alignment asked.
        let mask = unsafe {
            let bytes = vld1q_u8(block.as_ptr());
            // With " and space exchanged, " is among the lowest.
            let low = vcltq_u8(veorq_u8(bytes, vdupq_n_u8(2)), vdupq_n_u8(0x21));
            let found = vorrq_u8(low, vceqq_u8(bytes, vdupq_n_u8(b'\\')));
            let nibbles = vshrn_n_u16::<4>(vreinterpretq_u16_u8(found));
            vget_lane_u64::<0>(vreinterpret_u64_u8(nibbles))
        };
        Places(mask)
    }

    #[inline(always)]
    pub fn not_space(block: &[u8; 16]) -> Places {
        // SAFETY: as above.
        let mask = unsafe {
            let bytes = vld1q_u8(block.as_ptr());
            let [space, tab, line_feed, carriage_return] =
                [b' ', b'\t', b'\n', b'\r'].map(|byte| vceqq_u8(bytes, vdupq_n_u8(byte)));
            let spaces = vorrq_u8(vorrq_u8(space, tab), vorrq_u8(line_feed, carriage_return));
            let nibbles = vshrn_n_u16::<4>(vreinterpretq_u16_u8(spaces));
            vget_lane_u64::<0>(vreinterpret_u64_u8(nibbles))
        };
        Places(!mask)
    }
}

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))))]
use portable as kernels;

#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))))]
mod portable {
    use super::Places;

    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    /// One bit for each of the eight bytes whose highest bit is set.
    #[inline(always)]
    fn eight(word: u64) -> u64 {
        ((word >> 7 & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080)) >> 56
    }

    /// One bit for each byte for whose word `found` sets the highest bit.
    #[inline(always)]
    fn places(block: &[u8; 16], found: impl Fn(u64) -> u64) -> Places {
        let (words, _) = block.as_chunks::<8>();
        let mask =
            words.iter().rev().fold(0, |mask, word| mask << 8 | eight(found(u64::from_le_bytes(*word))));
        Places(mask)
    }

    /// The highest bit of each byte that is not `byte`. Nothing is carried from byte to byte.
    #[inline(always)]
    fn is_not(word: u64, byte: u8) -> u64 {
        let other = word ^ u64::from_le_bytes([byte; 8]);
        ((other & LOW) + LOW) | other
    }

    #[inline(always)]
    pub fn not_plain(block: &[u8; 16]) -> Places {
        let printable = |word| ((word & LOW) + u64::from_le_bytes([0x60; 8])) | word;
        places(block, |word| !(printable(word) & is_not(word, b'"') & is_not(word, b'\\')))
    }

    #[inline(always)]
    pub fn not_space(block: &[u8; 16]) -> Places {
        let other = |word, byte| is_not(word, byte);
        places(block, |word| other(word, b' ') & other(word, b'\t') & other(word, b'\n') & other(word, b'\r'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The portable kernels' masks, as wide as those of this processor.
    fn spread(places: Places) -> Places {
        let bytes = (0..16).filter(|place| places.0 >> place & 1 == 1);
        Places(bytes.fold(0, |mask, place| mask | 1 << (place * Places::BITS)))
    }
    fn spread_plain(block: &[u8; 16]) -> Places {
        spread(portable::not_plain(block))
    }
    fn spread_space(block: &[u8; 16]) -> Places {
        spread(portable::not_space(block))
    }

    /// Every byte at every place, among bytes that are not found, and among those that are.
    #[test]
    fn every_byte_at_every_place() {
        type Kernel = fn(&[u8; 16]) -> Places;
        type Rule = fn(u8) -> bool;
        let plain_ends = |byte| matches!(byte, 0..0x20 | b'"' | b'\\');
        let space_ends = |byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let rules: [(Kernel, Rule); 4] = [
            (json_not_plain, plain_ends),
            (json_not_space, space_ends),
            (spread_plain, plain_ends),
            (spread_space, space_ends),
        ];
        for (kernel, found) in rules {
            for around in [b' ', b'a', b'"', 0x80, 0xff, 0, b'\n'] {
                for byte in 0..=255 {
                    for place in 0..16 {
                        let mut block = [around; 16];
                        block[place] = byte;
                        for from in 0..=16 {
                            let first = (from..16).find(|&at| found(block[at])).unwrap_or(16);
                            assert_eq!(kernel(&block).from(from).first(), first, "{block:x?} from {from}");
                        }
                    }
                }
            }
        }
    }
}
