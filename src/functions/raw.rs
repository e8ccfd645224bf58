//! `resq_raw` (R6, R14): text that is JSON already.

use super::text;
use crate::json;
use crate::sqlite::{Arguments, Call, Report, Reported, Scalar};

/// `resq_raw(text)`: the same text, checked to be one RFC 8259 JSON text, and marked as JSON.
pub struct Raw;

impl Scalar for Raw {
    const NAME: &'static str = "resq_raw";

    fn call(call: &Call<'_>, arguments: &Arguments<'_>) -> Result<(), Reported> {
        let Some(text) = text(call, arguments, 0)? else { return call.null() };
        match json::check(text) {
            Ok(()) => call.copied_text(text).map(|()| call.mark_json()),
            Err(invalid) => Err(call.error(format_args!("argument 1 is not JSON: {invalid}"))),
        }
    }
}
