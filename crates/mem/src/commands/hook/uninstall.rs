//! `mem hook uninstall`.

use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use mem_hosts::git_hooks::{self, Hook, UninstallOutcome};

/// Take the hooks away and put back what was there
///
/// What was there before an install comes back byte for byte, with its mode. A hook that somebody
/// wrote over mem's since is left alone.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only the hook before a push
    #[arg(long)]
    pre_push: bool,
    /// Only the hook before a commit
    #[arg(long)]
    pre_commit: bool,
    /// Those that are for every repository of yours
    #[arg(long)]
    global: bool,
}

/// Uninstalls, and says what is there now.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let hooks = Hook::chosen_hooks(args.pre_push, args.pre_commit, &Hook::ALL);
    let took = if args.global {
        git_hooks::uninstall_global(context.dirs()?, &context.cwd, &hooks)?
    } else {
        let folder = git_hooks::hooks_folder(&context.cwd)?;
        let take = |hook: &Hook| git_hooks::uninstall_hook(&folder.path, *hook);
        hooks.iter().map(take).collect::<Result<Vec<_>, _>>()?
    };
    if context.printer.json {
        let list = hooks
            .iter()
            .zip(&took)
            .map(|(hook, took)| json!({ "hook": hook.git_name(), "result": outcome_word(*took) }));
        let list: Vec<_> = list.collect();
        context.printer.print_json(&json!({ "hooks": list }))?;
        return Ok(Exit::Ok);
    }
    for (hook, took) in hooks.iter().zip(took) {
        let name = hook.git_name();
        context.printer.line(match took {
            UninstallOutcome::Restored => format!("{name}: the hook that was there before is back"),
            UninstallOutcome::Removed => format!("{name}: removed"),
            UninstallOutcome::Nothing => format!("{name}: not installed"),
        })?;
    }
    Ok(Exit::Ok)
}

const fn outcome_word(took: UninstallOutcome) -> &'static str {
    match took {
        UninstallOutcome::Restored => "restored",
        UninstallOutcome::Removed => "removed",
        UninstallOutcome::Nothing => "not-installed",
    }
}
