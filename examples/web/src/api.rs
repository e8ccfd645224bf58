//! Documents: each is one text that SQLite made, sent as it is.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::response::{IntoResponse, Response};
use axum_extra::TypedHeader;
use axum_extra::headers;
use rusqlite::{Connection, Params, params};
use serde::Deserialize;

use crate::Shop;
use crate::database;
use crate::error::Error;

/// The client's ETags, if it sent any that can be read.
type Known = Result<TypedHeader<headers::IfNoneMatch>, axum_extra::typed_header::TypedHeaderRejection>;

/// `/api/customers?search=…&sort=…&descending=…&page=…&size=…`. A name that is not among these is refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct List {
    pub search: String,
    pub sort: Sort,
    pub descending: bool,
    /// From 1 on.
    pub page: u32,
    /// Rows in a page.
    pub size: u32,
}

/// A column cannot be bound: the request picks one of these, its text never gets into a statement.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    Id,
    Name,
    City,
    Joined,
    Spent,
}

impl Default for List {
    fn default() -> Self {
        Self { search: String::new(), sort: Sort::Id, descending: false, page: 1, size: 25 }
    }
}

impl List {
    fn check(&self) -> Result<(), Error> {
        let wrong = if self.search.chars().count() > 100 {
            "search: at most 100 characters"
        } else if self.search.contains('\0') {
            // LIKE would take it for the end of the pattern.
            "search: no NUL"
        } else if !(1..=1000).contains(&self.size) {
            "size: from 1 to 1000"
        } else if !(1..=1_000_000).contains(&self.page) {
            "page: from 1 to 1000000"
        } else {
            return Ok(());
        };
        Err(Error::Request(wrong.to_owned()))
    }

    /// The statement: ?1 is the pattern, ?2 the number of rows, ?3 how many to leave out.
    pub fn rows(&self) -> String {
        let column = match self.sort {
            Sort::Id => "id",
            Sort::Name => "name",
            Sort::City => "city",
            Sort::Joined => "joined",
            Sort::Spent => "spent",
        };
        let direction = if self.descending { "desc" } else { "asc" };
        format!(
            "select id, name, city, joined, spent, picture from customers {}
             order by {column} {direction}, id {direction} limit ?2 offset ?3",
            self.filter()
        )
    }

    /// Where to look for ?1. Who searches for nothing gets a statement that need not look.
    pub fn filter(&self) -> &'static str {
        if self.search.is_empty() { "" } else { r"where name like ?1 escape '\' or city like ?1 escape '\'" }
    }

    pub fn pattern(&self) -> String {
        let literal = self.search.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
        format!("%{literal}%")
    }

    pub fn offset(&self) -> i64 {
        i64::from(self.page - 1) * i64::from(self.size)
    }
}

pub async fn list(
    State(shop): State<Shop>,
    known: Known,
    list: Result<Query<List>, QueryRejection>,
) -> Result<Response, Error> {
    let Query(list) = list?;
    list.check()?;
    let body = database::with(&shop.documents, move |db| (shop.ways.customers)(db, &list)).await?;
    Ok(document(known, body))
}

/// One page of rows, and how many there are in all.
pub fn customers(db: &Connection, list: &List) -> Result<Vec<u8>, Error> {
    let sql = format!(
        "select resq_object('total', (select count(*) from customers {}), 'rows', resq_query(?2, ?1, ?3, ?4))",
        list.filter()
    );
    bytes(db, &sql, params![list.pattern(), list.rows(), list.size, list.offset()])
}

pub async fn customer(
    State(shop): State<Shop>,
    known: Known,
    id: Result<Path<i64>, PathRejection>,
) -> Result<Response, Error> {
    let Path(id) = id?;
    let sql = "select id, name, city, joined, spent, picture, resq_query(
                   'select id, day, item, count, price from orders where customer = ? order by day, id', id
               ) as \"orders:json\"
               from customers where id = ?";
    let body = database::with(&shop.documents, move |db| {
        bytes(db, "select resq_query_with('one', ?1, ?2)", params![sql, id])
    });
    // `null` is what the form `one` makes of no row.
    match body.await? {
        body if body == b"null" => Err(Error::NotFound),
        body => Ok(document(known, body)),
    }
}

/// The chart: an array for each column, as plotting libraries like it.
pub async fn sales(State(shop): State<Shop>, known: Known) -> Result<Response, Error> {
    let sql = "select substr(day, 1, 7) as month, count(*) as orders, round(sum(count * price), 2) as total
               from orders group by month order by month";
    let body =
        database::with(&shop.documents, move |db| bytes(db, "select resq_query_with('columns', ?1)", [sql]));
    Ok(document(known, body.await?))
}

/// The only value of the only row, as SQLite has it: UTF-8 text.
fn bytes(db: &Connection, sql: &str, params: impl Params) -> Result<Vec<u8>, Error> {
    let mut statement = db.prepare_cached(sql)?;
    Ok(statement.query_row(params, |row| Ok(row.get_ref(0)?.as_bytes()?.to_vec()))?)
}

/// 304 if the client has these bytes already. The tag is weak, since compression changes the bytes on the wire.
fn document(known: Known, body: Vec<u8>) -> Response {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let tag = format!("W/\"{:016x}\"", hasher.finish());
    let head = [(ETAG, tag.as_str()), (CACHE_CONTROL, "no-cache"), (CONTENT_TYPE, "application/json")];
    let unchanged = match (known, tag.parse::<headers::ETag>()) {
        (Ok(TypedHeader(known)), Ok(tag)) => !known.precondition_passes(&tag),
        _ => false,
    };
    if unchanged { (StatusCode::NOT_MODIFIED, head).into_response() } else { (head, body).into_response() }
}
