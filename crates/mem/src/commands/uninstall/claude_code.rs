//! `mem uninstall claude-code`: the hooks of Claude Code go.

use anyhow::Result;

use crate::commands::install::claude_code::hooks_installation;
use crate::context::Context;
use crate::exit::Exit;
use crate::hosts::HostScope;

/// Take out the hooks of Claude Code
///
/// Exactly what `mem install claude-code` put in: a file that it made goes, one that nobody has
/// changed since is as it was before, and of any other all else stays.
///
/// Example: mem uninstall claude-code --scope local
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Whose settings: user, project or local
    #[arg(long, default_value = "user", hide_possible_values = true)]
    scope: HostScope,
}

/// Takes them out.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::take_out(&hooks_installation(args.scope, context)?, context)
}
