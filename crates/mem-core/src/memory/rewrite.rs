//! Writing a memory's file by its name: created, replaced, or a piece of it changed.

use super::ProjectMemory;
use super::error::MemoryError;
use super::name_collisions::find_collision;
use super::pointer;
use super::save::topic_path;
use super::scope_dir::ScopeDir;
use crate::Scope;
use crate::frontmatter::{self, FieldEdit};
use crate::history::{Change, NoteId, Sha256};
use crate::store::{ChangeMetadata, StoreError, WriteGate, WriteOutcome};
use crate::topic::TopicFile;

/// Which file.
#[derive(Clone, Copy, Debug)]
pub struct RewriteTarget<'f> {
    /// The tier.
    pub scope: Scope,
    /// The file within the tier; `.md` may be left out.
    pub file: &'f str,
    /// Whether the index follows (not where a daily log is kept instead).
    pub with_index: bool,
}

/// What was written.
#[derive(Debug)]
pub struct RewriteOutcome {
    /// The memory's id.
    pub id: NoteId,
    /// The file within its tier.
    pub file: String,
    /// Its bytes as they are now.
    pub bytes: Vec<u8>,
    /// Whether the file is new.
    pub created: bool,
    /// The change; `None` where it said so already.
    pub change: Option<Change>,
    /// What the gates had to say.
    pub warnings: Vec<String>,
}

impl RewriteOutcome {
    /// The digest of the file as it is now.
    pub fn sha256(&self) -> Sha256 {
        Sha256::digest(&self.bytes)
    }
}

impl ProjectMemory {
    /// Writes what `make` makes of the file's bytes (`None`: there is no file yet). The index gets a
    /// line for a new file, and follows where title or description changed. Where the file is stamped
    /// with the time of its last change, so is this one.
    ///
    /// `make` is called again when somebody else wrote in between.
    ///
    /// # Errors
    /// Those of `make`; the name is none for a memory, or only looks like another one's; a gate
    /// refuses, or the system does. Nothing is written then.
    pub fn rewrite<E: From<MemoryError> + From<StoreError>>(
        &self,
        target: &RewriteTarget<'_>,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
        mut make: impl FnMut(Option<&[u8]>) -> Result<Vec<u8>, E>,
    ) -> Result<RewriteOutcome, E> {
        let tier = ScopeDir(target.scope);
        let path = topic_path(tier, target.file)?;
        let written = self.store(target.scope).write(order, gate, |draft| {
            if let Some(existing) = find_collision(draft, &path) {
                let path = path.clone();
                return Err(MemoryError::Twin { path, existing }.into());
            }
            let old = draft.read(&path)?;
            let made = make(old.as_deref())?;
            let bytes = match &old {
                Some(old) => stamped(old, made, order)?,
                None => made,
            };
            draft.put(&path, bytes.clone())?;
            if target.with_index {
                pointer::follow(draft, tier, &path, old.as_deref(), &bytes)?;
            }
            Ok::<_, E>((draft.note_id(&path), bytes, old.is_none()))
        })?;
        let (id, bytes, created) = written.value;
        Ok(RewriteOutcome {
            id,
            file: tier.file(&path).unwrap_or(path.as_str()).to_owned(),
            bytes,
            created,
            change: written.change,
            warnings: written.warnings,
        })
    }
}

impl ProjectMemory {
    /// Rewrites several files of the project's memory as one change; the index follows as in [`ProjectMemory::rewrite`]. A
    /// file of which `make` makes nothing, or that is gone, stays as it is.
    ///
    /// `make` is called again when somebody else wrote in between.
    ///
    /// # Errors
    /// A name is none for a memory; a gate refuses, or the system does. Nothing is written then.
    pub fn rewrite_each(
        &self,
        targets: &[RewriteTarget<'_>],
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
        mut make: impl FnMut(&RewriteTarget<'_>, &[u8]) -> Option<Vec<u8>>,
    ) -> Result<WriteOutcome<()>, MemoryError> {
        self.store(Scope::Private).write(order, gate, |draft| {
            for target in targets {
                let tier = ScopeDir(target.scope);
                let path = topic_path(tier, target.file)?;
                let Some(old) = draft.read(&path)? else {
                    continue;
                };
                let Some(made) = make(target, &old) else {
                    continue;
                };
                let bytes = stamped(&old, made, order)?;
                draft.put(&path, bytes.clone())?;
                if target.with_index {
                    pointer::follow(draft, tier, &path, Some(&old), &bytes)?;
                }
            }
            Ok(())
        })
    }
}

/// The file with the time of this change, where it carries the time of the one before.
fn stamped(old: &[u8], new: Vec<u8>, order: &ChangeMetadata) -> Result<Vec<u8>, MemoryError> {
    let before = TopicFile::parse(old).modified;
    let is_carried = before.is_some() && before == TopicFile::parse(&new).modified;
    match is_carried && old != new {
        true => Ok(frontmatter::edit(
            &new,
            &[FieldEdit::Modified(order.now.0)],
        )?),
        false => Ok(new),
    }
}
