//! `mem inbox accept`: write what waits.

use anyhow::Result;
use mem_core::history::Change;
use mem_core::inbox::{InboxEntry, InboxError, ScopedEntry};
use mem_core::location::ProjectContext;
use mem_core::store::StoreError;
use mem_team::acceptance;
use mem_team::write_gates::ProjectGate;
use serde_json::{Value, json};

use super::{memory_of, summary_line};
use crate::changes;
use crate::context::Context;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::team::remarks;
use crate::unified::paint_diff;
use mem_core::unified_diff::unified_diff;

/// Write what waits
///
/// Each entry becomes one change of its author, with you as the one who agreed; `mem undo` takes it
/// back. What colleagues wrote and you accept at once is one change, which names each of them. What
/// was edited since in other lines stays. Where the same lines were edited the entry stays in the
/// inbox, both sides are shown, and the exit code is 4; the others are written all the same. An edit
/// of a memory that was removed or renamed since stays, too.
///
/// Example: mem inbox accept 3f9k2m1q
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The entries: ids, or beginnings of them
    #[arg(required_unless_present = "all", value_name = "ID")]
    ids: Vec<String>,
    /// Everything that waits
    #[arg(long, conflicts_with = "ids")]
    all: bool,
}

/// Accepts the entries, in the order in which they were written.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let found = memory_of(&place, context)?.chosen_entries(&args.ids, context)?;
    if found.is_empty() {
        context.say("nothing waits");
    }
    let mut outcome = AcceptOutcome::default();
    for some in found.chunk_by(ScopedEntry::is_accepted_with) {
        accept_together(some, &place, context, &mut outcome)?;
    }
    let AcceptOutcome {
        accepted,
        done,
        refused,
    } = outcome;
    if context.printer.json && (refused.is_none() || !accepted.is_empty()) {
        context.print_json(&json!({ "accepted": accepted }))?;
    }
    let done = done.into_iter().map(|one| (&one.store, &one.entry));
    if let Err(error) = acceptance::note_accepted(done, &place, context) {
        context.print_warning(ErrorShape::from_error(&error.into()).message);
    }
    match refused {
        Some(error) => Err(error),
        None => Ok(Exit::Ok),
    }
}

/// What became of the entries.
#[derive(Default)]
struct AcceptOutcome<'f> {
    accepted: Vec<Value>,
    done: Vec<&'f ScopedEntry>,
    /// The first one is told at the end: it decides on the exit code.
    refused: Option<anyhow::Error>,
}

/// Writes entries as one change, and where one of them is in the way, those before and behind it for themselves.
fn accept_together<'f>(
    some: &'f [ScopedEntry],
    place: &ProjectContext,
    context: &Context,
    outcome: &mut AcceptOutcome<'f>,
) -> Result<()> {
    let [first, _, ..] = some else {
        for one in some {
            match accept_entry(one, place, context) {
                Ok(shown) => {
                    outcome.accepted.push(shown);
                    outcome.done.push(one);
                }
                Err(error) => {
                    // Several entries may be about one file.
                    let id = changes::short_id(one.entry.id.as_str());
                    let error = error.context(format!("entry `{id}`"));
                    match outcome.refused {
                        None => outcome.refused = Some(error),
                        Some(_) => context.print_warning(ErrorShape::from_error(&error).message),
                    }
                }
            }
        }
        return Ok(());
    };
    let entries: Vec<&InboxEntry> = some.iter().map(|one| &one.entry).collect();
    let order = InboxEntry::joint_metadata(&entries, context);
    let gate = ProjectGate::with_consent(place, context);
    let written = match first.store.accept_all(&entries, &order, &gate) {
        Ok(written) => written,
        // Nobody is in the way of one alone, and each would wait as long again.
        Err(error @ InboxError::Store(StoreError::Locked { .. })) => {
            outcome.refused.get_or_insert(error.into());
            return Ok(());
        }
        Err(_) => {
            let (before, behind) = some.split_at(some.len() / 2);
            accept_together(before, place, context, outcome)?;
            return accept_together(behind, place, context, outcome);
        }
    };
    context.warn_all(&written.warnings);
    context.clean_up_when_due(place, &first.store);
    for one in some {
        let shown = print_accepted(one, written.change.as_ref(), context)?;
        outcome.accepted.push(shown);
        outcome.done.push(one);
    }
    Ok(())
}

/// Writes one entry and says so.
pub(super) fn accept_entry(
    found: &ScopedEntry,
    place: &ProjectContext,
    context: &Context,
) -> Result<Value> {
    let order = found.entry.accept_metadata(context);
    let gate = ProjectGate::with_consent(place, context);
    let written = match found.store.accept(&found.entry, &order, &gate) {
        Ok(written) => written,
        Err(error) => {
            show_overtaken(context, &error)?;
            return Err(error.into());
        }
    };
    context.warn_all(&written.warnings);
    remarks::delete_accepted(&found.store, &found.entry, place, context);
    context.clean_up_when_due(place, &found.store);
    print_accepted(found, written.change.as_ref(), context)
}

/// Says that an entry was written.
fn print_accepted(
    found: &ScopedEntry,
    change: Option<&Change>,
    context: &Context,
) -> Result<Value> {
    if !context.printer.json {
        let word = match change {
            Some(_) => "accepted",
            None => "accepted, and there already",
        };
        context.line(format_args!("{word}: {}", summary_line(found)))?;
    }
    Ok(json!({
        "id": found.entry.id,
        "change": change.map(|change| &change.id),
    }))
}

/// Shows both sides of a conflict.
fn show_overtaken(context: &Context, error: &InboxError) -> Result<()> {
    let InboxError::Overtaken {
        path, now, wanted, ..
    } = error
    else {
        return Ok(());
    };
    let diff = unified_diff(path.as_str(), Some(now), wanted.as_deref());
    match context.printer.json {
        true => context.print_json(&json!({ "conflict": { "file": path, "diff": diff } }))?,
        false => context.line(paint_diff(&diff))?,
    }
    Ok(())
}
