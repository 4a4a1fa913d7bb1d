//! `pre-compact`, `post-compact`, `session-end`, and `stop` beside `turn_end`: the notes of the session, and once a
//! turn has ended the memories that it suggests, in processes that outlive the host. The hook itself does not even
//! open the transcript: it may be large, and still be written.

use std::path::PathBuf;

use crate::HookError;
use crate::background::{SUMMARY_BYTES_MAX, extraction_command, update_command};
use crate::call::HookCall;
use crate::reply::HookReply;
use mem_daemon::background;
use mem_hosts::ProgramDirs;

/// Sends the process, which finds out by itself whether an update is due.
pub(crate) fn answer_notes(call: &HookCall<'_>) -> Result<HookReply, HookError> {
    let Some(transcript) = call
        .event
        .transcript_path()
        .or_else(|| own_transcript(call))
    else {
        return Err("the event names no transcript".into());
    };
    // The turn of a subagent: its transcript is that of the session, which has its own.
    if call.event.text_field("parent_agent_id").is_some() {
        return Ok(HookReply::default());
    }
    let folder = &call.run.cwd;
    let is_compaction = call.name.ends_with("-compact");
    let session = call.event.session_id();
    let args = update_command(session, Some(&transcript), is_compaction);
    // The transcript gets it only later.
    let summary = call.event.text_field("compact_summary").unwrap_or_default();
    let summary = &summary[..summary.floor_char_boundary(SUMMARY_BYTES_MAX)];
    let sent = background::send_with_input(args, folder, summary);
    sent.map_err(|error| format!("cannot start the update of the notes: {error}"))?;
    // A compaction comes in the middle of a turn.
    if !is_compaction && call.place.config.values.extract.enabled {
        let sent =
            background::send_detached(extraction_command(session, Some(&transcript)), folder);
        sent.map_err(|error| format!("cannot start the extraction of memories: {error}"))?;
    }
    Ok(HookReply::default())
}

/// The transcript, by the session's id: the end of a session of Copilot CLI does not name it.
fn own_transcript(call: &HookCall<'_>) -> Option<PathBuf> {
    let places = ProgramDirs {
        dirs: call.run.dirs().ok()?,
        env: &call.run.env,
        project: &call.run.cwd,
    };
    call.host.transcript(call.event.session_id()?, &places)
}
