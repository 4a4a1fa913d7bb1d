//! The choice of a model among memories, where somebody wants it.

use mem_core::compact_sort::CompactSort as _;
use mem_core::error::message_with_causes;
use mem_core::location::ProjectContext;
use mem_core::memory::{MemoryError, Note, ProjectMemory};
use mem_core::{MemoryType, RunContext, Scope};
use mem_find::answer::is_among;
use mem_find::request::RecallRequest;
use mem_find::session::ShownMemories;

use super::{ManifestEntry, SelectError, select_memories};
use crate::model::{ModelSettingError, configured_model};

/// Why no model chose.
#[derive(Debug, thiserror::Error)]
enum ChoiceError {
    /// None is set.
    #[error("neither `model.command` nor `model.api` is set")]
    Unset,
    /// It is set to what cannot be asked.
    #[error(transparent)]
    Setting(#[from] ModelSettingError),
    /// The memories cannot be listed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Its answer cannot be used.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// It wants none.
    #[error("the model chose none")]
    None,
}

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
                message_with_causes(&error)
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
) -> Result<Vec<String>, ChoiceError> {
    let model = configured_model(place, run)?;
    let model = model.ok_or(ChoiceError::Unset)?;
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
    let chosen = select_memories(&model, &entries, &request.prompt)?;
    if chosen.is_empty() {
        return Err(ChoiceError::None);
    }
    Ok(chosen)
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
