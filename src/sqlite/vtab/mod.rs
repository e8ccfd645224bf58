//! Virtual tables: SQLite's methods become calls of a trait.
//!
//! ```text
//!   module   what every virtual table of resq is made of
//!   table    table functions: the Table trait
//! ```

mod module;
mod table;

pub(in crate::sqlite) use module::{MODULE, VirtualTable, connect, disconnect, register};
pub(in crate::sqlite) use table::define;
pub use table::{Table, TableCall};
