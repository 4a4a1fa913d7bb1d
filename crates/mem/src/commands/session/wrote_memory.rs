//! `mem session wrote-memory`: whether the agent itself wrote memory.

use anyhow::Result;
use mem_agent::extraction::write_times::WriteTimes;
use mem_agent::wrote::{MemoryWrites, find_writes};
use mem_core::memory::ProjectMemory;
use serde_json::json;

use super::session_args::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;

/// Say whether the agent itself wrote memory
///
/// Looks at calls that succeeded in the session after the record with this id: file tools on memory files,
/// the memory tool, the tools of mem's MCP server, and shell commands during which the history has a write by an
/// agent or an unknown program. Where there is no such record, the whole transcript counts. Prints
/// {"wrote":bool,"by":[],"files":[],"since_found":bool} and exits with 0 either way.
///
/// Example: mem session wrote-memory --since 6f1c7a0e-0000-4000-8000-3b1d5c9a2e4f
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArgs,
    /// The `uuid` of the record after which to look
    #[arg(long, value_name = "UUID")]
    since: String,
}

/// Prints the answer.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let chosen = args.session.choose_session(context)?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let is_memory = |path: &std::path::Path| memory.under(&context.typed_path(path)).is_some();
    let times = WriteTimes::new(&memory, &chosen.place.id);
    let writes = MemoryWrites {
        is_memory: &is_memory,
        is_written: &|start, end| times.has(start, end),
    };
    let found = find_writes(chosen.transcript_path()?, &args.since, writes)?;
    times.finish()?;
    if !found.is_since_found {
        let text = "there is no such record: the whole transcript was looked at";
        context.printer.print_warning(text);
    }
    context.printer.print_json(&json!({
        "wrote": found.has_written(),
        "by": found.by,
        "files": found.files,
        "since_found": found.is_since_found,
    }))?;
    Ok(Exit::Ok)
}
