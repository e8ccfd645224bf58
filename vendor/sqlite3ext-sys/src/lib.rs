//! Types and constants of SQLite's `sqlite3ext.h`, version 3.39.4, as resq has them. No function is declared
//! here, so nothing can link to a SQLite by accident.
#![no_std]
#![allow(non_upper_case_globals, non_camel_case_types, non_snake_case, clippy::all)]

include!("../../../src/sqlite/bindings.rs");
