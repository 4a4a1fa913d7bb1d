//! `mem rename`: another title or file for a memory that stays the same memory.

use anyhow::Result;
use mem_core::Scope;
use mem_core::memory::ProjectMemory;
use mem_team::write_gates::ProjectGate;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::usage::{self, UsageError};

/// Rename a memory
///
/// Changes the title, the file made from it and the line in MEMORY.md as one change; the memory
/// keeps its id, its age and its history. A NEW that ends in `.md` renames the file alone.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The memory
    name: String,
    /// Its new title, or a new file name that ends in `.md`
    new: String,
    /// The new file, instead of one made from the title
    #[arg(long)]
    file: Option<String>,
    /// Look in one tier only
    #[arg(long)]
    scope: Option<Scope>,
}

/// Renames the memory, and says which others mention the old name.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    if args.new.trim().is_empty() {
        let hint = "give a title, or a file name that ends in `.md`";
        return Err(UsageError::new("the new name is empty", hint).into());
    }
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let note = memory.find(&args.name, args.scope)?;
    let (order, gate) = (
        context.change_metadata("rename"),
        ProjectGate::for_place(&place, context),
    );
    let renamed = memory
        .rename(&note, args.new.trim(), args.file.as_deref(), &order, &gate)
        .map_err(usage::memory_error)?;
    context.warn_all(&renamed.warnings);
    context.clean_up_when_due(&place, memory.store(note.scope));
    if context.printer.json {
        let change = renamed.change.as_ref().map(|change| change.id.as_str());
        let (from, to) = (&renamed.from, &renamed.to);
        context.print_json(&json!({
            "id": note.id, "from": from, "to": to, "change": change,
        }))?;
        return Ok(Exit::Ok);
    }
    let (from, to) = (clean(&renamed.from), clean(&renamed.to));
    context.line(format_args!("renamed {from} to {to}"))?;
    if renamed.from != renamed.to {
        warn_of_mentions(&memory, &note.file, context)?;
    }
    Ok(Exit::Ok)
}

/// Names the memories whose text still says the old name: they are not rewritten unasked.
fn warn_of_mentions(memory: &ProjectMemory, old: &str, context: &Context) -> Result<()> {
    let stem = old.strip_suffix(".md").unwrap_or(old);
    for note in memory.list(&Scope::ALL)?.notes {
        let text = note.topic.text(&note.bytes);
        if text.contains(&format!("[[{stem}]]")) || text.contains(&format!("({old})")) {
            let label = note.label();
            context.print_warning(format_args!("{label} still mentions {old}"));
        }
    }
    Ok(())
}
