//! What SQL sees: the functions, and the one table that registers them.

mod base64;
mod choices;
mod info;
mod raw;
mod shapes;

use crate::sqlite::{Flags, Registration};
use shapes::{Columns, Json, Ndjson, Object, Rows, Shaped};

/// Every function. `resq_version` is the last: a connection that has it has them all.
pub const TABLE: &[Registration] = &[
    Registration::aggregate::<Shaped<Json, false>>(-1, Flags::JSON),
    Registration::aggregate::<Shaped<Json, true>>(-1, Flags::JSON),
    Registration::aggregate::<Shaped<Ndjson, false>>(-1, Flags::JSON),
    Registration::aggregate::<Shaped<Ndjson, true>>(-1, Flags::JSON),
    Registration::aggregate::<Shaped<Rows, false>>(-1, Flags::JSON),
    Registration::aggregate::<Shaped<Rows, true>>(-1, Flags::JSON),
    Registration::aggregate::<Shaped<Columns, false>>(-1, Flags::JSON),
    Registration::aggregate::<Shaped<Columns, true>>(-1, Flags::JSON),
    Registration::scalar::<Object<false>>(-1, Flags::JSON),
    Registration::scalar::<Object<true>>(-1, Flags::JSON),
    Registration::scalar::<raw::Raw>(1, Flags::JSON),
    Registration::scalar::<base64::Encode>(1, Flags::PLAIN),
    Registration::scalar::<base64::Encode>(2, Flags::PLAIN),
    Registration::scalar::<base64::Decode>(1, Flags::PLAIN),
    Registration::scalar::<info::Debug>(0, Flags::INNOCUOUS),
    Registration::scalar::<info::Version>(0, Flags::INNOCUOUS),
];
