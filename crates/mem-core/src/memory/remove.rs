//! Removing memories: files and index lines in one change.

use super::ProjectMemory;
use super::error::MemoryError;
use super::note::Note;
use super::pointer;
use super::scope_dir::ScopeDir;
use crate::Scope;
use crate::history::Sha256;
use crate::store::{ChangeMetadata, WriteGate, WriteOutcome};

impl ProjectMemory {
    /// Removes memories of one tier in one change, each only if it is as it was read. Their contents
    /// stay in the history. Returns the files within the tier that went.
    ///
    /// # Errors
    /// A gate refuses, or the system does. Nothing is removed then.
    pub fn remove_all(
        &self,
        scope: Scope,
        notes: &[Note],
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<WriteOutcome<Vec<String>>, MemoryError> {
        let tier = ScopeDir(scope);
        self.store(scope).write(order, gate, |draft| {
            let mut files = Vec::new();
            for note in notes.iter().filter(|note| note.scope == scope) {
                let now = draft.read(&note.path)?;
                if now.is_some_and(|now| Sha256::digest(&now) == Sha256::digest(&note.bytes)) {
                    draft.remove(&note.path)?;
                    pointer::remove(draft, tier, &note.file)?;
                    files.push(note.file.clone());
                }
            }
            Ok(files)
        })
    }

    /// Removes a memory. Its content stays in the history.
    ///
    /// # Errors
    /// It is gone already, a gate refuses, or the system does.
    pub fn remove(
        &self,
        note: &Note,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<WriteOutcome<()>, MemoryError> {
        let tier = ScopeDir(note.scope);
        self.store(note.scope).write(order, gate, |draft| {
            draft.remove(&note.path)?;
            pointer::remove(draft, tier, &note.file)
        })
    }
}
