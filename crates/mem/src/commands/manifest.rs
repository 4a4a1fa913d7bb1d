//! `mem manifest`: what a host shows a model that is to choose memories.

use anyhow::Result;
use mem_agent::select::{ManifestEntry, manifest_text};
use mem_core::compact_sort::CompactSort as _;
use mem_core::memory::{Note, ProjectMemory};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::note_json::NoteJson;
use crate::select::MemoryFilter;

/// Print one line a memory, for a model that chooses
///
/// Each line is `[type] file (time): description`, the newest first: all that a model needs to
/// choose memories without reading any. `mem recall --select` hands it to the model of the
/// settings (`model.command` or `model.api`).
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    selection: MemoryFilter,
}

/// Prints the lines.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let mut notes = memory.list(&args.selection.scopes())?.notes;
    notes.retain(|note| args.selection.admits_note(note));
    notes.compact_sort_by_key(|note| std::cmp::Reverse(note.modified));
    let labels: Vec<String> = notes.iter().map(Note::label).collect();
    let entries: Vec<ManifestEntry<'_>> = notes
        .iter()
        .zip(&labels)
        .map(ManifestEntry::of_note)
        .collect();
    let text = manifest_text(&entries);
    if context.printer.json {
        let memories: Vec<_> = notes.iter().map(NoteJson::from).collect();
        context.print_json(&json!({ "manifest": text, "memories": memories }))?;
    } else if text.is_empty() {
        context.say("no memory to choose from");
    } else {
        context.line(text.trim_end())?;
    }
    Ok(Exit::Ok)
}
