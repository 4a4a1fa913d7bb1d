//! `mem daemon run`: the daemon itself.

use anyhow::Result;

use crate::context::Context;
use crate::daemon::run::{self as daemon, ProcessJob};
use crate::exit::Exit;
use mem_daemon::system::leave_session;

/// Be the daemon, in the foreground
///
/// For service managers, and to watch one at work. Prints `ready` once the socket answers and the watches
/// are set, and ends with SIGTERM, SIGINT or `mem daemon stop`.
///
/// Example: mem daemon run --service
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Do not end after a time without use
    #[arg(long)]
    service: bool,
    /// Leave the session of whoever starts it
    #[arg(long, hide = true)]
    detached: bool,
    /// Do one thing for a daemon, and end
    #[arg(long, hide = true)]
    job: Option<ProcessJob>,
}

/// Runs until it is to end.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if let Some(job) = args.job {
        daemon::run_job(job, context)?;
        return Ok(Exit::Ok);
    }
    if args.detached {
        leave_session();
    }
    let place = context.enabled_place()?;
    daemon::run_daemon(&place, args.service, context)?;
    Ok(Exit::Ok)
}
