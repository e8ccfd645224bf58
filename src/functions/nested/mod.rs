//! Nested queries: `resq_query` and `resq_stream` (R17–R20, R32).
//!
//! ```text
//!   query      resq_query        stream     resq_stream
//!   prepared   a nested query and both ways to run it
//!   stepped      row by row, and the keys of its columns
//!   one_pass     all rows in one step of SQLite    program   is that the same?
//!   columns    keys out of column names          form      what the rows become
//!   pragma     which PRAGMAs only read           tokens    what SQL is made of
//! ```

mod columns;
mod form;
mod one_pass;
mod pragma;
mod prepared;
mod program;
mod query;
mod stepped;
mod stream;
mod tokens;

pub(super) use query::Query;
pub(super) use stream::Stream;
