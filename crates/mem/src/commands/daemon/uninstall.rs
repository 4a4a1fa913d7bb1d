//! `mem daemon uninstall`: the service taken out.

use anyhow::Result;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use mem_daemon::instance::DaemonInstance;
use mem_daemon::unit;

/// Take the service out again
///
/// Ends it, and removes what `mem daemon install` wrote.
///
/// With --json: {"removed"}.
///
/// Example: mem daemon uninstall
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Removes it.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    let house = DaemonInstance::for_memory(&context.place()?, context)?;
    let is_removed = unit::Service::for_daemon(&house, context)?.remove_service(context.dirs()?)?;
    let printer = &context.printer;
    match (printer.json, is_removed) {
        (true, _) => printer.print_json(&json!({ "removed": is_removed }))?,
        (false, true) => printer.line("the service is gone")?,
        (false, false) => printer.line("there was no service for this repository")?,
    }
    Ok(Exit::Ok)
}
