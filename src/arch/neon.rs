//! Kernels of 16 bytes for little-endian AArch64, where NEON is part of the baseline.

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use super::{Base64Encoder, Escaped, escape_one, scalar};

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

// ---- Strings ------------------------------------------------------------------------------------------
//
// 16 bytes a step, stored before anybody looks at them. A text of one to two blocks is two blocks that overlap;
// behind a longer one, its last block is shifted until only what is left remains.

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: 16 readable bytes; no alignment asked.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(bytes: &mut [MaybeUninit<u8>; 16], vector: uint8x16_t) {
    // SAFETY: 16 writable bytes; no alignment asked.
    unsafe { vst1q_u8(bytes.as_mut_ptr().cast(), vector) }
}

/// All bits set in each byte that needs attention. Exchanging " with space puts all that is escaped, but the
/// backslash, below 0x21; as a signed number, all that is not ASCII too.
#[inline]
#[target_feature(enable = "neon")]
fn attention<const STOP: bool>(bytes: uint8x16_t) -> uint8x16_t {
    let swapped = veorq_u8(bytes, vdupq_n_u8(2));
    let low = match STOP {
        true => vcltq_s8(vreinterpretq_s8_u8(swapped), vdupq_n_s8(0x21)),
        false => vcltq_u8(swapped, vdupq_n_u8(0x21)),
    };
    vorrq_u8(low, vceqq_u8(bytes, vdupq_n_u8(b'\\')))
}

/// Four bits for each byte of a comparison's result.
#[inline]
#[target_feature(enable = "neon")]
fn nibbles(result: uint8x16_t) -> u64 {
    vget_lane_u64::<0>(vreinterpret_u64_u8(vshrn_n_u16::<4>(vreinterpretq_u16_u8(result))))
}

/// Lookups that move bytes down: sixteen from place n on move them by n, zero behind them.
static DOWN: [u8; 32] = {
    let mut down = [0xff; 32];
    let mut index = 0;
    while index < 16 {
        down[index] = index as u8;
        index += 1;
    }
    down
};

/// The bytes of `src` from `read` on, fewer than 16; zero behind them.
#[inline]
#[target_feature(enable = "neon")]
fn tail(src: &[u8], read: usize) -> uint8x16_t {
    let left = src.len() - read;
    match (src.last_chunk::<16>(), DOWN.get(16 - left..).and_then(|down| down.first_chunk::<16>())) {
        (Some(last), Some(down)) => vqtbl1q_u8(load(last), load(down)),
        _ => {
            let high = if left > 8 { scalar::word(src, read + 8).0 } else { 0 };
            let words = vcombine_u64(vcreate_u64(scalar::word(src, read).0), vcreate_u64(high));
            vreinterpretq_u8_u64(words)
        }
    }
}

/// See [`super::escape`].
#[target_feature(enable = "neon")]
pub fn escape<const STOP: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    if (16..=32).contains(&src.len())
        && let (Some(head), Some(last)) = (src.first_chunk(), src.last_chunk())
    {
        let (head, last) = (load(head), load(last));
        if nibbles(vorrq_u8(attention::<STOP>(head), attention::<STOP>(last))) == 0
            && let Some(room) = dst.get_mut(..src.len())
        {
            if let Some(room) = room.first_chunk_mut() {
                store(room, head);
            }
            if let Some(room) = room.last_chunk_mut() {
                store(room, last);
            }
            return Escaped { read: src.len(), written: src.len() };
        }
    }
    let (mut read, mut written) = (0, 0);
    loop {
        while let Some(bytes) = src[read..].first_chunk() {
            let Some(room) = dst.get_mut(written..).and_then(|room| room.first_chunk_mut()) else {
                return Escaped { read, written };
            };
            let bytes = load(bytes);
            store(room, bytes);
            let hits = nibbles(attention::<STOP>(bytes));
            if hits == 0 {
                // Not through `trailing_zeros`: the next load would have to wait for it.
                read += 16;
                written += 16;
                continue;
            }
            let plain = hits.trailing_zeros() as usize / 4;
            read += plain;
            written += plain;
            if !escape_one::<STOP>(src, dst, &mut read, &mut written) {
                return Escaped { read, written };
            }
        }
        let left = src.len() - read;
        let Some(room) = dst.get_mut(written..).and_then(|room| room.first_chunk_mut()) else { break };
        if left == 0 {
            break;
        }
        let bytes = tail(src, read);
        store(room, bytes);
        // The zero bytes behind those of the tail count as hits, after all real ones.
        let plain = (nibbles(attention::<STOP>(bytes)).trailing_zeros() as usize / 4).min(left);
        read += plain;
        written += plain;
        if plain == left || !escape_one::<STOP>(src, dst, &mut read, &mut written) {
            break;
        }
    }
    Escaped { read, written }
}

/// See [`super::quote`].
#[target_feature(enable = "neon")]
pub fn quote(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    let inside = match super::open(dst) {
        Some(room) => escape::<true>(src, room),
        None => return Escaped { read: 0, written: 0 },
    };
    super::close(src, dst, inside)
}
