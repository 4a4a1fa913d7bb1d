//! Removing memories: files and index lines in one change.

use super::ProjectMemory;
use super::error::MemoryError;
use super::note::Note;
use super::pointer;
use super::tier::ScopeDir;
use crate::Scope;
use crate::history::{Change, Sha256};
use crate::store::{ChangeMetadata, WriteGate};

/// What was removed.
#[derive(Debug)]
pub struct Removed {
    /// The memory as it was.
    pub note: Note,
    /// The change.
    pub change: Option<Change>,
    /// What the store had to say.
    pub warnings: Vec<String>,
}

/// What was removed at once.
#[derive(Debug)]
pub struct AllRemoved {
    /// The files within the tier that went. One that says something else by now is not among them.
    pub files: Vec<String>,
    /// The change; `None` where nothing went.
    pub change: Option<Change>,
    /// What the store had to say.
    pub warnings: Vec<String>,
}

impl ProjectMemory {
    /// Removes memories of one tier in one change, each only if it is as it was read. Their contents
    /// stay in the history.
    ///
    /// # Errors
    /// A gate refuses, or the system does. Nothing is removed then.
    pub fn remove_all(
        &self,
        scope: Scope,
        notes: &[Note],
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<AllRemoved, MemoryError> {
        let tier = ScopeDir(scope);
        let written = self.store(scope).write(order, gate, |draft| {
            let mut files = Vec::new();
            for note in notes.iter().filter(|note| note.scope == scope) {
                let now = draft.read(&note.path)?;
                if now.is_some_and(|now| Sha256::digest(&now) == Sha256::digest(&note.bytes)) {
                    draft.remove(&note.path)?;
                    pointer::remove(draft, tier, &note.file)?;
                    files.push(note.file.clone());
                }
            }
            Ok::<_, MemoryError>(files)
        })?;
        Ok(AllRemoved {
            files: written.value,
            change: written.change,
            warnings: written.warnings,
        })
    }

    /// Removes a memory. Its content stays in the history.
    ///
    /// # Errors
    /// It is gone already, a gate refuses, or the system does.
    pub fn remove(
        &self,
        note: Note,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<Removed, MemoryError> {
        let tier = ScopeDir(note.scope);
        let written = self.store(note.scope).write(order, gate, |draft| {
            draft.remove(&note.path)?;
            pointer::remove(draft, tier, &note.file)
        })?;
        Ok(Removed {
            note,
            change: written.change,
            warnings: written.warnings,
        })
    }
}
