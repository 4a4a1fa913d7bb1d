//! The choice of a model among memories, where somebody wants it.

use anyhow::{Context as _, Result, bail};
use mem_agent::model::configured_model;
use mem_agent::select::{ManifestEntry, select_memories};
use mem_core::compact_sort::CompactSort as _;
use mem_core::location::ProjectContext;
use mem_core::memory::{Note, ProjectMemory};
use mem_find::answer::is_among;
use mem_find::request::RecallRequest;
use mem_find::session::ShownMemories;

use crate::commands::manifest::manifest_entry;
use crate::context::Context;

/// The labels of the memories that the configured model chooses for a prompt; `None`, with a
/// warning, where there is no choice that can be used: then our own ranking counts.
pub(crate) fn selected_labels(
    request: &RecallRequest,
    memory: &ProjectMemory,
    place: &ProjectContext,
    context: &Context,
) -> Option<Vec<String>> {
    match ask_model(request, memory, place, context) {
        Ok(labels) => Some(labels),
        Err(error) => {
            let text = format_args!("memories are chosen by rank: {error:#}");
            context.printer.print_warning(text);
            None
        }
    }
}

fn ask_model(
    request: &RecallRequest,
    memory: &ProjectMemory,
    place: &ProjectContext,
    context: &Context,
) -> Result<Vec<String>> {
    let model = configured_model(place, context)?;
    let model = model.context("neither `model.command` nor `model.api` is set")?;
    let mut notes = memory.list(&mem_core::Scope::ALL)?.notes;
    let seen = ShownMemories::for_memory(memory, request.session.as_deref());
    notes.retain(|note| is_asked(note, request, context) && !seen.has_seen(note));
    notes.compact_sort_by_key(|note| std::cmp::Reverse(note.modified));
    let labels: Vec<String> = notes.iter().map(Note::label).collect();
    let entries: Vec<ManifestEntry<'_>> = notes.iter().zip(&labels).map(manifest_entry).collect();
    let chosen = select_memories(&model, &entries, &request.prompt)?;
    if chosen.is_empty() {
        bail!("the model chose none");
    }
    Ok(chosen)
}

/// Whether the question's filters let a memory through.
fn is_asked(note: &Note, request: &RecallRequest, context: &Context) -> bool {
    let filter = &request.filter;
    let one_of =
        |list: &[String], word: &str| list.is_empty() || list.iter().any(|one| one == word);
    let kind = note.topic.kind.map(mem_core::MemoryType::as_str);
    let tagged = |tag: &String| filter.tags.iter().any(|one| one.eq_ignore_ascii_case(tag));
    one_of(&filter.kinds, kind.unwrap_or_default())
        && one_of(&filter.scopes, note.scope.as_str())
        && (filter.tags.is_empty() || note.topic.tags.iter().any(tagged))
        && !is_among(&request.exclude, note.scope, &note.file)
        && !note
            .topic
            .expires
            .is_some_and(|expires| expires.is_past(context.now.0))
}
