//! `mem store cat`.

use std::io::{self, IsTerminal as _};

use anyhow::Result;
use mem_stores::client::edits::StoreEditError;
use mem_stores::client::name_lookup;
use mem_stores::wire::ContentView;

use super::StoreArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// Print a memory
///
/// Byte for byte into a file or a pipe; on a terminal without what it would act on. With --json: the memory as
/// the server shows it.
///
/// Example: mem store cat "Release notes" /2026/spring.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// The path or the id of the memory
    #[arg(value_name = "MEMORY")]
    memory: String,
    /// A version of it, by its id, instead of what it is now
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
}

/// Asks and prints.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let (desk, store) = args.of.open_named_store(context)?;
    let printer = &context.printer;
    let text = match &args.version {
        Some(version) => {
            let version = desk.ask_server("asking for the version", |client| {
                client.version(&store.id, version, ContentView::Full)
            })?;
            if printer.json {
                printer.print_json(&version)?;
                return Ok(Exit::Ok);
            }
            version
                .content
                .ok_or(StoreEditError::NoContent(version.id))?
        }
        None => {
            let memory = desk.ask_server("asking for the memory", |client| {
                name_lookup::find_memory(client, &store.id, &args.memory, ContentView::Full)
            })?;
            if printer.json {
                printer.print_json(&memory)?;
                return Ok(Exit::Ok);
            }
            memory.content.unwrap_or_default()
        }
    };
    match io::stdout().is_terminal() {
        true => printer.line(clean(text.trim_end_matches('\n')))?,
        false => printer.raw(text.as_bytes())?,
    }
    Ok(Exit::Ok)
}
