//! `memory_delete`: a note by its path, or a record by its id.

use crate::CallError;
use mem_core::history::Sha256;
use mem_core::memory::split_scope;
use mem_core::notes::{ARCHIVE_FILE, INDEX_FILE};
use mem_records::InvalidRecord;
use mem_records::input::{self, Fields};
use mem_team::write_gates::ProjectGate;
use serde::Deserialize;
use serde_json::{Value, json};

use super::mcp_call::McpCall;
use super::{Fault, records};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct McpDeleteArguments {
    path: String,
    content_sha256: Option<Sha256>,
    reason: Option<String>,
}

/// Removes a note; the history keeps it.
pub(super) fn call_delete(given: Fields, desk: &McpCall) -> Result<Value, CallError> {
    let is_given = |name: &str| given.get(name).is_some_and(|value| !value.is_null());
    match (is_given("memory_id"), is_given("path")) {
        (true, false) => records::delete_record(&given, desk),
        (true, true) => Err(wrong_argument(
            "`memory_id` and `path` are two ways to say which one".to_owned(),
        )),
        (false, false) => Err(wrong_argument(
            "`memory_id` or `path` is missing, and a `reason` with it".to_owned(),
        )),
        (false, true) => {
            if desk.terms.user.is_some() {
                return Err(wrong_argument(
                    "it takes a `memory_id` and a `reason` here".to_owned(),
                ));
            }
            let read = serde_json::from_value(Value::Object(given));
            find_note(
                read.map_err(|error| wrong_argument(error.to_string()))?,
                desk,
            )
        }
    }
}

fn wrong_argument(reason: String) -> CallError {
    let tool = "memory_delete".to_owned();
    Fault::Arguments { tool, reason }.into()
}

fn find_note(arguments: McpDeleteArguments, desk: &McpCall) -> Result<Value, CallError> {
    if let (_, INDEX_FILE | ARCHIVE_FILE) = split_scope(&arguments.path, None) {
        return Err(Fault::DeleteIndex(arguments.path).into());
    }
    let note = desk.find_note(&arguments.path)?;
    let now = Sha256::digest(&note.bytes);
    if arguments.content_sha256.is_some_and(|read| read != now) {
        let (path, now) = (note.label(), format!("its content_sha256 is {now} now"));
        return Err(Fault::Stale { path, now }.into());
    }
    // As of a record: what goes says why.
    let reason = arguments.reason.ok_or(InvalidRecord::Missing("reason"))?;
    let order = desk.change_metadata("remove", Some(input::parse_reason(&reason)?));
    let gate = ProjectGate::for_place(&desk.place, desk.run());
    let removed = desk.memory.remove(&note, &order, &gate)?;
    desk.finish_write(note.scope);
    Ok(json!({
        "path": note.label(), "scope": note.scope.as_str(),
        "change": removed.change.as_ref().map(|change| change.id.as_str()),
        "warnings": removed.warnings,
    }))
}
