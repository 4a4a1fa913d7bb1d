//! Who wrote a note of the team last.

use mem_core::Scope;
use mem_core::history::{HistoryEntry, Sha256};
use mem_core::memory::{Note, ProjectMemory};

/// The newest changes that are looked through: a prompt is waiting.
const CHANGES_MAX: usize = 500;

/// The name, as the history has it; `None` for other tiers, for a content that the history does not
/// have yet, and where that would take long to find.
pub fn author_name(memory: &ProjectMemory, note: &Note) -> Option<String> {
    if note.scope != Scope::Team {
        return None;
    }
    let history = memory.store(note.scope).open_history().ok()??;
    let changes = history
        .own_entries()
        .take(CHANGES_MAX)
        .map_while(Result::ok);
    let of = |entry: HistoryEntry| {
        let mut versions = entry.change.versions.iter();
        let version = versions.find(|version| version.note == note.id)?;
        Some((version.sha256, entry.change.author))
    };
    let (sha256, author) = changes.filter_map(of).next()?;
    // Somebody else wrote it since, whom nobody recorded yet.
    (sha256 == Some(Sha256::digest(&note.bytes))).then(|| {
        author
            .name
            .unwrap_or_else(|| author.actor.as_str().to_owned())
    })
}
