//! Every request has a name, a line in the log and its place in the figures.
//!
//! The line names the route, never the address: what is behind the `?` is nobody's business.

use std::cell::RefCell;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::HeaderValue;
use axum::response::Response;

use super::problem::HttpProblem;
use crate::app::App;

/// The header that names a request, in its answer.
pub(crate) const REQUEST_ID: &str = "request-id";

/// The header that says what is left of the caller's quotas.
const QUOTA_LEFT: &str = "x-mem-quota";

/// Of the random number in a name.
const ID_BYTES: usize = 12;

tokio::task_local! {
    /// The public id of whoever asks, once it is known.
    static CALLER: RefCell<String>;
    /// What is left of the caller's quotas.
    static QUOTA: RefCell<Option<HeaderValue>>;
}

/// Notes for the answer what is left of the caller's quotas.
pub(crate) fn note_quota(left: HeaderValue) {
    // What answers no request has no headers.
    let _ = QUOTA.try_with(|quota| quota.replace(Some(left)));
}

/// Notes for the log who asks.
pub(crate) fn note_caller(id: &str) {
    // What answers no request has no line.
    let _ = CALLER.try_with(|caller| id.clone_into(&mut caller.borrow_mut()));
}

/// Around everything else.
pub(crate) async fn observe(
    app: &App,
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let id = request_id();
    let began = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let under_way = app.metrics.enter();
    let answering = CALLER.scope(RefCell::default(), async {
        let response = next(request).await;
        (response, CALLER.with(RefCell::take))
    });
    let answering = QUOTA.scope(RefCell::default(), async {
        let answered = answering.await;
        (answered, QUOTA.with(RefCell::take))
    });
    let ((mut response, token), quota) = answering.await;
    drop(under_way);
    if let Some(problem) = response.extensions_mut().remove::<HttpProblem>() {
        response = named(problem.told(&id), response);
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    if let Some(left) = quota {
        response.headers_mut().insert(QUOTA_LEFT, left);
    }
    let status = response.status().as_u16();
    let elapsed = began.elapsed();
    app.metrics.answered(&method, route, status, elapsed);
    let micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
    tracing::info!(id, %method, route, status, micros, token, "request");
    response
}

/// An envelope in place of an answer without one; headers that stood there stay.
fn named(mut told: Response, bare: Response) -> Response {
    let (parts, _) = bare.into_parts();
    for (name, value) in &parts.headers {
        if !told.headers().contains_key(name) && name != "content-length" {
            told.headers_mut().append(name, value.clone());
        }
    }
    told
}

/// A new name for a request.
pub(crate) fn request_id() -> String {
    let mut bytes = [0; ID_BYTES];
    // Without random numbers a name says nothing; the request is answered all the same.
    let _ = getrandom::fill(&mut bytes);
    crate::hex::of("req_", &bytes)
}
