//! The C API of SQLite: the only room that knows it.
//!
//! ```text
//!   entry, static_link    load: take the host's API table, refuse what cannot work, register
//!         │
//!   statement_cache       what is kept from call to call, and what empties it in time
//!      │       │
//!   statement  │          statements that only read, and their rows
//!      │      vtab        virtual tables: table functions
//!      └───┬───┘
//!      function           scalar functions, aggregates, their calls
//!          │
//!        value            sqlite3_value -> Value
//!          │
//!      connection         the API, errors, memory and state of one connection
//!          │
//!   loadable, bindings    what goes through sqlite-loadable │ the C API's types and constants
//! ```
//!
//! A room uses only those below it, as `tests/layout.rs` holds. What leaves this room is safe:
//! callers see traits for what they make, `Call`, `Arguments`, `Statement`, and no pointer.
//! Whatever SQLite calls and may panic runs under a guard, for functions one that makes an SQL
//! error of it (R23).
#![allow(unsafe_code)]

#[allow(dead_code, missing_docs, non_upper_case_globals, non_camel_case_types, non_snake_case, clippy::all)]
mod bindings;
mod connection;
mod entry;
mod function;
#[cfg(feature = "loadable")]
mod loadable;
mod statement;
mod statement_cache;
#[cfg(feature = "static")]
mod static_link;
#[cfg(test)]
mod tests;
mod value;
mod vtab;

/// The types of the C entry points.
pub use bindings::{sqlite3, sqlite3_api_routines};
pub use connection::{ConnectionState, Report, Reported, SqliteMemory, hash};
pub use entry::{Registration, load};
pub use function::{Aggregate, Call, Flags, Nested, Scalar, Variant};
pub use statement::{Ran, SINK_FUNCTION, Sink, SinkRows, Statement, skip_blank};
pub use statement_cache::{Cacheable, cached};
#[cfg(feature = "static")]
pub use static_link::{Linked, auto_extension};
pub use value::{Arguments, PlainText};
pub use vtab::{Table, TableCall};
