//! `mem team sync`: both directions; `pull` and `push`: one of them.

use anyhow::Result;
use mem_sync::client::Direction;

use super::Moving;
use crate::context::Context;
use crate::exit::Exit;

/// Take what colleagues wrote, send what is new here
///
/// Texts that were changed at both ends are merged by lines where that is clean; else the remote wins and
/// the local text is kept (`mem team resolve`). A file that was removed here comes back: `mem team delete`
/// is the way to delete for everybody. What holds a secret stays here, the rest goes. What a daemon sent and
/// took since the last of these runs is told too.
///
/// Exit codes: 0 in step, also where a conflict copy was kept; 1 something could not be shared; 3 a file holds a secret and
/// stays; 5 the remote cannot be reached, nothing is lost.
///
/// With --json: {"remote","repository","dry_run","not_modified","lost":[],"undeleted":[],"taken":[],"removed":[],
/// "merged":[],"conflicts":[],"pushed":[],"pushed_by_daemon":[],"taken_by_daemon":[],"revived":[],"deleted":[],
/// "kept":[],"absent":[],"in_review":[],"in_inbox":[],"turned_down":[],"undecided":[],"waiting":[],"overtaken":[],"behind":[],
/// "blocked":[{"file","why","rule","line"}],"held":[{"file","code","message"}],"not_taken":[{"file","why"}],
/// "not_shared":[{"file","why"}],"unscanned","error"}.
///
/// Example: mem team sync --dry-run
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    moving: Moving,
}

/// Makes the run.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.moving.run_direction(Direction::Both, context)
}

pub(crate) mod pull {
    use super::{Context, Direction, Exit, Moving, Result};

    /// Take what colleagues wrote, send nothing
    ///
    /// One batch, which `mem undo ID` takes back; `mem history` names its id and the author of each file. Exit
    /// codes and --json are those of `mem team sync`.
    ///
    /// Example: mem team pull
    #[derive(clap::Args, Debug)]
    pub(crate) struct Args {
        #[command(flatten)]
        moving: Moving,
    }

    /// Makes the run.
    pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
        args.moving.run_direction(Direction::Pull, context)
    }
}

pub(crate) mod push {
    use super::{Context, Direction, Exit, Moving, Result};

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
        args.moving.run_direction(Direction::Push, context)
    }
}
