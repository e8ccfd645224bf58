//! RFC 4648: bytes as text of 64 characters, and back (R5, R15, R16).
//!
//! ```text
//!   3 bytes       a        b        c
//!              aaaaaaaa bbbbbbbb cccccccc
//!   4 sextets  \__A_/\__ B__/\__C __/\_D_/      character = alphabet[sextet]
//! ```
//!
//! Encoding is a kernel's work. Of decoding, runs of whole groups are, and the end of a text; white
//! space, padding elsewhere and every error are this file's. Inputs shorter than a block take the
//! scalar path of [`encode`] and never ask which kernels there are; `encode_best` is a function of
//! its own, so that nothing in it costs the short path a register.

use core::mem::MaybeUninit;

use crate::arch::{self, Base64Decoder, Base64Encoder, DetectedTier};
use crate::buffer::{Buffer, BufferError, Memory, ShortBytes, ShortParts};

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static STANDARD_PAIRS: [[u8; 2]; 4096] = arch::base64_pairs(STANDARD);
static STANDARD_ENCODER: Base64Encoder = Base64Encoder::new(STANDARD, Some(&STANDARD_PAIRS), true);
static URL_ENCODER: Base64Encoder = Base64Encoder::new(URL, None, false);
static DECODER: Base64Decoder = Base64Decoder::new(&[STANDARD, URL]);

/// Which 64 characters, and whether they are padded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// RFC 4648 §4: `+` and `/`, the last group filled up with `=`.
    Standard,
    /// RFC 4648 §5: `-` and `_`, no padding.
    Url,
}

impl Alphabet {
    #[inline]
    fn encoder(self) -> &'static Base64Encoder {
        match self {
            Alphabet::Standard => &STANDARD_ENCODER,
            Alphabet::Url => &URL_ENCODER,
        }
    }
}

/// How many characters `bytes` bytes become; `None` if that is no `usize`.
#[inline]
pub const fn encoded_len(bytes: usize, alphabet: Alphabet) -> Option<usize> {
    length(bytes, matches!(alphabet, Alphabet::Standard))
}

#[inline]
const fn length(bytes: usize, padded: bool) -> Option<usize> {
    let (groups, rest) = (bytes / 3, bytes % 3);
    let tail = match (rest, padded) {
        (0, _) => 0,
        (_, true) => 4,
        (_, false) => rest + 1,
    };
    match groups.checked_mul(4) {
        Some(whole) => whole.checked_add(tail),
        None => None,
    }
}

/// Appends the base64 of `bytes`.
#[inline]
pub fn encode<M: Memory>(bytes: &[u8], alphabet: Alphabet, out: &mut Buffer<M>) {
    if bytes.len() < arch::BASE64_MIN {
        encode_short(bytes, alphabet.encoder(), out);
    } else {
        encode_best(bytes, alphabet.encoder(), out);
    }
}

/// Appends `before`, and the base64 of `bytes` between quotation marks, as a JSON string.
#[inline(always)]
pub fn quoted<P: ShortParts, M: Memory>(before: P, bytes: &[u8], alphabet: Alphabet, out: &mut Buffer<M>) {
    if bytes.len() < SHORT && alphabet == Alphabet::Standard {
        quoted_short(before, bytes, out);
    } else {
        quoted_best(before, bytes, alphabet.encoder(), out);
    }
}

/// [`quoted`] by the kernels of one tier, for tests.
pub fn quoted_tier<M: Memory>(tier: DetectedTier, bytes: &[u8], alphabet: Alphabet, out: &mut Buffer<M>) {
    if bytes.len() < SHORT && alphabet == Alphabet::Standard {
        quoted_short(ShortBytes::<0>::NONE, bytes, out);
    } else {
        quoted_by(tier, ShortBytes::<0>::NONE, bytes, alphabet.encoder(), out);
    }
}

/// Below this number of bytes no kernel is asked for, and all room is of fixed size.
const SHORT: usize = 16;

const _: () = assert!(SHORT <= arch::BASE64_MIN);

#[inline(never)]
fn quoted_short<P: ShortParts, M: Memory>(before: P, bytes: &[u8], out: &mut Buffer<M>) {
    out.extend_after(before, 32, |spare| arch::base64_quoted_short(&STANDARD_PAIRS, bytes, spare));
}

#[inline(never)]
fn quoted_best<P: ShortParts, M: Memory>(
    before: P,
    bytes: &[u8],
    encoder: &Base64Encoder,
    out: &mut Buffer<M>,
) {
    quoted_by(DetectedTier::best(), before, bytes, encoder, out);
}

#[inline(always)]
fn quoted_by<P: ShortParts, M: Memory>(
    tier: DetectedTier,
    before: P,
    bytes: &[u8],
    encoder: &Base64Encoder,
    out: &mut Buffer<M>,
) {
    if tier.quotes_base64() && bytes.len() <= arch::BASE64_ONE && encoder.padded {
        out.extend_after(before, 64, |spare| arch::base64_quoted(tier, encoder, bytes, spare));
    } else {
        quoted_long(tier, before, bytes, encoder, out);
    }
}

#[inline(always)]
fn quoted_long<P: ShortParts, M: Memory>(
    tier: DetectedTier,
    before: P,
    bytes: &[u8],
    encoder: &Base64Encoder,
    out: &mut Buffer<M>,
) {
    let Some(length) = length(bytes.len(), encoder.padded).filter(|length| *length < usize::MAX - 2) else {
        return out.fail(BufferError::TooBig);
    };
    out.extend_after(before, length + 2, |spare| {
        arch::quoted(length, spare, |body| arch::base64(tier, encoder, bytes, body))
    });
}

/// [`encode`] by the kernels of one tier, for tests and benches.
#[inline]
pub fn encode_tier<M: Memory>(tier: DetectedTier, bytes: &[u8], alphabet: Alphabet, out: &mut Buffer<M>) {
    if bytes.len() < arch::BASE64_MIN {
        encode_short(bytes, alphabet.encoder(), out);
    } else {
        encode_long(tier, bytes, alphabet.encoder(), out);
    }
}

/// Writes the base64 of `bytes` to the head of `room` and returns it; nothing if it does not fit.
/// For tests and benches.
#[inline]
pub fn encode_slice<'a>(
    tier: DetectedTier,
    bytes: &[u8],
    alphabet: Alphabet,
    room: &'a mut [MaybeUninit<u8>],
) -> &'a mut [u8] {
    let Some(room) = encoded_len(bytes.len(), alphabet).and_then(|length| room.get_mut(..length)) else {
        return &mut [];
    };
    if bytes.len() < arch::BASE64_MIN {
        arch::base64_short(alphabet.encoder(), bytes, room)
    } else {
        arch::base64(tier, alphabet.encoder(), bytes, room)
    }
}

/// No vector code.
#[inline]
fn encode_short<M: Memory>(bytes: &[u8], encoder: &Base64Encoder, out: &mut Buffer<M>) {
    if let Some(length) = length(bytes.len(), encoder.padded) {
        out.extend_with(length, |spare| arch::base64_short(encoder, bytes, spare));
    }
}

/// All that a long input needs and a short one does not: one call, with the arguments where they
/// are already.
#[inline(never)]
fn encode_best<M: Memory>(bytes: &[u8], encoder: &Base64Encoder, out: &mut Buffer<M>) {
    encode_long(DetectedTier::best(), bytes, encoder, out);
}

#[inline]
fn encode_long<M: Memory>(tier: DetectedTier, bytes: &[u8], encoder: &Base64Encoder, out: &mut Buffer<M>) {
    let Some(length) = length(bytes.len(), encoder.padded) else {
        return out.fail(BufferError::TooBig);
    };
    if out.reserve(length) {
        // The room is there: asking for 0 leaves no second way through this function.
        out.extend_with(0, |spare| match spare.get_mut(..length) {
            Some(spare) => arch::base64(tier, encoder, bytes, spare),
            None => &mut [],
        });
    }
}

/// Why a text is not base64, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidBase64 {
    /// Index of the byte to blame: the first that no continuation could make right, or else what
    /// the text's end leaves incomplete.
    pub offset: usize,
    /// What is wrong with it.
    pub kind: InvalidKind,
}

/// What is wrong with a text that is not base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidKind {
    /// A byte that is neither of an alphabet nor white space, or any but white space behind the
    /// padding.
    Byte(u8),
    /// A `=` that fills up no group of four, or leaves it incomplete.
    Padding,
    /// A last character alone in its group: six bits make no byte.
    Length,
}

impl core::fmt::Display for InvalidBase64 {
    fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
        match self.kind {
            InvalidKind::Byte(byte @ 0x21..=0x7e) => write!(f, "unexpected '{}'", char::from(byte))?,
            InvalidKind::Byte(byte) => write!(f, "unexpected byte 0x{byte:02x}")?,
            InvalidKind::Padding => f.write_str("misplaced '='")?,
            InvalidKind::Length => f.write_str("lone last character")?,
        }
        write!(f, " at byte offset {}", self.offset)
    }
}

impl core::error::Error for InvalidBase64 {}

/// What WHATWG calls ASCII white space.
const fn is_white_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// Appends the bytes that `text` stands for: WHATWG forgiving-base64, which is what `atob` does,
/// and the characters of either alphabet (R16). If the text is invalid, nothing is appended.
pub fn decode<M: Memory>(text: &[u8], out: &mut Buffer<M>) -> Result<(), InvalidBase64> {
    decode_tier(DetectedTier::best(), text, out)
}

/// [`decode`] by the kernels of one tier, for tests and benches.
#[inline]
pub fn decode_tier<M: Memory>(
    tier: DetectedTier,
    text: &[u8],
    out: &mut Buffer<M>,
) -> Result<(), InvalidBase64> {
    let mut done = 0;
    out.extend_with(text.len().div_ceil(4) * 3, |spare| {
        let (written, read) = arch::base64_decode(tier, &DECODER, text, spare);
        done = read;
        written
    });
    // A buffer that has failed keeps that for itself.
    if done == text.len() || out.failure().is_some() { Ok(()) } else { decode_rest(tier, text, done, out) }
}

/// [`decode_tier`] of a text whose whole groups up to `at` are decoded.
#[inline(never)]
fn decode_rest<M: Memory>(
    tier: DetectedTier,
    text: &[u8],
    at: usize,
    out: &mut Buffer<M>,
) -> Result<(), InvalidBase64> {
    let start = out.len() - at / 4 * 3;
    let result = decode_groups(tier, text, at, out);
    if result.is_err() {
        out.truncate(start);
    }
    result
}

fn decode_groups<M: Memory>(
    tier: DetectedTier,
    text: &[u8],
    mut at: usize,
    out: &mut Buffer<M>,
) -> Result<(), InvalidBase64> {
    loop {
        // One group with something in it that is no character of an alphabet, or with less than
        // four.
        let (mut bits, mut sextets, mut last, mut over) = (0, 0, at, false);
        while sextets < 4 {
            let Some(&byte) = text.get(at) else {
                if sextets == 1 {
                    return Err(InvalidBase64 { offset: last, kind: InvalidKind::Length });
                }
                over = true;
                break;
            };
            let value = u32::from(DECODER.sextets[usize::from(byte)]);
            if value < 64 {
                (bits, sextets, last) = (bits << 6 | value, sextets + 1, at);
            } else if byte == b'=' {
                padding(text, at, sextets)?;
                over = true;
                break;
            } else if !is_white_space(byte) {
                return Err(InvalidBase64 { offset: at, kind: InvalidKind::Byte(byte) });
            }
            at += 1;
        }
        // Bits left over from a group of two or three are dropped.
        let [_, a, b, c] = (bits << (24 - 6 * sextets)).to_be_bytes();
        out.extend_short(&[a, b, c], (sextets as usize).saturating_sub(1));
        if over {
            return Ok(());
        }
        let rest = text.get(at..).unwrap_or(&[]);
        let mut done = 0;
        out.extend_with(rest.len().div_ceil(4) * 3, |spare| {
            let (written, read) = arch::base64_decode(tier, &DECODER, rest, spare);
            done = read;
            written
        });
        if done == rest.len() {
            return Ok(());
        }
        at += done;
    }
}

/// Is the text from its first `=`, behind `sextets` characters of a group, what is missing of that
/// group?
fn padding(text: &[u8], first: usize, sextets: u32) -> Result<(), InvalidBase64> {
    let mut missing = if sextets < 2 { 0 } else { 4 - sextets };
    for (offset, &byte) in text.iter().enumerate().skip(first) {
        match byte {
            b'=' if missing > 0 => missing -= 1,
            b'=' => return Err(InvalidBase64 { offset, kind: InvalidKind::Padding }),
            _ if is_white_space(byte) => {}
            _ => return Err(InvalidBase64 { offset, kind: InvalidKind::Byte(byte) }),
        }
    }
    match missing {
        0 => Ok(()),
        _ => Err(InvalidBase64 { offset: first, kind: InvalidKind::Padding }),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::buffer::RoomOnly;

    fn encoded(bytes: &[u8], alphabet: Alphabet) -> String {
        // One byte of a room is the buffer's own.
        let length = encoded_len(bytes.len(), alphabet).unwrap();
        let mut room = vec![MaybeUninit::uninit(); length + 1];
        let mut out = Buffer::within(&mut room, RoomOnly);
        encode(bytes, alphabet, &mut out);
        assert_eq!(out.failure(), None, "{length} characters need no more room than {length}");
        String::from_utf8(out.as_slice().to_vec()).unwrap()
    }

    fn decoded(text: &str) -> Result<Vec<u8>, (usize, InvalidKind)> {
        let mut room = [MaybeUninit::uninit(); 100];
        let mut out = Buffer::within(&mut room, RoomOnly);
        decode(text.as_bytes(), &mut out).map_err(|e| (e.offset, e.kind))?;
        Ok(out.as_slice().to_vec())
    }

    #[test]
    fn rfc_4648_section_10() {
        for (plain, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encoded(plain.as_bytes(), Alphabet::Standard), text);
            assert_eq!(encoded(plain.as_bytes(), Alphabet::Url), text.trim_end_matches('='));
            assert_eq!(decoded(text), Ok(plain.into()));
        }
        assert_eq!(encoded(b"\xfb\xff\xbf", Alphabet::Standard), "+/+/");
        assert_eq!(encoded(b"\xfb\xff\xbf", Alphabet::Url), "-_-_");
    }

    #[test]
    fn lengths_end_at_usize() {
        assert_eq!(encoded_len(0, Alphabet::Standard), Some(0));
        let most = usize::MAX / 4 * 3;
        assert_eq!(encoded_len(most, Alphabet::Standard), Some(usize::MAX / 4 * 4));
        assert_eq!(encoded_len(most + 1, Alphabet::Standard), None);
        assert_eq!(encoded_len(most + 2, Alphabet::Url), Some(usize::MAX));
        assert_eq!(encoded_len(most + 3, Alphabet::Url), None);
        assert_eq!(encoded_len(usize::MAX, Alphabet::Url), None);
    }

    #[test]
    fn forgiving_as_atob() {
        let a = Ok(b"a".to_vec());
        for text in ["YQ", "YQ==", "YR==", "Y Q = =", " Y\tQ\n=\x0c=\r"] {
            assert_eq!(decoded(text), a, "{text:?}");
        }
        for (text, bytes) in
            [("", &b""[..]), (" ", b""), ("-_-_", b"\xfb\xff\xbf"), ("+_-/", b"\xfb\xff\xbf")]
        {
            assert_eq!(decoded(text), Ok(bytes.to_vec()), "{text:?}");
        }
    }

    #[test]
    fn blame() {
        use InvalidKind::{Byte, Length, Padding};
        for (text, offset, kind) in [
            ("YQ==\0", 4, Byte(0)),
            ("YQ*=", 2, Byte(b'*')),
            ("Zm9v Zm\u{e9}v", 7, Byte(0xc3)),
            ("YQ==YQ==", 4, Byte(b'Y')),
            ("YQ\x0b==", 2, Byte(0x0b)),
            ("=", 0, Padding),
            ("Y===", 1, Padding),
            ("YQ=", 2, Padding),
            ("YQ===", 4, Padding),
            ("YWJj==", 4, Padding),
            ("Y", 0, Length),
            ("YWJj Y ", 5, Length),
        ] {
            assert_eq!(decoded(text), Err((offset, kind)), "{text:?}");
        }
        let error = |offset, kind| InvalidBase64 { offset, kind }.to_string();
        assert_eq!(error(4, Byte(0)), "unexpected byte 0x00 at byte offset 4");
        assert_eq!(error(2, Byte(b'*')), "unexpected '*' at byte offset 2");
        assert_eq!(error(1, Padding), "misplaced '=' at byte offset 1");
        assert_eq!(error(5, Length), "lone last character at byte offset 5");
    }

    #[test]
    fn an_invalid_text_appends_nothing() {
        let mut room = [MaybeUninit::uninit(); 100];
        let mut out = Buffer::within(&mut room, RoomOnly);
        out.extend(b"before");
        assert!(decode(b"Zm9vZm9v*", &mut out).is_err());
        assert_eq!(out.as_slice(), b"before");
    }

    #[test]
    fn no_memory_is_kept_in_the_buffer() {
        let mut room = [MaybeUninit::uninit(); 100];
        let mut out = Buffer::within(&mut room, RoomOnly);
        assert_eq!(decode(&[b'A'; 200], &mut out), Ok(()));
        assert_eq!(out.failure(), Some(BufferError::NoMemory));
        drop(out);
        let mut out = Buffer::within(&mut room, RoomOnly);
        encode(&[0; 200], Alphabet::Standard, &mut out);
        assert_eq!(out.failure(), Some(BufferError::NoMemory));
        assert_eq!(out.len(), 0);
    }
}
