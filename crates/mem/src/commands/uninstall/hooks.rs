//! The hooks of a host are taken out.

use anyhow::Result;

use super::DryRun;
use crate::commands::install::values::parse_scope;
use crate::context::Context;
use crate::exit::Exit;
use mem_hosts::{HookHost, HostScope, Installation, InstallationKind};

/// Take out the hooks of a host
///
/// Exactly what `mem install HOST` put in: a file that it made goes, one that nobody has changed since is as it was
/// before, and of any other all else stays.
///
/// Example: mem uninstall claude-code --scope local
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Whose settings: user, project or, for Claude Code, local
    #[arg(long, default_value = "user", hide_possible_values = true, value_parser = parse_scope())]
    scope: HostScope,
    #[command(flatten)]
    dry_run: DryRun,
}

// `mem uninstall HOST` of each host.
crate::table::host_commands! {
    uninstall_hooks;
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

/// Takes them out.
fn uninstall_hooks(host: HookHost, args: &Args, context: &Context) -> Result<Exit> {
    let installation = Installation::for_run(InstallationKind::Hooks(host), args.scope, context)?;
    let was_there = installation.is_there();
    let exit = super::take_out(&installation, &args.dry_run, context)?;
    if let Some(readers) = host
        .profile()
        .readers
        .filter(|_| was_there && !args.dry_run.0)
    {
        context.say(format_args!(
            "{readers} read the same file: neither has hooks of mem now"
        ));
    }
    Ok(exit)
}
