//! `mem session show`: the notes as they stand.

use anyhow::Result;
use serde_json::json;

use super::session_args::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// Print the notes
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let chosen = args.session.choose_session(context)?;
    let notes = chosen.read_notes()?;
    if context.printer.json {
        let (id, path) = (&chosen.place.id, chosen.place.notes.display().to_string());
        context.print_json(&json!({ "session": id, "path": path, "notes": notes }))?;
    } else {
        for line in notes.trim_end().lines() {
            context.line(clean(line))?;
        }
    }
    Ok(Exit::Ok)
}
