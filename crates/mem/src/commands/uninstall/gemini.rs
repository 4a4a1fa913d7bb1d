//! `mem uninstall gemini`: the hooks of Gemini CLI.

use anyhow::Result;

pub(crate) use super::hooks::Args;
use crate::context::Context;
use crate::exit::Exit;
use crate::hosts::HookHost;

/// Takes them out.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::hooks::uninstall_hooks(HookHost::Gemini, args, context)
}
