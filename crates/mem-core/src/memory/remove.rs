//! Removing a memory: file and index line in one change.

use super::Memory;
use super::error::MemoryError;
use super::note::Note;
use super::pointer;
use super::tier::Tier;
use crate::history::Change;
use crate::store::{Order, WriteGate};

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

impl Memory {
    /// Removes a memory. Its content stays in the history.
    ///
    /// # Errors
    /// It is gone already, a gate refuses, or the system does.
    pub fn remove(
        &self,
        note: Note,
        order: &Order,
        gate: &dyn WriteGate,
    ) -> Result<Removed, MemoryError> {
        let tier = Tier(note.scope);
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
