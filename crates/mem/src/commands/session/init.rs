//! `mem session init`: the file of the notes, from the template.

use anyhow::Result;
use mem_agent::session::notes::TEMPLATE;
use mem_agent::session::update::read_notes;
use mem_core::state_file;
use serde_json::json;

use super::session_args::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;
use mem_agent::session::selection::own_texts;

/// Make the file of the notes
///
/// From the template `session-memory/config/template.md` in the host's directory, else from the
/// built-in one with its ten sections. Notes that are there already stay as they are.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArgs,
}

/// Makes it and prints where.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    context.enabled_place()?;
    let place = args.session.choose_session(context)?.place;
    let is_new = read_notes(&place)?.is_none();
    if is_new {
        let own = own_texts(context)?.template;
        let text = own.as_deref().unwrap_or(TEMPLATE);
        state_file::write(&place.notes, text.as_bytes())?;
    }
    let path = place.notes.display();
    context.print_answer(
        &json!({ "session": place.id, "path": path.to_string(), "created": is_new }),
        path,
    )
}
