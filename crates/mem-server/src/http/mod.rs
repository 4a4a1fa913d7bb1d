//! What every route has in common: errors, names of requests, queries, conditions, bodies.
//!
//! # Layout
//! - `middleware`: what each request goes through.
//! - `problem`: an answer that is none, and the envelope it is told in.
//! - `request_log`: every request gets a name, a line in the log and its place in the figures.
//! - `query`: the part of an address behind the `?`, read strictly.
//! - `conditions`: `If-None-Match` and `If-Match`.
//! - `large_response`: an answer that is given up with a reader who does not keep up.
//! - `body`: a request's body within its limits; `unread_body` takes off the line what nobody read of it.

pub(crate) mod body;
pub(crate) mod conditions;
pub(crate) mod large_response;
pub(crate) mod middleware;
pub(crate) mod problem;
pub(crate) mod query;
pub(crate) mod request_log;
pub(crate) mod unread_body;

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use mem_sync::wire::ETag;
use serde::Serialize;

use problem::HttpProblem;

/// Answers may be kept by the one who asked, and are asked about each time.
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");
/// Every body of the protocol.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// What a route comes to.
pub(crate) type HttpAnswer = Result<Response, HttpProblem>;

/// An object as an answer.
pub(crate) fn json_answer(object: &impl Serialize) -> HttpAnswer {
    let bytes = serde_json::to_vec(object).map_err(|_| HttpProblem::internal())?;
    Ok(json(bytes, None))
}

/// A body of JSON, with the name of the state that it tells about.
pub(crate) fn json(bytes: Vec<u8>, etag: Option<&ETag>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    name_state(&mut response, etag);
    response
}

/// 304: it is what the caller knows.
pub(crate) fn not_modified(etag: &ETag) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    name_state(&mut response, Some(etag));
    response
}

fn name_state(response: &mut Response, etag: Option<&ETag>) {
    if let Some(value) = etag.and_then(|etag| HeaderValue::from_str(etag.as_str()).ok()) {
        response.headers_mut().insert(ETAG, value);
    }
}
