//! Writing back what an editor made of a memory.

use super::ProjectMemory;
use super::error::MemoryError;
use super::note::Note;
use super::pointer;
use super::scope_dir::ScopeDir;
use crate::history::Change;
use crate::store::{ChangeMetadata, WriteGate, merge_text};
use crate::topic::TopicFile;

/// What was written back.
#[derive(Debug)]
pub struct Replaced {
    /// The change; `None` where nothing was edited.
    pub change: Option<Change>,
    /// Whether someone else's edit of other lines was merged in.
    pub merged: bool,
    /// What the gates had to say; an expiry that is past.
    pub warnings: Vec<String>,
}

impl ProjectMemory {
    /// Replaces the content of a memory, which was `note.bytes` when the editing began. The index
    /// line follows where title or description changed.
    ///
    /// # Errors
    /// Something else changed the same lines meanwhile, a gate refuses, or the system does.
    pub fn replace(
        &self,
        note: &Note,
        new: &[u8],
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<Replaced, MemoryError> {
        let tier = ScopeDir(note.scope);
        let written = self.store(note.scope).write(order, gate, |draft| {
            let now = draft.read(&note.path)?.unwrap_or_default();
            let merged = merge_text(&note.bytes, &now, new).ok_or_else(|| {
                let (now, wanted) = (now.clone(), new.to_vec());
                MemoryError::Overtaken {
                    path: note.path.clone(),
                    now,
                    wanted,
                }
            })?;
            let external_change = merged != new;
            let expires = TopicFile::parse(&merged).expires;
            pointer::follow(draft, tier, &note.path, Some(&note.bytes), &merged)?;
            draft.put(&note.path, merged)?;
            Ok::<_, MemoryError>((external_change, expires))
        })?;
        let (merged, expires) = written.value;
        let (change, mut warnings) = (written.change, written.warnings);
        warnings.extend(expires.and_then(|expires| expires.past_warning(order.now.0)));
        Ok(Replaced {
            change,
            merged,
            warnings,
        })
    }
}
