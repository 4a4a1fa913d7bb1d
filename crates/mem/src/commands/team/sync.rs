//! `mem team sync`: both directions.

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
/// Exit codes: 0 in step; 1 something could not be shared; 3 a file holds a secret and stays; 5 the
/// remote cannot be reached, nothing is lost.
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
    super::run_direction(Direction::Both, &args.moving, context)
}
