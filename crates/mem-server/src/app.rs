//! What all requests share, and the way of each: named, read to its end, timed, checked, routed.

use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use mem_sync::wire::PATH;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::access::{Neighbours, Pace};
use crate::http::problem::Problem;
use crate::http::{leftover, observed};
use crate::metrics::Metrics;
use crate::options::{Access, Clock, Limits, ServeOptions};
use crate::storage::Database;
use crate::{health, openapi, team};

/// Whole stores that are in memory at a time; each may be some 64 MB.
const WHOLE_STORES_MAX: usize = 4;

/// What all requests share.
pub(crate) struct App {
    pub(crate) database: Database,
    pub(crate) access: Access,
    pub(crate) limits: Limits,
    pub(crate) now: Clock,
    pub(crate) pace: Pace,
    pub(crate) metrics: Metrics,
    pub(crate) neighbours: Neighbours,
    /// Taken by whoever reads the contents of a whole store.
    pub(crate) whole_stores: Arc<Semaphore>,
}

/// As it is handed around.
pub(crate) type Shared = Arc<App>;

impl App {
    /// A server that listens at `address`.
    pub(crate) fn new(database: Database, address: SocketAddr, options: &ServeOptions) -> Self {
        Self {
            database,
            access: options.access,
            limits: options.limits,
            now: Arc::clone(&options.now),
            pace: Pace::new(options.limits.rate),
            metrics: Metrics::new(),
            neighbours: Neighbours::of(address),
            whole_stores: Arc::new(Semaphore::new(WHOLE_STORES_MAX)),
        }
    }
}

/// Every route, and what each request goes through before it gets there.
pub(crate) fn routes(app: &Shared) -> Router {
    let state = || Arc::clone(app);
    // The last layer is the outermost.
    Router::new()
        .route(PATH, get(team::get::answer).put(team::put::answer))
        .route(&format!("{PATH}/log"), get(team::log::answer))
        .route(&format!("{PATH}/redact"), post(team::redact::answer))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .route("/openapi.json", get(openapi::document))
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_so)
        .with_state(state())
        .layer(from_fn_with_state(state(), check_neighbour))
        .layer(CatchPanicLayer::custom(of_panic))
        .layer(from_fn_with_state(state(), in_time))
        .layer(from_fn(leftover::take))
        .layer(from_fn_with_state(state(), observed::observe))
        .layer(CompressionLayer::new())
}

async fn nothing_here() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "there is nothing at this address")
}

async fn not_so() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this address does not take that method",
    )
}

/// A bug in one request ends that request.
fn of_panic(_: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!("a request panicked");
    Problem::internal().into_response()
}

/// A server without tokens answers programs of this machine, not pages that their browsers have open.
async fn check_neighbour(State(app): State<Shared>, request: Request, next: Next) -> Response {
    if app.access == Access::Open
        && let Err(problem) = app.neighbours.check(request.headers())
    {
        return problem.into_response();
    }
    next.run(request).await
}

/// No request takes for ever.
async fn in_time(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let answered = tokio::time::timeout(app.limits.request, next.run(request)).await;
    answered.unwrap_or_else(|_| {
        let message = "the request took too long; it may have been carried out";
        Problem::new(StatusCode::GATEWAY_TIMEOUT, message).into_response()
    })
}
