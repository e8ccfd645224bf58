//! One value as JSON.

use crate::base64::{self, Alphabet};
use crate::buffer::{Buffer, Failure, Memory};
use crate::decimal::{self, Digits};
use crate::escape;
use crate::real::{self, Real, Room};
use crate::value::{Row, Taker, Value};

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
}

impl Choices {
    /// The contract as it stands.
    pub const DEFAULT: Choices =
        Choices { big_integers_as_text: false, url_alphabet: false, omit_null: false, ascii: false };

    #[inline]
    fn any(self) -> bool {
        self != Choices::DEFAULT
    }
}

/// 2^53 − 1, JavaScript's Number.MAX_SAFE_INTEGER.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// Appends `value`. Inlined, so that what has just been found to be an integer, say, is not looked at twice.
#[inline(always)]
fn write<M: Memory>(value: &Value<'_>, choices: Choices, out: &mut Buffer<'_, M>) {
    if choices.any() {
        return write_chosen(value, choices, out);
    }
    match *value {
        Value::Null => out.extend_short(b"null", 4),
        Value::Integer(integer) => number(decimal::integer(integer), out),
        Value::Real(x) => match real::real(x, &mut Room::default()) {
            Real::Short(digits) => number(digits, out),
            Real::Long(text) => out.extend(text),
            Real::Unwritable => out.extend_short(b"null", 4),
        },
        Value::Text(text) => escape::string(text, out),
        Value::Blob(bytes) => base64::quoted(bytes, Alphabet::Standard, out),
        Value::Json(text) => escape::raw_json(text, out),
    }
}

/// Appends value number `index` of a row.
#[inline(always)]
pub(super) fn write_from<M: Memory>(
    row: &impl Row,
    index: usize,
    choices: Choices,
    out: &mut Buffer<'_, M>,
) -> Result<(), Failure> {
    if choices.any() {
        write_chosen(&row.get(index).ok_or(Failure::NoMemory)?, choices, out);
        return Ok(());
    }
    row.hand(index, Writer(out)).ok_or(Failure::NoMemory)
}

/// Writes the value it takes, without choices.
struct Writer<'b, 'r, M: Memory>(&'b mut Buffer<'r, M>);

impl<M: Memory> Taker<'_> for Writer<'_, '_, M> {
    type Output = ();

    #[inline(always)]
    fn take(self, value: Value<'_>) {
        write(&value, Choices::DEFAULT, self.0);
    }
}

/// Appends `value`. Out of line, for where a call more is not felt and a copy more of the code is.
#[inline(never)]
pub fn write_seldom<M: Memory>(value: &Value<'_>, choices: Choices, out: &mut Buffer<'_, M>) {
    write(value, choices, out);
}

#[cold]
#[inline(never)]
fn write_chosen<M: Memory>(value: &Value<'_>, choices: Choices, out: &mut Buffer<'_, M>) {
    match *value {
        Value::Integer(integer) if choices.big_integers_as_text && integer.unsigned_abs() > MAX_SAFE => {
            out.push(b'"');
            number(decimal::integer(integer), out);
            out.push(b'"');
        }
        Value::Text(text) if choices.ascii => escape::string_ascii(text, out),
        Value::Json(text) if choices.ascii => escape::raw_json_ascii(text, out),
        Value::Blob(bytes) if choices.url_alphabet => base64::quoted(bytes, Alphabet::Url, out),
        ref other => write_seldom(other, Choices::DEFAULT, out),
    }
}

/// Line breaks between the tokens of JSON that was written as it is become spaces, so that a line stays one line. In
/// strings there are none: they are escaped.
#[cold]
pub(super) fn on_one_line<M: Memory>(out: &mut Buffer<'_, M>, begin: usize) {
    for byte in out.as_mut_slice().get_mut(begin..).unwrap_or_default() {
        if matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

#[inline(always)]
fn number<M: Memory>(digits: Digits, out: &mut Buffer<'_, M>) {
    out.extend_two(&digits.head(), digits.head_len(), &digits.tail(), digits.tail_len());
}
