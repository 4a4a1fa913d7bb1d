//! `mem daemon run`: the daemon itself.

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;
use mem_daemon::system::leave_session;
use mem_jobs::DaemonJob;

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
    #[arg(long, hide = true, value_parser = DaemonJob::WORDS.map(|(word, _)| word))]
    job: Option<String>,
}

/// Runs until it is to end.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let job = DaemonJob::WORDS
        .iter()
        .find(|(word, _)| args.job.as_deref() == Some(word));
    if let Some((_, job)) = job {
        job.run(context)?;
        return Ok(Exit::Ok);
    }
    if args.detached {
        leave_session();
    }
    let place = context.enabled_place()?;
    mem_jobs::run_daemon(&place, args.service, context)?;
    Ok(Exit::Ok)
}
