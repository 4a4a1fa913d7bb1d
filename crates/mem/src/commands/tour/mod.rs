//! `mem tour`: the main job, played for real in a throw-away home.

mod acts;
mod sandbox;

use anyhow::Result;

use self::sandbox::Stage;
use crate::context::Context;
use crate::exit::Exit;

/// See what mem does, for real, in a throw-away home
///
/// Makes a temporary home with a git repository and a worktree, runs this very program and git in
/// it, and shows every command with what it printed. Nothing of yours is read or written. Needs
/// git.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Keep the temporary home, and say where it is
    #[arg(long)]
    keep: bool,
}

/// Plays the acts in turn. One that does not go as told ends the tour with exit code 1.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let stage = Stage::set_up(context)?;
    acts::play_beginning(&stage)?;
    acts::play_recall(&stage)?;
    acts::play_safety(&stage)?;
    acts::play_agent(&stage)?;
    acts::play_secret(&stage)?;
    acts::play_team(&stage)?;
    acts::play_moving(&stage)?;
    stage.print_text("That was it. In a repository of your own: `mem init`, then `mem audit`.")?;
    if args.keep {
        let path = stage.keep_place();
        context.line(format_args!("kept: {}", path.display()))?;
    }
    Ok(Exit::Ok)
}
