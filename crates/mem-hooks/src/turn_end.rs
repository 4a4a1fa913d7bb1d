//! `stop`: the notes of the session, and what a turn has left undone in memory. An agent writes a topic file first and
//! its index entry second: only once the turn has ended is one missing.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::HookError;
use mem_core::Scope;
use mem_core::check::CheckCode;
use mem_find::documents::document_key;
use mem_find::session;

use crate::after_tool::{FINDINGS_MAX, finding_line};
use crate::call::HookCall;
use crate::notes;
use crate::reply::HookReply;

/// Sends the processes for the notes, and tells what is missing.
pub(crate) fn answer_turn_end(call: &HookCall<'_>) -> Result<HookReply, HookError> {
    let sent = notes::answer_notes(call);
    match missing_entries(call)? {
        // The model hears of it even where no notes can be kept.
        Some(text) => Ok(HookReply::with_context(text)),
        None => sent,
    }
}

/// The memories that the session wrote in this turn and that no index entry names; each is told once.
fn missing_entries(call: &HookCall<'_>) -> Result<Option<String>, HookError> {
    let Some(id) = call.event.session_id() else {
        return Ok(None);
    };
    let written: BTreeSet<String> = session::take_unlisted(&call.memory, id)?;
    if written.is_empty() {
        return Ok(None);
    }
    let mut lines = Vec::new();
    for scope in Scope::ALL {
        let is_written = |file: &str| written.contains(&document_key(scope, file));
        let prefix = document_key(scope, "");
        if !written.iter().any(|key| key.starts_with(&prefix)) {
            continue;
        }
        let found = call.memory.inspect(scope)?.findings.into_iter();
        let found = found.filter(|one| one.code == CheckCode::Orphan && is_written(&one.file));
        lines.extend(
            found.map(|one| format!("- {} memory: {}", scope.as_str(), finding_line(&one))),
        );
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let mut text = "mem checked what was written in this turn:\n".to_owned();
    for line in lines.iter().take(FINDINGS_MAX) {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    Ok(Some(text))
}
