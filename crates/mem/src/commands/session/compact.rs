//! `mem session compact`: the notes for a compacted context.

use anyhow::Result;
use mem_agent::session::compact::compact_notes;
use mem_agent::session::notes::SessionNotes;
use mem_find::context_text::escape_data;
use serde_json::json;

use super::session_args::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;

/// Print the notes for a compacted context
///
/// Without the lines of guidance and the empty sections; each section is cut at the end of a line
/// to 2,000 tokens, and all of them to 12,000.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let chosen = args.session.choose_session(context)?;
    // The text goes into a model's context, and quotes what was said in the session.
    let text = escape_data(&compact_notes(&SessionNotes::parse(&chosen.read_notes()?)));
    context.print_answer(
        &json!({ "session": chosen.place.id, "notes": text }),
        text.trim_end(),
    )
}
