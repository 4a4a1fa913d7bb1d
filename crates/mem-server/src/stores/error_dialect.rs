//! Answers that are none, in the words of the dialect, whoever gave them: routes, limits, panics.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use mem_stores::dialect::SHOULD_RETRY_HEADER;
use mem_stores::wire::STORES_PATH;

use super::request_context::dialect;
use crate::http::problem::HttpProblem;

/// Around all that can fail.
pub(crate) async fn speak(
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    if !request.uri().path().starts_with(STORES_PATH) {
        return next(request).await;
    }
    let dialect = dialect(request.headers()).unwrap_or_default();
    let mut response = next(request).await;
    if let Some(problem) = response.extensions_mut().remove::<HttpProblem>() {
        response.extensions_mut().insert(problem.spoken(dialect));
    }
    // Clients send again what met a conflict, and it would meet it again.
    if response.status() == StatusCode::CONFLICT {
        let name = HeaderName::from_static(SHOULD_RETRY_HEADER);
        let never = HeaderValue::from_static("false");
        response.headers_mut().insert(name, never);
    }
    response
}
