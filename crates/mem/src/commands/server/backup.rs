//! `mem server backup`: a copy of a server's data, while it runs.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use super::place::Where;
use crate::context::Context;
use crate::exit::Exit;

/// Copy a server's data while it runs
///
/// Writes one file that `mem server restore` takes: one state of everything, complete, synced and
/// private. It holds contents and checksums of tokens; keep it as you keep the data. PostgreSQL has
/// pg_dump for this.
///
/// With --json: {"file","stores","memories","bytes"}.
///
/// Example: mem server backup --to /var/backups/mem.sqlite
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The file to make [default: a name with the time, in the current directory]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    #[command(flatten)]
    place: Where,
}

/// Makes the copy.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let named = || {
        let now = context.now.0.strftime("%Y%m%dT%H%M%SZ");
        PathBuf::from(format!("mem-server-{now}.sqlite"))
    };
    let to = context.cwd.join(args.to.clone().unwrap_or_else(named));
    let summary = args
        .place
        .with_database(context, async |database| database.backup(&to).await);
    let summary = summary?;
    if context.printer.json {
        context.printer.print_json(&json!({
            "file": to.to_string_lossy(),
            "stores": summary.stores,
            "memories": summary.memories,
            "bytes": summary.bytes,
        }))?;
    } else {
        context.printer.line(to.display())?;
        let (stores, memories) = (summary.stores, summary.memories);
        let text = format_args!("{memories} memories of {stores} stores");
        context.printer.say(text);
    }
    Ok(Exit::Ok)
}
