//! Kernels of 16 bytes for x86-64 with SSSE3.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{Base64Encoder, Escaped, escape_one, scalar};

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes whole groups of 3 bytes, 12 bytes to 16 characters a step. The last step ends where the groups end
/// and does some of them twice. Does nothing below 16 bytes.
///
/// A load is 16 bytes wide. It begins 4 bytes before the 12 (3 where there are no 4), so that it never reaches
/// behind them; only the first begins with them:
///
/// ```text
///   0           12          24   e-12         e
///   |aaabbbcccddd|....        |   |           |
///   [   first load  ]         |   |           |
///           [ load at 12-4   ]    |           |
///                             [ load at e-16  ]
/// ```
#[inline]
#[target_feature(enable = "ssse3")]
pub fn base64_blocks<'a>(
    encoder: &Base64Encoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    let groups = (src.len() / 3).min(dst.len() / 4);
    if groups < 4 || src.len() < 16 {
        return &mut [];
    }
    // SAFETY: 16 bytes are readable there.
    let shifts = unsafe { _mm_loadu_si128(encoder.shifts.as_ptr().cast()) };
    // The groups' bytes begin at byte 0 of a load, or 4 later.
    let head = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    let body = _mm_add_epi8(head, _mm_set1_epi8(4));
    let last = groups - 4;
    let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
    // SAFETY: group `g`, `g <= last`, begins at byte `3 * g`; with `back <= 3 * g` the load begins within `src`,
    // and ends at `3 * g + 16 - back`: for `back == 4` that is the end of group `g + 3 <= groups - 1`, for
    // `g <= 1` at most 16. The store ends at character `4 * g + 16 <= 4 * groups`.
    let step = |group: usize, back: usize, order: __m128i| unsafe {
        let bytes = _mm_loadu_si128(from.add(3 * group - back).cast());
        let text = base64_characters(_mm_shuffle_epi8(bytes, order), shifts);
        _mm_storeu_si128(to.add(4 * group).cast(), text);
    };
    step(0, 0, head);
    let mut group = 4;
    while group <= last {
        step(group, 4, body);
        group += 4;
    }
    match last {
        0 => {}
        1 => step(1, 3, _mm_add_epi8(head, _mm_set1_epi8(3))),
        _ => step(last, 4, body),
    }
    // SAFETY: steps at 0, 4, … and at `last` wrote 16 characters each: all of them up to `4 * groups`.
    unsafe { super::written(dst, 4 * groups) }
}

/// The 16 characters of four groups, each of which lies in 4 bytes as `b a c b`.
///
/// ```text
///   16-bit lanes      low: b a             high: c b           (high byte of the lane left)
///                 aaaaaaaabbbbbbbb       bbbbbbbbcccccccc
///   sextets A, C  ^^^^^^                     ^^^^^^            down to bit 0: the high half of a product
///   sextets B, D        ^^^^^^                     ^^^^^^      up to bit 8: the low half of a product
/// ```
#[inline]
#[target_feature(enable = "ssse3")]
fn base64_characters(groups: __m128i, shifts: __m128i) -> __m128i {
    let ac = _mm_mulhi_epu16(_mm_and_si128(groups, _mm_set1_epi32(0x0fc0_fc00)), _mm_set1_epi32(0x0400_0040));
    let bd = _mm_mullo_epi16(_mm_and_si128(groups, _mm_set1_epi32(0x003f_03f0)), _mm_set1_epi32(0x0100_0010));
    let sextets = _mm_or_si128(ac, bd);
    // 0 for 0–51, 1–12 for 52–63; then 13 for 0–25.
    let above = _mm_subs_epu8(sextets, _mm_set1_epi8(51));
    let upper = _mm_cmpgt_epi8(_mm_set1_epi8(26), sextets);
    let range = _mm_or_si128(above, _mm_and_si128(upper, _mm_set1_epi8(13)));
    _mm_add_epi8(sextets, _mm_shuffle_epi8(shifts, range))
}

// ---- Strings ------------------------------------------------------------------------------------------
//
// 16 bytes a step, stored before anybody looks at them. A text of one to two blocks is two blocks that overlap;
// behind a longer one, its last block is shifted until only what is left remains.

#[inline]
#[target_feature(enable = "ssse3")]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 readable bytes; no alignment asked.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "ssse3")]
fn store(bytes: &mut [MaybeUninit<u8>; 16], vector: __m128i) {
    // SAFETY: 16 writable bytes; no alignment asked.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector) }
}

/// One bit for each byte that needs attention. Exchanging " with space puts all that is escaped, but the
/// backslash, below 0x21; as a signed number, all that is not ASCII too.
#[inline]
#[target_feature(enable = "ssse3")]
fn attention<const STOP: bool>(bytes: __m128i) -> u32 {
    let swapped = _mm_xor_si128(bytes, _mm_set1_epi8(2));
    let low = match STOP {
        true => _mm_cmpgt_epi8(_mm_set1_epi8(0x21), swapped),
        false => _mm_cmpeq_epi8(_mm_min_epu8(swapped, _mm_set1_epi8(0x20)), swapped),
    };
    let backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\\' as i8));
    _mm_movemask_epi8(_mm_or_si128(low, backslash)) as u32
}

/// Shuffles that move bytes down: sixteen from place n on move them by n, zero behind them.
static DOWN: [u8; 32] = {
    let mut down = [0x80; 32];
    let mut index = 0;
    while index < 16 {
        down[index] = index as u8;
        index += 1;
    }
    down
};

/// The bytes of `src` from `read` on, fewer than 16; zero behind them.
#[inline]
#[target_feature(enable = "ssse3")]
fn tail(src: &[u8], read: usize) -> __m128i {
    let left = src.len() - read;
    match (src.last_chunk::<16>(), DOWN.get(16 - left..).and_then(|down| down.first_chunk::<16>())) {
        (Some(last), Some(down)) => _mm_shuffle_epi8(load(last), load(down)),
        _ => {
            let high = if left > 8 { scalar::word(src, read + 8).0 } else { 0 };
            _mm_set_epi64x(high as i64, scalar::word(src, read).0 as i64)
        }
    }
}

/// See [`super::escape`].
#[target_feature(enable = "ssse3")]
pub fn escape<const STOP: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    if (16..=32).contains(&src.len())
        && let (Some(head), Some(last)) = (src.first_chunk(), src.last_chunk())
    {
        let (head, last) = (load(head), load(last));
        if attention::<STOP>(head) | attention::<STOP>(last) == 0
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
    finish::<STOP>(src, dst, 0, 0)
}

/// [`escape`] from `read` and `written` on.
#[inline]
#[target_feature(enable = "ssse3")]
pub fn finish<const STOP: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut read: usize,
    mut written: usize,
) -> Escaped {
    loop {
        while let Some(bytes) = src[read..].first_chunk() {
            let Some(room) = dst.get_mut(written..).and_then(|room| room.first_chunk_mut()) else {
                return Escaped { read, written };
            };
            let bytes = load(bytes);
            store(room, bytes);
            let hits = attention::<STOP>(bytes);
            if hits == 0 {
                // Not through `trailing_zeros`: the next load would have to wait for it.
                read += 16;
                written += 16;
                continue;
            }
            let plain = hits.trailing_zeros() as usize;
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
        let plain = (attention::<STOP>(bytes).trailing_zeros() as usize).min(left);
        read += plain;
        written += plain;
        if plain == left || !escape_one::<STOP>(src, dst, &mut read, &mut written) {
            break;
        }
    }
    Escaped { read, written }
}

/// See [`super::quote`].
#[target_feature(enable = "ssse3")]
pub fn quote(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    let inside = match super::open(dst) {
        Some(room) => escape::<true>(src, room),
        None => return Escaped { read: 0, written: 0 },
    };
    super::close(src, dst, inside)
}
