//! What the hooks of coding agents are answered with: memories for a prompt, a file or a new session, refusals of
//! writes, and remarks on what was written.
//!
//! An event as the host gives it in, a [`HookReply`] out. Nothing here prints or reads the environment, the clock or
//! standard input: callers hand in a [`RunContext`] and the event.
//!
//! # Layout
//! - `event`: what the host says. `reply`: what it gets. `call`: the memory that is meant.
//! - `session_start`, `subagent`, `prompt`, `before_tool`, `after_tool`, `turn_end`, `notes`: one event each, or
//!   several that do the same. `page` and `indexes`: what a session starts with. `edit_preview`: a file as a tool would
//!   leave it; `patch`: tools that write several. `other_project`: a memory that is not the session's. `consent`:
//!   whether agents may write.
//! - [`background`]: what a session leaves to processes that outlive the host. [`log`]: why a hook kept silent.

mod after_tool;
pub mod background;
mod before_tool;
mod call;
mod consent;
mod edit_preview;
mod event;
mod indexes;
pub mod log;
mod notes;
mod other_project;
mod page;
mod patch;
mod prompt;
mod reply;
mod session_start;
mod subagent;
mod turn_end;

use std::error::Error;
use std::io::Read;

use mem_agent::model::TASK_VARIABLE;
use mem_core::RunContext;
use mem_hosts::HookHost;

use call::HookCall;
use event::HookEvent;
pub use reply::HookReply;

/// Why a hook keeps silent. It becomes a line of the [`log`], and two are asked for by their type: [`UnknownEvent`],
/// and a `LocationError` (settings that cannot be read let nothing be written), which nothing may wrap.
pub type HookError = Box<dyn Error + Send + Sync>;

/// The settings of a host name an event that there is none of.
#[derive(Debug, thiserror::Error)]
#[error("unknown event `{0}`")]
pub struct UnknownEvent(String);

/// Answers an event of a host by its name in kebab case; `session` becomes the id of the session that it was of, also
/// where there is no answer. Without `input` there is no event to read.
///
/// # Errors
/// The event is none, memory is off, or there is nothing to say; see [`HookError`].
pub fn answer_event(
    host: HookHost,
    name: &str,
    input: Option<impl Read>,
    session: &mut Option<String>,
    run: &RunContext,
) -> Result<HookReply, HookError> {
    let answer: fn(&HookCall<'_>) -> Result<HookReply, HookError> = match name {
        "session-start" => session_start::answer_session_start,
        "user-prompt-submit" => prompt::answer_prompt,
        "turn-start" => prompt::answer_turn_start,
        "subagent-start" => subagent::answer_subagent_start,
        "pre-tool-use" => before_tool::answer_before_tool,
        "post-tool-use" => after_tool::answer_after_tool,
        "stop" => turn_end::answer_turn_end,
        "pre-compact" | "post-compact" | "session-end" => notes::answer_notes,
        "" => return Err("no event was named".into()),
        name => return Err(UnknownEvent(name.to_owned()).into()),
    };
    let input = input.ok_or("there is no event on a terminal")?;
    // A model that is itself an agent of this host would be asked on and on by its own hooks. What
    // it writes to memory is looked at all the same.
    let is_ours = run.env.get(TASK_VARIABLE).is_some();
    if is_ours && !name.ends_with("-tool-use") {
        return Err("mem itself has asked the host".into());
    }
    let mut event = HookEvent::read(input)?;
    event.rename(&host.profile().input);
    *session = event.session_id().map(str::to_owned);
    let run = run.standing_in(event.cwd().unwrap_or_else(|| run.cwd.clone()));
    let events = match name.ends_with("-tool-use") {
        true => event.for_each_file(),
        false => vec![event],
    };
    let answer_one = |event: &HookEvent| {
        let mut call = match HookCall::open_memory(name, host, event, &run) {
            Err(error) if name == "pre-tool-use" => {
                return other_project::answer_closed(event, &run, error);
            }
            call => call?,
        };
        other_project::switch_to_other_project(&mut call);
        answer(&call)
    };
    merge_answers(events.iter().map(answer_one))
}

/// One answer of those to each file of a patch. The host runs the patch whole or not at all, so a refusal of one file
/// holds, whatever went wrong with another; without one, the first error is the answer.
fn merge_answers(
    answers: impl Iterator<Item = Result<HookReply, HookError>>,
) -> Result<HookReply, HookError> {
    let mut reply = HookReply::default();
    let mut failure = None;
    for answer in answers {
        match answer {
            Ok(answer) => reply.take_in(answer),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(error) if reply.denied.is_none() => Err(error),
        _ => Ok(reply),
    }
}
