//! JSON strings, and JSON text that is passed through (R4, R6).
//!
//! A string is copied and searched in one go by a kernel, which also writes the escapes. Text beyond ASCII is checked:
//! by the kernel as it goes, or, where it cannot, from the first such byte on by a second look. What is well-formed is
//! copied by the same kernel, what is not is repaired, one U+FFFD for each maximal subpart.
//!
//! ```text
//!   plain "quoted" plain ž plain ☃ plain
//!   \__________________________________/   a kernel that checks
//!   \___________________/\_____________/
//!    another, stops at ž    checked as UTF-8, then the kernel, which now stops at nothing
//! ```
//!
//! Room: what is left of the text needs at least its own length, so that much and a fixed amount for the kernels
//! is asked for, never the sixfold of the worst case. The fixed amount stays below the buffer's slack, which
//! makes a text fail only if its own length is over the limit (R21).

use crate::arch::{self, DetectedTier, ESCAPE_ROOM, NonAscii};
use crate::buffer::{Buffer, Memory, SLACK, ShortBytes, ShortParts};

const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// Appends `text` as a JSON string.
#[inline]
pub fn string<M: Memory>(text: &[u8], out: &mut Buffer<M>) {
    string_after(ShortBytes::<0>::NONE, text, out);
}

/// Appends `before`, and `text` as a JSON string.
#[inline(always)]
pub fn string_after<P: ShortParts, M: Memory>(before: P, text: &[u8], out: &mut Buffer<M>) {
    string_by(DetectedTier::best(), before, text, out);
}

/// [`string`] by the kernel of a given tier.
pub fn string_tier<M: Memory>(tier: DetectedTier, text: &[u8], out: &mut Buffer<M>) {
    string_by(tier, ShortBytes::<0>::NONE, text, out);
}

#[inline(always)]
fn string_by<P: ShortParts, M: Memory>(tier: DetectedTier, before: P, text: &[u8], out: &mut Buffer<M>) {
    let read = begin(tier, NonAscii::Check, before, text, out);
    if read != text.len() {
        string_rest(tier, read, text, out);
    }
}

/// Appends `text` as a JSON string of ASCII characters only.
#[inline(never)]
pub fn string_ascii<M: Memory>(text: &[u8], out: &mut Buffer<M>) {
    string_ascii_by(DetectedTier::best(), text, out);
}

/// [`string_ascii`] by the kernel of a given tier.
pub fn string_ascii_tier<M: Memory>(tier: DetectedTier, text: &[u8], out: &mut Buffer<M>) {
    string_ascii_by(tier, text, out);
}

#[inline(always)]
fn string_ascii_by<M: Memory>(tier: DetectedTier, text: &[u8], out: &mut Buffer<M>) {
    let read = begin(tier, NonAscii::Stop, ShortBytes::<0>::NONE, text, out);
    if read != text.len() {
        string_ascii_rest(tier, read, text, out);
    }
}

/// Appends JSON text as it is, but as well-formed UTF-8, and NUL as an escape.
#[inline(never)]
pub fn raw_json<M: Memory>(text: &[u8], out: &mut Buffer<M>) {
    if well_formed(DetectedTier::best(), text) {
        raw_valid(text, out);
        return;
    }
    for chunk in text.utf8_chunks() {
        raw_valid(chunk.valid().as_bytes(), out);
        if !chunk.invalid().is_empty() {
            out.extend(REPLACEMENT);
        }
    }
}

/// [`raw_json`], and every character beyond ASCII as `\uXXXX`.
#[inline(never)]
pub fn raw_json_ascii<M: Memory>(text: &[u8], out: &mut Buffer<M>) {
    if text.is_ascii() {
        raw_valid(text, out);
        return;
    }
    for chunk in text.utf8_chunks() {
        let mut rest = chunk.valid();
        while !rest.is_empty() {
            let ascii = rest.bytes().position(|byte| byte >= 0x80).unwrap_or(rest.len());
            raw_valid(rest.as_bytes().get(..ascii).unwrap_or_default(), out);
            rest = beyond_ascii(rest.get(ascii..).unwrap_or_default(), out);
        }
        if !chunk.invalid().is_empty() {
            unicode_escape('\u{fffd}', out);
        }
    }
}

/// `before`, and the whole string if the kernel can do it in one go, else its beginning; returns how much of the text
/// that is, all of it only if the string is complete.
#[inline(always)]
fn begin<P: ShortParts, M: Memory>(
    tier: DetectedTier,
    non_ascii: NonAscii,
    before: P,
    text: &[u8],
    out: &mut Buffer<M>,
) -> usize {
    const { assert!(P::ROOM + ESCAPE_ROOM <= SLACK) };
    let mut read = 0;
    out.extend_after(before, text.len() + ESCAPE_ROOM + 2, |room| {
        let (written, count) = arch::quote(tier, non_ascii, text, room);
        read = count;
        written
    });
    read
}

/// The inside of a string, for as long as the kernel goes; what is left is empty or begins with a byte that
/// is not ASCII, unless the buffer has failed.
fn inside<'t, M: Memory>(
    tier: DetectedTier,
    non_ascii: NonAscii,
    mut text: &'t [u8],
    out: &mut Buffer<M>,
) -> &'t [u8] {
    while !text.is_empty() {
        let mut read = 0;
        out.extend_with(text.len() + ESCAPE_ROOM, |room| {
            let (written, count) = arch::escape(tier, non_ascii, text, room);
            read = count;
            written
        });
        if read == 0 {
            break;
        }
        text = text.get(read..).unwrap_or_default();
    }
    text
}

#[cold]
#[inline(never)]
fn string_rest<M: Memory>(tier: DetectedTier, read: usize, text: &[u8], out: &mut Buffer<M>) {
    let text = inside(tier, NonAscii::Check, text.get(read..).unwrap_or_default(), out);
    if out.failure().is_some() {
        return;
    }
    if well_formed(tier, text) {
        inside(tier, NonAscii::Copy, text, out);
    } else {
        for chunk in text.utf8_chunks() {
            inside(tier, NonAscii::Copy, chunk.valid().as_bytes(), out);
            if !chunk.invalid().is_empty() {
                out.extend(REPLACEMENT);
            }
        }
    }
    out.push(b'"');
}

#[cold]
#[inline(never)]
fn string_ascii_rest<M: Memory>(tier: DetectedTier, read: usize, text: &[u8], out: &mut Buffer<M>) {
    for chunk in text.get(read..).unwrap_or_default().utf8_chunks() {
        let mut rest = chunk.valid();
        while !rest.is_empty() && out.failure().is_none() {
            let left = inside(tier, NonAscii::Stop, rest.as_bytes(), out).len();
            rest = beyond_ascii(rest.get(rest.len() - left..).unwrap_or_default(), out);
        }
        if !chunk.invalid().is_empty() {
            unicode_escape('\u{fffd}', out);
        }
    }
    out.push(b'"');
}

#[inline]
fn well_formed(tier: DetectedTier, text: &[u8]) -> bool {
    arch::well_formed(tier, text).unwrap_or_else(|| simdutf8::basic::from_utf8(text).is_ok())
}

/// Text that is well-formed, with NUL as an escape.
fn raw_valid<M: Memory>(text: &[u8], out: &mut Buffer<M>) {
    if !text.contains(&0) {
        out.extend(text);
        return;
    }
    for (index, piece) in text.split(|&byte| byte == 0).enumerate() {
        if index > 0 {
            out.extend(b"\\u0000");
        }
        out.extend(piece);
    }
}

/// Escapes the characters beyond ASCII at the head of `text` and returns what follows them.
fn beyond_ascii<'t, M: Memory>(text: &'t str, out: &mut Buffer<M>) -> &'t str {
    let mut rest = text.chars();
    loop {
        let here = rest.as_str();
        match rest.next() {
            Some(scalar) if !scalar.is_ascii() => unicode_escape(scalar, out),
            _ => return here,
        }
    }
}

/// `\uXXXX`, twice if the character needs a surrogate pair.
fn unicode_escape<M: Memory>(scalar: char, out: &mut Buffer<M>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut units = [0; 2];
    for &unit in scalar.encode_utf16(&mut units).iter() {
        let digit = |shift: u32| HEX[usize::from(unit >> shift & 15)];
        out.extend_short(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)], 6);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::testing::Heap;
    use crate::buffer::{BufferError, Finished};

    type Writer = fn(&[u8], &mut Buffer<Heap>);

    fn within(limit: usize, write: Writer, text: &[u8]) -> Result<String, BufferError> {
        let mut out = Buffer::new(Heap(limit));
        write(text, &mut out);
        match out.finish()? {
            Finished::Borrowed(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            Finished::Owned(block) => Ok(String::from_utf8(block.as_slice().to_vec()).unwrap_or_default()),
        }
    }

    fn written(write: Writer, text: &[u8]) -> String {
        within(1 << 30, write, text).unwrap_or_default()
    }

    #[test]
    fn strings() {
        for (text, json) in [
            (&b""[..], r#""""#),
            (b"plain", r#""plain""#),
            (b"a\0b\0", r#""a\u0000b\u0000""#),
            (b"\"\\\x08\t\n\x0c\r", r#""\"\\\b\t\n\f\r""#),
            (b"\x01\x1f\x0b", r#""\u0001\u001f\u000b""#),
            (b"/\x7f", "\"/\x7f\""),
            ("\u{2028}ž☃𝄞".as_bytes(), "\"\u{2028}ž☃𝄞\""),
            (b"A\xffB", "\"A\u{fffd}B\""),
            (b"\xe2\x82", "\"\u{fffd}\""),
            (b"\xed\xa0\xbd", "\"\u{fffd}\u{fffd}\u{fffd}\""),
            (b"\xf0\x9f\x98\"", "\"\u{fffd}\\\"\""),
        ] {
            assert_eq!(written(string, text), json, "{text:?}");
        }
    }

    #[test]
    fn ascii_strings() {
        for (text, json) in [
            (&b""[..], r#""""#),
            ("a\0\x7fž☃\"𝄞!".as_bytes(), "\"a\\u0000\x7f\\u017e\\u2603\\\"\\ud834\\udd1e!\""),
            (b"A\xffB", r#""A\ufffdB""#),
            (b"\xc5\xbe\xe2\x82", r#""\u017e\ufffd""#),
        ] {
            assert_eq!(written(string_ascii, text), json, "{text:?}");
        }
    }

    #[test]
    fn json_text() {
        for (text, json, ascii) in [
            (&b""[..], "", ""),
            (b"{\"a\": \"\\u0000\"}", "{\"a\": \"\\u0000\"}", "{\"a\": \"\\u0000\"}"),
            (b"[\"\0\"\0", r#"["\u0000"\u0000"#, r#"["\u0000"\u0000"#),
            ("[\"ž𝄞\"]".as_bytes(), "[\"ž𝄞\"]", r#"["\u017e\ud834\udd1e"]"#),
            (b"\"\xe2\x82\"\0\xff", "\"\u{fffd}\"\\u0000\u{fffd}", r#""\ufffd"\u0000\ufffd"#),
        ] {
            assert_eq!(written(raw_json, text), json, "{text:?}");
            assert_eq!(written(raw_json_ascii, text), ascii, "{text:?}");
        }
    }

    /// R21: the text's own length decides, to the byte, however little of it is plain.
    #[test]
    fn the_limit() {
        for (count, piece) in [(5000, "plain"), (700, "\""), (700, "\0"), (300, "\0ž"), (900, "ž\"")] {
            for write in [string, string_ascii, raw_json, raw_json_ascii] as [Writer; 4] {
                let text = piece.repeat(count);
                let length = written(write, text.as_bytes()).len();
                assert!(length >= text.len());
                assert_eq!(within(length, write, text.as_bytes()).map(|json| json.len()), Ok(length));
                assert_eq!(within(length - 1, write, text.as_bytes()), Err(BufferError::TooBig));
            }
        }
    }
}
