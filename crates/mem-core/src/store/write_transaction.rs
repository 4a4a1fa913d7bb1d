//! What a plan works on: the files as they are, and the changes it wants.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::catalog::{Catalog, CatalogEntry};
use super::error::StoreError;
use super::tree::Tree;
use super::versions::Identities;
use super::walk::DirWalk;
use crate::MemoryPath;
use crate::history::{Brought, ChangeId, CitationSnapshot, History, NoteId, Sha256};

/// What a plan wants of one file.
#[derive(Clone, Debug)]
pub(super) struct FileWrite {
    /// The digest of what stands there, `None` for nothing.
    pub(super) before: Option<Sha256>,
    /// What stands there, for the gate.
    pub(super) old: Option<Vec<u8>>,
    /// What shall stand there, `None` for nothing. A large change is the same bytes as the caller's, not theirs again.
    pub(super) bytes: Option<Arc<Vec<u8>>>,
    /// The digest of `bytes`, once the plan is through.
    pub(super) after: Option<Sha256>,
    /// When the content came to be, where that is not now.
    pub(super) content_time: Option<Timestamp>,
    /// What the content rested on when it was written, where that is known already.
    pub(super) cited: Option<CitationSnapshot>,
    /// Who wrote the content elsewhere.
    pub(super) by: Option<String>,
}

impl FileWrite {
    /// The digest of what shall stand there.
    pub(super) fn digest(&self) -> Option<Sha256> {
        self.bytes.as_deref().map(|bytes| Sha256::digest(bytes))
    }
}

/// A change in the making. Reads see what was put before; nothing reaches the disk until the
/// plan is through and every gate has agreed.
#[derive(Debug)]
pub struct WriteTransaction<'s> {
    tree: &'s Tree,
    catalog: &'s Catalog,
    walk: &'s DirWalk,
    history: &'s History,
    store_key: &'s str,
    seen: BTreeMap<MemoryPath, Option<Sha256>>,
    pub(super) wishes: BTreeMap<MemoryPath, FileWrite>,
    pub(super) identities: Identities,
}

impl<'s> WriteTransaction<'s> {
    pub(super) fn new(
        tree: &'s Tree,
        catalog: &'s Catalog,
        walk: &'s DirWalk,
        history: &'s History,
        store_key: &'s str,
    ) -> Self {
        let (wishes, identities) = (BTreeMap::new(), Identities::default());
        let seen = BTreeMap::new();
        Self {
            tree,
            catalog,
            walk,
            history,
            store_key,
            seen,
            wishes,
            identities,
        }
    }

    /// The bytes of a file, `None` where there is none.
    ///
    /// # Errors
    /// It is a link, no regular file, or unreadable.
    pub fn read(&mut self, path: &MemoryPath) -> Result<Option<Vec<u8>>, StoreError> {
        if let Some(wish) = self.wishes.get(path) {
            return Ok(wish.bytes.as_deref().cloned());
        }
        let bytes = self.tree.read(path)?.map(|(bytes, _)| bytes);
        // What the plan builds on is what must still stand there when it is carried out.
        self.seen
            .entry(path.clone())
            .or_insert_with(|| bytes.as_deref().map(Sha256::digest));
        Ok(bytes)
    }

    /// Whether a file stands there.
    pub fn exists(&self, path: &MemoryPath) -> bool {
        match self.wishes.get(path) {
            Some(wish) => wish.bytes.is_some(),
            None => self.walk.files.contains_key(path),
        }
    }

    /// Whether there is a file, or was one before the plan began.
    pub fn stood(&self, path: &MemoryPath) -> bool {
        self.walk.files.contains_key(path) || self.exists(path)
    }

    /// What the system does not let be read, by its path in the directory, with the error.
    pub fn unreadable(&self) -> impl Iterator<Item = (&'s str, StoreError)> {
        let (walk, root) = (self.walk, self.tree.path());
        let skipped = walk.skipped.iter();
        skipped.filter_map(move |one| Some((&*one.path, one.error(root)?)))
    }

    /// Refuses a directory of which a part cannot be read.
    pub(super) fn require_readable(&self) -> Result<(), StoreError> {
        self.walk.require_readable(self.tree.path())
    }

    /// All files, in path order.
    pub fn files(&self) -> Vec<MemoryPath> {
        let mut files: Vec<MemoryPath> = self.iter_files().cloned().collect();
        files.sort_unstable();
        files
    }

    /// All files; those that the plan adds come last.
    pub fn iter_files(&self) -> impl Iterator<Item = &MemoryPath> {
        let is_new = |path: &&MemoryPath| !self.walk.files.contains_key(path);
        let added = self.wishes.keys().filter(is_new);
        let files = self.walk.files.keys().chain(added);
        files.filter(|path| self.exists(path))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// What stands there is a link or no regular file.
    pub fn put(&mut self, path: &MemoryPath, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.wish(path)?.bytes = Some(Arc::new(bytes));
        Ok(())
    }

    /// Writes a file whose content is older than this change.
    ///
    /// # Errors
    /// As [`WriteTransaction::put`].
    pub fn put_dated(
        &mut self,
        path: &MemoryPath,
        bytes: Vec<u8>,
        time: Timestamp,
    ) -> Result<(), StoreError> {
        let wish = self.wish(path)?;
        wish.bytes = Some(Arc::new(bytes));
        wish.content_time = Some(time);
        Ok(())
    }

    /// Says when the content of a file that was put here came to be, where that is not now.
    pub fn dates(&mut self, path: &MemoryPath, time: Timestamp) {
        if let Some(wish) = self.wishes.get_mut(path) {
            wish.content_time = Some(time);
        }
    }

    /// Writes a new file whose content is older than this change. Whether something stands there that the
    /// plan did not see is found out when the change is made: then nothing is, and the plan runs again.
    ///
    /// # Errors
    /// There is such a file already.
    pub fn create_dated(
        &mut self,
        path: &MemoryPath,
        bytes: Arc<Vec<u8>>,
        time: Timestamp,
    ) -> Result<(), StoreError> {
        if self.exists(path) || self.wishes.contains_key(path) {
            return Err(StoreError::Exists(path.clone()));
        }
        let wish = FileWrite {
            before: None,
            old: None,
            bytes: Some(bytes),
            after: None,
            content_time: Some(time),
            cited: None,
            by: None,
        };
        self.wishes.insert(path.clone(), wish);
        Ok(())
    }

    /// Says what the content of a file that was put here rested on when it was written; without it
    /// the gate is asked, for contents of this change.
    pub fn cites(&mut self, path: &MemoryPath, cited: CitationSnapshot) {
        if let Some(wish) = self.wishes.get_mut(path) {
            wish.cited = Some(cited);
        }
    }

    /// Says who wrote elsewhere what this change does to a file.
    pub fn written_by(&mut self, path: &MemoryPath, name: &str) {
        if let Some(wish) = self.wishes.get_mut(path) {
            wish.by = Some(name.to_owned());
        }
    }

    /// Removes a file.
    ///
    /// # Errors
    /// There is none, or it is no regular file.
    pub fn remove(&mut self, path: &MemoryPath) -> Result<(), StoreError> {
        let wish = self.wish(path)?;
        if wish.bytes.take().is_none() {
            return Err(StoreError::NotFound(path.clone()));
        }
        Ok(())
    }

    /// Removes a file because another one of this change says it now; the versions of both name the
    /// other's note.
    ///
    /// # Errors
    /// There is none, or it is no regular file.
    pub fn supersede(&mut self, old: &MemoryPath, new: &MemoryPath) -> Result<(), StoreError> {
        self.remove(old)?;
        let superseded = &mut self.identities.superseded;
        superseded.insert(old.clone(), new.clone());
        Ok(())
    }

    /// Moves a file; its note keeps its id and its age.
    ///
    /// # Errors
    /// There is none, or the new name is taken.
    pub fn rename(&mut self, from: &MemoryPath, to: &MemoryPath) -> Result<(), StoreError> {
        if self.exists(to) {
            return Err(StoreError::Exists(to.clone()));
        }
        // A move says nothing new: the memory keeps its age and what it rested on, whatever the time is.
        let bytes = self
            .read(from)?
            .ok_or_else(|| StoreError::NotFound(from.clone()))?;
        let known = self.catalog.get(from);
        let time = known.as_ref().map(|entry| entry.content_time);
        let cited = known.as_ref().map(CatalogEntry::cited);
        self.remove(from)?;
        self.put(to, bytes)?;
        let wish = self.wish(to)?;
        wish.content_time = time;
        wish.cited = cited;
        self.identities
            .renamed_from
            .insert(to.clone(), from.clone());
        Ok(())
    }

    /// Gives a file that is put here the id of a note that comes from elsewhere.
    pub fn adopt_id(&mut self, path: &MemoryPath, note: NoteId) {
        self.identities.notes.insert(path.clone(), note);
    }

    /// The files of this change that got an id from elsewhere.
    pub fn adopted(&self) -> impl Iterator<Item = (&MemoryPath, &NoteId)> {
        self.identities.notes.iter()
    }

    /// The id of the note at a path.
    pub fn note_id(&self, path: &MemoryPath) -> NoteId {
        self.catalog.note_id(self.store_key, path)
    }

    /// Makes another directory's history part of this one, together with the change.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn brings_history(&mut self, other: &History) -> Result<(), StoreError> {
        self.identities.brought = Brought::from_history(other)?;
        Ok(())
    }

    /// Notes that this change takes another one back.
    pub fn takes_back(&mut self, change: ChangeId) {
        self.identities.undoes.push(change);
    }

    /// The history as it was when the plan began.
    pub fn history(&self) -> &'s History {
        self.history
    }

    /// What was known of the directory when the plan began.
    pub fn catalog(&self) -> &Catalog {
        self.catalog
    }

    /// The wish for a file, begun from what stands there.
    fn wish(&mut self, path: &MemoryPath) -> Result<&mut FileWrite, StoreError> {
        if !self.wishes.contains_key(path) {
            let old = self.tree.read(path)?.map(|(bytes, _)| bytes);
            let now = || old.as_deref().map(Sha256::digest);
            // What the plan read first, and not what stands there now: an edit in between then fails the exchange, and the
            // plan runs again on it. The newer digest would have the plan overwrite a text that it never saw.
            let before = self.seen.get(path).copied().unwrap_or_else(now);
            let wish = FileWrite {
                before,
                bytes: old.clone().map(Arc::new),
                after: None,
                old,
                content_time: None,
                cited: None,
                by: None,
            };
            self.wishes.insert(path.clone(), wish);
        }
        let wish = self.wishes.get_mut(path);
        wish.ok_or_else(|| StoreError::NotFound(path.clone()))
    }
}
