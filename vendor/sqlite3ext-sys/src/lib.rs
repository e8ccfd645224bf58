//! Types and constants of SQLite's `sqlite3ext.h`, version 3.39.4; no function is declared here, so nothing can
//! link to a SQLite by accident. See README.md for how `bindings.rs` was made.
#![no_std]
#![allow(non_upper_case_globals, non_camel_case_types, non_snake_case, clippy::all)]

include!("bindings.rs");
