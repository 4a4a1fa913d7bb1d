//! `mem session due`: whether it is time for an update.

use anyhow::Result;
use mem_agent::session::due::{Due, Thresholds};
use mem_agent::session::update::advance_session;
use mem_core::host_settings::{self, is_auto_compacting};
use mem_core::project::Project;

use super::chosen::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;
use mem_agent::session::choice::ChosenSession;

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
    context.print_json(&check_due(&args.session, context)?)?;
    Ok(Exit::Ok)
}

/// The answer for a session.
///
/// # Errors
/// There is no such session, or no transcript of it.
pub(crate) fn check_due(session: &SessionArgs, context: &Context) -> Result<Due> {
    let place = context.place()?;
    is_due(&session.choose_session(context)?, &place.project, context)
}

/// Reads on in the transcript, and says whether it is time.
///
/// # Errors
/// There is no transcript, or it cannot be read.
pub(super) fn is_due(chosen: &ChosenSession, project: &Project, context: &Context) -> Result<Due> {
    let dirs = context.dirs()?;
    let settings = host_settings::read(dirs, project);
    let state = advance_session(&chosen.place, chosen.transcript_path()?)?;
    Ok(mem_agent::session::due::check_due(
        &Thresholds::default(),
        is_auto_compacting(dirs, &settings),
        state.updated,
        state.digest.counts,
    ))
}
