//! The JSON of a note, as `templates/mcp/tools.json` declares it.

use mem_core::memory::Note;
use mem_core::{MemoryType, Now};
use serde_json::{Map, Value, json};

/// What every answer says of a note.
pub(super) fn note_json(note: &Note, now: Now) -> Map<String, Value> {
    let value = json!({
        "path": note.label(),
        "scope": note.scope.as_str(),
        "type": note.topic.kind.map(MemoryType::as_str),
        "name": note.topic.name,
        "description": note.topic.description,
        "modified": note.modified.to_string(),
        "age_days": now.days_since(note.modified),
    });
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The same with more of it.
pub(super) fn note_with(one: &Note, now: Now, more: Value) -> Value {
    let mut fields = note_json(one, now);
    if let Value::Object(more) = more {
        fields.extend(more);
    }
    Value::Object(fields)
}

/// Three digits: more say nothing.
pub(super) fn rounded_number(number: f32) -> Value {
    Value::from((f64::from(number) * 1e3).round() / 1e3)
}
