//! `resq_bool` (R28): a number as a truth value.

use crate::buffer::BufferError;
use crate::json;
use crate::sqlite::{Arguments, Call, Report, Reported, Scalar};
use crate::value::{Row, Value};

/// `resq_bool(x)`: `false` for 0, `true` for any other number, marked as JSON; NULL for NULL.
pub struct Bool;

impl Scalar for Bool {
    const NAME: &'static str = "resq_bool";

    fn call(call: &Call<'_>, arguments: &Arguments<'_>) -> Result<(), Reported> {
        let value = arguments.get(0).ok_or_else(|| call.fail(BufferError::NoMemory))?;
        match json::truth(value) {
            Ok(Value::Json(word)) => call.copied_text(word).map(|()| call.mark_json()),
            Ok(_) => call.null(),
            Err(class) => Err(call.error(format_args!("argument 1 must be a number or NULL, not {class}"))),
        }
    }
}
