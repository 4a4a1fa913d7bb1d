//! `mem session path`: where the notes are.

use anyhow::Result;
use serde_json::json;

use super::session_args::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;

/// Print where the notes are
///
/// The file need not exist yet.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints the path.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let chosen = args.session.choose_session(context)?;
    let path = chosen.place.notes.display();
    if context.printer.json {
        let transcript = chosen
            .transcript
            .as_ref()
            .map(|path| path.display().to_string());
        let id = &chosen.place.id;
        context.printer.print_json(
            &json!({ "session": id, "path": path.to_string(), "transcript": transcript }),
        )?;
    } else {
        context.printer.line(path)?;
    }
    Ok(Exit::Ok)
}
