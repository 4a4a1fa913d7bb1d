//! `memory_delete`.

use anyhow::Result;
use mem_core::history::Sha256;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Fault;
use super::desk::Desk;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    path: String,
    content_sha256: Option<Sha256>,
    reason: Option<String>,
}

/// Removes a note; the history keeps it.
pub(super) fn call(arguments: Arguments, desk: &Desk) -> Result<Value> {
    let note = desk.note(&arguments.path)?;
    let now = Sha256::of(&note.bytes);
    if arguments.content_sha256.is_some_and(|read| read != now) {
        let (path, now) = (note.label(), format!("its content_sha256 is {now} now"));
        return Err(Fault::Stale { path, now }.into());
    }
    let order = desk.order("remove", arguments.reason);
    let gate = desk.context.gate(&desk.place);
    let removed = desk.memory.remove(note, &order, &gate)?;
    desk.settle(removed.note.scope);
    Ok(json!({
        "path": removed.note.label(), "scope": removed.note.scope.as_str(),
        "change": removed.change.as_ref().map(|change| change.id.as_str()),
        "warnings": removed.warnings,
    }))
}
