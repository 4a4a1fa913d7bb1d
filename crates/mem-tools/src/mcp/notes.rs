//! `session_notes`.

use crate::CallError;
use mem_agent::session::compact::compact_notes;
use mem_agent::session::notes::SessionNotes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::fault::Fault;
use super::mcp_call::McpCall;
use mem_agent::session::selection::{SessionQuery, newest_notes};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotesArguments {
    session: Option<String>,
}

/// The notes as they are given after a compaction: those of the session that is named, else of the
/// newest one that has some, for a session that has only begun asks for those of the one before.
pub(super) fn call_notes(arguments: NotesArguments, desk: &McpCall) -> Result<Value, CallError> {
    let context = desk.run();
    let session = match arguments.session {
        Some(id) => Some(id),
        None => newest_notes(context)?.map(|place| place.id),
    };
    let wanted = SessionQuery {
        session: Some(session.ok_or(Fault::NoNotes)?),
        transcript: None,
    };
    let chosen = wanted.choose_session(context)?;
    let notes = compact_notes(&SessionNotes::parse(&chosen.read_notes()?));
    Ok(json!({ "session": chosen.place.id, "notes": notes }))
}
