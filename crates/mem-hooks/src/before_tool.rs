//! `pre-tool-use`: no secret gets into the team's memory, and an agent writes only with consent. Before any other file
//! is read or changed, the memories that cite it.

use mem_team::write_gates::ProjectGate;
use std::path::Path;

use crate::HookError;
use mem_core::MemoryPath;
use mem_core::memory::ScopedPath;
use mem_core::store::{GatedFile, WriteGate as _};
use mem_find::by_file;

use crate::call::HookCall;
use crate::consent::{AgentEdit, refusal_reason};
use crate::reply::HookReply;
use crate::{edit_preview, prompt};
use mem_find::recall::answer_without_warnings;
use mem_hosts::FileContext;

/// Stands for a file whose name no memory can have: its content is looked at all the same.
const UNNAMED: &str = "unnamed.md";

/// Looks at what a tool that writes a file of this memory would leave there.
pub(crate) fn answer_before_tool(call: &HookCall<'_>) -> Result<HookReply, HookError> {
    let Some(under) = find_target(call) else {
        return match call.host.file_context {
            FileContext::Before => memories_about_file(call),
            FileContext::After => Ok(HookReply::default()),
        };
    };
    let before = edit_preview::read_before(&under.absolute);
    let after = edit_preview::content_after(call.event.tool_input(), before.as_deref());
    let change = AgentEdit {
        under: &under,
        before: before.as_deref(),
        after: &after,
    };
    let path = match under.path() {
        Some(path) => path,
        None => MemoryPath::parse(UNNAMED)?,
    };
    let order = call.agent_metadata("write");
    let checked = ProjectGate::for_place(&call.place, call.run).check(&GatedFile {
        scope: under.scope,
        path: &path,
        bytes: &after.bytes,
        old: change.before,
        author: &order.author,
    });
    let warnings = match checked {
        Ok(warnings) => warnings,
        Err(refusal) => {
            let hint = refusal.hint.map(|hint| format!("; {hint}"));
            return Ok(HookReply::deny_tool(format!(
                "mem: {}{}",
                refusal.message,
                hint.unwrap_or_default()
            )));
        }
    };
    if let Some(reason) = refusal_reason(&change, &order, call) {
        return Ok(HookReply::deny_tool(format!("mem: {reason}")));
    }
    if warnings.is_empty() {
        return Ok(HookReply::default());
    }
    let text = format!("mem: {}", warnings.join("\nmem: "));
    Ok(HookReply::with_context(text))
}

/// The memories that cite the file of a tool, or a symbol of the part that it is about, which the session has not seen,
/// within what is left for the session.
pub(crate) fn memories_about_file(call: &HookCall<'_>) -> Result<HookReply, HookError> {
    let config = &call.place.config;
    let budget_chars = match prompt::budget_chars(call) {
        Some(left) => left.min(config.values.recall.file_chars),
        None => 0,
    };
    let path = edit_preview::file_path(call.event.tool_input()).map(Path::new);
    let Some(path) = path.filter(|_| budget_chars > 0) else {
        return Ok(HookReply::default());
    };
    let session = call.event.session_id();
    let (place, run) = (&call.place, call.run);
    let limit = by_file::MEMORIES_MAX;
    // A file elsewhere is none of this project's.
    let region = edit_preview::file_region(call.event.tool_input());
    let Ok(request) = by_file::citing_request((path, &region), limit, session, place, &run.cwd)
    else {
        return Ok(HookReply::default());
    };
    let answer = answer_without_warnings(&request, place, run)?;
    prompt::reply_with(answer, budget_chars, call)
}

/// The file of this memory that a tool is about to write, or has written.
pub(crate) fn find_target(call: &HookCall<'_>) -> Option<ScopedPath> {
    let tool = call.event.text_field("tool_name")?;
    let path = edit_preview::target_path(tool, call.event.tool_input())?;
    call.memory.under(&call.run.cwd.join(Path::new(path)))
}
