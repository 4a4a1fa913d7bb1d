//! A run that a host's hook has sent: behind everybody's back, and only where it is wanted.

use anyhow::Result;
use mem_agent::access::MemoryAccess;
use mem_agent::extraction::{ExtractionMode, extract_session};
use mem_core::config::WriteMode;
use mem_team::gates::ProjectGate;

use super::{Args, BACKGROUND};
use crate::context::Context;
use crate::detached;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::hook_log;

/// Lines of one run in that log.
const REMARKS_MAX: usize = 10;

/// Extracts where that is switched on. What goes wrong stands in the log of the hooks.
pub(super) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if !detached::leave_session(args.rerun_arguments()) {
        return Ok(Exit::Ok);
    }
    detached::step_back();
    let remarks = match extract_if_wanted(args, context) {
        Ok(remarks) => remarks,
        Err(error) => vec![ErrorShape::from_error(&error).message],
    };
    let (dirs, now) = (context.dirs()?, context.now);
    for remark in remarks.iter().take(REMARKS_MAX) {
        hook_log::log_event(dirs, now, "extract", args.session.as_deref(), remark);
    }
    Ok(Exit::Ok)
}

/// Says why a model's answer was not taken, and what a person would be warned of.
fn extract_if_wanted(args: &Args, context: &Context) -> Result<Vec<String>> {
    let place = context.place()?;
    let values = &place.config.values;
    let is_wanted = values.extract.enabled && values.memory.write != WriteMode::ReadOnly;
    if !place.location.enabled || !is_wanted {
        return Ok(Vec::new());
    }
    args.transcript
        .iter()
        .for_each(|path| detached::wait_for_file(path));
    let chosen = args.session_args().choose_session(context)?;
    let mode = ExtractionMode {
        named: args.transcript.is_some(),
        ..ExtractionMode::default()
    };
    let access = MemoryAccess {
        place: &place,
        gate: &ProjectGate::for_place(&place, context),
        run: context,
    };
    let extracted = extract_session(&chosen.place, chosen.transcript_path()?, mode, &access)?;
    let rejected = extracted.rejected.into_iter();
    let rejected = rejected.map(|reason| format!("no model had a say: {reason}"));
    let told = extracted
        .doubt
        .into_iter()
        .chain(extracted.outcome.warnings);
    Ok(rejected.chain(told).collect())
}

impl Args {
    /// The words of a process that does the same.
    fn rerun_arguments(&self) -> Vec<String> {
        let mut words = ["extract", "--quiet", BACKGROUND]
            .map(str::to_owned)
            .to_vec();
        let transcript = self.transcript.iter();
        words.extend(transcript.map(|path| format!("--transcript={}", path.display())));
        words.extend(
            self.session
                .iter()
                .flat_map(|id| ["--".to_owned(), id.clone()]),
        );
        words
    }
}
