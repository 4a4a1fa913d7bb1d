//! The stable JSON of a recall.

use mem_core::MemoryType;
use mem_find::reasons::reason_lines;
use mem_find::recall_answer::{OmittedMemory, RecallAnswer, RecalledMemory};
use serde_json::{Value, json};

/// `{"memories":[..],"abstained":bool,"filtered":[..]}`; with the parts of each score where
/// somebody wants them.
pub(crate) fn answer_json(answer: &RecallAnswer, with_parts: bool) -> Value {
    let memories = answer
        .memories
        .iter()
        .map(|one| memory_json(one, with_parts));
    json!({
        "memories": memories.collect::<Vec<_>>(),
        "abstained": answer.abstained,
        "filtered": answer.left.iter().map(omitted_json).collect::<Vec<_>>(),
    })
}

/// A note that was chosen.
fn memory_json(one: &RecalledMemory, with_parts: bool) -> Value {
    let note = &one.note;
    let mut value = json!({
        "id": note.id, "file": note.file, "path": note.absolute.to_string_lossy(),
        "scope": note.scope.as_str(), "type": note.topic.kind.map(MemoryType::as_str),
        "name": note.topic.name, "description": note.topic.description,
        "score": rounded_number(one.hit.confidence), "age_days": one.age_days, "drift": one.drift,
        "author": one.author, "why": reason_lines(one),
    });
    if with_parts {
        let parts = one.hit.parts.iter();
        let parts = parts.map(|part| (part.weight.to_owned(), rounded_number(part.value)));
        value["parts"] = Value::Object(parts.collect());
    }
    value
}

/// A note that was left out, and by what.
pub(crate) fn omitted_json(left: &OmittedMemory) -> Value {
    json!({ "file": left.label(), "by": left.by, "score": left.score.map(rounded_number) })
}

/// Three digits: more say nothing.
fn rounded_number(number: f32) -> Value {
    Value::from((f64::from(number) * 1e3).round() / 1e3)
}
