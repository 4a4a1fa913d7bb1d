//! How much a store holds: no part of the memory stores API, asked for as it is.

use axum::response::Response;
use serde_json::json;

use super::call::ApiCall;
use super::told;
use crate::http::problem::HttpProblem;

/// `GET /api/memory_stores/{store}/usage`.
pub(super) async fn usage(call: ApiCall) -> Result<Response, HttpProblem> {
    call.parameters(&[])?;
    let (reads, store) = (call.asking.reads(), &call.ids.store);
    let usage = call.app.database.store_usage(&reads, store).await?;
    told(&json!({
        "memory_store_id": store,
        "memories": usage.memories,
        "memory_bytes": usage.memory_bytes,
        "versions": usage.versions,
        "version_bytes": usage.version_bytes,
    }))
}
