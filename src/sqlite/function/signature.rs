//! What SQLite is told of a function when it is registered.

use core::ffi::c_int;

use super::call::Variant;
use crate::sqlite::bindings::{
    SQLITE_DETERMINISTIC, SQLITE_DIRECTONLY, SQLITE_INNOCUOUS, SQLITE_SUBTYPE, SQLITE_UTF8,
};

/// How SQLite may use a function.
#[derive(Clone, Copy, PartialEq)]
pub struct Flags(pub(in crate::sqlite) c_int);

/// 3.45's SQLITE_RESULT_SUBTYPE; older hosts ignore it, builds with SQLITE_STRICT_SUBTYPE demand
/// it.
const RESULT_SUBTYPE: c_int = 0x0100_0000;

impl Flags {
    const COMMON: c_int = SQLITE_UTF8 as c_int;
    const PURE: c_int = Self::COMMON | SQLITE_DETERMINISTIC as c_int | SQLITE_INNOCUOUS as c_int;
    /// Depends on its arguments alone, and is harmless: may stand in an index, a view, a trigger.
    pub const PLAIN: Flags = Flags(Self::PURE);
    /// As `PLAIN`, reads and gives the JSON subtype.
    pub const JSON: Flags = Flags(Self::PURE | SQLITE_SUBTYPE as c_int | RESULT_SUBTYPE);
    /// Harmless, but tells of this process: not for an index.
    pub const INNOCUOUS: Flags = Flags(Self::COMMON | SQLITE_INNOCUOUS as c_int);
    /// Runs SQL: only for statements that a person wrote, not from a schema (R18).
    pub const DIRECT: Flags = Flags(Self::COMMON | SQLITE_DIRECTONLY as c_int | RESULT_SUBTYPE);

    /// The same for a function that reads no subtypes.
    pub(in crate::sqlite) const fn without_subtype(self) -> Flags {
        Flags(self.0 & !(SQLITE_SUBTYPE as c_int))
    }
}

/// A function's name, arguments and flags.
pub struct Signature {
    pub(in crate::sqlite) name: &'static str,
    /// How many arguments; -1: any number.
    pub(in crate::sqlite) count: c_int,
    pub(in crate::sqlite) flags: Flags,
    /// Of an aggregate, what its calls are to know.
    pub(in crate::sqlite) variant: Option<&'static Variant>,
}

/// A name of ours with a NUL after it.
#[inline(never)]
pub(in crate::sqlite) fn terminated(name: &str) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (to, from) in bytes.iter_mut().take(63).zip(name.bytes()) {
        *to = from;
    }
    bytes
}
