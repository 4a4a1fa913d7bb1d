//! An update that a host's hook has sent: behind everybody's back, only when it is due, one at a time.

use std::io::Read as _;

use anyhow::Result;
use mem_daemon::background;
use mem_hooks::background::{BackgroundUpdate, SUMMARY_BYTES_MAX, update_command, update_if_due};
use mem_hooks::log;
use mem_tools::error_text::shown_message;

use super::update::Args;
use crate::context::Context;
use crate::exit::Exit;

/// Updates where that is due. What goes wrong stands in the log of the hooks: nobody reads more.
pub(super) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let query = args.session.query();
    let (session, transcript) = (query.session.as_deref(), query.transcript.as_deref());
    let mut same = update_command(session, transcript, args.compacted);
    same.extend(args.no_model.then(|| "--no-model".to_owned()));
    if !background::leave_session(same) {
        return Ok(Exit::Ok);
    }
    background::lower_priority();
    let update = BackgroundUpdate {
        with_model: !args.no_model,
        is_compacted: args.compacted,
        read_summary: &read_summary,
    };
    let remark = update_if_due(&query, &update, context);
    if let Some(remark) = remark.unwrap_or_else(|error| Some(shown_message(&*error))) {
        log::log_event(
            context.dirs()?,
            context.now,
            "session-update",
            session,
            &remark,
        );
    }
    Ok(Exit::Ok)
}

/// What the hook has left on standard input.
fn read_summary() -> Option<String> {
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock().take(SUMMARY_BYTES_MAX as u64);
    { input }.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    (!text.trim().is_empty()).then(|| text.into_owned())
}
