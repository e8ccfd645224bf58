//! The C API of SQLite: the only room that knows it.
//!
//! ```text
//!   entry      load: take the host's API table, refuse what cannot work, register
//!   api        the functions of that table which resq calls, checked once
//!   call       one call of one SQL function: its context, its errors, its results
//!   argument   sqlite3_value -> Value
//!   memory     sqlite3_malloc64 and friends as `buffer::Memory`
//!   aggregate  step, inverse, value, finish -> the Aggregate trait
//!   scalar     a scalar function -> the Scalar trait
//!   static_link  registering for every new connection of a SQLite linked into the same program
//! ```
//!
//! What leaves this room is safe: callers see `Call`, `Arguments` and two traits, and no pointer. Every
//! function that SQLite calls is one call of a guard that turns a panic into an SQL error (R23).
#![allow(unsafe_code)]

mod aggregate;
mod api;
mod argument;
mod call;
mod entry;
mod memory;
mod scalar;
#[cfg(feature = "static")]
mod static_link;

pub use aggregate::Aggregate;
pub use argument::Arguments;
pub use call::{Call, Failed};
pub use entry::{Flags, Registration, load};
pub use memory::SqliteMemory;
pub use scalar::Scalar;
/// The types of the C entry points.
pub use sqlite3ext_sys::{sqlite3, sqlite3_api_routines};
#[cfg(feature = "static")]
pub use static_link::{Table, auto_extension};
