//! How a request fails: a status, and a JSON object that says why.

use std::fmt;

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::http::header::{CACHE_CONTROL, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

#[derive(Debug)]
pub enum Error {
    /// What is wrong with the request.
    Request(String),
    TooLong,
    NotFound,
    Method,
    /// Every connection is lent.
    Busy,
    /// Nobody reads this one.
    Gone,
    Database(rusqlite::Error),
    /// Whatever else is wrong here.
    Server(String),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Request(_) => StatusCode::BAD_REQUEST,
            Self::TooLong => StatusCode::URI_TOO_LONG,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Gone | Self::Database(_) | Self::Server(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        // The database's words are for whoever runs this server, not for whoever asks it.
        let why = if status == StatusCode::INTERNAL_SERVER_ERROR {
            eprintln!("failed: {self}");
            "the server failed".to_owned()
        } else {
            self.to_string()
        };
        let mut response =
            (status, [(CACHE_CONTROL, "no-store")], Json(json!({ "error": why }))).into_response();
        if matches!(self, Self::Busy) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(why) | Self::Server(why) => out.write_str(why),
            Self::TooLong => out.write_str("the address is too long"),
            Self::NotFound => out.write_str("there is nothing at this address"),
            Self::Method => out.write_str("only GET and HEAD are answered"),
            Self::Busy => out.write_str("busy: try again in some seconds"),
            Self::Gone => out.write_str("the client went away, or took nothing for too long"),
            Self::Database(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for Error {}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<QueryRejection> for Error {
    fn from(rejection: QueryRejection) -> Self {
        Self::Request(rejection.body_text())
    }
}

impl From<PathRejection> for Error {
    fn from(rejection: PathRejection) -> Self {
        Self::Request(rejection.body_text())
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Server(error.to_string())
    }
}
