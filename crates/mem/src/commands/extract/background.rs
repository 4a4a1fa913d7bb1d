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
    let remark = match extract_if_wanted(args, context) {
        Ok(rejected) => rejected.map(|reason| format!("no model had a say: {reason}")),
        Err(error) => Some(Diagnosis::of(&error).message),
    };
    if let Some(remark) = remark {
        let (dirs, now) = (context.dirs()?, context.now);
        hook_log::add(dirs, now, "extract", args.session.as_deref(), &remark);
    }
    Ok(Exit::Ok)
}

/// Says why a model's answer was not taken.
fn extract_if_wanted(args: &Args, context: &Context) -> Result<Option<String>> {
    let place = context.place()?;
    let is_wanted = place.config.boolean("extract.enabled").unwrap_or_default();
    if !place.location.enabled || !is_wanted || place.config.text("memory.write") == "read-only" {
        return Ok(None);
    }
    let chosen = args.session_args().choose(context)?;
    let extracted = extract::run(
        &chosen.place,
        chosen.transcript()?,
        &place,
        Way {
            named: args.transcript.is_some(),
            ..Way::default()
        },
        context,
    )?;
    Ok(extracted.rejected)
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
