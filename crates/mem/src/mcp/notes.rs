//! `session_notes`.

use anyhow::Result;
use mem_agent::session::compact::compact;
use mem_agent::session::notes::Notes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::desk::Desk;
use crate::commands::session::SessionArgs;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    session: Option<String>,
}

/// The notes as they are given after a compaction.
pub(super) fn call(arguments: Arguments, desk: &Desk) -> Result<Value> {
    let wanted = SessionArgs {
        session: arguments.session,
        transcript: None,
    };
    let chosen = wanted.choose(&desk.context)?;
    let notes = compact(&Notes::parse(&chosen.notes()?));
    Ok(json!({ "session": chosen.place.id, "notes": notes }))
}
