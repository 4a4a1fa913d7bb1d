//! `mem install claude-code`: the hooks of Claude Code.

use std::path::PathBuf;

use anyhow::Result;

use super::{InstallReport, project_root};
use crate::context::Context;
use crate::exit::Exit;
use crate::hosts::{HostScope, Installation, What};
use mem_core::regular_file;

/// Install the hooks of Claude Code
///
/// Enters `mem hook claude` for the start and end of a session, for prompts, for writes to memory, and
/// for compactions, in the settings of Claude Code. Whoever has the plugin needs no hooks in the
/// settings; where there are both, the plugin steps aside.
///
/// Example: mem install claude-code --scope local --print
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Whose settings: user (all your projects), project (shared by all who work on it) or local
    #[arg(long, default_value = "user", hide_possible_values = true)]
    scope: HostScope,
    /// Print what the file would be, and write nothing
    #[arg(long)]
    print: bool,
}

/// Installs the hooks, or prints them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let report = InstallReport {
        installation: hooks_installation(args.scope, context)?,
        scope: args.scope,
        host: "Claude Code",
    };
    report.carry_out(context, args.print, false)
}

/// The hooks of a scope.
///
/// # Errors
/// There is no home directory, or no project.
pub(crate) fn hooks_installation(scope: HostScope, context: &Context) -> Result<Installation> {
    let path: PathBuf = match scope {
        HostScope::User => context.dirs()?.base.join("settings.json"),
        HostScope::Project => project_root(context)?.join(".claude/settings.json"),
        HostScope::Local => project_root(context)?.join(".claude/settings.local.json"),
    };
    let what = What::Hooks;
    Ok(Installation { what, path })
}

/// The settings of a person who uses the host and has neither our hooks in them nor the plugin.
///
/// # Errors
/// There is no home directory.
pub(crate) fn installable_settings(context: &Context) -> Result<Option<PathBuf>> {
    let installation = hooks_installation(HostScope::User, context)?;
    let text = regular_file::read_text(&installation.path).unwrap_or_default();
    let is_wanted = installation.path.is_file() && !installation.is_there();
    let has_plugin = text.contains("\"mem@mem\"");
    Ok((is_wanted && !has_plugin).then_some(installation.path))
}
