//! Names that memories had, as the histories know them: for links that lead nowhere.

use std::collections::BTreeSet;

use super::{ProjectMemory, ScopeDir};
use crate::history::{FileOperation, NoteId};
use crate::store::LocalStore;
use crate::topic::TopicFile;
use crate::{MemoryPath, Scope};

impl ProjectMemory {
    /// The stems of all files that memories ever had, and their titles before they were renamed or removed, the
    /// newest first. Where a history cannot be read, what was read of it until then.
    pub fn earlier_names(&self) -> Vec<(NoteId, String)> {
        let tiers: [&[Scope]; 2] = [&[Scope::Private, Scope::Team], &[Scope::Global]];
        let mut names = Vec::new();
        for (store, tiers) in self.distinct_stores().zip(tiers) {
            add_names(&mut names, store, tiers);
        }
        names
    }
}

/// Adds the names that the history of a store knows.
fn add_names(names: &mut Vec<(NoteId, String)>, store: &LocalStore, tiers: &[Scope]) {
    let Ok(Some(history)) = store.open_history() else {
        return;
    };
    let is_memory = |path: &MemoryPath| {
        let mut tiers = tiers.iter();
        tiers.any(|scope| ScopeDir(*scope).note(path).is_some())
    };
    // Memories of which the version before, the next one here, has another title or is the last one.
    let mut retitled: BTreeSet<NoteId> = BTreeSet::new();
    for entry in history.own_entries().map_while(Result::ok) {
        let versions = entry.change.versions.iter();
        for version in versions.filter(|version| is_memory(&version.path)) {
            let (note, stem) = (&version.note, version.path.stem());
            names.push((note.clone(), stem.to_owned()));
            if version.operation == FileOperation::Deleted {
                retitled.insert(note.clone());
                continue;
            }
            if retitled.remove(note)
                && let Ok(Some(bytes)) = history.content(entry.sequence, &version.path)
            {
                let title = TopicFile::parse(&bytes).title(stem).to_owned();
                names.push((note.clone(), title));
            }
            if let Some(from) = &version.renamed_from {
                names.push((note.clone(), from.stem().to_owned()));
                retitled.insert(note.clone());
            }
        }
    }
}
