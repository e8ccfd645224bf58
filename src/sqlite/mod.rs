//! The C API of SQLite: the only room that knows it.
//!
//! ```text
//!   entry      load: take the host's API table, refuse what cannot work, register
//!   loadable   what goes through sqlite-loadable: the entry point and scalar functions
//!   bindings   the C API's types and constants, generated
//!   api        the functions of that table which resq calls, checked once
//!   call       one call of one SQL function: its context, its errors, its results
//!   argument   sqlite3_value -> Value
//!   memory     sqlite3_malloc64 and friends as `buffer::Memory`
//!   aggregate  step, inverse, value, finish -> the Aggregate trait
//!   scalar     scalar functions -> the Scalar trait, those that run SQL -> Nested
//!   table      a table function -> the Table trait    virtual_table   what it and the holder have in common
//!   statement  a statement that only reads, and its rows    sink   all of them in one step
//!   signature  what SQLite is told of a function
//!   session    what is kept for a connection    sizes   which queries have given many rows
//!   cache      what is kept from call to call    store    what of that waits for the next one    holder    what empties it
//!   report     where errors go
//!   static_link   registering for every new connection of a SQLite in the same program
//! ```
//!
//! What leaves this room is safe: callers see traits for what they make, `Call`, `Arguments`, `Statement`, and no pointer.
//! Whatever SQLite calls and may panic runs under a guard, for functions one that makes an SQL error of it (R23).
#![allow(unsafe_code)]

mod aggregate;
mod api;
mod argument;
#[allow(dead_code, missing_docs, non_upper_case_globals, non_camel_case_types, non_snake_case, clippy::all)]
mod bindings;
mod cache;
mod call;
mod entry;
mod holder;
#[cfg(feature = "loadable")]
mod loadable;
mod memory;
mod report;
mod scalar;
mod session;
mod signature;
mod sink;
mod sizes;
mod statement;
#[cfg(feature = "static")]
mod static_link;
mod store;
mod table;
#[cfg(test)]
mod tests;
mod virtual_table;

pub use aggregate::Aggregate;
pub use argument::{Arguments, PlainText};
/// The types of the C entry points.
pub use bindings::{sqlite3, sqlite3_api_routines};
pub use cache::{Keep, cached};
pub use call::{Call, Variant};
pub use entry::{Registration, load};
pub use memory::SqliteMemory;
pub use report::{Failed, Report};
pub use scalar::{Nested, Scalar};
pub use session::Session;
pub use signature::Flags;
pub use sink::{Ran, SINK_FUNCTION, Sink, SinkRows};
pub use sizes::hash;
pub use statement::{Statement, skip_blank};
#[cfg(feature = "static")]
pub use static_link::{Linked, auto_extension};
pub use table::{Given, Table, TableCall};
