//! An update that a host's hook has sent: behind everybody's back, only when it is due, one at a time.

use std::fs::{File, TryLockError};
use std::io::Read as _;
use std::path::Path;

use anyhow::Result;
use mem_agent::session::update::advance_session;
use mem_core::atomic;
use mem_core::memory::ProjectMemory;

use super::due::is_due;
use super::update::{Args, BACKGROUND, COMPACTED, update_notes};
use crate::context::Context;
use crate::detached;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::hook_log;
use mem_agent::session::choice::ChosenSession;
use mem_agent::use_figures;

/// A summary is cut after so many bytes: a pipe holds as many on every system, so that a hook can leave them in it.
pub(crate) const SUMMARY_BYTES_MAX: usize = 16 * 1024;

/// Updates where that is due. What goes wrong stands in the log of the hooks: nobody reads more.
pub(super) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if !detached::leave_session(args.rerun_arguments()) {
        return Ok(Exit::Ok);
    }
    detached::step_back();
    let session = args.session.session.clone();
    let remark = match update_if_due(args, context) {
        Ok(remark) => remark,
        Err(error) => Some(ErrorShape::from_error(&error).message),
    };
    if let Some(remark) = remark {
        let (dirs, now) = (context.dirs()?, context.now);
        hook_log::log_event(dirs, now, "session-update", session.as_deref(), &remark);
    }
    Ok(Exit::Ok)
}

/// Says what the log is to know.
fn update_if_due(args: &Args, context: &Context) -> Result<Option<String>> {
    let repository = context.place()?;
    if !repository.location.enabled {
        return Ok(None);
    }
    let transcript = args.session.transcript.iter();
    transcript.for_each(|path| detached::wait_for_file(path));
    let chosen = args.session.choose_session(context)?;
    // One process updates, one waits for it to end and then sees all that was said until then;
    // a third has nothing to add.
    let turn = next_turn(&chosen)?;
    let summary = args.compacted.then(read_summary).flatten();
    // What only this process knows is not dropped.
    if turn.is_none() && summary.is_none() {
        return Ok(None);
    }
    // Figures only: that they are missing keeps nobody from the notes.
    let memory = ProjectMemory::new(&repository.location, context.dirs()?);
    if let Some(transcript) = &chosen.transcript {
        let at = context.now.0.as_second();
        let _ = use_figures::measure_session(&chosen.place.id, transcript, &memory, at);
    }
    let is_wanted = match args.compacted {
        // However short a session is, the rest of it is gone from the context.
        true => {
            let state = advance_session(&chosen.place, chosen.transcript_path()?)?;
            state.digest.counts.tokens > 0
        }
        false => is_due(&chosen, &repository.project, context)?.due,
    };
    drop(turn);
    if !is_wanted {
        return Ok(None);
    }
    let done = update_notes(args, &chosen, summary, &repository, context)?;
    Ok(done
        .rejected
        .map(|reason| format!("no model rewrote the notes: {reason}")))
}

/// What the hook has left on standard input.
fn read_summary() -> Option<String> {
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock().take(SUMMARY_BYTES_MAX as u64);
    { input }.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    (!text.trim().is_empty()).then(|| text.into_owned())
}

/// The place of the one that waits; `None` where it is taken.
fn next_turn(chosen: &ChosenSession) -> Result<Option<File>> {
    let path = chosen.place.state.with_extension("next");
    atomic::create_dirs(path.parent().unwrap_or(Path::new(".")))?;
    let file = File::options().create(true).append(true).open(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

impl Args {
    /// The words of a process that does the same.
    fn rerun_arguments(&self) -> Vec<String> {
        let mut words = ["session", "update", "--quiet", BACKGROUND]
            .map(str::to_owned)
            .to_vec();
        words.extend(self.no_model.then(|| "--no-model".to_owned()));
        words.extend(self.compacted.then(|| COMPACTED.to_owned()));
        let named = &self.session;
        words.extend(named.session.iter().map(|id| format!("--session={id}")));
        let transcript = named.transcript.iter();
        words.extend(transcript.map(|path| format!("--transcript={}", path.display())));
        words
    }
}
