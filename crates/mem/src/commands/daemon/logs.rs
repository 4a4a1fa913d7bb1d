//! `mem daemon logs`: what it says.

use anyhow::Result;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_core::regular_file;
use mem_daemon::instance::DaemonInstance;
use mem_daemon::log;

/// Show what it says
///
/// When it started and ended, and what went wrong, each once. No contents of memories stand there.
///
/// With --json: {"file","lines":[]}.
///
/// Example: mem daemon logs -n 20
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// At most so many lines, the newest ones
    #[arg(long, short = 'n', value_name = "N", default_value = "100")]
    lines: usize,
}

/// Prints the end of the log.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let house = DaemonInstance::for_memory(&context.place()?, context)?;
    let files = log::log_files(&house.log).into_iter();
    let texts: Vec<String> = files
        .filter_map(|file| regular_file::read_whole(file).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let newest = &lines[lines.len().saturating_sub(args.lines)..];
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ "file": house.log, "lines": newest }))?;
        return Ok(Exit::Ok);
    }
    for line in newest {
        printer.line(clean(line))?;
    }
    printer.detail(format_args!("in `{}`", house.log.display()));
    Ok(Exit::Ok)
}
