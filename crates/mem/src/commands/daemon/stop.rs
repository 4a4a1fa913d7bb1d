//! `mem daemon stop`: end it.

use anyhow::Result;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use mem_core::plural::format_count;
use mem_daemon::instance::{self, DaemonInstance};
use mem_daemon::stop::{DaemonStop, stop_daemon};

/// End the daemon of this repository
///
/// What waits to be sent is sent first, for up to five seconds. Returns when the process is gone.
///
/// With --json: {"stopped":N}.
///
/// Example: mem daemon stop --all
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The daemons of all repositories of this user
    #[arg(long)]
    all: bool,
}

/// Ends one, or all.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let places = match args.all {
        true => instance::all_daemons(context)?
            .into_iter()
            .map(|found| found.place)
            .collect(),
        false => vec![DaemonInstance::for_memory(&context.place()?, context)?.place],
    };
    let (mut stopped, mut failure) = (0, None);
    for place in places {
        match stop_daemon(&place) {
            Ok(DaemonStop::Ended) => stopped += 1,
            Ok(DaemonStop::Absent) => {}
            // The others end all the same.
            Err(error) => failure = Some(error),
        }
    }
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ "stopped": stopped }))?;
    } else {
        printer.say(match (stopped, args.all) {
            (0, _) => "no daemon runs".to_owned(),
            (1, false) => "the daemon has ended".to_owned(),
            (count, _) => format!("{} ended", format_count(count, "daemon", "daemons")),
        });
    }
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(Exit::Ok),
    }
}
