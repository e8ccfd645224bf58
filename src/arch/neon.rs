//! Kernels of 16 bytes for little-endian AArch64, where NEON is part of the baseline.

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use super::strings::{DOWN, EXPANSIONS, FAULTS, How, TO_LETTER, string_kernels};
use super::{Base64Encoder, Escaped, NonAscii, escape_one, scalar};

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
    // The source's end rules the loop: both addresses then count by themselves, in the load and the store.
    let end = src.get(..48 * blocks).unwrap_or(&[]).as_ptr_range().end;
    while from < end {
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

// ---- Strings ------------------------------------------------------------------------------------

string_kernels!(16, "neon");

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: 16 readable bytes; no alignment asked.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store<const N: usize>(room: &mut [MaybeUninit<u8>; N], vector: uint8x16_t) {
    const { assert!(N >= 16) };
    // SAFETY: 16 writable bytes or more; no alignment asked.
    unsafe { vst1q_u8(room.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> uint8x16_t {
    vdupq_n_u8(0)
}

#[inline]
#[target_feature(enable = "neon")]
fn or(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    vorrq_u8(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn any(bytes: uint8x16_t) -> bool {
    vmaxvq_u8(bytes) != 0
}

#[inline]
#[target_feature(enable = "neon")]
fn partial(src: &[u8], read: usize) -> uint8x16_t {
    let left = src.len() - read;
    let Some(down) = DOWN.get(16 - left..).and_then(|down| down.first_chunk()) else { return zero() };
    match src.last_chunk() {
        Some(last) => shuffle(load(last), load(down)),
        None => {
            let high = if left > 8 { scalar::word(src, read + 8).0 } else { 0 };
            let words = vcombine_u64(vcreate_u64(scalar::word(src, read).0), vcreate_u64(high));
            let places = load(DOWN.first_chunk().unwrap_or(&[0; 16]));
            let filling = vcgeq_u8(places, vdupq_n_u8(left as u8));
            vbslq_u8(filling, vdupq_n_u8(b' '), vreinterpretq_u8_u64(words))
        }
    }
}

/// A lookup, in which an index from 0x80 on stands for itself less 0x80.
#[inline]
#[target_feature(enable = "neon")]
fn shuffle(bytes: uint8x16_t, order: uint8x16_t) -> uint8x16_t {
    vorrq_u8(vqtbl1q_u8(bytes, order), vqsubq_u8(order, vdupq_n_u8(0x80)))
}

#[inline]
#[target_feature(enable = "neon")]
fn plain_short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let Some(room) = dst.first_chunk_mut::<16>().filter(|_| !src.is_empty()) else { return 0 };
    let bytes = partial(src, 0);
    store(room, bytes);
    if plain_pair(bytes, bytes) { src.len() } else { 0 }
}

/// All bits set in each byte that is escaped or not ASCII. Exchanging " with space puts all that is
/// escaped, but the backslash, below 0x21; as a signed number, all that is not ASCII too.
#[inline]
#[target_feature(enable = "neon")]
fn attention(bytes: uint8x16_t) -> uint8x16_t {
    let swapped = veorq_u8(bytes, vdupq_n_u8(2));
    let low = vcltq_s8(vreinterpretq_s8_u8(swapped), vdupq_n_s8(0x21));
    vorrq_u8(low, vceqq_u8(bytes, vdupq_n_u8(b'\\')))
}

/// Four bits for each byte of a comparison's result.
#[inline]
#[target_feature(enable = "neon")]
fn nibbles(result: uint8x16_t) -> u64 {
    vget_lane_u64::<0>(vreinterpret_u64_u8(vshrn_n_u16::<4>(vreinterpretq_u16_u8(result))))
}

/// A bit for each byte of a comparison's result.
#[inline]
#[target_feature(enable = "neon")]
fn bits(result: uint8x16_t) -> u32 {
    let bits = vandq_u8(result, load(&BITS));
    let bits = vpaddq_u8(bits, bits);
    let bits = vpaddq_u8(bits, bits);
    u32::from(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(vpaddq_u8(bits, bits))))
}

/// The bit of each byte in its half.
static BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

#[inline]
#[target_feature(enable = "neon")]
fn plain_pair(a: uint8x16_t, b: uint8x16_t) -> bool {
    nibbles(vorrq_u8(attention(a), attention(b))) == 0
}

#[inline]
#[target_feature(enable = "neon")]
fn hits(bytes: uint8x16_t) -> u32 {
    let low = vcltq_u8(veorq_u8(bytes, vdupq_n_u8(2)), vdupq_n_u8(0x21));
    bits(vorrq_u8(low, vceqq_u8(bytes, vdupq_n_u8(b'\\'))))
}

#[inline]
#[target_feature(enable = "neon")]
fn beyond_ascii(bytes: uint8x16_t) -> bool {
    vmaxvq_u8(bytes) >= 0x80
}

#[inline]
#[target_feature(enable = "neon")]
fn letters(bytes: uint8x16_t) -> uint8x16_t {
    // A lookup gives zero from 0x10 on.
    vaddq_u8(bytes, vqtbl1q_u8(load(&TO_LETTER), bytes))
}

#[inline]
#[target_feature(enable = "neon")]
fn controls(letters: uint8x16_t) -> u32 {
    let low = vcltq_u8(letters, vdupq_n_u8(0x20));
    if nibbles(low) == 0 { 0 } else { bits(low) }
}

#[inline]
#[target_feature(enable = "neon")]
fn expand(letters: uint8x16_t, hits: u32, room: &mut [MaybeUninit<u8>; 32]) -> usize {
    let (low, high) = (hits as usize & 0xff, hits as usize >> 8 & 0xff);
    let place = usize::from(EXPANSIONS.lengths[low]);
    store(room, shuffle(letters, load(&EXPANSIONS.orders[low])));
    if let Some(room) = room.get_mut(place..).and_then(|room| room.first_chunk_mut::<16>()) {
        store(room, shuffle(vextq_u8::<8>(letters, letters), load(&EXPANSIONS.orders[high])));
    }
    place + usize::from(EXPANSIONS.lengths[high])
}

#[inline]
#[target_feature(enable = "neon")]
fn faults(before: uint8x16_t, bytes: uint8x16_t) -> uint8x16_t {
    let before_1 = vextq_u8::<15>(before, bytes);
    let before_2 = vextq_u8::<14>(before, bytes);
    let before_3 = vextq_u8::<13>(before, bytes);
    let first = vandq_u8(
        vqtbl1q_u8(load(&FAULTS.first_high), vshrq_n_u8::<4>(before_1)),
        vqtbl1q_u8(load(&FAULTS.first_low), vandq_u8(before_1, vdupq_n_u8(0xf))),
    );
    let pairs = vandq_u8(first, vqtbl1q_u8(load(&FAULTS.second_high), vshrq_n_u8::<4>(bytes)));
    // The highest bit is set from 0xe0 and from 0xf0 on.
    let threes = vqsubq_u8(before_2, vdupq_n_u8(0x60));
    let fours = vqsubq_u8(before_3, vdupq_n_u8(0x70));
    veorq_u8(pairs, vandq_u8(vorrq_u8(threes, fours), vdupq_n_u8(0x80)))
}
