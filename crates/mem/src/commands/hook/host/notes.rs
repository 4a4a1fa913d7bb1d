//! `pre-compact`, `post-compact`, `session-end`, and `stop` beside `turn_end`: the notes of the session, and once a turn has ended the memories
//! that it suggests, in processes that outlive the host. The hook itself does not even open the transcript: it may be
//! large, and still be written.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::asked::HookCall;
use super::reply::HookReply;
use crate::commands::extract;
use crate::commands::session::background::SUMMARY_BYTES_MAX;
use crate::commands::session::update::{BACKGROUND, COMPACTED};
use crate::detached;
use mem_hosts::ProgramDirs;

/// Sends the process, which finds out by itself whether an update is due.
pub(super) fn answer_notes(asked: &HookCall<'_>) -> Result<HookReply> {
    let Some(transcript) = asked
        .event
        .transcript_path()
        .or_else(|| own_transcript(asked))
    else {
        bail!("the event names no transcript");
    };
    // The turn of a subagent: its transcript is that of the session, which has its own.
    if asked.event.text_field("parent_agent_id").is_some() {
        return Ok(HookReply::default());
    }
    let mut args = ["session", "update", "--quiet", BACKGROUND]
        .map(str::to_owned)
        .to_vec();
    args.push(format!("--transcript={}", transcript.display()));
    args.extend(
        asked
            .event
            .session_id()
            .map(|session| format!("--session={session}")),
    );
    let folder = &asked.context.cwd;
    let is_compaction = asked.name.ends_with("-compact");
    args.extend(is_compaction.then(|| COMPACTED.to_owned()));
    // The transcript gets it only later.
    let summary = asked
        .event
        .text_field("compact_summary")
        .unwrap_or_default();
    let summary = &summary[..summary.floor_char_boundary(SUMMARY_BYTES_MAX)];
    let sent = detached::send_with_input(args, folder, summary);
    sent.context("cannot start the update of the notes")?;
    // A compaction comes in the middle of a turn.
    if !is_compaction && asked.place.config.values.extract.enabled {
        let sent = detached::send_detached(
            extraction_command(&transcript, asked.event.session_id()),
            folder,
        );
        sent.context("cannot start the extraction of memories")?;
    }
    Ok(HookReply::default())
}

/// The transcript, by the session's id: the end of a session of Copilot CLI does not name it.
fn own_transcript(asked: &HookCall<'_>) -> Option<PathBuf> {
    let places = ProgramDirs {
        dirs: asked.context.dirs().ok()?,
        env: &asked.context.env,
        project: &asked.context.cwd,
    };
    asked.host.transcript(asked.event.session_id()?, &places)
}

/// The words of the process that keeps what the session suggests.
fn extraction_command(transcript: &Path, session: Option<&str>) -> Vec<String> {
    let mut args = ["extract", "--quiet", extract::BACKGROUND]
        .map(str::to_owned)
        .to_vec();
    args.push(format!("--transcript={}", transcript.display()));
    args.extend(
        session
            .into_iter()
            .flat_map(|id| ["--".to_owned(), id.to_owned()]),
    );
    args
}
