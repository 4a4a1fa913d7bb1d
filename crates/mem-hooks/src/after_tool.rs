//! `post-tool-use`: what is wrong with a memory that a tool has just written, told to the model.

use std::fmt::Write as _;

use crate::HookError;
use mem_agent::session::place;
use mem_agent::transcript::source_of_call;
use mem_core::check::{CheckCode, CheckFinding, CheckSeverity};
use mem_core::memory::ScopedPath;
use mem_core::notes::INDEX_FILE;
use mem_find::context_text::escape_data;
use mem_find::documents::document_key;
use mem_find::session;

use crate::before_tool::{find_target, memories_about_file};
use crate::call::HookCall;
use crate::log::log_event;
use crate::reply::HookReply;
use mem_core::foreign_text::one_line;
use mem_hosts::FileContext;

/// Findings that are told; a check tells the rest.
pub(crate) const FINDINGS_MAX: usize = 20;

/// Checks the tier, and tells what is about this file, or about the size of the index.
pub(crate) fn answer_after_tool(call: &HookCall<'_>) -> Result<HookReply, HookError> {
    record_source(call);
    let Some(under) = find_target(call) else {
        return match call.host.file_context {
            FileContext::After => memories_about_file(call),
            FileContext::Before => Ok(HookReply::default()),
        };
    };
    record_write(call, &under);
    let mut inspection = call.memory.inspect(under.scope)?;
    inspection.allow_for_log(&call.place);
    let found = inspection.findings.into_iter();
    let is_early = |finding: &CheckFinding| finding.code == CheckCode::Orphan;
    let is_kept = keeps_for_turn_end(call, &under);
    let found: Vec<CheckFinding> = found
        .filter(|finding| !(is_kept && is_early(finding)))
        .filter(|finding| finding.severity != CheckSeverity::Info && is_about(finding, &under.file))
        .collect();
    if found.is_empty() {
        return Ok(HookReply::default());
    }
    let scope = under.scope.as_str();
    let mut text = format!("mem checked what was written to the {scope} memory:\n");
    for finding in found.iter().take(FINDINGS_MAX) {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "- {}", finding_line(finding));
    }
    if let Some(more @ 1..) = found.len().checked_sub(FINDINGS_MAX) {
        let _ = writeln!(text, "- and {more} more: `mem check` lists them");
    }
    Ok(HookReply::with_context(text))
}

/// Records whose text the tool has read, where the transcript tells it too late or there is none: a session that is not
/// kept names a file that is not there.
fn record_source(call: &HookCall<'_>) {
    let Some(id) = call.event.session_id() else {
        return;
    };
    let has_transcript = || {
        let transcript = call.event.transcript_path();
        transcript.is_some_and(|path| place::changed_time(&path).is_some())
    };
    if !call.host.has_late_transcript && has_transcript() {
        return;
    }
    let tool = call.event.text_field("tool_name").unwrap_or_default();
    let source = source_of_call(tool, &call.event.tool_input().to_string());
    if source.is_some() {
        // Without the record the write is let through, as in a host that has no hooks.
        let _ = session::record_source(&call.memory, id, source);
    }
}

/// Whether a missing index entry is told once the turn has ended: agents write it after the topic file.
fn keeps_for_turn_end(call: &HookCall<'_>, under: &ScopedPath) -> bool {
    let Some(id) = call.event.session_id() else {
        return false;
    };
    call.host.continues_at_stop
        && session::note_unlisted(&call.memory, id, document_key(under.scope, &under.file)).is_ok()
}

/// Records the write as the agent's: a look at the directory could not tell whose it was. A history
/// that cannot be written, or is locked, is a line of the log, and what is wrong with the memory is said all the same.
fn record_write(call: &HookCall<'_>, under: &ScopedPath) {
    if let Some(path) = under.path() {
        let store = call.memory.store(under.scope);
        let witnessed = store.witness(&path, &call.agent_metadata("write"));
        if let Err(error) = witnessed
            && let Ok(dirs) = call.run.dirs()
        {
            let (now, session) = (call.run.now, call.event.session_id());
            log_event(dirs, now, call.name, session, &error.to_string());
        }
    }
}

/// Whether a finding belongs to what was written. The size of the index always does: each memory
/// makes it grow.
fn is_about(finding: &CheckFinding, file: &str) -> bool {
    finding.file == file || matches!(finding.code, CheckCode::OverCap | CheckCode::NearCap)
}

pub(crate) fn finding_line(finding: &CheckFinding) -> String {
    let place = match finding.line {
        Some(line) => format!("{}:{line}", finding.file),
        None => finding.file.clone(),
    };
    let fix = match &finding.fix {
        Some(fix) if finding.code.is_about_index() && finding.file == INDEX_FILE => {
            format!(" (`{fix}` mends it)")
        }
        _ => String::new(),
    };
    let text = format!("{place}: {}{fix}", finding.message);
    let line: String = one_line(&text).chars().take(400).collect();
    escape_data(&line)
}
