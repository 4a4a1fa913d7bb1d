//! Who wrote a note of the team last.

use mem_core::Scope;
use mem_core::memory::{Memory, Note};

/// The newest changes that are looked through: a prompt is waiting.
const CHANGES_MAX: usize = 500;

/// The name, as the history has it; `None` for other tiers, and where that would take long to find.
pub(super) fn author(memory: &Memory, note: &Note) -> Option<String> {
    if note.scope != Scope::Team {
        return None;
    }
    let history = memory.store(note.scope).open_history().ok()??;
    let changes = history
        .own_entries()
        .take(CHANGES_MAX)
        .map_while(Result::ok);
    let is_of = |version: &mem_core::history::Version| version.note == note.id;
    let mut changes = changes.filter(|entry| entry.change.versions.iter().any(is_of));
    let author = changes.next()?.change.author;
    Some(
        author
            .name
            .unwrap_or_else(|| author.actor.as_str().to_owned()),
    )
}
