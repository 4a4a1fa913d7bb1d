//! Files of a memory directory changed as they are, by a caller that brings whole bytes: no byte is
//! altered, and the index line follows where an index is kept.

use super::error::MemoryError;
use super::name_collisions::find_collision;
use super::pointer;
use super::scope_dir::ScopeDir;
use crate::MemoryPath;
use crate::store::{ChangeMetadata, LocalStore, StoreError, WriteGate, WriteTransaction};

/// The files of one store.
#[derive(Clone, Debug)]
pub struct StoreMemories {
    store: LocalStore,
    has_index: bool,
}

impl StoreMemories {
    /// The files of a store; `has_index` says whether `MEMORY.md` gets lines.
    pub fn new(store: LocalStore, has_index: bool) -> Self {
        Self { store, has_index }
    }

    /// The store.
    pub fn store(&self) -> &LocalStore {
        &self.store
    }

    /// Whether `MEMORY.md` gets lines.
    pub fn has_index(&self) -> bool {
        self.has_index
    }

    /// Writes a file: `make` is given what stands there, `None` for nothing, and returns what shall.
    /// Returns what the gates had to say.
    ///
    /// # Errors
    /// Those of `make`; a file of a name that only looks different; a gate refuses; the system does.
    pub fn write<E: From<MemoryError> + From<StoreError>>(
        &self,
        path: &MemoryPath,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
        mut make: impl FnMut(Option<&[u8]>) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<String>, E> {
        let written = self.store.write(order, gate, |draft| {
            let old = draft.read(path)?;
            if let (None, Some(existing)) = (&old, find_collision(draft, path)) {
                let path = path.clone();
                return Err(MemoryError::Twin { path, existing }.into());
            }
            let new = make(old.as_deref())?;
            draft.put(path, new.clone())?;
            self.point(draft, path, old.as_deref(), &new)?;
            Ok::<(), E>(())
        })?;
        Ok(written.warnings)
    }

    /// Removes a file, or all files of a folder, in one change. Their contents stay in the history.
    ///
    /// # Errors
    /// A gate refuses, or the system does.
    pub fn remove(
        &self,
        path: &MemoryPath,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<Vec<String>, MemoryError> {
        let written = self.store.write(order, gate, |draft| {
            for file in at_or_below(draft, path) {
                draft.remove(&file)?;
                self.unpoint(draft, &file)?;
            }
            Ok::<(), MemoryError>(())
        })?;
        Ok(written.warnings)
    }

    /// Moves a file, or a folder with all its files, in one change.
    ///
    /// # Errors
    /// A new name is taken; a gate refuses; the system does.
    pub fn rename(
        &self,
        from: &MemoryPath,
        to: &MemoryPath,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<Vec<String>, MemoryError> {
        let written = self.store.write(order, gate, |draft| {
            for file in at_or_below(draft, from) {
                let rest = &file.as_str()[from.as_str().len()..];
                let target = MemoryPath::parse(&format!("{to}{rest}"))?;
                let twin = find_collision(draft, &target).filter(|twin| *twin != file);
                if let Some(existing) = twin {
                    let path = target;
                    return Err(MemoryError::Twin { path, existing });
                }
                draft.rename(&file, &target)?;
                self.repoint(draft, &file, &target)?;
            }
            Ok::<(), MemoryError>(())
        })?;
        Ok(written.warnings)
    }

    /// The tier and the name in it of a file that an index lists.
    fn listed<'p>(&self, path: &'p MemoryPath) -> Option<(ScopeDir, &'p str)> {
        let tier = self.tier(path);
        let file = pointer::listed(tier, path).filter(|_| self.has_index)?;
        Some((tier, file))
    }

    fn tier(&self, path: &MemoryPath) -> ScopeDir {
        ScopeDir(self.store.tiers().scope_of(path))
    }

    /// Brings the line of a file that was written in step.
    fn point(
        &self,
        draft: &mut WriteTransaction<'_>,
        path: &MemoryPath,
        old: Option<&[u8]>,
        new: &[u8],
    ) -> Result<(), MemoryError> {
        match self.has_index {
            true => pointer::follow(draft, self.tier(path), path, old, new),
            false => Ok(()),
        }
    }

    fn unpoint(
        &self,
        draft: &mut WriteTransaction<'_>,
        path: &MemoryPath,
    ) -> Result<(), MemoryError> {
        match self.listed(path) {
            Some((tier, file)) => pointer::remove(draft, tier, file),
            None => Ok(()),
        }
    }

    fn repoint(
        &self,
        draft: &mut WriteTransaction<'_>,
        from: &MemoryPath,
        to: &MemoryPath,
    ) -> Result<(), MemoryError> {
        match (self.listed(from), self.listed(to)) {
            (Some((old, file)), Some((new, name))) if old == new => {
                pointer::rename(draft, old, file, name)
            }
            _ => {
                self.unpoint(draft, from)?;
                let bytes = draft.read(to)?.unwrap_or_default();
                self.point(draft, to, None, &bytes)
            }
        }
    }
}

/// The file itself, or the files of the folder.
fn at_or_below(draft: &WriteTransaction<'_>, path: &MemoryPath) -> Vec<MemoryPath> {
    let folder = format!("{path}/");
    let mut files = draft.files();
    files.retain(|file| file == path || file.as_str().starts_with(&folder));
    files
}
