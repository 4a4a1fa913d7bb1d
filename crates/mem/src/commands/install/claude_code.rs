//! `mem install claude-code`: the hooks of Claude Code.

use anyhow::Result;

pub(crate) use super::hooks::Args;
use crate::context::Context;
use crate::exit::Exit;
use crate::hosts::HookHost;

/// Installs the hooks, or prints them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::hooks::install_hooks(HookHost::Claude, args, context)
}
