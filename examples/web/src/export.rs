//! Tables of any size, a piece at a time: the next one is made after the client took the last.

use std::future::ready;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use rusqlite::{Connection, params_from_iter};
use serde::Deserialize;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::Shop;
use crate::database;
use crate::error::Error;

/// How long a client may take nothing. Until then it holds a connection, and the snapshot that this one reads.
const PATIENCE: Duration = Duration::from_secs(60);

/// What to export, and how.
pub struct Table {
    pub orders: bool,
    /// One JSON array, or a line each.
    pub array: bool,
    /// The first day of the orders.
    pub since: Option<String>,
}

impl Table {
    /// The statement: ?1 is the first day, if one is given.
    pub fn sql(&self) -> &'static str {
        match (self.orders, &self.since) {
            (true, Some(_)) => "select id, customer, day, item, count, price from orders where day >= ?1",
            (true, None) => "select id, customer, day, item, count, price from orders",
            (false, _) => "select id, name, city, joined, spent, picture from customers",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    since: Option<String>,
}

pub async fn file(
    State(shop): State<Shop>,
    file: Result<Path<String>, PathRejection>,
    filter: Result<Query<Filter>, QueryRejection>,
) -> Result<Response, Error> {
    let Path(file) = file?;
    let Query(filter) = filter?;
    let (orders, array) = match file.as_str() {
        "orders.json" => (true, true),
        "orders.ndjson" => (true, false),
        "customers.json" => (false, true),
        "customers.ndjson" => (false, false),
        _ => return Err(Error::NotFound),
    };
    if filter.since.as_deref().is_some_and(|since| !orders || !is_day(since)) {
        return Err(Error::Request("since: a day as 2025-01-31, for orders".to_owned()));
    }
    let table = Table { orders, array, since: filter.since };

    let db = database::take(&shop.exports).await?;
    let (sender, mut pieces) = mpsc::channel(1);
    let mut out = Pieces { sender, runtime: Handle::current() };
    let worker = tokio::task::spawn_blocking(move || (shop.ways.export)(&db, &table, &mut out));
    let end = async { worker.await.unwrap_or_else(|panic| Err(Error::Server(panic.to_string()))) };

    // An error before the first piece is an answer of its own. After it the status is sent: the body then breaks off,
    // which HTTP lets the client see.
    let body = match pieces.recv().await {
        None => {
            end.await?;
            Body::empty()
        }
        Some(first) => Body::from_stream(
            stream::once(ready(first))
                .chain(stream::poll_fn(move |context| pieces.poll_recv(context)))
                .map(Ok)
                .chain(stream::once(end).filter_map(|end| {
                    ready(end.err().map(|error| {
                        eprintln!("export: {error}");
                        Err(error)
                    }))
                })),
        ),
    };
    let kind = if array { "application/json" } else { "application/x-ndjson" };
    Ok(([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, &format!("attachment; filename=\"{file}\""))], body)
        .into_response())
}

/// The way to the client.
pub struct Pieces {
    sender: mpsc::Sender<Bytes>,
    runtime: Handle,
}

impl Pieces {
    /// Waits until the client took the piece before; only then is it worth while to make another.
    pub fn place(&self) -> Result<mpsc::Permit<'_, Bytes>, Error> {
        let place = async { tokio::time::timeout(PATIENCE, self.sender.reserve()).await };
        self.runtime.block_on(place).map_err(|_| Error::Gone)?.map_err(|_| Error::Gone)
    }
}

/// By resq: SQLite makes the pieces.
pub fn export(db: &Connection, table: &Table, out: &mut Pieces) -> Result<(), Error> {
    // 64 KiB in a piece, or one row, if that is longer.
    let choices = if table.array { "array piece=65536" } else { "piece=65536" };
    let sql = match table.since {
        Some(_) => "select piece from resq_stream_with(?1, ?2, ?3)",
        None => "select piece from resq_stream_with(?1, ?2)",
    };
    let mut statement = db.prepare_cached(sql)?;
    let values = [choices, table.sql()].into_iter().chain(table.since.as_deref());
    let mut rows = statement.query(params_from_iter(values))?;
    loop {
        let place = out.place()?;
        let Some(row) = rows.next()? else { return Ok(()) };
        place.send(Bytes::copy_from_slice(row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?));
    }
}

fn is_day(text: &str) -> bool {
    text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
}
