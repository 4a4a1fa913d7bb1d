//! What the history of the memory knows of names that no memory has.

use std::collections::BTreeMap;

use mem_core::history::NoteId;
use mem_core::memory::{Note, ProjectMemory};
use mem_drift::{EarlierName, EarlierNames};

/// The history, and the memories that are there. Nothing is read before a link asks.
#[derive(Debug)]
pub(super) struct NoteHistory {
    memory: ProjectMemory,
    /// The file of each memory that is there.
    files: BTreeMap<NoteId, String>,
}

impl NoteHistory {
    pub(super) fn new(memory: &ProjectMemory, all: &[Note]) -> Self {
        let files = all.iter().map(|note| (note.id.clone(), note.label()));
        Self {
            memory: memory.clone(),
            files: files.collect(),
        }
    }
}

impl EarlierNames for NoteHistory {
    fn earlier_names(&self) -> Vec<EarlierName> {
        let names = self.memory.earlier_names().into_iter();
        let names = names.map(|(note, name)| EarlierName {
            name,
            file: self.files.get(&note).cloned(),
        });
        names.collect()
    }
}
