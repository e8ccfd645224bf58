//! Kernels of 16 bytes for little-endian AArch64, where NEON is part of the baseline.

use core::arch::aarch64::*;
use core::arch::asm;
use core::mem::MaybeUninit;

use super::strings::{DOWN, EXPANSIONS, FAULTS, How, TO_LETTER, string_kernels};
use super::{Base64Decoder, Base64Encoder, Escaped, NonAscii, escape_one, scalar};

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

/// Decodes 64 characters to 48 bytes a step, and what no step did by table: see [`super::base64_decode`].
///
/// ```text
///   ld4         p: 16 first characters   q: second …   r: third …   s: fourth …   of 16 groups
///   tbx, tbx    by six bits in the lower or in the upper half of ASCII; 255 where there is no character
///   st3         p p p p p p q q    q q q q r r r r    r r s s s s s s
/// ```
#[inline(never)]
#[target_feature(enable = "neon")]
pub fn base64_decode(
    decoder: &Base64Decoder,
    src: &[u8],
    padding: usize,
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let blocks = (src.len() / 64).min(dst.len() / 48);
    // SAFETY: 128 bytes of the 256 are readable.
    let (lower, upper) =
        unsafe { (vld1q_u8_x4(decoder.sextets.as_ptr()), vld1q_u8_x4(decoder.sextets.as_ptr().add(64))) };
    let none = vdupq_n_u8(u8::MAX);
    let half = vdupq_n_u8(64);
    let lookup = |by| vqtbx4q_u8(vqtbx4q_u8(none, lower, by), upper, veorq_u8(by, half));
    let (mut from, mut to) = (src.as_ptr(), dst.as_mut_ptr().cast::<u8>());
    let end = src.get(..64 * blocks).unwrap_or(&[]).as_ptr_range().end;
    while from < end {
        // SAFETY: block after block, `from` and `to` stay within `blocks` times 64 characters and 48 bytes.
        unsafe {
            let uint8x16x4_t(p, q, r, s) = vld4q_u8(from);
            let [p, q, r, s] = [p, q, r, s].map(lookup);
            if vmaxvq_u8(vorrq_u8(vorrq_u8(p, q), vorrq_u8(r, s))) > 63 {
                break;
            }
            let a = vorrq_u8(vshlq_n_u8::<2>(p), vshrq_n_u8::<4>(q));
            let b = vorrq_u8(vshlq_n_u8::<4>(q), vshrq_n_u8::<2>(r));
            let c = vorrq_u8(vshlq_n_u8::<6>(r), s);
            vst3q_u8(to, uint8x16x3_t(a, b, c));
            from = from.add(64);
            to = to.add(48);
        }
    }
    let done = from.addr() - src.as_ptr().addr();
    scalar::base64_decode(decoder, src, padding, dst, done / 4)
}

// ---- Strings ------------------------------------------------------------------------------------

string_kernels!(32, 1, "neon", 0 by escape_from);

/// A vector of 32 bytes is two registers.
#[derive(Clone, Copy)]
struct Vector(uint8x16_t, uint8x16_t);

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 32]) -> Vector {
    // SAFETY: 16 bytes from the first and from the seventeenth on are readable.
    unsafe { Vector(vld1q_u8(bytes.as_ptr()), vld1q_u8(bytes.as_ptr().add(16))) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store<const N: usize>(room: &mut [MaybeUninit<u8>; N], Vector(low, high): Vector) {
    const { assert!(N >= 32) };
    let to = room.as_mut_ptr().cast::<u8>();
    // SAFETY: 16 bytes from the first and from the seventeenth on are writable.
    unsafe {
        vst1q_u8(to, low);
        vst1q_u8(to.add(16), high);
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn array(Vector(low, high): Vector) -> [u8; 32] {
    let mut bytes = [0; 32];
    // SAFETY: as in `store`: the array has 32 bytes.
    unsafe {
        vst1q_u8(bytes.as_mut_ptr(), low);
        vst1q_u8(bytes.as_mut_ptr().add(16), high);
    }
    bytes
}

#[inline]
#[target_feature(enable = "neon")]
fn load_16(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: 16 readable bytes; no alignment asked.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store_16(room: &mut [MaybeUninit<u8>; 16], bytes: uint8x16_t) {
    // SAFETY: 16 writable bytes; no alignment asked.
    unsafe { vst1q_u8(room.as_mut_ptr().cast(), bytes) }
}

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> Vector {
    Vector(vdupq_n_u8(0), vdupq_n_u8(0))
}

#[inline]
#[target_feature(enable = "neon")]
fn nothing() -> uint8x16_t {
    vdupq_n_u8(0)
}

#[inline]
#[target_feature(enable = "neon")]
fn last_of(bytes: Vector) -> uint8x16_t {
    bytes.1
}

#[inline]
#[target_feature(enable = "neon")]
fn or(a: Vector, b: Vector) -> Vector {
    Vector(vorrq_u8(a.0, b.0), vorrq_u8(a.1, b.1))
}

#[inline]
#[target_feature(enable = "neon")]
fn any(bytes: Vector) -> bool {
    vmaxvq_u8(vorrq_u8(bytes.0, bytes.1)) != 0
}

/// Two loads that end where the text does or before, each moved down until only its part of what is
/// left remains.
#[inline]
#[target_feature(enable = "neon")]
fn partial(src: &[u8], read: usize) -> Vector {
    let spaces = vdupq_n_u8(b' ');
    let Some(last) = src.last_chunk::<16>() else {
        return Vector(partial_short(src, read), spaces);
    };
    let left = src.len() - read;
    let first = src.get(read..).and_then(|rest| rest.first_chunk()).unwrap_or(last);
    let moved = |bytes, by: usize| match DOWN.get(by..).and_then(|down| down.first_chunk()) {
        Some(down) => {
            let down = load_16(down);
            vorrq_u8(vqtbl1q_u8(load_16(bytes), down), vqsubq_u8(down, vdupq_n_u8(0x80)))
        }
        None => spaces,
    };
    Vector(moved(first, 16 - left.min(16)), moved(last, 32 - left))
}

/// What is left of a text shorter than 16 bytes, and spaces after it.
#[inline]
#[target_feature(enable = "neon")]
fn partial_short(src: &[u8], read: usize) -> uint8x16_t {
    let left = src.len() - read;
    let high = if left > 8 { scalar::word(src, read + 8).0 } else { 0 };
    let words = vcombine_u64(vcreate_u64(scalar::word(src, read).0), vcreate_u64(high));
    let places = load_16(DOWN.first_chunk().unwrap_or(&[0; 16]));
    let filling = vcgeq_u8(places, vdupq_n_u8(left as u8));
    vbslq_u8(filling, vdupq_n_u8(b' '), vreinterpretq_u8_u64(words))
}

#[inline]
#[target_feature(enable = "neon")]
fn plain_short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (Some(head), Some(last)) = (src.first_chunk(), src.last_chunk()) else {
        let Some(room) = dst.first_chunk_mut().filter(|_| !src.is_empty()) else { return 0 };
        let bytes = partial_short(src, 0);
        store_16(room, bytes);
        return if nibbles(attention(bytes)) == 0 { src.len() } else { 0 };
    };
    let (head, last) = (load_16(head), load_16(last));
    let plain = nibbles(vorrq_u8(attention(head), attention(last))) == 0;
    let Some(room) = dst.get_mut(..src.len()).filter(|_| plain) else { return 0 };
    if let Some(room) = room.first_chunk_mut() {
        store_16(room, head);
    }
    if let Some(room) = room.last_chunk_mut() {
        store_16(room, last);
    }
    src.len()
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

/// A bit for each byte of two comparisons' results.
#[inline]
#[target_feature(enable = "neon")]
fn bits(low: uint8x16_t, high: uint8x16_t) -> u32 {
    let bits = load_16(&BITS);
    let pairs = add_pairs(vandq_u8(low, bits), vandq_u8(high, bits));
    let fours = add_pairs(pairs, pairs);
    vgetq_lane_u32::<0>(vreinterpretq_u32_u8(add_pairs(fours, fours)))
}

/// The sums of neighbours. Written out, because the compiler makes four instructions of it where it
/// knows that no sum carries.
#[inline]
#[target_feature(enable = "neon")]
fn add_pairs(low: uint8x16_t, high: uint8x16_t) -> uint8x16_t {
    let sums;
    // SAFETY: it reads and writes the three registers alone.
    unsafe {
        asm!("addp {0:v}.16b, {1:v}.16b, {2:v}.16b", lateout(vreg) sums, in(vreg) low, in(vreg) high,
            options(pure, nomem, nostack, preserves_flags))
    };
    sums
}

/// The bit of each byte in its eight.
static BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

#[inline]
#[target_feature(enable = "neon")]
fn plain_pair(a: Vector, b: Vector) -> bool {
    let both = |Vector(low, high): Vector| vorrq_u8(attention(low), attention(high));
    nibbles(vorrq_u8(both(a), both(b))) == 0
}

#[inline]
#[target_feature(enable = "neon")]
fn hits(Vector(low, high): Vector) -> u32 {
    let escaped = |bytes: uint8x16_t| {
        let low = vcltq_u8(veorq_u8(bytes, vdupq_n_u8(2)), vdupq_n_u8(0x21));
        vorrq_u8(low, vceqq_u8(bytes, vdupq_n_u8(b'\\')))
    };
    let (low, high) = (escaped(low), escaped(high));
    if nibbles(vorrq_u8(low, high)) == 0 { 0 } else { bits(low, high) }
}

#[inline]
#[target_feature(enable = "neon")]
fn beyond_ascii(Vector(low, high): Vector) -> bool {
    vmaxvq_u8(vorrq_u8(low, high)) >= 0x80
}

#[inline]
#[target_feature(enable = "neon")]
fn letters(Vector(low, high): Vector) -> Vector {
    // A lookup gives zero from 0x10 on.
    let to_letter = load_16(&TO_LETTER);
    let letters = |bytes| vaddq_u8(bytes, vqtbl1q_u8(to_letter, bytes));
    Vector(letters(low), letters(high))
}

#[inline]
#[target_feature(enable = "neon")]
fn controls(Vector(low, high): Vector) -> u32 {
    let control = |letters| vcltq_u8(letters, vdupq_n_u8(0x20));
    if vminvq_u8(vminq_u8(low, high)) >= 0x20 { 0 } else { bits(control(low), control(high)) }
}

#[inline]
#[target_feature(enable = "neon")]
fn expand(Vector(low, high): Vector, hits: u32, room: &mut [MaybeUninit<u8>; 96]) -> usize {
    let mut escapes = 0;
    for (half, letters) in [low, high].into_iter().enumerate() {
        let hits = hits as usize >> (16 * half);
        let Some(room) = room.get_mut(16 * half + escapes..) else { break };
        let Some(here) = room.first_chunk_mut() else { break };
        store_16(here, expand_eight(letters, hits));
        let first = EXPANSIONS.count(hits);
        if let Some(there) = room.get_mut(8 + first..).and_then(|room| room.first_chunk_mut()) {
            store_16(there, expand_eight(vextq_u8::<8>(letters, letters), hits >> 8));
        }
        escapes += first + EXPANSIONS.count(hits >> 8);
    }
    32 + escapes
}

/// The low eight letters, a backslash in front of each of `hits`, which is below 256.
#[inline]
#[target_feature(enable = "neon")]
fn expand_eight(letters: uint8x16_t, hits: usize) -> uint8x16_t {
    // What a place from 0x80 on would give stays a backslash.
    vqtbx1q_u8(vdupq_n_u8(b'\\'), letters, load_16(&EXPANSIONS.orders[hits & 0xff]))
}

#[inline]
#[target_feature(enable = "neon")]
fn faults(before: uint8x16_t, bytes: Vector) -> Vector {
    Vector(faults_16(before, bytes.0), faults_16(bytes.0, bytes.1))
}

#[inline]
#[target_feature(enable = "neon")]
fn faults_16(before: uint8x16_t, bytes: uint8x16_t) -> uint8x16_t {
    let before_1 = vextq_u8::<15>(before, bytes);
    let before_2 = vextq_u8::<14>(before, bytes);
    let before_3 = vextq_u8::<13>(before, bytes);
    let first = vandq_u8(
        vqtbl1q_u8(load_16(&FAULTS.first_high), vshrq_n_u8::<4>(before_1)),
        vqtbl1q_u8(load_16(&FAULTS.first_low), vandq_u8(before_1, vdupq_n_u8(0xf))),
    );
    let pairs = vandq_u8(first, vqtbl1q_u8(load_16(&FAULTS.second_high), vshrq_n_u8::<4>(bytes)));
    // The highest bit is set from 0xe0 and from 0xf0 on.
    let threes = vqsubq_u8(before_2, vdupq_n_u8(0x60));
    let fours = vqsubq_u8(before_3, vdupq_n_u8(0x70));
    veorq_u8(pairs, vandq_u8(vorrq_u8(threes, fours), vdupq_n_u8(0x80)))
}
