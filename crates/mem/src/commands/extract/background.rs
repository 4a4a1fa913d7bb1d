//! A run that a host's hook has sent: behind everybody's back, and only where it is wanted.

use anyhow::Result;
use mem_daemon::background;
use mem_hooks::background::{extract_if_wanted, extraction_command};
use mem_hooks::log;
use mem_tools::error_text::shown_message;

use super::Args;
use crate::context::Context;
use crate::exit::Exit;

/// Lines of one run in that log.
const REMARKS_MAX: usize = 10;

/// Extracts where that is switched on. What goes wrong stands in the log of the hooks.
pub(super) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let (session, transcript) = (args.session.as_deref(), args.transcript.as_deref());
    if !background::leave_session(extraction_command(session, transcript)) {
        return Ok(Exit::Ok);
    }
    background::lower_priority();
    let remarks = extract_if_wanted(&args.session_args().query(), context);
    let remarks = remarks.unwrap_or_else(|error| vec![shown_message(&*error)]);
    for remark in remarks.iter().take(REMARKS_MAX) {
        log::log_event(context.dirs()?, context.now, "extract", session, remark);
    }
    Ok(Exit::Ok)
}
