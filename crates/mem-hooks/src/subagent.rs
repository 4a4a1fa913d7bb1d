//! `subagent-start`: what a subagent lacks, which knows nothing of the conversation: the memories that help with its
//! task, and the indexes that the host does not give it.

use crate::HookError;
use mem_agent::transcript::{newest_call, wait_for};
use serde_json::Value;

use crate::call::HookCall;
use crate::page::build_page;
use crate::prompt::{recall_request, render_answer};
use crate::reply::{HookReply, STRING_CHARS_MAX, count_units};
use crate::session_start::{HEAD, TAIL, index_parts, tier_indexes};
use mem_agent::injection::InjectedPart;
use mem_find::recall;

/// The tools that start a subagent: its name now, and in older versions.
const TASK_TOOLS: [&str; 2] = ["Agent", "Task"];
/// At most so many memories about its task.
const MEMORIES_MAX: usize = 3;

/// Within `recall.subagent_chars`: its task comes first.
pub(crate) fn answer_subagent_start(call: &HookCall<'_>) -> Result<HookReply, HookError> {
    let budget_chars = call
        .place
        .config
        .values
        .recall
        .subagent_chars
        .min(STRING_CHARS_MAX - 1);
    if budget_chars == 0 {
        return Ok(HookReply::default());
    }
    call.require_directory()?;
    let (mut text, mut entries) = match task_prompt(call) {
        Some(prompt) => task_memories(&prompt, budget_chars, call)?,
        None => (String::new(), Vec::new()),
    };
    let parts = index_parts(&tier_indexes(call), call);
    let room = budget_chars.saturating_sub(count_units(&text));
    let (page, indexes) = build_page(HEAD, &parts, TAIL, room);
    text.insert_str(0, &page);
    entries.extend(indexes);
    if text.is_empty() {
        return Ok(HookReply::default());
    }
    call.record_injection(&text, entries);
    Ok(HookReply::with_context(text))
}

/// The memories that help with a task. The conversation has not seen them: they may come again there.
fn task_memories(
    prompt: &str,
    budget_chars: usize,
    call: &HookCall<'_>,
) -> Result<(String, Vec<InjectedPart>), HookError> {
    let mut request = recall_request(prompt, call);
    request.limit = request.limit.min(MEMORIES_MAX);
    request.session = None;
    let answer = recall::answer_without_warnings(&request, &call.place, call.run)?;
    let rendered = render_answer(&answer, budget_chars);
    let memories = answer.memories.iter().zip(&rendered.entries);
    let entries = memories.map(|(one, text)| InjectedPart::from_label(one.note.label(), text));
    Ok((rendered.text, entries.collect()))
}

/// What the subagent is to do. The event does not say it: the newest call in the transcript that started one of its
/// kind does.
fn task_prompt(call: &HookCall<'_>) -> Option<String> {
    let kind = call.event.text_field("agent_type")?;
    let transcript = call.event.transcript_path()?;
    let field = |input: &str, name: &str| {
        let input: Value = serde_json::from_str(input).ok()?;
        Some(input.get(name)?.as_str()?.to_owned())
    };
    let is_task = |tool: &str, input: &str| {
        let wanted = field(input, "subagent_type");
        TASK_TOOLS.contains(&tool) && wanted.is_none_or(|wanted| wanted == kind)
    };
    // A session that is not kept has no transcript to wait for.
    if !transcript.is_file() {
        return None;
    }
    let call = wait_for(|| newest_call(&transcript, is_task))?;
    field(&call, "prompt")
}
