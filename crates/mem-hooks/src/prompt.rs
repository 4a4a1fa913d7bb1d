//! `user-prompt-submit`: the few memories that help with a prompt.

use crate::HookError;
use mem_agent::transcript::RecordOrigin;
use mem_core::memory::Note;
use mem_core::{Scope, TextSource};
use mem_find::context_text::ContextText;
use mem_find::recall_answer::RecallAnswer;
use mem_find::request::{PROMPT_BYTES_MAX, RecallRequest};
use mem_find::session::{self, ShownMemories};
use mem_find::{context_text, settings};
use mem_recall::RankFilter;

use crate::call::HookCall;
use crate::reply::{HookReply, STRING_CHARS_MAX, count_units};
use mem_agent::injection::InjectedPart;
use mem_core::plural::format_count;
use mem_daemon::autostart;
use mem_find::recall;

/// What Claude Code calls the sources of a prompt that a person typed, or a program in a person's place; others are a
/// wake-up, a poll, or the host itself.
const SOURCES: [&str; 2] = ["user", "sdk"];

/// Recalls as `mem recall` does, within what is left for the session.
pub(crate) fn answer_prompt(call: &HookCall<'_>) -> Result<HookReply, HookError> {
    call.require_directory()?;
    let prompt = call.event.text_field("prompt").unwrap_or_default();
    if prompt.len() as u64 > PROMPT_BYTES_MAX {
        return Err(format!("the prompt is larger than {} MiB", PROMPT_BYTES_MAX >> 20).into());
    }
    let prompt = call.host.own_prompt(prompt);
    let source = call.event.text_field("source").unwrap_or(SOURCES[0]);
    if !SOURCES.contains(&source) || !is_of_person(prompt) {
        return Ok(HookReply::default());
    }
    begin_turn(call);
    autostart::start_in_background(&call.place, call.run);
    let Some(budget_chars) = budget_chars(call) else {
        return Err("the session was given all that recall.session_chars allows".into());
    };
    let request = recall_request(prompt, call);
    let answer = recall::answer_with_warnings(&request, &call.place, call.run)?;
    reply_with(answer, budget_chars, call)
}

/// `turn-start`, of a host that gives its model nothing at a prompt: what an earlier turn has read counts no longer.
pub(crate) fn answer_turn_start(call: &HookCall<'_>) -> Result<HookReply, HookError> {
    begin_turn(call);
    Ok(HookReply::default())
}

fn begin_turn(call: &HookCall<'_>) {
    if let Some(id) = call.event.session_id() {
        // A turn that is not begun is only held back longer.
        let _ = session::record_source(&call.memory, id, None);
    }
}

/// The reply that gives the memories of an answer to the model, as many as fit, and remembers that it did.
pub(crate) fn reply_with(
    mut answer: RecallAnswer,
    budget_chars: usize,
    call: &HookCall<'_>,
) -> Result<HookReply, HookError> {
    let rendered = render_answer(&answer, budget_chars);
    context_text::drop_unrendered(&mut answer, &rendered);
    let notes: Vec<&Note> = answer.memories.iter().map(|one| &one.note).collect();
    let entries = notes.iter().zip(&rendered.entries);
    let entries = entries.map(|(note, text)| InjectedPart::from_label(note.label(), text));
    let tokens = call.record_injection(&rendered.text, entries.collect());
    if notes.is_empty() {
        return Ok(HookReply::default());
    }
    let has_team = notes.iter().any(|note| note.scope == Scope::Team);
    if let Some(id) = call.event.session_id().filter(|_| has_team) {
        // The model has a colleague's words now: no transcript says so.
        let _ = session::record_source(&call.memory, id, Some(TextSource::TeamMemory));
    }
    let mut reply = HookReply::default();
    if is_first(call, &notes, rendered.text.chars().count()) {
        let notes = format_count(notes.len(), "note", "notes");
        let tokens = format_count(tokens, "token", "tokens");
        reply.message = Some(format!("mem: {notes}, {tokens}"));
    }
    reply.context = Some(rendered.text);
    Ok(reply)
}

/// The text within the budget, and within what a host takes where that counts otherwise.
pub(crate) fn render_answer(answer: &RecallAnswer, mut budget_chars: usize) -> ContextText {
    loop {
        let rendered = context_text::render_answer(answer, budget_chars);
        if count_units(&rendered.text) < STRING_CHARS_MAX {
            return rendered;
        }
        budget_chars = budget_chars * 3 / 4;
    }
}

/// Whether a person wrote a prompt, with something to find memories by: no command, no notification.
fn is_of_person(prompt: &str) -> bool {
    let prompt = prompt.trim_start();
    RecordOrigin::from_text(prompt) == RecordOrigin::Person && !is_command(prompt)
}

/// `/name` and `/plugin:name`, but not `/some/path`.
fn is_command(prompt: &str) -> bool {
    let word = prompt.split_whitespace().next().unwrap_or_default();
    let name = word.strip_prefix('/');
    name.is_some_and(|name| {
        let is_of_name = |c: char| c.is_alphanumeric() || "-_:.".contains(c);
        !name.is_empty() && name.chars().all(is_of_name)
    })
}

/// The characters that a prompt or a file may be given now; `None` where nothing is left for the session.
pub(crate) fn budget_chars(call: &HookCall<'_>) -> Option<usize> {
    let config = &call.place.config;
    let given = ShownMemories::for_memory(&call.memory, call.event.session_id()).given_chars();
    let left = config.values.recall.session_chars.checked_sub(given);
    let budget = config.values.recall.budget_chars.min(STRING_CHARS_MAX - 1);
    left.filter(|left| *left > 0).map(|left| left.min(budget))
}

pub(crate) fn recall_request(prompt: &str, call: &HookCall<'_>) -> RecallRequest {
    let config = &call.place.config;
    RecallRequest {
        prompt: prompt.to_owned(),
        limit: config.values.recall.limit,
        min_score: config.values.recall.min_score.0 as f32,
        filter: RankFilter::default(),
        exclude: Vec::new(),
        choice: None,
        tools: Vec::new(),
        session: call.event.session_id().map(str::to_owned),
        weights: settings::rank_weights(config),
    }
}

/// Remembers what the session was shown; whether the user is to be told, once a session.
fn is_first(call: &HookCall<'_>, notes: &[&Note], chars: usize) -> bool {
    let Some(session) = call.event.session_id() else {
        return false;
    };
    let shown = session::mark_shown(&call.memory, session, notes, chars, call.run.now);
    shown.unwrap_or(false) && call.place.config.values.general.notify
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_notifications_are_no_persons_prompts() {
        for prompt in [
            "how do we test?",
            "/home/me/app/src/main.rs is broken",
            "  why // two slashes",
        ] {
            assert!(is_of_person(prompt), "{prompt}");
        }
        for prompt in [
            "",
            "  \n",
            "/compact",
            "/mem:save this",
            "<task-notification>done</task-notification>",
            "<command-name>/clear</command-name>",
        ] {
            assert!(!is_of_person(prompt), "{prompt}");
        }
    }
}
