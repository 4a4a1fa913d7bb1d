//! `mem man`: the manual pages.

use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;

/// Write the manual pages into a directory
///
/// Makes `mem.1` and one page for each command. The directory is made if it is not there.
///
/// With --json: {"path"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Where the pages go, such as `~/.local/share/man/man1`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Writes the pages, made from the same declarations that parse the command line.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let directory = &args.directory;
    std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(crate::cli::root_command(), directory))
        .with_context(|| format!("cannot write manual pages to `{}`", directory.display()))?;
    let shown = directory.display();
    let printer = &context.printer;
    printer.say_outcome(format_args!("manual pages are in `{shown}`"));
    if printer.json {
        printer.print_json(&json!({ "path": directory.to_string_lossy() }))?;
    }
    Ok(Exit::Ok)
}
