//! What SQL sees: the functions, and the one table that registers them.

mod base64;
mod info;
mod shapes;

use crate::sqlite::{Flags, Registration};

/// Every function. `resq_version` is the last: a connection that has it has them all.
pub const TABLE: &[Registration] = &[
    Registration::aggregate::<shapes::Json>(-1, Flags::JSON),
    Registration::scalar::<base64::Encode>(1, Flags::PLAIN),
    Registration::scalar::<base64::Encode>(2, Flags::PLAIN),
    Registration::scalar::<info::Debug>(0, Flags::INNOCUOUS),
    Registration::scalar::<info::Version>(0, Flags::INNOCUOUS),
];
