//! `mem daemon start`: one daemon for this repository.

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;
use mem_daemon::daemon_view::DaemonView;
use mem_daemon::instance::DaemonInstance;
use mem_daemon::start::{DaemonStart, start_daemon};

/// Start the daemon of this repository
///
/// Returns when its socket answers and its watches are set. Where one runs already, nothing happens; one
/// of another version is replaced unless it has something under way.
///
/// With --json: as `mem daemon status` has it.
///
/// Example: mem daemon start
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Starts it.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let house = DaemonInstance::for_memory(&place, context)?;
    let started = start_daemon(&house, context)?;
    if context.printer.json {
        context.print_json(&DaemonView::of_place(&house.place).to_json())?;
        return Ok(Exit::Ok);
    }
    context.say(match started {
        DaemonStart::Now => "a daemon looks after this repository's memory",
        DaemonStart::Before => "a daemon looks after this repository's memory already",
    });
    Ok(Exit::Ok)
}
