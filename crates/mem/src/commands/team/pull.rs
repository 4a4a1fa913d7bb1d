//! `mem team pull`: from the remote to here.

use anyhow::Result;
use mem_sync::client::Direction;

use super::Moving;
use crate::context::Context;
use crate::exit::Exit;

/// Take what colleagues wrote, send nothing
///
/// One batch, which `mem undo` takes back; `mem history` names the author of each file. Exit codes and
/// --json are those of `mem team sync`.
///
/// Example: mem team pull
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    moving: Moving,
}

/// Makes the run.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::run_direction(Direction::Pull, &args.moving, context)
}
