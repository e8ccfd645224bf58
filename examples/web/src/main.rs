//! An HTTP server whose answers are made inside SQLite: a handler picks a statement, binds what the request says, and
//! sends the bytes that come back.
//!
//!     cargo run --release -- shop.db        a database that is not there is made from example.sql
//!
//! `api` answers with documents, `export` streams tables of any size, `database` lends connections, `error` says how a
//! request fails. `by_hand` is what the first two would be without resq, to compare.

mod api;
mod by_hand;
mod database;
mod error;
mod export;

use std::error::Error as StdError;
use std::net::SocketAddr;
use std::path::PathBuf;

use axum::Router;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use percent_encoding::percent_decode_str;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::database::Pool;
use crate::error::Error;

/// What every handler is given.
#[derive(Clone)]
struct Shop {
    /// For answers that take milliseconds.
    documents: Pool,
    /// For those that take as long as the client likes: however many there are, documents have connections left.
    exports: Pool,
    ways: Ways,
}

/// How rows become JSON.
#[derive(Clone, Copy)]
struct Ways {
    customers: fn(&rusqlite::Connection, &api::List) -> Result<Vec<u8>, Error>,
    export: fn(&rusqlite::Connection, &export::Table, &mut export::Pieces) -> Result<(), Error>,
}

const RESQ: Ways = Ways { customers: api::customers, export: export::export };
const BY_HAND: Ways = Ways { customers: by_hand::customers, export: by_hand::export };

/// Longer ones are refused before anything looks at them.
const LONGEST_URI: usize = 2000;

struct Arguments {
    listen: SocketAddr,
    ways: Ways,
    file: PathBuf,
}

impl Arguments {
    fn parse() -> Result<Self, String> {
        let usage = "usage: resq-web [--listen 127.0.0.1:8080] [--by-hand] DATABASE";
        let (mut listen, mut ways, mut file) = (SocketAddr::from(([127, 0, 0, 1], 8080)), RESQ, None);
        let mut rest = std::env::args_os().skip(1);
        while let Some(argument) = rest.next() {
            match argument.to_str() {
                Some("--by-hand") => ways = BY_HAND,
                Some("--listen") => {
                    let address = rest.next().ok_or(usage)?;
                    listen =
                        address.to_str().and_then(|it| it.parse().ok()).ok_or("--listen takes IP:PORT")?;
                }
                Some(option) if option.starts_with('-') => return Err(usage.to_owned()),
                _ if file.is_none() => file = Some(PathBuf::from(argument)),
                _ => return Err(usage.to_owned()),
            }
        }
        Ok(Self { listen, ways, file: file.ok_or(usage)? })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    let Arguments { listen, ways, file } = Arguments::parse()?;
    // Before the first connection opens.
    resq::auto_extension().map_err(|code| format!("SQLite's code {code}"))?;
    database::make_unless_there(&file, include_str!("../example.sql"))?;
    let threads = std::thread::available_parallelism()?.get();
    let shop = Shop { documents: database::pool(&file, threads)?, exports: database::pool(&file, 4)?, ways };

    let listener =
        tokio::net::TcpListener::bind(listen).await.map_err(|error| format!("{listen}: {error}"))?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, router(shop))
        .with_graceful_shutdown(async {
            if let Err(error) = tokio::signal::ctrl_c().await {
                eprintln!("no signals, so this runs until it is killed: {error}");
                std::future::pending().await
            }
        })
        .await?;
    Ok(())
}

fn router(shop: Shop) -> Router {
    let page =
        |kind: &'static str, text: &'static str| get(move || async move { ([(CONTENT_TYPE, kind)], text) });
    Router::new()
        .route("/", page("text/html; charset=utf-8", include_str!("../page/index.html")))
        .route("/page.css", page("text/css; charset=utf-8", include_str!("../page/page.css")))
        .route("/page.js", page("text/javascript; charset=utf-8", include_str!("../page/page.js")))
        .route("/api/customers", get(api::list))
        .route("/api/customers/{id}", get(api::customer))
        .route("/api/sales", get(api::sales))
        .route("/export/{file}", get(export::file))
        .fallback(async || Error::NotFound)
        .method_not_allowed_fallback(async || Error::Method)
        .with_state(shop)
        .layer(middleware::from_fn(well_formed))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        // Pictures are in the page as data: URLs; nothing else comes from anywhere but here.
        .layer(SetResponseHeaderLayer::overriding(
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'self'; img-src data:; frame-ancestors 'none'"),
        ))
        .layer(SetResponseHeaderLayer::overriding(
            X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ))
}

/// Refuses what the extractors would let pass: they take U+FFFD for bytes that are not UTF-8.
async fn well_formed(request: Request, next: Next) -> Response {
    let uri = request.uri();
    if uri.path().len() + uri.query().map_or(0, str::len) > LONGEST_URI {
        return Error::TooLong.into_response();
    }
    if percent_decode_str(uri.query().unwrap_or_default()).decode_utf8().is_err() {
        return Error::Request("the query is not UTF-8".to_owned()).into_response();
    }
    next.run(request).await
}
