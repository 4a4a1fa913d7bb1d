//! What each request goes through before it gets to its route, and its answer on the way back.
//!
//! One layer of the router for all of it: each layer more would be copied with every request, with all within it.

use std::any::Any;
use std::future::{Future as _, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::task::Poll;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;

use super::packed::CompressionRequest;
use super::problem::HttpProblem;
use super::{leftover, observed};
use crate::app::{App, Shared};
use crate::options::ServerAccess;
use crate::stores;

/// The middleware: packed, named, spoken in the dialect of the route, read to its end, timed, caught, checked.
pub(crate) async fn pass(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let wish = CompressionRequest::from_headers(request.headers());
    let response = observed::observe(&app, request, async |request| {
        stores::speak(request, async |request| {
            leftover::take(request, async |request| in_time(&app, request, next).await).await
        })
        .await
    });
    wish.carry_out(response.await).await
}

/// No request takes for ever.
async fn in_time(app: &App, request: Request, next: Next) -> Response {
    let mut answering = pin!(caught(app, request, next));
    // Small answers are there at once, and need no clock.
    let answer = poll_fn(|context| Poll::Ready(answering.as_mut().poll(context))).await;
    if let Poll::Ready(answer) = answer {
        return answer;
    }
    let answered = tokio::time::timeout(app.limits.request, answering).await;
    answered.unwrap_or_else(|_| {
        let message = "the request took too long; it may have been carried out";
        HttpProblem::new(StatusCode::GATEWAY_TIMEOUT, message).into_response()
    })
}

/// A bug in one request ends that request.
async fn caught(app: &App, request: Request, next: Next) -> Response {
    let answering = async {
        match check_neighbour(app, &request) {
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
fn check_neighbour(app: &App, request: &Request) -> Result<(), HttpProblem> {
    match app.access {
        ServerAccess::Open => app.neighbours.check(request.headers()),
        ServerAccess::Tokens => Ok(()),
    }
}
