//! The hooks of a host: what `mem install HOST` of each have in common.

use anyhow::Result;

use super::InstallReport;
use super::values::{parse_failure, parse_scope};
use crate::context::Context;
use crate::exit::Exit;
use mem_hosts::{HookHost, HostFault, HostScope, Installation, InstallationKind, OnFailure};

/// Install the hooks of a host
///
/// Enters `mem hook HOST` for the start of a session, for prompts and for writes to memory (in Claude Code also for
/// compactions and ends) in the settings of the host. Whoever has the plugin for Claude Code needs no hooks in the
/// settings; where there are both, the plugin steps aside.
///
/// Example: mem install claude-code --scope local --print
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Whose settings: user (all your projects), project (shared by all who work on it) or, for Claude Code, local
    #[arg(long, default_value = "user", hide_possible_values = true, value_parser = parse_scope())]
    scope: HostScope,
    /// In Claude Code: what becomes of a write when the hook that keeps secrets out cannot run: continue lets it through,
    /// block refuses it, and every other write and read of a file while `mem` is gone [default: as it stands, else continue]
    #[arg(long, value_name = "WHAT", hide_possible_values = true, value_parser = parse_failure())]
    on_failure: Option<OnFailure>,
    /// Print what the file would be, and write nothing
    #[arg(long)]
    print: bool,
}

// `mem install HOST` of each host.
crate::table::host_commands! {
    install_hooks;
    claude_code => Claude,
    codex => Codex,
    copilot => Copilot,
    cursor => Cursor,
    gemini => Gemini,
    opencode => Opencode,
    qwen => Qwen,
    // Its hooks are in the file of Copilot.
    vscode => Copilot,
}

/// Installs the hooks, or prints them.
fn install_hooks(host: HookHost, args: &Args, context: &Context) -> Result<Exit> {
    if args.on_failure.is_some() && !host.profile().has_failure_choice {
        return Err(HostFault::NoFailureChoice(host.profile().name).into());
    }
    let report = InstallReport {
        installation: Installation::for_run(InstallationKind::Hooks(host), args.scope, context)?,
        on_failure: args.on_failure,
        scope: args.scope,
        is_read_only: false,
        next: host.profile().next.to_owned(),
    };
    report.carry_out(context, args.print)
}
