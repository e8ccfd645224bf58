//! Portable kernels: what runs where no vector kernel does, and what finishes the tails of those that do.

use core::mem::MaybeUninit;

use super::{Base64Decoder, Base64Encoder};

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes whole groups of 3 bytes by 12 bits at a time: two loads and two 16-bit stores a group.
///
/// ```text
///   bytes     a        b        c
///          aaaaaaaa bbbbbbbb cccccccc
///   pairs  \__ 12 bits __/\_ 12 bits _/      pairs[12 bits] is two characters
/// ```
#[inline]
pub fn base64_blocks<'a>(
    encoder: &Base64Encoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    let mut groups = 0;
    for (&[a, b, c], four) in src.as_chunks().0.iter().zip(dst.as_chunks_mut::<4>().0) {
        let bits = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
        let [p, q] = encoder.pairs[bits >> 12];
        let [r, s] = encoder.pairs[bits & 0xfff];
        *four = [p, q, r, s].map(MaybeUninit::new);
        groups += 1;
    }
    // SAFETY: `groups` fours of `dst` were written.
    unsafe { super::written(dst, groups * 4) }
}

/// Decodes groups of 4 characters up to the first that holds anything else than characters of the alphabet.
#[inline]
pub fn base64_decode_blocks<'a>(
    decoder: &Base64Decoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    let mut groups = 0;
    for (&[p, q, r, s], three) in src.as_chunks().0.iter().zip(dst.as_chunks_mut::<3>().0) {
        let bits = decoder.places[0][usize::from(p)]
            | decoder.places[1][usize::from(q)]
            | decoder.places[2][usize::from(r)]
            | decoder.places[3][usize::from(s)];
        let [high, a, b, c] = bits.to_be_bytes();
        if high != 0 {
            break;
        }
        *three = [a, b, c].map(MaybeUninit::new);
        groups += 1;
    }
    // SAFETY: `groups` threes of `dst` were written.
    unsafe { super::written(dst, groups * 3) }
}
