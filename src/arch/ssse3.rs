//! Kernels of 16 bytes for x86-64 with SSSE3.

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::strings::{DOWN, EXPANSIONS, FAULTS, How, TO_LETTER, string_kernels, unknown};
use super::{Base64Decoder, Base64Encoder, Escaped, NonAscii, escape_one, scalar};

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
            // SAFETY: the caller has written the characters of all `groups`, and no more is asked for.
            return unsafe { super::written(dst, 4 * self.groups) };
        }
        // SAFETY: the caller has written the characters of all `groups`.
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
    // SAFETY: it reads and writes the registers alone.
    unsafe {
        asm!("pmullw {0}, {1}", inout(xmm_reg) a, in(xmm_reg) b, options(pure, nomem, nostack, preserves_flags))
    };
    a
}

/// Decodes from the group with index `groups` on, 16 characters to 12 bytes a step: see
/// [`super::base64_decode`]. The last step ends where the text's groups end, and does some twice;
/// what is shorter than a step is done by table. A step stores 16 bytes, of which the last four are
/// overwritten or not counted.
#[inline]
#[target_feature(enable = "ssse3")]
pub fn base64_decode(
    decoder: &Base64Decoder,
    src: &[u8],
    padding: usize,
    dst: &mut [MaybeUninit<u8>],
    mut groups: usize,
) -> usize {
    let all = src.len() / 4;
    while groups + 4 < all {
        match base64_decode_step(src, groups, dst, 0) {
            Some(4) => groups += 4,
            Some(found) => return groups + found,
            None => break,
        }
    }
    match all.checked_sub(4) {
        Some(last) if last <= groups => match base64_decode_step(src, last, dst, padding) {
            Some(found) => last + found,
            None => scalar::base64_decode(decoder, src, padding, dst, groups),
        },
        _ => scalar::base64_decode(decoder, src, padding, dst, groups),
    }
}

/// How many of the four groups from `group` on are characters alone, but for the padding? Those are
/// decoded. Nothing where a step would reach over the end of a slice.
#[inline]
#[target_feature(enable = "ssse3")]
fn base64_decode_step(
    src: &[u8],
    group: usize,
    dst: &mut [MaybeUninit<u8>],
    padding: usize,
) -> Option<usize> {
    let block = src.get(4 * group..).and_then(|rest| rest.first_chunk())?;
    let room = dst.get_mut(3 * group..).and_then(|room| room.first_chunk_mut::<16>())?;
    // `=` and padding make `A`.
    let (sextets, wrong) = base64_sextets(_mm_sub_epi8(load(block), load(&BASE64_PADDING[padding])));
    // 12 bits in each half of a 32-bit lane, 24 in the lane, and of its bytes the lowest three in
    // turn.
    let pairs = _mm_maddubs_epi16(sextets, _mm_set1_epi16(0x0140));
    let fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x0001_1000));
    store(room, _mm_shuffle_epi8(fours, load(&BASE64_THREES)));
    match _mm_movemask_epi8(wrong) {
        // Not by way of the other: the next step would wait for it.
        0 => Some(4),
        wrong => Some(wrong.trailing_zeros() as usize / 4),
    }
}

/// The bytes of four groups: each lies in 4 bytes as `c b a 0`.
pub(super) static BASE64_THREES: [u8; 16] = [2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 0x80, 0x80, 0x80, 0x80];

/// The sextets of 16 characters, and bytes whose highest bit is set where there is no character.
///
/// The low nibble of a byte gives a number, which is added to its high nibble. Two times:
///
/// ```text
///   byte       low nibble  →  + high nibble  →  least byte that is a character, among those that come to this sum
///                          →  + high nibble  →  what is to be added to the byte to get its sextet
/// ```
#[inline]
#[target_feature(enable = "ssse3")]
fn base64_sextets(characters: __m128i) -> (__m128i, __m128i) {
    let lookup = |table: &[u8; 16], by| _mm_shuffle_epi8(load(table), by);
    let high = _mm_and_si128(_mm_srli_epi16::<4>(characters), _mm_set1_epi8(0x0f));
    // A byte that is not ASCII looks up 0.
    let check = _mm_add_epi8(high, lookup(&BASE64_DECODE.check, characters));
    let shift = _mm_add_epi8(high, lookup(&BASE64_DECODE.shift, characters));
    let wrong = _mm_adds_epi8(characters, lookup(&BASE64_DECODE.minus_least, check));
    (_mm_add_epi8(characters, lookup(&BASE64_DECODE.shifts, shift)), wrong)
}

/// How bytes of either alphabet are told from others, and become sextets, by lookups in 16 bytes.
#[repr(C, align(16))]
pub(super) struct Base64Nibbles {
    /// By the low nibble: what to add to the high one to get the index for `minus_least`.
    pub check: [u8; 16],
    /// The least byte that is a character, negative: less than that added to it is negative.
    pub minus_least: [u8; 16],
    /// By the low nibble: what to add to the high one to get the index for `shifts`.
    pub shift: [u8; 16],
    /// What to add to a character.
    pub shifts: [u8; 16],
}

/// Found by trying all numbers.
pub(super) static BASE64_DECODE: Base64Nibbles = Base64Nibbles::NEW;

impl Base64Nibbles {
    pub const NEW: Self = {
        const fn negative(least: [u8; 16]) -> [u8; 16] {
            let mut minus = [0; 16];
            let mut i = 0;
            while i < 16 {
                minus[i] = least[i].wrapping_neg();
                i += 1;
            }
            minus
        }
        // Where characters lie with those two nibbles in common they have the same distance to
        // their sextets.
        let mut shifts = [0; 16];
        shifts[2] = 62_u8.wrapping_sub(b'+');
        shifts[3] = 52_u8.wrapping_sub(b'0');
        shifts[4] = b'A'.wrapping_neg();
        shifts[5] = b'A'.wrapping_neg();
        shifts[6] = 26_u8.wrapping_sub(b'a');
        shifts[7] = 26_u8.wrapping_sub(b'a');
        shifts[8] = 62_u8.wrapping_sub(b'-');
        shifts[10] = b'A'.wrapping_neg();
        shifts[12] = 26_u8.wrapping_sub(b'a');
        shifts[11] = 63_u8.wrapping_sub(b'/');
        shifts[13] = b'A'.wrapping_neg();
        shifts[14] = 63_u8.wrapping_sub(b'_');
        shifts[15] = 26_u8.wrapping_sub(b'a');
        Base64Nibbles {
            check: [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 5, 3, 5, 3],
            minus_least: negative([128, 128, 128, 49, 65, 43, 90, 48, 95, 76, 128, 108, 128, 128, 128, 128]),
            shift: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 9],
            shifts,
        }
    };

    /// Do these tables say the same as a table of all bytes? Looked at while this is compiled.
    pub const fn assert(sextets: &[u8; 256]) {
        let tables = Self::NEW;
        let mut byte = 0;
        while byte < 256 {
            let (low, high) = (byte & 15, byte >> 4);
            let [check, shift] = if byte < 128 { [tables.check[low], tables.shift[low]] } else { [0; 2] };
            let least = tables.minus_least[(high + check as usize) & 15] as i8;
            let valid = (byte as u8 as i8).saturating_add(least) >= 0;
            assert!(valid == (sextets[byte] < 64));
            let sextet = (byte as u8).wrapping_add(tables.shifts[(high + shift as usize) & 15]);
            assert!(!valid || sextet == sextets[byte]);
            byte += 1;
        }
    }
}

// ---- Strings ------------------------------------------------------------------------------------

string_kernels!(16, 3, "ssse3", 0 by escape_from);

#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 readable bytes; no alignment asked.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn store<const N: usize>(room: &mut [MaybeUninit<u8>; N], vector: __m128i) {
    const { assert!(N >= 16) };
    // SAFETY: 16 writable bytes or more; no alignment asked.
    unsafe { _mm_storeu_si128(room.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "ssse3")]
fn array(vector: __m128i) -> [u8; 16] {
    let mut bytes = [0; 16];
    // SAFETY: 16 writable bytes; no alignment asked.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector) };
    bytes
}

#[inline]
#[target_feature(enable = "ssse3")]
fn zero() -> __m128i {
    _mm_setzero_si128()
}

#[inline]
#[target_feature(enable = "ssse3")]
fn nothing() -> __m128i {
    zero()
}

#[inline]
#[target_feature(enable = "ssse3")]
fn last_of(bytes: __m128i) -> __m128i {
    bytes
}

#[inline]
#[target_feature(enable = "ssse3")]
fn or(a: __m128i, b: __m128i) -> __m128i {
    _mm_or_si128(a, b)
}

#[inline]
#[target_feature(enable = "ssse3")]
fn any(bytes: __m128i) -> bool {
    _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, zero())) != 0xffff
}

#[inline]
#[target_feature(enable = "ssse3")]
fn partial(src: &[u8], read: usize) -> __m128i {
    let left = src.len() - read;
    let Some(down) = DOWN.get(16 - left..).and_then(|down| down.first_chunk()) else { return zero() };
    match src.last_chunk() {
        Some(last) => shuffle(load(last), load(down)),
        None => partial_short(src, read),
    }
}

/// [`partial`] of texts shorter than 16 bytes.
#[inline(never)]
#[target_feature(enable = "ssse3")]
pub(super) fn partial_short(src: &[u8], read: usize) -> __m128i {
    let left = src.len() - read;
    let high = if left > 8 { scalar::word(src, read + 8).0 } else { 0 };
    let bytes = _mm_set_epi64x(high as i64, scalar::word(src, read).0 as i64);
    let places = load(DOWN.first_chunk().unwrap_or(&[0; 16]));
    let filling = _mm_cmpgt_epi8(places, _mm_set1_epi8(left as i8 - 1));
    _mm_or_si128(bytes, _mm_and_si128(filling, _mm_set1_epi8(b' ' as i8)))
}

/// A shuffle, in which an index from 0x80 on stands for itself less 0x80.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn shuffle(bytes: __m128i, order: __m128i) -> __m128i {
    let others = _mm_subs_epu8(order, _mm_set1_epi8(0x80_u8 as i8));
    _mm_or_si128(_mm_shuffle_epi8(bytes, order), others)
}

/// Nothing: the portable code, which is as fast, has tried.
#[inline]
fn plain_short(_: &[u8], _: &mut [MaybeUninit<u8>]) -> usize {
    0
}

/// All bits set in each byte that is escaped or not ASCII. Exchanging " with space puts all that is
/// escaped, but the backslash, below 0x21; as a signed number, all that is not ASCII too.
#[inline]
#[target_feature(enable = "ssse3")]
fn attention(bytes: __m128i) -> __m128i {
    let swapped = _mm_xor_si128(bytes, _mm_set1_epi8(2));
    let low = _mm_cmpgt_epi8(_mm_set1_epi8(0x21), swapped);
    _mm_or_si128(low, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\\' as i8)))
}

#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn plain_pair(a: __m128i, b: __m128i) -> bool {
    _mm_movemask_epi8(_mm_or_si128(attention(a), attention(b))) == 0
}

#[inline]
#[target_feature(enable = "ssse3")]
fn hits(bytes: __m128i) -> u32 {
    let swapped = _mm_xor_si128(bytes, _mm_set1_epi8(2));
    let low = _mm_cmpeq_epi8(_mm_min_epu8(swapped, _mm_set1_epi8(0x20)), swapped);
    let backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\\' as i8));
    _mm_movemask_epi8(_mm_or_si128(low, backslash)) as u32
}

#[inline]
#[target_feature(enable = "ssse3")]
fn beyond_ascii(bytes: __m128i) -> bool {
    _mm_movemask_epi8(bytes) != 0
}

#[inline]
#[target_feature(enable = "ssse3")]
fn letters(bytes: __m128i) -> __m128i {
    // From 0x10 on the index has its highest bit, for which a shuffle gives zero.
    let index = _mm_adds_epu8(bytes, _mm_set1_epi8(0x70));
    _mm_add_epi8(bytes, _mm_shuffle_epi8(load(&TO_LETTER), index))
}

#[inline]
#[target_feature(enable = "ssse3")]
fn controls(letters: __m128i) -> u32 {
    let low = _mm_cmpeq_epi8(_mm_min_epu8(letters, _mm_set1_epi8(0x1f)), letters);
    _mm_movemask_epi8(low) as u32
}

#[inline]
#[target_feature(enable = "ssse3")]
fn expand(letters: __m128i, hits: u32, room: &mut [MaybeUninit<u8>; 48]) -> usize {
    let (low, high) = (hits & 0xff, hits >> 8);
    let place = 8 + EXPANSIONS.count(low as usize);
    store(room, expand_eight(letters, low));
    if let Some(room) = room.get_mut(place..).and_then(|room| room.first_chunk_mut::<16>()) {
        store(room, expand_eight(_mm_unpackhi_epi64(letters, letters), high));
    }
    place + 8 + EXPANSIONS.count(high as usize)
}

/// The low eight letters, a backslash in front of each of `hits`, of which the lowest eight bits
/// count.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn expand_eight(letters: __m128i, hits: u32) -> __m128i {
    shuffle(letters, load(&EXPANSIONS.orders[hits as usize & 0xff]))
}

#[inline]
#[target_feature(enable = "ssse3")]
fn faults(before: __m128i, bytes: __m128i) -> __m128i {
    let before_1 = _mm_alignr_epi8::<15>(bytes, before);
    let before_2 = _mm_alignr_epi8::<14>(bytes, before);
    let before_3 = _mm_alignr_epi8::<13>(bytes, before);
    let low = |bytes| _mm_and_si128(bytes, _mm_set1_epi8(0xf));
    let high = |bytes| low(_mm_srli_epi16::<4>(bytes));
    let tables = unknown(&FAULTS);
    let first = _mm_and_si128(
        _mm_shuffle_epi8(load(&tables.first_high), high(before_1)),
        _mm_shuffle_epi8(load(&tables.first_low), low(before_1)),
    );
    let pairs = _mm_and_si128(first, _mm_shuffle_epi8(load(&tables.second_high), high(bytes)));
    // The highest bit is set from 0xe0 and from 0xf0 on.
    let threes = _mm_subs_epu8(before_2, _mm_set1_epi8(0x60));
    let fours = _mm_subs_epu8(before_3, _mm_set1_epi8(0x70));
    let asked = _mm_and_si128(_mm_or_si128(threes, fours), _mm_set1_epi8(0x80_u8 as i8));
    _mm_xor_si128(pairs, asked)
}
