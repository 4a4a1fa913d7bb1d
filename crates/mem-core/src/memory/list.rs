//! All memories of a tier, read without the lock.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;

use super::ProjectMemory;
use super::error::MemoryError;
use super::note::Note;
use super::scope_dir::{ScopeDir, tier_of};
use crate::index::MemoryIndex;
use crate::notes::INDEX_FILE;
use crate::store::{Snapshot, StoreError};
use crate::topic::TopicFile;
use crate::{MemoryPath, Scope};

/// The memories of some tiers, and what could not be read.
#[derive(Debug, Default)]
pub struct MemoryList {
    /// In tier order, then by file.
    pub notes: Vec<Note>,
    /// Files that could not be read, are no text or are not named in a way that can be, and why.
    pub warnings: Vec<String>,
    /// What is there and the system does not let be read; each has its warning, too.
    pub unreadable: Vec<UnreadableMemory>,
}

/// A memory whose file, or a folder that the system does not let be read.
#[derive(Debug)]
pub struct UnreadableMemory {
    /// The tier.
    pub scope: Scope,
    /// The path within its tier.
    pub file: MemoryPath,
    /// The absolute path.
    pub absolute: PathBuf,
    /// Why it cannot be read.
    pub error: StoreError,
}

impl ProjectMemory {
    /// The files that the index of a tier pins.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn pinned_files(&self, scope: Scope) -> Result<BTreeSet<String>, MemoryError> {
        let index = self.store(scope).read(&ScopeDir(scope).path(INDEX_FILE)?)?;
        Ok(MemoryIndex::parse(&index.unwrap_or_default()).pinned())
    }

    /// Lists the memories of some tiers. Takes no lock and writes nothing.
    ///
    /// # Errors
    /// A directory cannot be listed. A file or a folder in it that cannot be read is a warning.
    pub fn list(&self, scopes: &[Scope]) -> Result<MemoryList, MemoryError> {
        let mut listing = MemoryList::default();
        let project = [Scope::Private, Scope::Team];
        let is_in_project = self.is_one() && scopes.contains(&Scope::Private);
        let global: &[Scope] = if is_in_project { &[] } else { &[Scope::Global] };
        for (store, tiers) in self.stores().into_iter().zip([&project[..], global]) {
            if tiers.iter().any(|tier| scopes.contains(tier)) {
                let snapshot = store.snapshot()?;
                listing.add_skipped(&snapshot, tiers, scopes);
                for scope in tiers.iter().filter(|tier| scopes.contains(tier)) {
                    listing.read(&snapshot, *scope);
                }
            }
        }
        Ok(listing)
    }
}

impl MemoryList {
    /// Warns of what is no memory, and of what cannot be read in the tiers that are asked for.
    fn add_skipped(&mut self, snapshot: &Snapshot<'_>, tiers: &[Scope], scopes: &[Scope]) {
        let no_memory = snapshot.walk().skipped.iter();
        let no_memory = no_memory.filter(|one| !one.is_unreadable());
        self.warnings.extend(no_memory.map(ToString::to_string));
        for (path, error) in snapshot.unreadable() {
            match tier_of(path, tiers) {
                Some((scope, file, path)) if scopes.contains(&scope) => {
                    self.add_unreadable(scope, file, snapshot.absolute(&path), error);
                }
                Some(_) => {}
                None => self.warnings.push(error.to_string()),
            }
        }
    }

    fn add_unreadable(
        &mut self,
        scope: Scope,
        file: MemoryPath,
        absolute: PathBuf,
        error: StoreError,
    ) {
        self.warnings.push(error.to_string());
        self.unreadable.push(UnreadableMemory {
            scope,
            file,
            absolute,
            error,
        });
    }

    fn read(&mut self, snapshot: &Snapshot<'_>, scope: Scope) {
        let tier = ScopeDir(scope);
        for path in snapshot.walk().files.keys() {
            let Some(file) = tier.note(path) else {
                continue;
            };
            match snapshot.read(path) {
                Ok(Some((bytes, _))) => {
                    let note = note_of(snapshot, scope, file, path, bytes);
                    self.warnings.extend(note.text_warning());
                    self.notes.push(note);
                }
                Ok(None) => {}
                Err(error) => match MemoryPath::parse(file) {
                    Ok(file) if matches!(error, StoreError::Io { .. }) => {
                        self.add_unreadable(scope, file, snapshot.absolute(path), error);
                    }
                    _ => self.warnings.push(error.to_string()),
                },
            }
        }
    }
}

impl Note {
    /// Reads one memory of a tier; `None` where there is no file at this path of the store, or
    /// another tier's.
    ///
    /// # Errors
    /// It is a link, no regular file, too large or unreadable.
    pub fn read(
        snapshot: &Snapshot<'_>,
        scope: Scope,
        path: &MemoryPath,
    ) -> Result<Option<Self>, MemoryError> {
        let Some(file) = ScopeDir(scope).note(path) else {
            return Ok(None);
        };
        let read = snapshot.read(path)?;
        Ok(read.map(|(bytes, _)| note_of(snapshot, scope, file, path, bytes)))
    }
}

pub(super) fn note_of(
    snapshot: &Snapshot<'_>,
    scope: Scope,
    file: &str,
    path: &MemoryPath,
    bytes: Vec<u8>,
) -> Note {
    let topic = TopicFile::parse(&bytes);
    let modified = topic
        .modified
        .or_else(|| snapshot.content_time(path, &bytes));
    Note {
        id: snapshot.note_id_of(path, &bytes),
        scope,
        file: file.to_owned(),
        path: path.clone(),
        absolute: snapshot.absolute(path),
        modified: modified.unwrap_or(Timestamp::UNIX_EPOCH),
        cited: snapshot.cited(path, &bytes),
        topic,
        bytes,
    }
}
