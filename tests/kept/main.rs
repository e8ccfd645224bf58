//! Nested statements that a connection keeps from call to call: nothing is prepared twice, every result is that of a new
//! connection, and nothing is in the way of whoever changes the schema, takes the file or closes the connection.
//!
//! SQLite counts its memory for the whole process, so these tests run one after the other.
#![allow(clippy::unwrap_used, clippy::expect_used, unsafe_code)]

mod closing;
mod connections;
mod results;
mod reuse;
mod side_effects;
#[path = "../support/mod.rs"]
mod support;
