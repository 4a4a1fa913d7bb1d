//! `pre-compact`, `post-compact`, `session-end`, and `stop` beside `turn_end`: the notes of the session, and once a turn has ended the memories
//! that it suggests, in processes that outlive the host. The hook itself does not even open the transcript: it may be
//! large, and still be written.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::asked::HookCall;
use super::reply::HookReply;
use crate::commands::extract;
use crate::commands::session::background::SUMMARY_BYTES_MAX;
use crate::commands::session::update::{BACKGROUND, COMPACTED};
use crate::detached;

/// Sends the process, which finds out by itself whether an update is due.
pub(super) fn answer_notes(asked: &HookCall<'_>) -> Result<HookReply> {
    let Some(transcript) = asked.event.transcript_path() else {
        bail!("the event names no transcript");
    };
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
    let is_wanted = asked.place.config.boolean("extract.enabled");
    if !is_compaction && is_wanted.unwrap_or_default() {
        let sent = detached::send_detached(
            extraction_command(&transcript, asked.event.session_id()),
            folder,
        );
        sent.context("cannot start the extraction of memories")?;
    }
    Ok(HookReply::default())
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
