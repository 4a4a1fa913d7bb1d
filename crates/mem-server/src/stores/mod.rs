//! The memory stores API over HTTP: 14 endpoints in two dialects. What goes over the line is
//! [`mem_stores::wire`].
//!
//! # Layout
//! - `request_context`: who asks, in which dialect, and about which ids; every request goes through it, and every answer
//!   that is none. `call`: a request as its handler finds it.
//! - `request_parameters`: parameters and bodies; `cursor`: the names of pages.
//! - `response_objects`: what the database says, as it is told. `refusal_response`: what it refuses.
//! - `catalogue`: stores. `memories`: memories, and `listing` their lists. `versions`: versions.

mod call;
mod catalogue;
mod cursor;
mod listing;
mod memories;
mod refusal_response;
mod request_context;
mod request_parameters;
mod response_objects;
mod versions;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use mem_stores::wire::STORES_PATH;

use crate::app::Shared;

pub(crate) use cursor::Cursors;
pub(crate) use request_context::speak;

/// All 14 endpoints, and the usage of a store.
pub(crate) fn routes(app: &Shared) -> Router<Shared> {
    let at = |rest: &str| format!("{STORES_PATH}{rest}");
    let store = get(catalogue::retrieve).post(catalogue::update);
    let memory = get(memories::retrieve).post(memories::update);
    let memory = memory.patch(memories::patch).delete(memories::delete);
    Router::new()
        .route(&at(""), get(catalogue::list).post(catalogue::create))
        .route(&at("/{store}"), store.delete(catalogue::delete))
        .route(&at("/{store}/archive"), post(catalogue::archive))
        .route(
            &at("/{store}/memories"),
            get(listing::list).post(memories::create),
        )
        .route(&at("/{store}/memories/{memory}"), memory)
        .route(&at("/{store}/memory_versions"), get(versions::list))
        .route(
            &at("/{store}/memory_versions/{version}"),
            get(versions::retrieve),
        )
        .route(
            &at("/{store}/memory_versions/{version}/redact"),
            post(versions::redact),
        )
        .route("/api/memory_stores/{store}/usage", get(catalogue::usage))
        .route_layer(from_fn_with_state(Arc::clone(app), request_context::admit))
}
