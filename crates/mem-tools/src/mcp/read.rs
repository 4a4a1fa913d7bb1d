//! `memory_read`.

use crate::CallError;
use mem_core::history::Sha256;
use mem_core::memory::{Note, ScopeDir, split_scope};
use mem_core::notes::{ARCHIVE_FILE, INDEX_FILE};
use mem_core::{Now, Scope};
use mem_find::author::author_name;
use mem_find::session;
use mem_find::verdicts::Verdicts;
use serde::Deserialize;
use serde_json::{Value, json};

use super::mcp_call::McpCall;
use super::{Fault, shape};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct McpReadArguments {
    path: String,
}

/// A note, or an index.
pub(super) fn call_read(arguments: &McpReadArguments, desk: &McpCall) -> Result<Value, CallError> {
    let path = &arguments.path;
    if let (_, INDEX_FILE | ARCHIVE_FILE) = split_scope(path, None) {
        let (scope, file) = desk.parse_address(path)?;
        return index(scope, file, desk)?.ok_or_else(|| Fault::NotFound(path.clone()).into());
    }
    let note = desk.find_note(path)?;
    session::note_read(desk.run(), &desk.memory, &note);
    let drift = Verdicts::for_place(&desk.place, desk.run())?.at_hand(&note);
    let text = String::from_utf8_lossy(&note.bytes);
    let mut warnings: Vec<String> = note
        .topic
        .warnings
        .iter()
        .map(ToString::to_string)
        .collect();
    if std::str::from_utf8(&note.bytes).is_err() {
        warnings.push("it is not UTF-8: bytes that are no text are shown as U+FFFD".to_owned());
    }
    let more = json!({
        "content": text,
        "content_sha256": Sha256::digest(&note.bytes),
        "size_bytes": note.bytes.len(),
        "drift": drift.map(|report| report.drift_summary()),
        "author": author_name(&desk.memory, &note),
        "caution": age_caution(&note, desk.run().now),
        "warnings": warnings,
    });
    Ok(shape::note_with(&note, desk.run().now, more))
}

/// What to bear in mind of a note that is older than a day.
fn age_caution(note: &Note, now: Now) -> Option<String> {
    let days = now.days_since(note.modified);
    (days > 0).then(|| {
        let unit = if days == 1 { "day" } else { "days" };
        format!(
            "An observation of {days} {unit} ago. Check what it says of code against the code \
             before you rely on it."
        )
    })
}

/// The bytes of an index, in the shape of a note; `None` where there is none.
fn index(scope: Scope, file: &str, desk: &McpCall) -> Result<Option<Value>, CallError> {
    let path = ScopeDir(scope).path(file)?;
    let snapshot = desk.memory.store(scope).snapshot()?;
    let Some((bytes, _)) = snapshot.read(&path)? else {
        return Ok(None);
    };
    let modified = snapshot.content_time(&path, &bytes).unwrap_or_default();
    Ok(Some(json!({
        "path": scope.label(file), "scope": scope.as_str(), "type": null, "name": null,
        "description": null, "modified": modified.to_string(),
        "age_days": desk.run().now.days_since(modified),
        "content": String::from_utf8_lossy(&bytes), "content_sha256": Sha256::digest(&bytes),
        "size_bytes": bytes.len(), "drift": null, "author": null, "caution": null, "warnings": [],
    })))
}
