//! `mem daemon install`: a service of the system.

use anyhow::Result;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use mem_daemon::instance::DaemonInstance;
use mem_daemon::{stop, unit};

/// Let the system start it when you log in
///
/// Writes a user unit of systemd of which this repository has an instance, or an agent of launchd for this
/// repository, and starts it. A service does not end by itself. `mem daemon uninstall` takes it out again.
///
/// With --json: {"file","started"}.
///
/// Example: mem daemon install
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Write the file and start nothing
    #[arg(long)]
    no_start: bool,
}

/// Writes the file, and starts the service.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let house = DaemonInstance::for_memory(&place, context)?;
    let service = unit::Service::for_daemon(&house, context)?;
    let file = service.write(context.dirs()?)?;
    let is_started = match args.no_start {
        true => false,
        false => {
            // It would be in the way of the service.
            stop::stop_daemon(&house.place)?;
            service.start_service()
        }
    };
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ "file": file, "started": is_started }))?;
        return Ok(Exit::Ok);
    }
    printer.line(format_args!("wrote {}", file.display()))?;
    if !is_started && !args.no_start {
        printer.print_warning(format_args!(
            "the service manager does not answer, and starts nothing until you say: {}",
            service.by_hand()
        ));
    }
    Ok(Exit::Ok)
}
