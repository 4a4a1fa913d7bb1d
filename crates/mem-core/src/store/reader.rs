//! Reading without the lock: for commands that must not wait and must not write.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::OnceLock;

use super::catalog::{Catalog, CatalogEntry};
use super::error::StoreError;
use super::local_store::LocalStore;
use super::locked_store::LockedStore;
use super::tree::Tree;
use super::walk::{DirWalk, Stat};
use crate::MemoryPath;
use crate::history::{CitationSnapshot, History, NoteId, Sha256};

/// A look at a memory directory: names, stats, and what was last recorded about each file.
#[derive(Debug)]
pub struct Snapshot<'s> {
    store: &'s LocalStore,
    tree: Option<Tree>,
    walk: DirWalk,
    /// Read when first asked for: it is the larger half of a look.
    catalog: OnceLock<Catalog>,
    /// Files that were recorded and are gone, by their digest; gathered when first asked for.
    vanished: OnceLock<HashMap<Sha256, MemoryPath>>,
}

impl LocalStore {
    /// Looks at the directory as it is, after a change that a kill left there in part is finished. An absent
    /// directory is an empty one.
    ///
    /// # Errors
    /// It cannot be listed.
    pub fn snapshot(&self) -> Result<Snapshot<'_>, StoreError> {
        self.finish_applying();
        let tree = Tree::open(&self.places.root)?;
        let walk = tree
            .as_ref()
            .map(DirWalk::from_tree)
            .transpose()?
            .unwrap_or_default();
        Ok(Snapshot {
            store: self,
            tree,
            walk,
            catalog: OnceLock::new(),
            vanished: OnceLock::new(),
        })
    }
}

impl LocalStore {
    /// The bytes of one file as it stands, `None` where there is none; the others are not looked at.
    ///
    /// # Errors
    /// It is a link, no regular file, or unreadable.
    pub fn read(&self, path: &MemoryPath) -> Result<Option<Vec<u8>>, StoreError> {
        self.finish_applying();
        let tree = Tree::open(&self.places.root)?;
        let read = tree.map(|tree| tree.read(path)).transpose()?.flatten();
        Ok(read.map(|(bytes, _)| bytes))
    }

    /// The history as it is, without catching up; `None` where there is none.
    ///
    /// # Errors
    /// What stands in its place cannot be read.
    pub fn open_history(&self) -> Result<Option<History>, StoreError> {
        let places = &self.places;
        if places.git_history().exists() && !places.history().exists() {
            drop(LockedStore::begin_unseen(self)?);
        }
        Ok(History::open(&places.history(), &places.seal)?)
    }
}

impl Snapshot<'_> {
    /// The files.
    pub fn walk(&self) -> &DirWalk {
        &self.walk
    }

    /// What the system does not let be read, by its path in the directory, with the error.
    pub fn unreadable(&self) -> impl Iterator<Item = (&str, StoreError)> {
        let root = &self.store.places.root;
        let skipped = self.walk.skipped.iter();
        skipped.filter_map(move |one| Some((&*one.path, one.error(root)?)))
    }

    /// Rejects a directory of which a part cannot be read, for a command that has to reach every file.
    ///
    /// # Errors
    /// A file or a folder in it cannot be read.
    pub fn require_readable(&self) -> Result<(), StoreError> {
        self.walk.require_readable(&self.store.places.root)
    }

    /// What is no memory, and what the system does not let be read, as warnings.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let root = &self.store.places.root;
        self.walk.skipped.iter().map(move |one| {
            let error = one.error(root);
            error.map_or_else(|| one.to_string(), |error| error.to_string())
        })
    }

    /// What was last recorded.
    pub fn catalog(&self) -> &Catalog {
        let load = || Catalog::load(&self.store.places.catalog());
        self.catalog.get_or_init(load)
    }

    /// The bytes of a file and its stat, `None` where there is none.
    ///
    /// # Errors
    /// It is a link, no regular file, or unreadable.
    pub fn read(&self, path: &MemoryPath) -> Result<Option<(Vec<u8>, Stat)>, StoreError> {
        self.tree.as_ref().map_or(Ok(None), |tree| tree.read(path))
    }

    /// The bytes of a file that may be anybody's, `None` where there is none.
    ///
    /// # Errors
    /// As [`Snapshot::read`]; it is larger than `max` bytes.
    pub fn read_at_most(&self, path: &MemoryPath, max: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(tree) = &self.tree else {
            return Ok(None);
        };
        let Some((file, _)) = tree.open_file(path)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let read = file.take(max.saturating_add(1)).read_to_end(&mut bytes);
        let read = read.map_err(|error| tree.explain("read", path, error))? as u64;
        if read > max {
            return Err(StoreError::TooLarge {
                path: path.clone(),
                bytes: read,
                limit_bytes: max,
            });
        }
        Ok(Some(bytes))
    }

    /// The absolute path of a file.
    pub fn absolute(&self, path: &MemoryPath) -> std::path::PathBuf {
        self.store.places.root.join(path.as_str())
    }

    /// The id of the note at a path.
    pub fn note_id(&self, path: &MemoryPath) -> NoteId {
        self.catalog().note_id(&self.store.places.key, path)
    }

    /// The id of the note at a path whose file holds these bytes: also where the file was moved
    /// here, as the next command that writes will see.
    pub fn note_id_of(&self, path: &MemoryPath, bytes: &[u8]) -> NoteId {
        let moved = self.moved_here(path, bytes);
        moved.map_or_else(|| self.note_id(path), |entry| entry.note)
    }

    /// When the content of a file came to be: as recorded, or its mtime where it changed since.
    /// `bytes` are the file's, as just read: a file that was only touched or moved did not change.
    pub fn content_time(&self, path: &MemoryPath, bytes: &[u8]) -> Option<jiff::Timestamp> {
        let stat = self.walk.files.get(path)?;
        let is_known =
            |entry: &CatalogEntry| entry.stat.agrees(stat) || entry.sha256 == Sha256::digest(bytes);
        let known = self.catalog().get(path).filter(is_known);
        known
            .or_else(|| self.moved_here(path, bytes))
            .map(|entry| entry.content_time)
            .or_else(|| jiff::Timestamp::from_nanosecond(i128::from(stat.mtime_ns)).ok())
    }

    /// What the content of a file rested on when it was written, as recorded; empty where it changed
    /// since. `bytes` are the file's, as just read.
    pub fn cited(&self, path: &MemoryPath, bytes: &[u8]) -> CitationSnapshot {
        let stat = self.walk.files.get(path);
        let is_known = |entry: &CatalogEntry| {
            stat.is_some_and(|stat| entry.stat.agrees(stat))
                || entry.sha256 == Sha256::digest(bytes)
        };
        let known = self.catalog().get(path).filter(is_known);
        let known = known.or_else(|| self.moved_here(path, bytes));
        known.as_ref().map(CatalogEntry::cited).unwrap_or_default()
    }

    /// What was recorded of a file that is gone from where it was, and whose bytes stand here.
    fn moved_here(&self, path: &MemoryPath, bytes: &[u8]) -> Option<CatalogEntry> {
        if self.catalog().get(path).is_some() {
            return None;
        }
        let vanished = self.vanished.get_or_init(|| {
            let files = self.catalog().iter();
            let is_gone = |path: &MemoryPath| {
                !self.walk.files.contains_key(path) && !self.walk.is_unseen(path.as_str())
            };
            let gone = files.filter(|(path, _)| is_gone(path));
            gone.map(|(path, entry)| (entry.sha256, path)).collect()
        });
        if vanished.is_empty() {
            return None;
        }
        self.catalog().get(vanished.get(&Sha256::digest(bytes))?)
    }
}
