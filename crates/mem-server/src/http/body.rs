//! A request's body: JSON, not packed, whole, in time, and counted while it is read.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use mem_stores::strict::ObjectFields;
use mem_sync::wire::WireError;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::problem::HttpProblem;
use crate::app::App;

/// Reads a body of at most `max` bytes.
///
/// # Errors
/// 415 what is packed or no JSON, 413 what is too large, 408 what does not come within `patience`,
/// 400 what ends too early.
pub(crate) async fn read(
    headers: &HeaderMap,
    body: Body,
    max: usize,
    patience: Duration,
) -> Result<Bytes, HttpProblem> {
    require_plain_json(headers)?;
    within(headers, body, max, patience).await
}

/// Reads the object that a request has as its body. What is not of its form is refused with `wants`.
///
/// # Errors
/// As [`read`], and 400.
pub(crate) async fn read_object<T: DeserializeOwned>(
    app: &App,
    request: Request,
    max: usize,
    wants: &'static str,
) -> Result<T, HttpProblem> {
    let (head, sent) = request.into_parts();
    let bytes = read(&head.headers, sent, max, app.limits.body).await?;
    let refused = || HttpProblem::invalid(wants);
    let fields = ObjectFields::read(&bytes).map_err(|_| refused())?;
    serde_json::from_value(Value::Object(fields.into_map())).map_err(|_| refused())
}

/// As [`read`], of a body that may be empty, and then needs no type.
///
/// # Errors
/// As [`read`].
pub(crate) async fn read_optional(
    headers: &HeaderMap,
    body: Body,
    max: usize,
    patience: Duration,
) -> Result<Bytes, HttpProblem> {
    let bytes = within(headers, body, max, patience).await?;
    if !bytes.is_empty() {
        require_plain_json(headers)?;
    }
    Ok(bytes)
}

async fn within(
    headers: &HeaderMap,
    body: Body,
    max: usize,
    patience: Duration,
) -> Result<Bytes, HttpProblem> {
    // Refused by its announced length before a byte is read; counted all the same, since a length may lie or be missing.
    if announced(headers).is_some_and(|bytes| bytes > max as u64) {
        return Err(too_large(max));
    }
    let reading = tokio::time::timeout(patience, collect(body, max));
    reading.await.unwrap_or_else(|_| {
        let late = HttpProblem::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time");
        Err(late.with(CONNECTION, HeaderValue::from_static("close")))
    })
}

/// What a body of the wrong form comes to.
pub(crate) fn refused(error: &WireError) -> HttpProblem {
    match error {
        WireError::Size { max, .. } => too_large(*max),
        WireError::Form { .. } => HttpProblem::invalid(error.to_string()),
    }
}

async fn collect(body: Body, max: usize) -> Result<Bytes, HttpProblem> {
    match Limited::new(body, max).collect().await {
        Ok(whole) => Ok(whole.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(max)),
        Err(_) => Err(HttpProblem::invalid("the body ends before its end")),
    }
}

fn require_plain_json(headers: &HeaderMap) -> Result<(), HttpProblem> {
    let refuse = |message| {
        Err(HttpProblem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            message,
        ))
    };
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if text(&CONTENT_ENCODING).is_some_and(|coding| !coding.eq_ignore_ascii_case("identity")) {
        return refuse("bodies are not to be packed");
    }
    let kind = text(&CONTENT_TYPE).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    // A page of a foreign site can send other types without being asked.
    if !kind.eq_ignore_ascii_case("application/json") {
        return refuse("the body has to be of the type application/json");
    }
    Ok(())
}

fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(max: usize) -> HttpProblem {
    let message = format!("the body has more than {max} bytes");
    HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}
