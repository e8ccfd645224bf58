//! `resq_raw` (R6, R14): text that is JSON already.

use crate::buffer::Failure;
use crate::json;
use crate::sqlite::{Arguments, Call, Failed, Scalar};
use crate::value::{Row, Value};

/// `resq_raw(text)`: the same text, checked to be one RFC 8259 JSON text, and marked as JSON.
pub struct Raw;

impl Scalar for Raw {
    const NAME: &'static str = "resq_raw";

    fn call(call: &Call<'_>, arguments: &Arguments<'_>) -> Result<(), Failed> {
        let text = match arguments.get(0) {
            Some(Value::Null) => return call.null(),
            Some(Value::Text(text) | Value::Json(text)) => text,
            Some(other) => {
                return Err(call.error(format_args!("argument 1 must be TEXT, not {}", other.class())));
            }
            None => return Err(call.fail(Failure::NoMemory)),
        };
        match json::check(text) {
            Ok(()) => call.copied_text(text).map(|()| call.mark_json()),
            Err(invalid) => Err(call.error(format_args!("argument 1 is not JSON: {invalid}"))),
        }
    }
}
