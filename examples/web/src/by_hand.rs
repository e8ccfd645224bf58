//! The same answers without resq, as one writes them with care: typed rows, serde_json, no copy that can be spared.
//! To compare; nothing else uses it.

use axum::body::Bytes;
use base64::prelude::{BASE64_STANDARD, Engine};
use rusqlite::{Connection, Row, ToSql, params, params_from_iter};
use serde::{Serialize, Serializer};

use crate::api::List;
use crate::error::Error;
use crate::export::{Pieces, Table};

/// A piece is sent when it is this long.
const PIECE: usize = 65536;

#[derive(Serialize)]
struct Customer {
    id: i64,
    name: String,
    city: String,
    joined: String,
    spent: f64,
    #[serde(serialize_with = "base64")]
    picture: Option<Vec<u8>>,
}

#[derive(Serialize)]
struct Order {
    id: i64,
    customer: i64,
    day: String,
    item: String,
    count: i64,
    price: f64,
}

#[derive(Serialize)]
struct Page {
    total: i64,
    rows: Vec<Customer>,
}

fn base64<S: Serializer>(bytes: &Option<Vec<u8>>, out: S) -> Result<S::Ok, S::Error> {
    bytes.as_ref().map(|bytes| BASE64_STANDARD.encode(bytes)).serialize(out)
}

fn customer(row: &Row) -> rusqlite::Result<Customer> {
    Ok(Customer {
        id: row.get(0)?,
        name: row.get(1)?,
        city: row.get(2)?,
        joined: row.get(3)?,
        spent: row.get(4)?,
        picture: row.get(5)?,
    })
}

fn order(row: &Row) -> rusqlite::Result<Order> {
    Ok(Order {
        id: row.get(0)?,
        customer: row.get(1)?,
        day: row.get(2)?,
        item: row.get(3)?,
        count: row.get(4)?,
        price: row.get(5)?,
    })
}

pub fn customers(db: &Connection, list: &List) -> Result<Vec<u8>, Error> {
    let pattern = list.pattern();
    let found: &[&dyn ToSql] = if list.filter().is_empty() { &[] } else { &[&pattern] };
    let total = db
        .prepare_cached(&format!("select count(*) from customers {}", list.filter()))?
        .query_row(found, |row| row.get(0))?;
    let mut statement = db.prepare_cached(&list.rows())?;
    let rows = statement.query_map(params![pattern, list.size, list.offset()], customer)?;
    Ok(serde_json::to_vec(&Page { total, rows: rows.collect::<Result<_, _>>()? })?)
}

pub fn export(db: &Connection, table: &Table, out: &mut Pieces) -> Result<(), Error> {
    if table.orders { lines(db, order, table, out) } else { lines(db, customer, table, out) }
}

fn lines<T: Serialize>(
    db: &Connection,
    read: fn(&Row) -> rusqlite::Result<T>,
    table: &Table,
    out: &mut Pieces,
) -> Result<(), Error> {
    let mut statement = db.prepare_cached(table.sql())?;
    let mut piece = Vec::with_capacity(PIECE + 1024);
    let mut before: &[u8] = if table.array { b"[" } else { b"" };
    let mut place = out.place()?;
    for row in statement.query_map(params_from_iter(&table.since), read)? {
        piece.extend_from_slice(before);
        before = if table.array { b"," } else { b"" };
        serde_json::to_writer(&mut piece, &row?)?;
        if !table.array {
            piece.push(b'\n');
        }
        if piece.len() >= PIECE {
            place.send(Bytes::from(std::mem::replace(&mut piece, Vec::with_capacity(PIECE + 1024))));
            place = out.place()?;
        }
    }
    if table.array {
        piece.extend_from_slice(if before == b"[" { b"[]" } else { b"]" });
    }
    if !piece.is_empty() {
        place.send(Bytes::from(piece));
    }
    Ok(())
}
