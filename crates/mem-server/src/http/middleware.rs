//! What each request goes through before it gets to its route, and its answer on the way back.
//!
//! One layer of the router for all of it: each layer more would be copied with every request, with all within it.
//!
//! From the outside in, and why there: `observed` names the request, so that every answer, also of a timeout or a
//! panic, has the name; `speak` turns any error into the words of the dialect; `leftover` reads the rest of the body
//! after the answer is known; the time limit covers the handler and not that reading; a panic is caught innermost.
//! Tests: `app::tests::a_panic_or_a_hang_costs_one_request_and_is_told_in_the_envelope`,
//! `serve::input::lying_lengths_and_slow_clients_are_answered`.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;

use super::problem::HttpProblem;
use super::{request_log, unread_body};
use crate::app::{App, Shared};
use crate::options::ServerAccess;
use crate::stores;

/// The middleware: named, spoken in the dialect of the route, read to its end, timed, caught, checked.
pub(crate) async fn handle_request(
    State(app): State<Shared>,
    request: Request,
    next: Next,
) -> Response {
    request_log::log_request(&app, request, async |request| {
        stores::speak(request, async |request| {
            unread_body::take(request, async |request| {
                with_timeout(&app, request, next).await
            })
            .await
        })
        .await
    })
    .await
}

/// No request takes for ever.
async fn with_timeout(app: &App, request: Request, next: Next) -> Response {
    let answered = tokio::time::timeout(app.limits.request, catch_panic(app, request, next)).await;
    answered.unwrap_or_else(|_| {
        let message = "the request took too long; it may have been carried out";
        HttpProblem::new(StatusCode::GATEWAY_TIMEOUT, message).into_response()
    })
}

/// A bug in one request ends that request.
async fn catch_panic(app: &App, request: Request, next: Next) -> Response {
    let answering = async {
        match check_loopback(app, &request) {
            Ok(()) => next.run(request).await,
            Err(problem) => problem.into_response(),
        }
    };
    let answered = AssertUnwindSafe(answering).catch_unwind().await;
    answered.unwrap_or_else(|_: Box<dyn Any + Send>| {
        tracing::error!("a request panicked");
        HttpProblem::internal().into_response()
    })
}

/// A server without tokens answers programs of this machine, not pages that their browsers have open.
fn check_loopback(app: &App, request: &Request) -> Result<(), HttpProblem> {
    match app.access {
        ServerAccess::Open => app.loopback.check(request.headers()),
        ServerAccess::Tokens => Ok(()),
    }
}
