//! How much a store holds: no part of the memory stores API, asked for as it is.

use serde_json::json;

use super::call::ApiCall;
use crate::http::HttpAnswer;
use crate::http::json_answer;

/// `GET /api/memory_stores/{store}/usage`.
pub(super) async fn usage(call: ApiCall) -> HttpAnswer {
    call.parameters(&[])?;
    let (reads, store) = (call.asking.reads(), &call.ids.store);
    let usage = call.app.database.store_usage(&reads, store).await?;
    json_answer(&json!({
        "memory_store_id": store,
        "memories": usage.memories,
        "memory_bytes": usage.memory_bytes,
        "versions": usage.versions,
        "version_bytes": usage.version_bytes,
    }))
}
