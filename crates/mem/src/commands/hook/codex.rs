//! `mem hook codex`: what Codex runs at the events of a session.

use anyhow::Result;

pub(crate) use super::claude::Args;
use crate::context::Context;
use crate::exit::Exit;
use crate::hosts::HookHost;

/// Answers, and never fails.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::claude::answer_host(HookHost::Codex, args, context)
}
