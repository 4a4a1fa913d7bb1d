//! The hooks of a host: what `mem install claude-code`, `codex`, `gemini`, `opencode` and `qwen` have in
//! common.

use std::path::{Path, PathBuf};

use anyhow::Result;
use mem_core::regular_file;

use super::{InstallReport, project_root};
use crate::context::Context;
use crate::exit::Exit;
use crate::hosts::{HookHost, HostFault, HostScope, Installation, ProgramDirs, What};

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
    #[arg(long, default_value = "user", hide_possible_values = true)]
    scope: HostScope,
    /// Print what the file would be, and write nothing
    #[arg(long)]
    print: bool,
}

// `mem install HOST` of each host.
crate::table::host_commands! {
    install_hooks;
    claude_code => Claude,
    codex => Codex,
    gemini => Gemini,
    opencode => Opencode,
    qwen => Qwen,
}

/// Installs the hooks, or prints them.
fn install_hooks(host: HookHost, args: &Args, context: &Context) -> Result<Exit> {
    let report = InstallReport {
        installation: hooks_installation(host, args.scope, context)?,
        scope: args.scope,
        next: host.profile().next.to_owned(),
    };
    report.carry_out(context, args.print, false)
}

/// The hooks of a host in a scope.
///
/// # Errors
/// The host has no file for the scope; there is no home directory, or no project.
pub(crate) fn hooks_installation(
    host: HookHost,
    scope: HostScope,
    context: &Context,
) -> Result<Installation> {
    let project = match scope {
        HostScope::User => PathBuf::new(),
        HostScope::Project | HostScope::Local => project_root(context)?,
    };
    let places = ProgramDirs {
        dirs: context.dirs()?,
        env: &context.env,
        project: &project,
    };
    let path = host.settings_file(scope, &places);
    let missing = HostFault::NoFile {
        client: host.profile().name,
        scope: scope.as_str(),
    };
    let what = What::Hooks(host);
    Ok(Installation {
        what,
        path: path.ok_or(missing)?,
    })
}

/// The hosts that a person uses and that have neither our hooks nor, in Claude Code, the plugin; each with the file
/// that would be changed.
///
/// # Errors
/// There is no home directory.
pub(crate) fn installable_hosts(context: &Context) -> Result<Vec<(HookHost, PathBuf)>> {
    let mut found = Vec::new();
    for host in HookHost::ALL {
        let installation = hooks_installation(host, HostScope::User, context)?;
        let text = regular_file::read_text(&installation.path).unwrap_or_default();
        // Hooks of Codex have a file of their own, which is not there before the first of them.
        let is_used = match host {
            HookHost::Claude => installation.path.is_file(),
            _ => {
                let folder = host.profile().home_folder(&installation.path);
                folder.is_some_and(Path::is_dir)
            }
        };
        let has_plugin = text.contains("\"mem@mem\"");
        if is_used && !installation.is_there() && !has_plugin {
            found.push((host, installation.path));
        }
    }
    Ok(found)
}
