//! What SQL sees: the functions, and the one table that registers them.
//!
//! ```text
//!   shapes     the aggregates and resq_object      base64, raw, boolean, info   the other scalar functions
//!   nested     resq_query, resq_stream                                choices   `…_with`'s words
//! ```

mod base64;
mod boolean;
mod choices;
mod info;
mod nested;
mod raw;
mod shapes;

use crate::buffer::BufferError;
use crate::sqlite::{Flags, Registration, Report, Reported, SinkRows};
use crate::value::{Row, Value};
use shapes::{Columns, Json, Kind, Map, Ndjson, Object, Rows, Shaped};

/// Every function. `resq_version` is the last one: a connection that has it has all of them.
pub const TABLE: &[Registration] = &[
    Registration::aggregate::<Shaped<Json>>(&Json::PLAIN, -1, Flags::JSON),
    Registration::aggregate::<Shaped<Json>>(&Json::WITH, -1, Flags::JSON),
    Registration::aggregate::<Shaped<Ndjson>>(&Ndjson::PLAIN, -1, Flags::JSON),
    Registration::aggregate::<Shaped<Ndjson>>(&Ndjson::WITH, -1, Flags::JSON),
    Registration::aggregate::<Shaped<Rows>>(&Rows::PLAIN, -1, Flags::JSON),
    Registration::aggregate::<Shaped<Rows>>(&Rows::WITH, -1, Flags::JSON),
    Registration::aggregate::<Shaped<Columns>>(&Columns::PLAIN, -1, Flags::JSON),
    Registration::aggregate::<Shaped<Columns>>(&Columns::WITH, -1, Flags::JSON),
    Registration::aggregate::<Shaped<Map>>(&Map::PLAIN, -1, Flags::JSON),
    Registration::aggregate::<Shaped<Map>>(&Map::WITH, -1, Flags::JSON),
    Registration::scalar::<Object<false>>(-1, Flags::JSON),
    Registration::scalar::<Object<true>>(-1, Flags::JSON),
    Registration::scalar::<raw::Raw>(1, Flags::JSON),
    Registration::scalar::<boolean::Bool>(1, Flags::JSON),
    Registration::scalar::<base64::Encode>(1, Flags::PLAIN),
    Registration::scalar::<base64::Encode>(2, Flags::PLAIN),
    Registration::scalar::<base64::Decode>(1, Flags::PLAIN),
    Registration::nested::<nested::Query<false>>(-1),
    Registration::nested::<nested::Query<true>>(-1),
    Registration::aggregate::<SinkRows>(&SinkRows::VARIANT, -1, Flags::DIRECT),
    Registration::table::<nested::Stream<false>>(),
    Registration::table::<nested::Stream<true>>(),
    Registration::scalar::<info::Debug>(0, Flags::INNOCUOUS),
    Registration::scalar::<info::Version>(0, Flags::INNOCUOUS),
];

/// Results up to this length are made on the stack, and SQLite copies them: that is faster than
/// allocating.
const SHORT_RESULT: usize = 512;

/// The bytes of an argument that must be TEXT. `None` if it is NULL.
fn text<'a>(report: &dyn Report, row: &'a impl Row, index: usize) -> Result<Option<&'a [u8]>, Reported> {
    match row.get(index) {
        Some(Value::Null) => Ok(None),
        Some(Value::Text(text) | Value::Json(text)) => Ok(Some(text)),
        Some(other) => {
            Err(report.error(format_args!("argument {} must be TEXT, not {}", index + 1, other.class())))
        }
        None => Err(report.fail(BufferError::NoMemory)),
    }
}

/// The ending of a noun after a number.
fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
