//! `mem hook HOST`: what the hosts of agents run at the events of a session.
//!
//! Claude Code and its kin take exit code 2 for a block and shows other failures to the user, so every run ends
//! with 0, whatever happens (`is_of_host`, which `main` asks); a deliberate refusal is JSON on stdout.
//! Why a hook kept silent stands in the log (`hook_log`).
//!
//! # Layout
//! - `event`: what the host says. `reply`: what it is told. `asked`: the memory that is meant.
//! - `session_start`, `subagent`, `prompt`, `before_tool`, `after_tool`, `turn_end`, `notes`: one event each, or several that
//!   do the same. `page` and `indexes`: what a session starts with. `edited`: a file as a tool would
//!   leave it; `patch`: tools that write several. `elsewhere`: a memory that is not the session's. `consent`: whether agents may write.

mod after_tool;
mod asked;
mod before_tool;
mod consent;
mod edited;
mod elsewhere;
mod event;
mod indexes;
mod notes;
mod page;
mod patch;
mod prompt;
mod reply;
mod session_start;
mod subagent;
mod turn_end;

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Result, anyhow, bail};
use mem_agent::model::TASK_VARIABLE;

use crate::context::Context;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::hook_log;
use asked::HookCall;
use event::HookEvent;
use mem_hosts::{HookHost, HostFault, Installation, InstallationKind};
use reply::HookReply;

/// Before a settings file that has the same hook: the plugin's answers only where the host skips that file.
const BESIDE: &str = "--beside=";

/// Answer an event of a host; the host runs this
///
/// Events, by the names of mem (each host's profile says what it calls them): session-start,
/// user-prompt-submit, turn-start, subagent-start, pre-tool-use, post-tool-use, pre-compact, post-compact, stop, session-end. Reads the event's JSON from standard input and prints
/// JSON, or nothing. Ends with 0 whatever happens, because a host takes another code for a block; why it kept silent
/// stands in `hooks.log` in mem's state directory.
///
/// Example: echo '{"prompt":"how do we test?"}' | mem hook claude user-prompt-submit
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The event, in kebab case; one that is not known is told on standard error, and in the log
    #[arg(
        value_name = "EVENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<OsString>,
}

// `mem hook HOST` of each host.
crate::table::host_commands! {
    run_hook;
    claude => Claude,
    codex => Codex,
    copilot => Copilot,
    cursor => Cursor,
    gemini => Gemini,
    opencode => Opencode,
    qwen => Qwen,
}

/// The settings of a host name an event that there is none of.
#[derive(Debug, thiserror::Error)]
#[error("unknown event `{0}`")]
struct UnknownEvent(String);

/// Answers, and never fails.
fn run_hook(host: HookHost, args: &Args, context: &Context) -> Result<Exit> {
    let name = args.words.first().map(|word| word.to_string_lossy());
    let name = name.unwrap_or_default();
    let mut session = None;
    let beside = args.words.iter().filter_map(|word| {
        let path = word.to_str()?.strip_prefix(BESIDE)?.into();
        let what = InstallationKind::Hooks(host);
        Some(Installation { what, path }.skipped_file())
    });
    let beside: Vec<Option<HostFault>> = beside.collect();
    // The host runs the hook of its settings: the plugin's has nothing to do.
    if beside.iter().any(Option::is_none) {
        return Ok(Exit::Ok);
    }
    let answered = catch_unwind(AssertUnwindSafe(|| {
        answer_event(host, &name, &mut session, context)
    }));
    let answered = answered.unwrap_or_else(|_| Err(anyhow!("internal error")));
    let told = answered.map(|mut reply| {
        let fault = beside
            .iter()
            .flatten()
            .next()
            .filter(|_| name == "session-start");
        reply.message = fault.map(|fault| format!("mem: {fault}")).or(reply.message);
        reply
    });
    let told = told.and_then(|reply| match reply.into_json(host.profile(), &name) {
        Some(json) => Ok(context.printer.print_json(&json)?),
        None => Ok(()),
    });
    if let Err(error) = told
        && let Ok(dirs) = context.dirs()
    {
        let remark = ErrorShape::from_error(&error).message;
        // No host makes this up: somebody wrote the settings by hand, and would wait for an answer forever.
        if error.is::<UnknownEvent>() {
            context.print_warning(format_args!(
                "{remark}: `mem help hook {}` lists them",
                host.profile().word
            ));
        }
        hook_log::log_event(dirs, context.now, &name, session.as_deref(), &remark);
    }
    Ok(Exit::Ok)
}

/// The answer to an event, and the session that it was of.
fn answer_event(
    host: HookHost,
    name: &str,
    session: &mut Option<String>,
    context: &Context,
) -> Result<HookReply> {
    let answer: fn(&HookCall<'_>) -> Result<HookReply> = match name {
        "session-start" => session_start::answer_session_start,
        "user-prompt-submit" => prompt::answer_prompt,
        "turn-start" => prompt::answer_turn_start,
        "subagent-start" => subagent::answer_subagent_start,
        "pre-tool-use" => before_tool::answer_before_tool,
        "post-tool-use" => after_tool::answer_after_tool,
        "stop" => turn_end::answer_turn_end,
        "pre-compact" | "post-compact" | "session-end" => notes::answer_notes,
        "" => bail!("no event was named"),
        name => return Err(UnknownEvent(name.to_owned()).into()),
    };
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        bail!("there is no event on a terminal");
    }
    // A model that is itself an agent of this host would be asked on and on by its own hooks. What
    // it writes to memory is looked at all the same.
    let is_ours = context.env.get(TASK_VARIABLE).is_some();
    if is_ours && !name.ends_with("-tool-use") {
        bail!("mem itself has asked the host");
    }
    let mut event = HookEvent::read(stdin.lock())?;
    event.rename(&host.profile().input);
    *session = event.session_id().map(str::to_owned);
    let context = match event.cwd() {
        Some(cwd) => context.standing_in(cwd),
        None => context.standing_in(context.cwd.clone()),
    };
    let events = match name.ends_with("-tool-use") {
        true => event.for_each_file(),
        false => vec![event],
    };
    let answer_one = |event: &HookEvent| {
        let mut asked = match HookCall::open_memory(name, host, event, &context) {
            Err(error) if name == "pre-tool-use" => {
                return elsewhere::answer_closed(event, &context, error);
            }
            asked => asked?,
        };
        elsewhere::turn_to_memory(&mut asked);
        answer(&asked)
    };
    merge_answers(events.iter().map(answer_one))
}

/// One answer of those to each file of a patch. The host runs the patch whole or not at all, so a refusal of one file
/// holds, whatever went wrong with another; without one, the first error is told.
fn merge_answers(answers: impl Iterator<Item = Result<HookReply>>) -> Result<HookReply> {
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

/// Whether a command line is one of a host's hook, in whatever state the rest of it is.
pub(crate) fn is_of_host(args: &[OsString]) -> bool {
    let mut words = args.iter().skip(1).map(|word| word.to_string_lossy());
    let mut plain = Vec::new();
    while let Some(word) = words.next()
        && plain.len() < 2
    {
        match &*word {
            "-C" | "--color" => drop(words.next()),
            word if word.starts_with('-') => {}
            word => plain.push(word.to_owned()),
        }
    }
    matches!(&plain[..], [hook, host] if hook == "hook" && HookHost::from_word(host).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_of_a_host_is_known_by_its_first_words() {
        let is = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            is_of_host(&words)
        };
        assert!(is("mem hook claude stop") && is("mem hook claude"));
        assert!(
            is("mem hook codex session-start") && is("mem hook gemini") && is("mem hook qwen x")
        );
        assert!(is(
            "mem -q -C /x --color never hook --json claude no-such --nonsense"
        ));
        assert!(!is("mem hook pre-push") && !is("mem save claude") && !is("mem"));
    }
}
