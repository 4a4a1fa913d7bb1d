//! `mem hook install`.

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_hosts::git_hooks::{self, Hook, Script};

/// Scan for secrets before each push or commit of a repository
///
/// Without a choice it is the push that is scanned. Where git looks for hooks is respected
/// (core.hooksPath, husky, lefthook, pre-commit, worktrees); a hook that is there runs after
/// mem's. When mem itself breaks, git goes on and says so; --strict turns that round.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Scan what a push would send
    #[arg(long)]
    pre_push: bool,
    /// Scan what is staged before a commit
    #[arg(long)]
    pre_commit: bool,
    /// For every repository of yours
    #[arg(long)]
    global: bool,
    /// Block when the scan itself breaks
    #[arg(long)]
    strict: bool,
}

/// Installs, and says what runs.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let hooks = Hook::chosen_hooks(args.pre_push, args.pre_commit, &[Hook::PrePush]);
    let mem = git_hooks::this_program(&context.env)?;
    let script = |hook: &Hook| Script {
        hook: *hook,
        mem: mem.clone(),
        strict: args.strict,
        global: args.global,
        in_place: false,
    };
    let scripts: Vec<Script> = hooks.iter().map(script).collect();
    let mut created = None;
    let states = if args.global {
        git_hooks::install_global(context.dirs()?, &context.cwd, &scripts)?
    } else {
        let folder = git_hooks::hooks_folder(&context.cwd)?;
        let is_new = folder.configured.is_some() && !folder.path.exists();
        let install = |script| git_hooks::install_hook(&folder.path, script);
        let states = scripts.iter().map(install).collect::<Result<Vec<_>, _>>()?;
        // git's own directory of hooks is expected; a configured one may be anywhere on the machine.
        created = is_new.then_some(folder.path);
        states
    };
    if context.printer.json {
        let list = hooks.iter().zip(&states);
        let list: Vec<_> = list
            .map(|(hook, state)| super::status::hook_json(*hook, state))
            .collect();
        context.print_json(&serde_json::json!({ "hooks": list }))?;
        return Ok(Exit::Ok);
    }
    if let Some(folder) = created {
        let folder = folder.to_string_lossy();
        let line = format!("created `{}`, which core.hooksPath names", clean(&folder));
        context.line(line)?;
    }
    for (hook, state) in hooks.iter().zip(&states) {
        let path = state.path.to_string_lossy();
        let after = match &state.other {
            Some(_) => "; the hook that was there runs after it",
            None => "",
        };
        let line = format!("installed {} in `{}`{after}", hook.git_name(), clean(&path));
        context.line(line)?;
    }
    Ok(Exit::Ok)
}
