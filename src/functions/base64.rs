//! `resq_b64` (R15) and `resq_unb64` (R16).

use core::mem::MaybeUninit;

use super::{SHORT_RESULT, text};
use crate::base64::{self, Alphabet};
use crate::buffer::{Buffer, BufferError};
use crate::sqlite::{Arguments, Call, Report, Reported, Scalar};
use crate::value::{Row, Value};

/// `resq_b64(x)`, `resq_b64(x, 'url')`: base64 text of a BLOB's bytes or a TEXT's UTF-8.
pub struct Encode;

impl Scalar for Encode {
    const NAME: &'static str = "resq_b64";

    fn call(call: &Call<'_>, arguments: &Arguments<'_>) -> Result<(), Reported> {
        let alphabet = match arguments.len() {
            1 => Alphabet::Standard,
            _ => match arguments.get(1) {
                Some(Value::Text(b"url") | Value::Json(b"url")) => Alphabet::Url,
                Some(_) => {
                    return Err(call.error(format_args!("argument 2, the alphabet, can only be 'url'")));
                }
                None => return Err(call.fail(BufferError::NoMemory)),
            },
        };
        let bytes = match arguments.get(0) {
            Some(Value::Null) => return call.null(),
            Some(Value::Blob(bytes) | Value::Text(bytes) | Value::Json(bytes)) => bytes,
            Some(other) => {
                return Err(
                    call.error(format_args!("argument 1 must be BLOB or TEXT, not {}", other.class()))
                );
            }
            None => return Err(call.fail(BufferError::NoMemory)),
        };
        let mut room = [MaybeUninit::uninit(); SHORT_RESULT];
        let mut out = Buffer::within(&mut room, call.memory());
        base64::encode(bytes, alphabet, &mut out);
        call.text(out.finish())
    }
}

/// `resq_unb64(text)`: the BLOB that base64 text stands for.
pub struct Decode;

impl Scalar for Decode {
    const NAME: &'static str = "resq_unb64";

    fn call(call: &Call<'_>, arguments: &Arguments<'_>) -> Result<(), Reported> {
        let Some(text) = text(call, arguments, 0)? else { return call.null() };
        let mut room = [MaybeUninit::uninit(); SHORT_RESULT];
        let mut out = Buffer::within(&mut room, call.memory());
        match base64::decode(text, &mut out) {
            Ok(()) => call.blob(out.finish()),
            Err(invalid) => Err(call.error(format_args!("argument 1 is not base64: {invalid}"))),
        }
    }
}
