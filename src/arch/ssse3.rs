//! Kernels of 16 bytes for x86-64 with SSSE3.

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{Base64Encoder, Escaped, escape_one, scalar};

// ---- base64 --------------------------------------------------------------------------------------------

/// Encodes everything, 12 bytes to 16 characters a step. The last step ends where the text ends, does some groups
/// twice, and pads; what is left of a text without padding is done by table.
///
/// A load is 16 bytes wide. But for the first it begins 4 bytes or more before the 12, so that it never reaches behind
/// them:
///
/// ```text
///   0           12          24              length
///   |aaabbbcccddd|...........|...               |
///   [  first load   ]                           |
///           [ load at 12-4  ]                   |
///                                [ load at l-16 ]   12 bytes from 4 on; from 5 or 6 on if padding follows
/// ```
#[inline]
#[target_feature(enable = "ssse3")]
pub fn base64<'a>(encoder: &Base64Encoder, src: &[u8], dst: &'a mut [MaybeUninit<u8>]) -> &'a mut [u8] {
    let end = Base64End::of(src.len(), encoder.padded);
    if src.len() < 16 || dst.len() < 4 * end.groups {
        return scalar::base64(encoder, src, dst);
    }
    let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
    let last = end.groups - 4;
    // SAFETY: 16 bytes are readable in each; the last load ends where `src` does. Group `g <= last` is bytes `3 * g ..`:
    // other loads begin with them or 4 before, and end at 16 or, at the latest, with group `g + 3 < groups`.
    // All stores end at character `4 * groups` or before.
    unsafe {
        let shifts = _mm_loadu_si128(encoder.shifts.as_ptr().cast());
        let head = _mm_loadu_si128(BASE64_ORDERS[0].as_ptr().cast());
        let body = _mm_loadu_si128(BASE64_ORDERS[4].as_ptr().cast());
        let step = |bytes: *const u8, order| {
            let bytes = _mm_loadu_si128(bytes.cast());
            base64_characters(_mm_shuffle_epi8(bytes, order), shifts)
        };
        _mm_storeu_si128(to.cast(), step(from, head));
        let mut group = 4;
        while group < last {
            _mm_storeu_si128(to.add(4 * group).cast(), step(from.add(3 * group - 4), body));
            group += 4;
        }
        let order = _mm_loadu_si128(BASE64_ORDERS[end.skip].as_ptr().cast());
        let padding = _mm_loadu_si128(BASE64_PADDING[end.padding].as_ptr().cast());
        let text = _mm_add_epi8(step(from.add(src.len() - 16), order), padding);
        _mm_storeu_si128(to.add(4 * last).cast(), text);
    }
    // SAFETY: steps at 0, 4, … and at `last` wrote 16 characters each: those of all `groups`.
    unsafe { end.rest(encoder, src, dst) }
}

/// How the last vector step of a kernel ends.
#[derive(Clone, Copy)]
pub(super) struct Base64End {
    /// Groups that end with that step, one that is padded included.
    pub groups: usize,
    /// Where the step's last 12 bytes begin among the source's last 16. With padding there are only 11 or 10.
    pub skip: usize,
    /// Characters of padding.
    pub padding: usize,
}

impl Base64End {
    #[inline]
    pub fn of(length: usize, padded: bool) -> Self {
        let (groups, rest) = (length / 3, length % 3);
        match rest {
            0 => Base64End { groups, skip: 4, padding: 0 },
            _ if padded => Base64End { groups: groups + 1, skip: 7 - rest, padding: 3 - rest },
            _ => Base64End { groups, skip: 4 - rest, padding: 0 },
        }
    }

    /// What no vector step did.
    ///
    /// # Safety
    /// The characters of all `groups` are written.
    #[inline]
    pub unsafe fn rest<'a>(
        self,
        encoder: &Base64Encoder,
        src: &[u8],
        dst: &'a mut [MaybeUninit<u8>],
    ) -> &'a mut [u8] {
        if 3 * self.groups >= src.len() {
            // SAFETY: the caller's promise.
            return unsafe { super::written(dst, 4 * self.groups) };
        }
        // SAFETY: as above.
        unsafe { scalar::base64_rest(encoder, src, dst, self.groups) }
    }
}

/// The order `b a c b` of four groups that begin at byte 0 to 6 of a vector; zero for bytes behind it.
pub(super) static BASE64_ORDERS: [[u8; 16]; 7] = {
    let mut orders = [[0x80; 16]; 7];
    let mut i = 0;
    while i < 7 * 16 {
        let (first, lane) = (i / 16, i % 16);
        let byte = first + lane / 4 * 3 + [1, 0, 2, 1][lane % 4];
        if byte < 16 {
            orders[first][lane] = byte as u8;
        }
        i += 1;
    }
    orders
};

/// Makes `=` of the last no, one or two `A`.
pub(super) static BASE64_PADDING: [[u8; 16]; 3] = {
    const TO_PADDING: u8 = b'='.wrapping_sub(b'A');
    let mut padding = [[0; 16]; 3];
    padding[1][15] = TO_PADDING;
    padding[2][14] = TO_PADDING;
    padding[2][15] = TO_PADDING;
    padding
};

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
    let ac = _mm_and_si128(groups, _mm_set1_epi32(0x0fc0_fc00));
    let ac = high_product(ac, _mm_set1_epi32(0x0400_0040));
    let bd = _mm_and_si128(groups, _mm_set1_epi32(0x003f_03f0));
    let bd = low_product(bd, _mm_set1_epi32(0x0100_0010));
    let sextets = _mm_or_si128(ac, bd);
    // 0 for 0–51, 1–12 for 52–63; then one more from 26 on, where the comparison is −1.
    let range = _mm_subs_epu8(sextets, _mm_set1_epi8(51));
    let range = _mm_sub_epi8(range, _mm_cmpgt_epi8(sextets, _mm_set1_epi8(25)));
    _mm_add_epi8(sextets, _mm_shuffle_epi8(shifts, range))
}

/// The high halves of unsigned 16-bit products. Written out, because of products with powers of two, and of any in a loop,
/// the compiler makes five instructions and more (shifts, widening, packing).
#[inline]
#[target_feature(enable = "ssse3")]
fn high_product(mut a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: it reads and writes the two registers alone.
    unsafe {
        asm!("pmulhuw {0}, {1}", inout(xmm_reg) a, in(xmm_reg) b, options(pure, nomem, nostack, preserves_flags))
    };
    a
}

/// The low halves of 16-bit products; see [`high_product`].
#[inline]
#[target_feature(enable = "ssse3")]
fn low_product(mut a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: as above.
    unsafe {
        asm!("pmullw {0}, {1}", inout(xmm_reg) a, in(xmm_reg) b, options(pure, nomem, nostack, preserves_flags))
    };
    a
}

// ---- Strings ------------------------------------------------------------------------------------------
//
// 16 bytes a step, stored before anybody looks at them; texts shorter than that are left to the portable code.
// A text of one to two blocks is two blocks that overlap;
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

/// The bytes of `src` from `read` on, fewer than 16; zero behind them. `src` is no shorter than 16 bytes.
#[inline]
#[target_feature(enable = "ssse3")]
fn tail(src: &[u8], read: usize) -> __m128i {
    let left = src.len() - read;
    match (src.last_chunk::<16>(), DOWN.get(16 - left..).and_then(|down| down.first_chunk::<16>())) {
        (Some(last), Some(down)) => _mm_shuffle_epi8(load(last), load(down)),
        _ => _mm_setzero_si128(),
    }
}

/// See [`super::escape`].
#[target_feature(enable = "ssse3")]
pub fn escape<const STOP: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Escaped {
    if src.len() < 16 {
        return scalar::escape::<STOP>(src, dst);
    }
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

/// [`escape`] from `read` and `written` on, of a text of 16 bytes or more.
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
