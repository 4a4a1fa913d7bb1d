//! `mem session prompt`: what a model is asked.

use anyhow::Result;
use mem_agent::session::notes::{SessionNotes, TEMPLATE};
use mem_agent::session::prompt::update_prompt;
use mem_agent::session::update::read_notes;
use serde_json::json;

use super::session_args::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;
use mem_agent::session::selection::own_texts;

/// Print what a model is asked to rewrite the notes
///
/// The text is `session-memory/config/prompt.md` in the host's directory, else the built-in one;
/// {{currentNotes}} and {{notesPath}} stand for the notes and for their file.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = args.session.choose_session(context)?.place;
    let own = own_texts(context)?;
    let text = match read_notes(&place)? {
        Some(text) => text,
        None => own.template.unwrap_or_else(|| TEMPLATE.to_owned()),
    };
    let prompt = update_prompt(
        own.prompt.as_deref(),
        &SessionNotes::parse(&text),
        &place.notes,
    );
    context.print_answer(
        &json!({ "session": place.id, "prompt": prompt }),
        prompt.trim_end(),
    )
}
