//! The stable JSON of a recall.

use mem_core::MemoryType;
use serde_json::{Value, json};

use crate::recall::chosen::{OmittedMemory, RecallAnswer, RecalledMemory};
use crate::recall::reasons::reasons;

/// `{"memories":[..],"abstained":bool,"filtered":[..]}`; with the parts of each score where
/// somebody wants them.
pub(crate) fn answer(answer: &RecallAnswer, with_parts: bool) -> Value {
    let memories = answer.memories.iter().map(|one| memory(one, with_parts));
    json!({
        "memories": memories.collect::<Vec<_>>(),
        "abstained": answer.abstained,
        "filtered": answer.left.iter().map(left).collect::<Vec<_>>(),
    })
}

/// A note that was chosen.
fn memory(one: &RecalledMemory, with_parts: bool) -> Value {
    let note = &one.note;
    let mut value = json!({
        "id": note.id, "file": note.file, "path": note.absolute.to_string_lossy(),
        "scope": note.scope.as_str(), "type": note.topic.kind.map(MemoryType::as_str),
        "name": note.topic.name, "description": note.topic.description,
        "score": rounded(one.hit.confidence), "age_days": one.age_days, "drift": one.drift,
        "author": one.author, "why": reasons(one),
    });
    if with_parts {
        let parts = one.hit.parts.iter();
        let parts = parts.map(|part| (part.weight.to_owned(), rounded(part.value)));
        value["parts"] = Value::Object(parts.collect());
    }
    value
}

/// A note that was left out, and by what.
pub(crate) fn left(left: &OmittedMemory) -> Value {
    json!({ "file": left.label(), "by": left.by, "score": left.score.map(rounded) })
}

/// Three digits: more say nothing.
fn rounded(number: f32) -> Value {
    Value::from((f64::from(number) * 1e3).round() / 1e3)
}
