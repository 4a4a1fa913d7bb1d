//! `mem team push`: from here to the remote.

use anyhow::Result;
use mem_sync::client::Direction;

use super::Moving;
use crate::context::Context;
use crate::exit::Exit;

/// Send what is new here, take nothing
///
/// What changed at both ends waits for a pull and is told; the exit code is 1 then. A file that holds a secret is
/// named with rule and line and stays here, the others go; the exit code is 3 then. Exit codes and --json are those of
/// `mem team sync`.
///
/// Example: mem team push
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    moving: Moving,
}

/// Makes the run.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::run_direction(Direction::Push, &args.moving, context)
}
