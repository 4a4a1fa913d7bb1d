//! What a point holds of a record.

use mem_core::Now;
use serde_json::{Value, json};

use super::moment;
use crate::record::{NewRecord, Record, RecordId};

/// The payload of a new record. `expires_s` is what is filtered by, `expires_at` what was said.
pub(super) fn payload_of(new: &NewRecord, now: Now) -> Value {
    let mut payload = json!({
        "content": new.content(), "category": new.category().as_str(), "tags": new.tags(),
        "importance": new.importance(), "created_at": now.0.to_string(),
    });
    if let Some(end) = new.expires_at() {
        payload["expires_at"] = json!(end.to_string());
        payload["expires_s"] = json!(end.end().as_second());
    }
    payload
}

/// The payload of a record that went: why, and no content.
pub(super) fn deletion_payload(reason: &str, now: Now, superseded_by: Option<&RecordId>) -> Value {
    json!({ "gone": {
        "reason": reason, "time": now.0.to_string(),
        "superseded_by": superseded_by.map(RecordId::as_str),
    }})
}

/// The record of a point; `None` for one that went, and for points of others.
pub(super) fn of_point(point: &Value) -> Option<Record> {
    let payload = &point["payload"];
    let text = |name: &str| payload[name].as_str();
    let tags = payload["tags"].as_array().into_iter().flatten();
    Some(Record {
        id: RecordId::parse(point["id"].as_str()?).ok()?,
        content: text("content")?.to_owned(),
        category: text("category")?.parse().ok()?,
        tags: tags
            .filter_map(|tag| tag.as_str().map(str::to_owned))
            .collect(),
        importance: u8::try_from(payload["importance"].as_u64()?).ok()?,
        created_at: text("created_at")?.parse().ok()?,
        expires_at: text("expires_at").and_then(|end| end.parse().ok()),
        used_at: moment(&payload["used_s"]),
        pinned: payload["pinned"].as_bool().unwrap_or(false),
        file: None,
    })
}
