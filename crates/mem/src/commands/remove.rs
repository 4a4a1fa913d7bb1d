//! `mem remove`: file and index line go, the history keeps them.

use anyhow::Result;
use mem_core::Scope;
use mem_core::history::AuthorKind;
use mem_core::location::ProjectContext;
use mem_core::memory::{Note, ProjectMemory};
use mem_sync::client::Direction;
use mem_team::deletion::{self, Deletion};
use mem_team::shared::SharedFiles;
use mem_team::write_gates::ProjectGate;
use serde_json::json;

use super::team::run_in_place;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_core::host_user::undo_command;

/// Remove a memory
///
/// Takes the file and its line in MEMORY.md away as one change. The content stays in the
/// history: `mem undo` or `mem restore NAME` brings it back, `mem redact NAME` erases it.
///
/// The next sync would bring a memory back that the team has, so that one is deleted for everybody, as
/// `mem team delete` does it: after a question on a terminal, or with --yes. Otherwise nothing is removed.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The memory
    name: String,
    /// Look in one tier only
    #[arg(long)]
    scope: Option<Scope>,
    /// Why, for the audit trail (`mem log-audit`); on a terminal you are asked
    #[arg(long, allow_hyphen_values = true)]
    reason: Option<String>,
    /// Delete a memory that the team has for everybody, without a question
    #[arg(long)]
    yes: bool,
}

/// Why: as it was given, or as whoever sits at the terminal says. Nobody has to.
fn ask_reason(args: &Args, note: &Note, context: &Context) -> Result<Option<String>> {
    if args.reason.is_some() || context.printer.json || !context.is_interactive() {
        return Ok(args.reason.clone());
    }
    let question = format!(
        "why does {} go? (for the audit trail; Enter for no reason)",
        note.label()
    );
    Ok(context.ask_line(&clean(&question))?)
}

/// Deletes a memory that the team has for everybody, where a person says so; `None` where it is to be removed
/// here, or to be rejected with a hint.
fn for_everybody(
    args: &Args,
    note: &Note,
    place: &ProjectContext,
    context: &Context,
) -> Result<Option<Exit>> {
    let shared = SharedFiles::for_project(place, context).shared_keys(std::iter::once(&note.path));
    let Some(key) = shared
        .into_iter()
        .next()
        .filter(|_| note.scope == Scope::Team)
    else {
        return Ok(None);
    };
    let can_ask = context.is_interactive() && !context.printer.json;
    if context.author().actor == AuthorKind::Agent || !(args.yes || can_ask) {
        return Ok(None);
    }
    let label = note.label();
    let label = clean(&label);
    let question = format!(
        "the team has {label}: delete it for everybody? their copies go with their next sync"
    );
    context.require_confirmation(&question, args.yes)?;
    let (key, reason) = (&key, args.reason.as_deref());
    let (order, gate) = (
        context.change_metadata(deletion::VERB),
        ProjectGate::for_place(place, context),
    );
    let deletion = Deletion {
        key,
        reason,
        order: &order,
        gate: &gate,
    };
    run_in_place(place, Direction::Both, false, Some(deletion), context).map(Some)
}

/// Removes the memory.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let note = memory.find(&args.name, args.scope)?;
    if let Some(exit) = for_everybody(args, &note, &place, context)? {
        return Ok(exit);
    }
    let reason = context.stored_reason(ask_reason(args, &note, context)?);
    let has_reason = reason.is_some();
    let order = context.change_metadata("remove").because(reason);
    let removed = memory.remove(&note, &order, &ProjectGate::for_place(&place, context))?;
    context.warn_all(&removed.warnings);
    context.clean_up_when_due(&place, memory.store(note.scope));
    let (printer, change) = (&context.printer, removed.change.map(|change| change.id));
    let json = json!({
        "id": note.id, "file": note.file, "scope": note.scope.as_str(), "change": change,
    });
    printer.print_answer(&json, format_args!("removed {}", clean(&note.label())))?;
    if !printer.json {
        let undo = undo_command(None, note.scope);
        printer.say(format_args!("{undo} brings it back"));
        if !has_reason && !context.is_interactive() {
            printer.say("`mem log-audit` tells no reason: `--reason` gives one");
        }
    }
    Ok(Exit::Ok)
}
