//! `sql/demo.sql` on the SQLite that rusqlite brings, for machines without a `sqlite3` shell; the output is the same.
//!
//!     make build && cargo run --release --example demo
#![allow(unsafe_code)]

use std::error::Error;
use std::io::Write;

use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::types::ValueRef;
use rusqlite::{Batch, Connection};

fn main() -> Result<(), Box<dyn Error>> {
    let extension = std::env::var("RESQ_EXTENSION").unwrap_or_else(|_| "./libresq".to_string());
    let db = Connection::open_in_memory()?;
    // SAFETY: the extension is ours.
    unsafe {
        db.load_extension_enable()?;
        db.load_extension(extension, None::<&str>)?;
    }
    db.load_extension_disable()?;

    let mut out = std::io::stdout().lock();
    let mut statements = Batch::new(&db, include_str!("../sql/demo.sql"));
    while let Some(mut statement) = statements.next()? {
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                if column > 0 {
                    out.write_all(b"|")?;
                }
                match row.get_ref(column)? {
                    ValueRef::Null => {}
                    ValueRef::Integer(value) => write!(out, "{value}")?,
                    ValueRef::Real(value) => write!(out, "{value:?}")?,
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) => out.write_all(bytes)?,
                }
            }
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}
