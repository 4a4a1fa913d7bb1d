//! The JSON that a model gets, as `templates/mcp/stores.json` declares it.

use serde_json::{Value, json};

use super::store::{MemoryHit, MemoryInfo, MemoryText, StorePage, ToolWrite};
use crate::StorePath;

/// A page of a list. One memory more than was asked for says that there is another page.
pub(super) fn list(store: &str, asked: &StorePage, mut all: Vec<MemoryInfo>) -> Value {
    let is_more = all.len() > asked.limit;
    all.truncate(asked.limit);
    let next = all.last().filter(|_| is_more).map(|info| info.path.clone());
    let memories: Vec<Value> = all.iter().map(info).collect();
    json!({ "store": store, "memories": memories, "next": next })
}

/// What was found.
pub(super) fn found(store: &str, all: &[MemoryHit]) -> Value {
    let one = |found: &MemoryHit| {
        let lines = found.lines.iter();
        let lines = lines.map(|line| json!({ "line": line.number, "text": line.text }));
        let lines: Vec<Value> = lines.collect();
        let score = found
            .score
            .map(|score| (f64::from(score) * 1e3).round() / 1e3);
        let mut memory = info(&found.info);
        memory["score"] = json!(score);
        memory["lines"] = Value::Array(lines);
        memory
    };
    let memories: Vec<Value> = all.iter().map(one).collect();
    json!({ "store": store, "memories": memories })
}

/// A whole memory.
pub(super) fn memory(store: &str, memory: &MemoryText) -> Value {
    let mut value = info(&memory.info);
    value["store"] = json!(store);
    value["content"] = json!(memory.content);
    value
}

/// What a write came to.
pub(super) fn written(store: &str, written: &ToolWrite) -> Value {
    let mut value = info(&written.info);
    value["store"] = json!(store);
    value["created"] = json!(written.is_new);
    value["changed"] = json!(written.is_change);
    value
}

/// What a deletion came to.
pub(super) fn deleted(store: &str, path: &StorePath) -> Value {
    json!({ "store": store, "path": path.as_str(), "deleted": true })
}

fn info(info: &MemoryInfo) -> Value {
    json!({
        "path": info.path,
        "content_sha256": info.sha256.to_string(),
        "content_size_bytes": info.bytes,
        "updated_at": info.updated_at,
    })
}
