//! `mem hook HOST`: what the hosts of agents run at the events of a session.
//!
//! Claude Code and its kin take exit code 2 for a block and shows other failures to the user, so every run ends
//! with 0, whatever happens (`is_of_host`, which `main` asks); a deliberate refusal is JSON on stdout.
//! What is answered, `mem_hooks` says; its log says why a hook kept silent.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::Result;
use mem_hooks::{HookError, UnknownEvent, answer_event, log};
use mem_hosts::{HookHost, HostFault, Installation, InstallationKind};
use mem_tools::error_text::shown_message;

use crate::context::Context;
use crate::exit::Exit;

/// Before a settings file that has the same hook: the plugin's answers only where the host skips that file.
const BESIDE: &str = "--beside=";

/// Answer an event of a host; the host runs this
///
/// Events, by the names of mem (each host's profile says what it calls them): session-start,
/// user-prompt-submit, turn-start, subagent-start, pre-tool-use, post-tool-use, pre-compact, post-compact, stop,
/// session-end. Reads the event's JSON from standard input and prints
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
        let stdin = std::io::stdin();
        let input = (!stdin.is_terminal()).then(|| stdin.lock());
        answer_event(host, &name, input, &mut session, context)
    }));
    let answered = answered.unwrap_or_else(|_| Err("internal error".into()));
    let told: Result<_, HookError> = answered.map(|mut reply| {
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
        let remark = shown_message(&*error);
        // No host makes this up: somebody wrote the settings by hand, and would wait for an answer forever.
        if error.is::<UnknownEvent>() {
            context.print_warning(format_args!(
                "{remark}: `mem help hook {}` lists them",
                host.profile().word
            ));
        }
        log::log_event(dirs, context.now, &name, session.as_deref(), &remark);
    }
    Ok(Exit::Ok)
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
