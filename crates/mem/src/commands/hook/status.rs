//! `mem hook status`.

use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_hosts::git_hooks::{self, Hook, HookState};

/// Say which hooks are installed
///
/// Also says when a hook runs a mem that is gone, and when another tool has written over it.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Looks at both hooks of this repository.
pub(crate) fn run(_: &Args, context: &Context) -> anyhow::Result<Exit> {
    let folder = git_hooks::hooks_folder(&context.cwd)?;
    let states = Hook::ALL.map(|hook| (hook, git_hooks::hook_state(&folder.path, hook)));
    if context.printer.json {
        let hooks: Vec<Value> = states
            .iter()
            .map(|(hook, state)| hook_json(*hook, state))
            .collect();
        context.printer.print_json(&json!({
            "directory": folder.path, "core.hooksPath": folder.configured, "hooks": hooks,
        }))?;
        return Ok(Exit::Ok);
    }
    for (hook, state) in &states {
        let line = format!("{}: {}", hook.git_name(), state_sentence(state));
        context.printer.line(clean(&line))?;
    }
    let set = match folder.configured {
        Some(_) => " (set by core.hooksPath)",
        None => "",
    };
    context.printer.say(format_args!(
        "hooks are in `{}`{set}",
        folder.path.display()
    ));
    Ok(Exit::Ok)
}

fn state_sentence(state: &HookState) -> String {
    let Some(ours) = &state.ours else {
        return match &state.other {
            Some(_) => "not installed; another hook is there".to_owned(),
            None => "not installed".to_owned(),
        };
    };
    let program = match &state.program {
        Some(program) if program.exists() => format!("runs `{}`", program.display()),
        Some(program) => {
            format!(
                "`{}` is gone; run `mem hook install` again",
                program.display()
            )
        }
        None => "runs the repository's own hook only".to_owned(),
    };
    let other = match &state.other {
        Some(_) if *ours != state.path => "; another tool runs it",
        Some(_) => "; the hook that was there runs after it",
        None => "",
    };
    format!("installed, {program}{other}")
}

/// A hook in JSON.
pub(super) fn hook_json(hook: Hook, state: &HookState) -> Value {
    json!({
        "hook": hook.git_name(),
        "path": state.path,
        "installed": state.ours.is_some(),
        "program": state.program,
        "program_exists": state.program.as_ref().map(|program| program.exists()),
        "chained": state.other,
    })
}
