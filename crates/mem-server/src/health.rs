//! What an operator asks: does it live, can it serve, how is it doing.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;

use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::http::{HttpAnswer, json};

/// The text format of OpenMetrics.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /healthz`: the process answers.
pub(crate) async fn alive() -> Response {
    plain(String::from("ok\n"), "text/plain; charset=utf-8")
}

/// `GET /readyz`: the database answers too, and changes can be written down where they have to be.
pub(crate) async fn ready(State(app): State<Shared>) -> HttpAnswer {
    app.database.ready().await.map_err(|error| {
        let _ = HttpProblem::from(error);
        HttpProblem::busy()
    })?;
    if app.audit.admit_change().await.is_err() {
        let message = "the audit log cannot be written";
        return Err(HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(5));
    }
    Ok(plain(String::from("ready\n"), "text/plain; charset=utf-8"))
}

/// `GET /metrics`.
pub(crate) async fn metrics(State(app): State<Shared>) -> Response {
    plain(app.metrics.text(), OPEN_METRICS)
}

/// `GET /openapi.json`: the description of the API, in OpenAPI 3.1.
pub(crate) async fn description() -> Response {
    json(mem_templates::SERVER_OPENAPI.into(), None)
}

fn plain(text: String, kind: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
