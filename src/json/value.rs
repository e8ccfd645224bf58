//! One value as JSON.

use crate::base64::{self, Alphabet};
use crate::buffer::{Buffer, Memory, ShortBytes};
use crate::decimal::{self, Digits};
use crate::escape;
use crate::real::{self, Real, Room};
use crate::value::{Value, Visitor};

/// What may be written in another way than the contract's default; each choice stands for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Integers that a JavaScript number cannot hold, those beyond ±(2^53 − 1), become strings.
    pub big_integers_as_text: bool,
    /// BLOBs in the URL alphabet, without padding.
    pub url_alphabet: bool,
    /// Members whose value is NULL are left out of objects.
    pub omit_null: bool,
    /// Everything beyond ASCII becomes `\uXXXX`.
    pub ascii: bool,
    /// Line breaks in JSON that is written as it is become spaces. What is made of lines chooses this itself.
    pub one_line: bool,
}

impl Choices {
    /// The contract as it stands.
    pub const DEFAULT: Choices = Choices {
        big_integers_as_text: false,
        url_alphabet: false,
        omit_null: false,
        ascii: false,
        one_line: false,
    };

    /// Is there a choice that somebody made?
    #[inline]
    pub(super) fn any(self) -> bool {
        self.big_integers_as_text || self.url_alphabet || self.omit_null || self.ascii
    }
}

/// 2^53 − 1, JavaScript's Number.MAX_SAFE_INTEGER.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// What stands in front of a value, if it is short.
pub(super) type Prefix = ShortBytes<32>;

const NO_PREFIX: &Prefix = &Prefix::NONE;

/// Appends `before` and `value`. Inlined, so that what has just been found to be an integer, say, is not looked at twice.
#[inline(always)]
fn write_after<M: Memory>(before: &Prefix, value: &Value<'_>, one_line: bool, out: &mut Buffer<'_, M>) {
    match *value {
        Value::Null => out.extend_parts((before, ShortBytes::new(*b"null", 4))),
        Value::Integer(integer) => number(before, decimal::integer(integer), out),
        Value::Real(x) => match real::real(x, &mut Room::default()) {
            Real::Short(digits) => number(before, digits, out),
            Real::Long(text) => {
                out.extend_parts(before);
                out.extend(text);
            }
            Real::Unwritable => out.extend_parts((before, ShortBytes::new(*b"null", 4))),
        },
        Value::Text(text) => escape::string_after(before, text, out),
        Value::Blob(bytes) => base64::quoted(before, bytes, Alphabet::Standard, out),
        Value::Json(text) => {
            out.extend_parts(before);
            embedded(text, false, one_line, out);
        }
    }
}

/// Writes the value it takes behind `before`, without choices.
pub(super) struct ValueWriter<'b, 'r, 'k, M: Memory> {
    pub(super) before: &'k Prefix,
    /// By reference, so that the loop over a row need not carry it.
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

/// Appends `value`. Out of line, for where a call more is not felt and a copy more of the code is.
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
        Value::Blob(bytes) if choices.url_alphabet => base64::quoted(NO_PREFIX, bytes, Alphabet::Url, out),
        ref other => write_after(NO_PREFIX, other, choices.one_line, out),
    }
}

/// Appends JSON as it is, on one line if that is wanted: line breaks stand between tokens only, since in strings they
/// are escaped.
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
