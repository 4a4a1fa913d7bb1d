//! `mem uninstall mcp`: the entry of the MCP server goes.

use anyhow::Result;

use super::DryRun;
use crate::commands::install::mcp::ClientTarget;
use crate::context::Context;
use crate::exit::Exit;

/// Take the MCP server out of a client's settings
///
/// Exactly what `mem install mcp` put in.
///
/// Example: mem uninstall mcp --client codex
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    target: ClientTarget,
    #[command(flatten)]
    dry_run: DryRun,
}

/// Takes it out.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::take_out(
        &args.target.client_installation(context)?,
        &args.dry_run,
        context,
    )
}
