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
use crate::request_line::RequestLine;

/// The header that names a request, in its answer.
pub(crate) const REQUEST_ID: &str = "request-id";

/// Of the random number in a name.
const ID_BYTES: usize = 12;
/// Names that one question to the system is good for.
const IDS: usize = 64;

tokio::task_local! {
    /// The public id of whoever asks, once it is known.
    static CALLER: RefCell<String>;
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
    let (mut response, token) = answering.await;
    drop(under_way);
    if let Some(problem) = response.extensions_mut().remove::<HttpProblem>() {
        response = named(problem.told(&id), response);
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let status = response.status().as_u16();
    let elapsed = began.elapsed();
    app.metrics.answered(&method, route, status, elapsed);
    let line = RequestLine {
        id: &id,
        method: &method,
        route,
        status,
        micros: u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
        token: &token,
    };
    line.say();
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
    RESERVE.with_borrow_mut(|reserve| crate::hex::of("req_", reserve.take()))
}

thread_local! {
    static RESERVE: RefCell<Reserve> = const { RefCell::new(Reserve { bytes: [0; ID_BYTES * IDS], left: 0 }) };
}

/// Random bytes for the names of the next requests: the system is asked once for many.
struct Reserve {
    bytes: [u8; ID_BYTES * IDS],
    /// Names.
    left: usize,
}

impl Reserve {
    /// Those of one name.
    fn take(&mut self) -> &[u8] {
        if self.left == 0 {
            // Without random numbers a name says nothing; the request is answered all the same.
            let _ = getrandom::fill(&mut self.bytes);
            self.left = IDS;
        }
        self.left -= 1;
        let mut names = self.bytes.chunks_exact(ID_BYTES);
        names.nth(self.left).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_requests_have_one_name() {
        let names: std::collections::BTreeSet<String> =
            (0..10 * IDS).map(|_| request_id()).collect();
        assert_eq!(names.len(), 10 * IDS);
        let is_name = |name: &String| name.starts_with("req_") && name.len() == 4 + 2 * ID_BYTES;
        assert!(names.iter().all(is_name));
    }
}
