//! Kernels: the loops that only make sense as instructions of one processor, and which of them runs.
//!
//! A kernel takes slices and returns what it wrote, and of its input how much it read. A tier is a set of
//! instructions that a processor has or lacks; it is detected once and kept in one atomic. BLOBs shorter than a
//! block never come here to ask.
#![allow(unsafe_code)]
#![allow(
    clippy::multiple_unsafe_ops_per_block,
    reason = "a load, a store and the step of a pointer rest on one bound, which is checked once for all of them"
)]

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod json;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod ssse3;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
mod strings;

pub(crate) use json::{json_not_plain, json_not_space};
pub(crate) use scalar::{base64 as base64_short, base64_quoted as base64_quoted_short};

/// A set of kernels; the best of a processor is the last that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Tier {
    /// Portable code.
    Scalar = 1,
    /// x86-64 with SSSE3.
    Ssse3 = 2,
    /// x86-64 with AVX2, and POPCNT, which every such processor has.
    Avx2 = 3,
    /// x86-64 with AVX-512 F, BW, VL, VBMI and VBMI2, and the bit instructions such processors have.
    Avx512 = 4,
    /// AArch64, where it is part of the baseline.
    Neon = 5,
}

impl Tier {
    /// Every tier there is, on whatever processor.
    pub const ALL: [Tier; 5] = [Tier::Scalar, Tier::Ssse3, Tier::Avx2, Tier::Avx512, Tier::Neon];

    /// Its name as `resq_debug()` gives it.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Scalar => "scalar",
            Tier::Ssse3 => "ssse3",
            Tier::Avx2 => "avx2",
            Tier::Avx512 => "avx512",
            Tier::Neon => "neon",
        }
    }

    /// The tier of this name, if this processor has it.
    #[cfg(feature = "force-tier")]
    fn named(name: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|tier| tier.name() == name && tier.available())
    }

    /// Can this processor run it?
    pub fn available(self) -> bool {
        match self {
            Tier::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Tier::Ssse3 => std::is_x86_feature_detected!("ssse3"),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2 => std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt"),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512 => {
                std::is_x86_feature_detected!("avx512f")
                    && std::is_x86_feature_detected!("avx512bw")
                    && std::is_x86_feature_detected!("avx512vl")
                    && std::is_x86_feature_detected!("avx512vbmi")
                    && std::is_x86_feature_detected!("avx512vbmi2")
                    && std::is_x86_feature_detected!("bmi1")
                    && std::is_x86_feature_detected!("bmi2")
                    && std::is_x86_feature_detected!("lzcnt")
                    && std::is_x86_feature_detected!("popcnt")
            }
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Tier::Neon => true,
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }

    /// The best tier of this processor.
    #[inline]
    pub fn current() -> Tier {
        match DETECTED.load(Ordering::Relaxed) {
            2 => Tier::Ssse3,
            3 => Tier::Avx2,
            4 => Tier::Avx512,
            5 => Tier::Neon,
            1 => Tier::Scalar,
            _ => Tier::detect(),
        }
    }

    #[cold]
    fn detect() -> Tier {
        let best = Tier::ALL.into_iter().filter(|tier| tier.available()).max().unwrap_or(Tier::Scalar);
        #[cfg(feature = "force-tier")]
        let best = std::env::var("RESQ_TIER").ok().and_then(|name| Tier::named(&name)).unwrap_or(best);
        DETECTED.store(best as u8, Ordering::Relaxed);
        best
    }
}

/// A tier that this processor has: what a kernel may be chosen by without asking again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectedTier(Tier);

impl DetectedTier {
    /// The best tier of this processor.
    #[inline]
    pub fn best() -> DetectedTier {
        DetectedTier(Tier::current())
    }

    /// `tier`, if this processor has it.
    pub fn of(tier: Tier) -> Option<DetectedTier> {
        tier.available().then_some(DetectedTier(tier))
    }

    /// Has it a [`base64_quoted`]?
    #[inline]
    pub fn quotes_base64(self) -> bool {
        self.0 == Tier::Avx512
    }

    /// Which one it is.
    pub fn tier(self) -> Tier {
        self.0
    }
}

/// `Tier as u8`; 0 until the first question.
static DETECTED: AtomicU8 = AtomicU8::new(0);

/// The first `count` bytes of `dst`.
///
/// # Safety
/// `dst` has that many, and they are initialised.
#[inline(always)]
unsafe fn written(dst: &mut [MaybeUninit<u8>], count: usize) -> &mut [u8] {
    // SAFETY: both are the caller's duties. The first is told to the compiler, so that later code does not check the
    // length again.
    unsafe {
        core::hint::assert_unchecked(count <= dst.len());
        dst.get_unchecked_mut(..count).assume_init_mut()
    }
}

// ---- base64 --------------------------------------------------------------------------------------------

/// What the encoding kernels know of an alphabet.
#[repr(C, align(64))]
pub struct Base64Encoder {
    /// The character of each sextet.
    pub chars: [u8; 64],
    /// What to add to a sextet to get its character, by the range the sextet lies in: `A`–`Z`, `a`–`z`,
    /// ten times the digits, sextet 62, sextet 63.
    pub shifts: [u8; 16],
    /// The two characters of each 12 bits, for the alphabet that is used most; the other one does without, since the table
    /// is a sixtieth of the library.
    pub pairs: Option<&'static [[u8; 2]; 4096]>,
    /// Is the last group filled up with `=`?
    pub padded: bool,
}

impl Base64Encoder {
    /// The tables of an alphabet whose first 62 characters are those of RFC 4648.
    pub const fn new(chars: &[u8; 64], pairs: Option<&'static [[u8; 2]; 4096]>, padded: bool) -> Self {
        let mut shifts = [chars[52].wrapping_sub(52); 16];
        shifts[0] = chars[0];
        shifts[1] = chars[26] - 26;
        shifts[12] = chars[62].wrapping_sub(62);
        shifts[13] = chars[63].wrapping_sub(63);
        Base64Encoder { chars: *chars, shifts, pairs, padded }
    }
}

/// The table for [`Base64Encoder::pairs`].
pub const fn base64_pairs(chars: &[u8; 64]) -> [[u8; 2]; 4096] {
    let mut pairs = [[0; 2]; 4096];
    let mut i = 0;
    while i < 4096 {
        pairs[i] = [chars[i >> 6], chars[i & 63]];
        i += 1;
    }
    pairs
}

/// What the decoding kernels know of an alphabet.
#[repr(C, align(64))]
pub struct Base64Decoder {
    /// Each byte's sextet; 255 if it has none.
    pub sextets: [u8; 256],
}

impl Base64Decoder {
    /// The table that reads every alphabet in `alphabets`.
    pub const fn new(alphabets: &[&[u8; 64]]) -> Self {
        let mut sextets = [u8::MAX; 256];
        let mut i = 0;
        while i < alphabets.len() * 64 {
            sextets[alphabets[i / 64][i % 64] as usize] = i as u8 % 64;
            i += 1;
        }
        #[cfg(target_arch = "x86_64")]
        ssse3::Base64Nibbles::assert(&sextets);
        Base64Decoder { sextets }
    }
}

/// Inputs shorter than this gain nothing from a kernel on any tier.
pub const BASE64_MIN: usize = if cfg!(target_arch = "x86_64") { 16 } else { 48 };

/// Encodes `src`, padding included, to `dst`, which must be as long as the text: else what is returned is nothing,
/// or nonsense.
#[inline]
pub fn base64<'a>(
    tier: DetectedTier,
    encoder: &Base64Encoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    match tier.0 {
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 => unsafe { avx512::base64(encoder, src, dst) },
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 if src.len() >= 24 => unsafe { avx2::base64(encoder, src, dst) },
        // SAFETY: `Tier::available` has seen SSSE3, or AVX2, which no processor has without it.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 | Tier::Ssse3 => unsafe { ssse3::base64(encoder, src, dst) },
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Tier::Neon => unsafe { neon::base64(encoder, src, dst) },
        _ => scalar::base64_long(encoder, src, dst),
    }
}

/// Decodes `src` from its head on, whole groups of four characters, to the head of `dst`: up to the
/// first group that holds anything but characters, or for which there is no room. One or two `=`
/// that fill up the last group of `src` are fine. Returns what it wrote, and how much of `src` that
/// stands for; bytes of `dst` behind may have been overwritten.
#[inline]
pub fn base64_decode<'a>(
    tier: DetectedTier,
    decoder: &Base64Decoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> (&'a mut [u8], usize) {
    let padding = match *src {
        [.., b'=', b'='] if src.len().is_multiple_of(4) => 2,
        [.., b'='] if src.len().is_multiple_of(4) => 1,
        _ => 0,
    };
    let groups = match tier.0 {
        // SAFETY: the tier is present.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 => unsafe { avx512::base64_decode(decoder, src, padding, dst) },
        // SAFETY: the tier is present.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 if src.len() >= 64 => unsafe { avx2::base64_decode(decoder, src, padding, dst) },
        // SAFETY: the tier is present, and it has all that SSSE3 has.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 | Tier::Ssse3 => unsafe { ssse3::base64_decode(decoder, src, padding, dst, 0) },
        // SAFETY: the tier is present.
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Tier::Neon => unsafe { neon::base64_decode(decoder, src, padding, dst) },
        _ => scalar::base64_decode(decoder, src, padding, dst, 0),
    };
    let missing = if 4 * groups == src.len() { padding } else { 0 };
    // SAFETY: the kernels write the three bytes of each group that they count. Only one that has
    // four characters is padded.
    (unsafe { written(dst, 3 * groups - missing) }, 4 * groups)
}

/// The most bytes that [`base64_quoted`] encodes: their text and two marks fill 64 bytes at most.
pub const BASE64_ONE: usize = 45;

/// Encodes `src`, with padding and between quotation marks, to the head of `dst`, where [`DetectedTier::quotes_base64`].
/// Up to [`BASE64_ONE`] bytes to `dst` of 64: else what is returned is nothing.
#[inline(always)]
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
pub fn base64_quoted<'a>(
    tier: DetectedTier,
    encoder: &Base64Encoder,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    match tier.0 {
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 => unsafe { avx512::base64_quoted(encoder, src, dst) },
        _ => &mut [],
    }
}

/// The `length` characters that `encode` writes, between quotation marks. `dst` has room for them, or nothing is returned.
#[inline(always)]
pub fn quoted<'a>(
    length: usize,
    dst: &'a mut [MaybeUninit<u8>],
    encode: impl for<'b> FnOnce(&'b mut [MaybeUninit<u8>]) -> &'b mut [u8],
) -> &'a mut [u8] {
    let Some([first, body @ .., last]) = dst.get_mut(..length + 2) else { return &mut [] };
    first.write(b'"');
    last.write(b'"');
    let (begin, body) = (body.as_ptr(), encode(body));
    if body.len() != length || !core::ptr::eq(begin.cast(), body.as_ptr()) {
        return &mut [];
    }
    // SAFETY: `body` is all that lies between the two marks, and is initialised.
    unsafe { written(dst, length + 2) }
}

// ---- Strings ------------------------------------------------------------------------------------

/// Room that [`escape`] wants beyond the length of its source before it promises to get on.
pub const ESCAPE_ROOM: usize = 127;

/// Bytes of the source a string kernel has dealt with, and bytes it has written for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Escaped {
    read: usize,
    written: usize,
}

/// What a string kernel does about bytes that are not ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonAscii {
    /// Copies them.
    Copy,
    /// Stops in front of the first.
    Stop,
    /// Copies them if all that it reads is well-formed UTF-8; else, or where that is dear to find
    /// out, stops in front of the first.
    Check,
}

/// Writes a quotation mark and, as [`escape`] does, `src`; if that was all of `src`, the closing
/// quotation mark too. Never copies what is not ASCII unchecked. `dst` longer than `src` by
/// [`ESCAPE_ROOM`] + 2 gets on.
#[inline(always)]
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
pub fn quote<'a>(
    tier: DetectedTier,
    non_ascii: NonAscii,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> (&'a mut [u8], usize) {
    let done = match tier.0 {
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 => unsafe { avx512::quote(src, dst, non_ascii) },
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 if src.len() >= 16 => unsafe { avx2::quote(src, dst, non_ascii) },
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Tier::Neon => unsafe { neon::quote(src, dst, non_ascii) },
        _ => quote_portable(tier, src, dst, non_ascii),
    };
    // SAFETY: the kernels initialise the first `written` bytes.
    (unsafe { written(dst, done.written) }, done.read)
}

/// [`quote`] by portable code: where there is nothing better, and for short texts, of which a kernel
/// does those that are not ASCII. Out of the way of what calls it, since that is many places.
#[inline(never)]
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
fn quote_portable(
    tier: DetectedTier,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    non_ascii: NonAscii,
) -> Escaped {
    #[cfg(target_arch = "x86_64")]
    if tier.0 == Tier::Ssse3 && src.len() >= 16 {
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        return unsafe { ssse3::quote(src, dst, non_ascii) };
    }
    let done = scalar::quote(src, dst);
    #[cfg(target_arch = "x86_64")]
    if done.read < src.len() && non_ascii == NonAscii::Check && tier.0 != Tier::Scalar {
        // SAFETY: `Tier::available` has seen SSSE3, or a tier that no processor has without it.
        return unsafe { ssse3::quote(src, dst, non_ascii) };
    }
    done
}

/// Writes `src` as the inside of a JSON string (R4) to the head of `dst`; returns what it wrote and
/// how much of `src` that stands for. It stops early where `non_ascii` says so and where `dst` is
/// nearly full, always between two bytes of `src`, and with [`NonAscii::Check`] between two
/// characters. If `dst` is longer than `src` by [`ESCAPE_ROOM`] it reads at least one byte. Bytes
/// of `dst` after those returned may have been overwritten.
pub fn escape<'a>(
    tier: DetectedTier,
    non_ascii: NonAscii,
    src: &[u8],
    dst: &'a mut [MaybeUninit<u8>],
) -> (&'a mut [u8], usize) {
    let done = match tier.0 {
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 => unsafe { avx512::escape(src, dst, non_ascii) },
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 => unsafe { avx2::escape(src, dst, non_ascii) },
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(target_arch = "x86_64")]
        Tier::Ssse3 => unsafe { ssse3::escape(src, dst, non_ascii) },
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Tier::Neon => unsafe { neon::escape(src, dst, non_ascii) },
        _ if non_ascii == NonAscii::Copy => scalar::escape::<false>(src, dst),
        _ => scalar::escape::<true>(src, dst),
    };
    // SAFETY: the kernels initialise the first `written` bytes.
    (unsafe { written(dst, done.written) }, done.read)
}

/// How many bytes at the end of `text` begin a sequence and do not end it? What is before is
/// well-formed.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
#[inline]
fn unfinished(text: &[u8]) -> usize {
    match *text {
        [.., lead] if lead >= 0xc0 => 1,
        [.., lead, 0x80..=0xff] if lead >= 0xe0 => 2,
        [.., lead, 0x80..=0xff, 0x80..=0xff] if lead >= 0xf0 => 3,
        _ => 0,
    }
}

/// Is `text` well-formed UTF-8? `None` where no kernel of ours is the best to ask.
#[inline]
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
pub fn well_formed(tier: DetectedTier, text: &[u8]) -> Option<bool> {
    match tier.0 {
        // SAFETY: `Tier::available` has seen the features that the kernel enables.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 if text.len() < 64 => Some(unsafe { avx512::well_formed(text) }),
        _ => None,
    }
}

/// Writes a quotation mark; gives the room behind it, up to the place that the closing one may
/// need.
#[inline(always)]
fn open(dst: &mut [MaybeUninit<u8>]) -> Option<&mut [MaybeUninit<u8>]> {
    let [first, room @ .., _] = dst else { return None };
    first.write(b'"');
    Some(room)
}

/// Writes the closing quotation mark behind what a kernel wrote to the room from [`open`], if it
/// came to the end.
#[inline(always)]
fn close(src: &[u8], dst: &mut [MaybeUninit<u8>], inside: Escaped) -> Escaped {
    let Escaped { read, mut written } = inside;
    written += 1;
    if read == src.len()
        && let Some(last) = dst.get_mut(written)
    {
        last.write(b'"');
        written += 1;
    }
    Escaped { read, written }
}

/// Deals with the byte at `read`, there because it needs attention, and with those right behind it
/// that are escaped. False if the kernel is to stop: the byte is not ASCII, or there is no room.
#[inline(always)]
fn escape_one<const STOP: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: &mut usize,
    written: &mut usize,
) -> bool {
    let stands_for = |at: usize| src.get(at).map(|&byte| (byte, &ESCAPES[usize::from(byte)]));
    let mut next = stands_for(*read);
    while let Some((byte, escape)) = next
        && !(STOP && byte >= 0x80)
        && let Some(room) = dst.get_mut(*written..).and_then(|room| room.first_chunk_mut::<8>())
    {
        room.write_copy_of_slice(escape);
        *written += usize::from(escape[7]);
        *read += 1;
        next = stands_for(*read);
        if next.is_none_or(|(_, escape)| escape[7] == 1) {
            return true;
        }
    }
    false
}

/// For every byte what stands for it in a JSON string, and in the last place the length of that.
static ESCAPES: [[u8; 8]; 256] = escapes();

const fn escapes() -> [[u8; 8]; 256] {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let short = match byte as u8 {
            b'"' => b'"',
            b'\\' => b'\\',
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0c => b'f',
            b'\r' => b'r',
            _ => 0,
        };
        table[byte] = if short != 0 {
            [b'\\', short, 0, 0, 0, 0, 0, 2]
        } else if byte < 0x20 {
            [b'\\', b'u', b'0', b'0', HEX[byte >> 4], HEX[byte & 15], 0, 6]
        } else {
            [byte as u8, 0, 0, 0, 0, 0, 0, 1]
        };
        byte += 1;
    }
    table
}
