//! One value as JSON.

use crate::base64::{self, Alphabet};
use crate::buffer::{Buffer, Memory, ShortBytes};
use crate::decimal::{self, Digits};
use crate::escape;
use crate::real::{self, Real, Room};
use crate::value::{Value, Visitor};

/// How values are written. Each choice changes the default in one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Integers that a JavaScript number cannot hold, those beyond ±(2^53 − 1), become strings.
    pub big_integers_as_text: bool,
    /// How BLOBs are written.
    pub blobs: BlobForm,
    /// Members whose value is NULL are left out of objects.
    pub omit_null: bool,
    /// Characters that are not ASCII become `\uXXXX`.
    pub ascii: bool,
    /// A key that comes again in an object made of rows is an error.
    pub unique_keys: bool,
    /// Line breaks in JSON that is written as it is become spaces. This is not the user's choice:
    /// the shapes that are made of lines set it.
    pub one_line: bool,
}

/// How a BLOB is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlobForm {
    /// A string of base64 (R5).
    #[default]
    Base64,
    /// The same in the URL alphabet, without padding.
    Base64Url,
    /// A string of hexadecimal digits, in capital letters as SQLite's `hex` has them.
    Hex,
    /// An object that says what it is: `{"$base64":true,"encoded":"…"}`.
    Tagged,
}

impl Choices {
    /// No choices.
    pub const DEFAULT: Choices = Choices {
        big_integers_as_text: false,
        blobs: BlobForm::Base64,
        omit_null: false,
        ascii: false,
        unique_keys: false,
        one_line: false,
    };

    /// Did the user choose anything?
    #[inline]
    pub(super) fn any(self) -> bool {
        self.big_integers_as_text || self.blobs != BlobForm::Base64 || self.omit_null || self.ascii
    }
}

/// 2^53 − 1, JavaScript's Number.MAX_SAFE_INTEGER.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// A short text that stands before a value.
pub(super) type Prefix = ShortBytes<32>;

const NO_PREFIX: &Prefix = &Prefix::NONE;

/// A real that is large, or has many decimals, or none at all.
#[inline(never)]
fn other_real<M: Memory>(before: &Prefix, x: f64, out: &mut Buffer<'_, M>) {
    let mut room = Room::default();
    let text = match real::other(x, &mut room) {
        Real::Short(digits) => return number(before, digits, out),
        Real::Long(text) => text,
        Real::Unwritable => b"null",
    };
    out.extend_parts(before);
    out.extend(text);
}

/// Appends `before` and `value`. It is inlined where the class of `value` is known, so that the
/// class is not tested again.
#[inline(always)]
fn write_after<M: Memory>(before: &Prefix, value: &Value<'_>, one_line: bool, out: &mut Buffer<'_, M>) {
    match *value {
        Value::Null => out.extend_parts((before, ShortBytes::new(*b"null", 4))),
        Value::Integer(integer) => number(before, decimal::integer(integer), out),
        Value::Real(x) => match real::short(x) {
            Some(digits) => number(before, digits, out),
            None => other_real(before, x, out),
        },
        Value::Text(text) => escape::string_after(before, text, out),
        Value::Blob(bytes) => base64::quoted(before, bytes, Alphabet::Standard, out),
        Value::Json(text) => {
            out.extend_parts(before);
            embedded(text, false, one_line, out);
        }
    }
}

/// Writes `before` and the value that it visits, without choices.
pub(super) struct ValueWriter<'b, 'r, 'k, M: Memory> {
    pub(super) before: &'k Prefix,
    /// By reference, so that it takes no register in the loop over a row.
    pub(super) one_line: &'k bool,
    pub(super) out: &'b mut Buffer<'r, M>,
}

impl<M: Memory> Visitor<'_> for ValueWriter<'_, '_, '_, M> {
    type Output = ();

    #[inline(always)]
    fn visit(self, value: Value<'_>) {
        write_after(self.before, &value, *self.one_line, self.out);
    }
}

/// Appends `value`. It is not inlined, because it is large and called in places where a call does
/// not count.
#[inline(never)]
pub fn write<M: Memory>(value: &Value<'_>, choices: Choices, out: &mut Buffer<'_, M>) {
    match *value {
        Value::Integer(integer) if choices.big_integers_as_text && integer.unsigned_abs() > MAX_SAFE => {
            out.push(b'"');
            number(NO_PREFIX, decimal::integer(integer), out);
            out.push(b'"');
        }
        Value::Text(text) if choices.ascii => escape::string_ascii(text, out),
        Value::Json(text) => embedded(text, choices.ascii, choices.one_line, out),
        Value::Blob(bytes) if choices.blobs != BlobForm::Base64 => blob(bytes, choices.blobs, out),
        ref other => write_after(NO_PREFIX, other, choices.one_line, out),
    }
}

#[inline(never)]
fn blob<M: Memory>(bytes: &[u8], form: BlobForm, out: &mut Buffer<'_, M>) {
    match form {
        BlobForm::Base64Url => base64::quoted(NO_PREFIX, bytes, Alphabet::Url, out),
        BlobForm::Hex => {
            out.push(b'"');
            // In pieces, so that a limit is noticed early.
            for chunk in bytes.chunks(64) {
                let mut digits = [0; 128];
                for (pair, byte) in digits.chunks_exact_mut(2).zip(chunk) {
                    pair.copy_from_slice(&[hex_digit(byte >> 4), hex_digit(byte & 15)]);
                }
                out.extend(digits.get(..2 * chunk.len()).unwrap_or_default());
                if out.failure().is_some() {
                    return;
                }
            }
            out.push(b'"');
        }
        BlobForm::Base64 | BlobForm::Tagged => {
            out.extend(b"{\"$base64\":true,\"encoded\":");
            base64::quoted(NO_PREFIX, bytes, Alphabet::Standard, out);
            out.push(b'}');
        }
    }
}

fn hex_digit(nibble: u8) -> u8 {
    if nibble < 10 { b'0' + nibble } else { b'A' + nibble - 10 }
}

/// Appends JSON as it is. With `one_line` every line break becomes a space: they stand only between
/// tokens, because in strings they are escaped.
#[inline(never)]
fn embedded<M: Memory>(text: &[u8], ascii: bool, one_line: bool, out: &mut Buffer<'_, M>) {
    let begin = out.len();
    if ascii {
        escape::raw_json_ascii(text, out);
    } else {
        escape::raw_json(text, out);
    }
    if one_line {
        for byte in out.as_mut_slice().get_mut(begin..).unwrap_or_default() {
            if matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
}

#[inline(always)]
fn number<M: Memory>(before: &Prefix, digits: Digits, out: &mut Buffer<'_, M>) {
    let head =
        (ShortBytes::new([b'-'], digits.minus_len()), ShortBytes::new(digits.head(), digits.head_len()));
    if digits.tail_len() == 0 {
        out.extend_parts((before, head));
    } else {
        out.extend_parts((before, (head, ShortBytes::new(digits.tail(), digits.tail_len()))));
    }
}
