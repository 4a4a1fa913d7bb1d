//! The choice of a model among memories, where somebody wants it.

use std::error::Error;

use mem_core::compact_sort::CompactSort as _;
use mem_core::error::message_with_causes;
use mem_core::location::ProjectContext;
use mem_core::memory::{Note, ProjectMemory};
use mem_core::{MemoryType, RunContext, Scope};
use mem_find::answer::is_among;
use mem_find::request::RecallRequest;
use mem_find::session::ShownMemories;

use super::{ManifestEntry, parse_selection, selection_question};
use crate::model::{ModelQuestion, configured_model};

/// The labels of the memories that the configured model chooses for a prompt; `None`, with a
/// warning, where there is no choice that can be used: then our own ranking counts.
pub fn selected_labels(
    request: &RecallRequest,
    memory: &ProjectMemory,
    place: &ProjectContext,
    run: &RunContext,
) -> Option<Vec<String>> {
    match ask_model(request, memory, place, run) {
        Ok(labels) => Some(labels),
        Err(error) => {
            let text = format!(
                "memories are chosen by rank: {}",
                message_with_causes(&*error)
            );
            run.print_warning(text);
            None
        }
    }
}

fn ask_model(
    request: &RecallRequest,
    memory: &ProjectMemory,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Vec<String>, Box<dyn Error>> {
    let model = configured_model(place, run)?;
    let model = model.ok_or("neither `model.command` nor `model.api` is set")?;
    let mut notes = memory.list(&Scope::ALL)?.notes;
    let seen = ShownMemories::for_memory(memory, request.session.as_deref());
    notes.retain(|note| is_asked(note, request, run) && !seen.has_seen(note));
    notes.compact_sort_by_key(|note| std::cmp::Reverse(note.modified));
    let labels: Vec<String> = notes.iter().map(Note::label).collect();
    let entries: Vec<ManifestEntry<'_>> = notes
        .iter()
        .zip(&labels)
        .map(ManifestEntry::of_note)
        .collect();
    let question = selection_question(&entries, &request.prompt);
    let answer = model.ask_model(ModelQuestion::Select, &question)?;
    let chosen = parse_selection(&answer, &entries);
    match chosen.ok_or("the model's answer names no memory of the manifest")? {
        chosen if chosen.is_empty() => Err("the model chose none".into()),
        chosen => Ok(chosen),
    }
}

/// Whether the question's filters let a memory through.
fn is_asked(note: &Note, request: &RecallRequest, run: &RunContext) -> bool {
    let filter = &request.filter;
    let one_of =
        |list: &[String], word: &str| list.is_empty() || list.iter().any(|one| one == word);
    let kind = note.topic.kind.map(MemoryType::as_str);
    let tagged = |tag: &String| filter.tags.iter().any(|one| one.eq_ignore_ascii_case(tag));
    one_of(&filter.kinds, kind.unwrap_or_default())
        && one_of(&filter.scopes, note.scope.as_str())
        && (filter.tags.is_empty() || note.topic.tags.iter().any(tagged))
        && !is_among(&request.exclude, note.scope, &note.file)
        && !note
            .topic
            .expires
            .is_some_and(|expires| expires.is_past(run.now.0))
}
