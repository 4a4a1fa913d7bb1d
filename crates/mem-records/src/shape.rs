//! The JSON objects that the three tools give.
//!
//! `memory_store` gives `{"success":true,"memory_id"}`, with `superseded` and `warnings` where there
//! is something to say; `memory_retrieve` gives `{"memories":[{"id","content","category",
//! "importance","score","created_at"}]}`, with `warnings` where something could not be read; `memory_delete` gives
//! `{"success":true}`.

use mem_core::Now;
use serde_json::{Value, json};

use crate::record::Record;
use crate::records::{RetrievalAnswer, Retrieved, StoreOutcome};

/// What a store came to.
pub fn stored(stored: &StoreOutcome) -> Value {
    let mut value = json!({ "success": true, "memory_id": stored.id.as_str() });
    if let Some(old) = &stored.superseded {
        value["superseded"] = json!({
            "id": old.id.as_str(), "content": old.content, "likeness": rounded(f64::from(old.likeness)),
        });
    }
    if !stored.warnings.is_empty() {
        value["warnings"] = json!(stored.warnings);
    }
    value
}

/// What a retrieval found.
pub fn retrieved(answer: &RetrievalAnswer) -> Value {
    let memories: Vec<Value> = answer.memories.iter().map(one).collect();
    json!({ "memories": memories })
}

/// The same with what is to be said beside it, where there is something.
#[must_use]
pub fn warned(mut value: Value, warnings: &[String]) -> Value {
    if !warnings.is_empty() {
        value["warnings"] = json!(warnings);
    }
    value
}

/// The same with what a person wants to know of it: importance as of now, tags, ends, and what was
/// left out and by what.
pub fn explained(answer: &RetrievalAnswer) -> Value {
    let memories = answer.memories.iter().map(|found| {
        let mut value = one(found);
        value["effective_importance"] = json!(rounded(found.effective));
        value["tags"] = json!(found.record.tags);
        value["expires_at"] = json!(found.record.expires_at.map(|end| end.to_string()));
        value
    });
    let left_out = answer
        .left_out
        .iter()
        .map(|left| json!({ "id": left.id.as_str(), "content": left.content, "by": left.by }));
    json!({
        "memories": memories.collect::<Vec<_>>(), "left_out": left_out.collect::<Vec<_>>(),
    })
}

/// A record as it is listed.
pub fn record(record: &Record, now: Now, half_life_days: f64) -> Value {
    json!({
        "id": record.id.as_str(), "content": record.content, "category": record.category.as_str(),
        "tags": record.tags, "importance": record.importance,
        "effective_importance": rounded(record.effective_importance(now, half_life_days)),
        "created_at": record.created_at.to_string(),
        "expires_at": record.expires_at.map(|end| end.to_string()),
        "expired": record.is_expired(now.0), "file": record.file,
    })
}

fn one(found: &Retrieved) -> Value {
    let record = &found.record;
    json!({
        "id": record.id.as_str(), "content": record.content, "category": record.category.as_str(),
        "importance": record.importance, "score": rounded(f64::from(found.score)),
        "created_at": record.created_at.to_string(),
    })
}

/// Three digits: more say nothing.
fn rounded(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}
