//! One node: hiqlite keeps this copy like the others, resq makes JSON of it, HTTP lets programs ask.
//!
//!     resq-node 1 FOLDER 42100        the first of three, its ports from 42101 on
//!
//! Reads are answered from this node's own copy, `?consistent=true` asks the leader after it knows that it still is
//! the leader. Writes go through the leader, whichever node takes them, and are answered when most nodes have them.

mod by_hand;

use std::error::Error as StdError;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use cluster::{Address, Order, read};
use hiqlite::{Client, Error, Node, NodeConfig, start_node};
use serde::Deserialize;
use serde_json::json;

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    let usage = "usage: resq-node NUMBER FOLDER FIRST_PORT";
    let [number, folder, first_port] =
        <[String; 3]>::try_from(std::env::args().skip(1).collect::<Vec<_>>()).map_err(|_| usage)?;
    let (id, first_port): (u16, u16) = (number.parse()?, first_port.parse()?);

    // Before the node starts: every connection that hiqlite opens has resq's functions, for reads and for writes.
    resq::auto_extension().map_err(|code| format!("SQLite's code {code}"))?;

    std::fs::create_dir_all(&folder)?;
    let client = start_node(NodeConfig {
        node_id: id.into(),
        nodes: (1..=3).map(|id| node(Address { first_port, id })).collect(),
        listen_addr_api: "127.0.0.1".into(),
        listen_addr_raft: "127.0.0.1".into(),
        data_dir: folder.into(),
        // Of an example on loopback: whoever has these is in the cluster.
        secret_raft: "an example's secret".into(),
        secret_api: "an example's secret".into(),
        health_check_delay: Duration::ZERO,
        ..NodeConfig::default()
    })
    .await?;

    let router = Router::new()
        .route("/state", get(state))
        .route("/read/{what}", get(answer))
        .route("/by-hand", get(answer_by_hand))
        .route("/fill", post(fill))
        .route("/orders", post(order))
        .with_state(client);
    let listener = tokio::net::TcpListener::bind(Address { first_port, id }.http()).await?;
    println!("node {id}: http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}

fn node(address: Address) -> Node {
    Node { id: address.id.into(), addr_raft: address.raft(), addr_api: address.api() }
}

/// What a request is answered when the cluster cannot: most nodes are away, an election is on, a statement is wrong.
struct Failure(Error);

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "error": self.0.to_string() }))).into_response()
    }
}

fn document(text: impl IntoResponse) -> Response {
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

#[derive(Deserialize)]
struct Choices {
    #[serde(default)]
    consistent: bool,
    /// At most so many rows.
    #[serde(default = "many")]
    limit: u32,
}

fn many() -> u32 {
    1_000_000
}

async fn answer(
    State(client): State<Client>,
    Path(what): Path<String>,
    Query(Choices { consistent, limit }): Query<Choices>,
) -> Result<Response, Failure> {
    let Some(sql) = read(&what) else { return Ok(StatusCode::NOT_FOUND.into_response()) };
    let params = vec![i64::from(limit).into()];
    let mut rows = if consistent {
        client.query_consistent(sql, params).await?
    } else {
        client.query_raw(sql, params).await?
    };
    match rows.first_mut() {
        Some(row) => Ok(document(row.try_get::<String>("document")?)),
        None => Ok(StatusCode::NOT_FOUND.into_response()),
    }
}

/// The same answer as `/read/users` from typed rows, to compare.
async fn answer_by_hand(
    State(client): State<Client>,
    Query(Choices { limit, .. }): Query<Choices>,
) -> Result<Response, Failure> {
    Ok(document(by_hand::users(&client, limit).await?))
}

async fn fill(State(client): State<Client>) -> Result<StatusCode, Failure> {
    for sql in [include_str!("schema.sql"), include_str!("fill.sql")] {
        for result in client.batch(sql).await? {
            result?;
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The caller picks the id, so that the same order sent again after a lost answer is still one order.
async fn order(State(client): State<Client>, Json(order): Json<Order>) -> Result<StatusCode, Failure> {
    let sql = "insert into orders(id, user, item, price, details) values ($1, $2, $3, $4, '{}') on conflict(id) do nothing";
    client
        .execute(sql, vec![order.id.into(), order.user.into(), order.item.into(), order.price.into()])
        .await?;
    Ok(StatusCode::CREATED)
}

async fn state(State(client): State<Client>) -> Result<Response, Failure> {
    let metrics = client.metrics_db().await?;
    Ok(Json(json!({
        "leader": metrics.current_leader,
        "applied": metrics.last_applied.map(|entry| entry.index),
    }))
    .into_response())
}
