//! `mem session due`: whether it is time for an update.

use anyhow::Result;

use super::session_args::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;

/// Say whether it is time for an update
///
/// The first notes are due at 10,000 tokens of messages; later ones after 5,000 more and 3 calls of
/// tools, or after 5,000 more at a pause in the work; none while the host's auto-compaction is off.
/// Prints {"due":bool,"reason":text} and exits with 0 either way.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints the answer.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let chosen = args.session.choose_session(context)?;
    context.print_json(&chosen.check_due(&place.project, context)?)?;
    Ok(Exit::Ok)
}
