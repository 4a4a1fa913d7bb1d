//! A run that a host's hook has sent: behind everybody's back, and only where it is wanted.

use anyhow::Result;

use super::{Args, BACKGROUND};
use crate::context::Context;
use crate::detached;
use crate::error::Diagnosis;
use crate::exit::Exit;
use crate::extract::{self, Way};
use crate::hook_log;

/// Extracts where that is switched on. What goes wrong stands in the log of the hooks.
pub(super) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if !detached::leave(args.again()) {
        return Ok(Exit::Ok);
    }
    detached::step_back();
    if let Err(error) = extract_if_wanted(args, context) {
        let (dirs, now) = (context.dirs()?, context.now);
        let remark = Diagnosis::of(&error).message;
        hook_log::add(dirs, now, "extract", args.session.as_deref(), &remark);
    }
    Ok(Exit::Ok)
}

fn extract_if_wanted(args: &Args, context: &Context) -> Result<()> {
    let place = context.place()?;
    let is_wanted = place.config.boolean("extract.enabled").unwrap_or_default();
    if !place.location.enabled || !is_wanted || place.config.text("memory.write") == "read-only" {
        return Ok(());
    }
    let chosen = args.session_args().choose(context)?;
    extract::run(
        &chosen.place,
        chosen.transcript()?,
        &place,
        Way::default(),
        context,
    )?;
    Ok(())
}

impl Args {
    /// The words of a process that does the same.
    fn again(&self) -> Vec<String> {
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
