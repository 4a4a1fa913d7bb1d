//! `mem daemon status`: whether one runs, and how it is.

use anyhow::Result;
use serde_json::Value;

use super::daemon_line::daemon_line;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::one_line;
use mem_daemon::daemon_view::DaemonView;
use mem_daemon::instance::{self, DaemonInstance};

/// Say whether a daemon runs here, and how it is
///
/// With --json: {"running","pid","protocol","state","started_at","last_sync","pending","pss_bytes",
/// "version","root","trouble"}; with --all a list of these, of those that run. `state` is watching,
/// polling, busy, blocked or stopping; null where none runs.
///
/// Example: mem daemon status --all
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The daemons of all repositories of this user
    #[arg(long)]
    pub(super) all: bool,
}

/// Prints it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let printer = &context.printer;
    if !args.all {
        let daemon = DaemonInstance::for_memory(&context.place()?, context)?;
        let look = DaemonView::of_place(&daemon.place);
        match printer.json {
            true => printer.print_json(&look.to_json())?,
            false => printer.line(daemon_line(&look, context))?,
        }
        return Ok(Exit::Ok);
    }
    let all = instance::all_daemons(context)?.into_iter();
    let looks: Vec<_> = all
        .map(|found| (found.root, DaemonView::of_place(&found.place)))
        .filter(|(_, look)| look.pid.is_some())
        .collect();
    if printer.json {
        let shapes: Vec<Value> = looks.iter().map(|(_, look)| look.to_json()).collect();
        printer.print_json(&shapes)?;
    } else if looks.is_empty() {
        printer.say("no daemon runs");
    } else {
        for (root, look) in &looks {
            printer.line(format_args!(
                "{}\n  {}",
                one_line(root),
                daemon_line(look, context)
            ))?;
        }
    }
    Ok(Exit::Ok)
}
