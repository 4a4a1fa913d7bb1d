//! `mem daemon restart`: end it and start it anew.

use anyhow::Result;

use super::start;
use crate::context::Context;
use crate::exit::Exit;
use mem_daemon::instance::DaemonInstance;
use mem_daemon::stop::stop_daemon;

/// End it and start it anew
///
/// What waits to be sent is sent first, for up to five seconds; what still waits then, the new one sends.
///
/// Example: mem daemon restart
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Ends it, and starts one.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    stop_daemon(&DaemonInstance::for_memory(&place, context)?.place)?;
    start::run(&start::Args {}, context)
}
