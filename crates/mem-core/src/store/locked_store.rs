//! A memory directory under its lock, recovered and caught up: what every write begins with.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::apply_marker;
use super::catalog::Catalog;
use super::error::StoreError;
use super::history_repair::{self, HistoryRepair};
use super::local_store::LocalStore;
use super::lock::Lock;
use super::tree::Tree;
use super::walk::DirWalk;
use super::write_transaction::WriteTransaction;
use crate::Now;
use crate::history::{Change, History, HistoryError};

impl LocalStore {
    /// Finishes the write that a crash interrupted, for whoever has to know whether it was made before reading the
    /// files: until then a part of them may stand there.
    ///
    /// # Errors
    /// The lock cannot be had, or the system refuses.
    pub fn finish_interrupted(&self) -> Result<(), StoreError> {
        match self.places.history().exists() {
            true => LockedStore::begin_unseen(self).map(drop),
            false => Ok(()),
        }
    }
}

/// The parts of a store, held while the lock is.
#[derive(Debug)]
pub struct LockedStore<'s> {
    pub(super) store: &'s LocalStore,
    pub(super) tree: Tree,
    pub(super) history: History,
    pub(super) catalog: Catalog,
    pub(super) walk: DirWalk,
    pub(super) external_change: Option<Change>,
    pub(super) mended: Option<HistoryRepair>,
    _made: NewFolders,
    _lock: Lock,
}

/// Folders that were made for a write; those that are empty when it ends go again, so that a
/// refused write leaves no trace.
#[derive(Debug, Default)]
struct NewFolders(Vec<PathBuf>);

impl Drop for NewFolders {
    fn drop(&mut self) {
        for folder in &self.0 {
            // Not empty in the ordinary case.
            if std::fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

impl<'s> LockedStore<'s> {
    /// Takes the lock, finishes what a crash interrupted and records what others changed.
    pub(super) fn begin(store: &'s LocalStore, now: Now) -> Result<Self, StoreError> {
        Self::begin_with(store, |locked| locked.recover_and_record(now))
    }

    /// The same, without a look at what others changed.
    pub(super) fn begin_unseen(store: &'s LocalStore) -> Result<Self, StoreError> {
        Self::begin_with(store, Self::recover_and_walk)
    }

    /// The same, with an end to the waiting for the lock.
    pub(super) fn begin_unseen_within(
        store: &'s LocalStore,
        time: Duration,
    ) -> Result<Self, StoreError> {
        let made = make_dirs(store)?;
        let lock = Lock::acquire_within(&store.places, time)?;
        Self::begin_under(lock, made, store, Self::recover_and_walk)
    }

    /// The same where nobody has the lock; `None` where somebody has.
    pub(super) fn begin_if_free(store: &'s LocalStore) -> Result<Option<Self>, StoreError> {
        let made = make_dirs(store)?;
        let Some(lock) = Lock::acquire_if_free(&store.places)? else {
            return Ok(None);
        };
        Self::begin_under(lock, made, store, Self::recover_and_walk).map(Some)
    }

    /// The same, for a rewrite of the whole history: a damaged history is first replaced with everything that can be
    /// read of it.
    pub(super) fn begin_readable(store: &'s LocalStore, now: Now) -> Result<Self, StoreError> {
        Self::begin_with(store, |locked| {
            locked.recover_and_record(now)?;
            Ok(locked.history.require_readable()?)
        })
    }

    /// The same, settled in a way of one's own: once more where the history turns out to be damaged.
    pub(super) fn begin_with(
        store: &'s LocalStore,
        prepare: impl Fn(&mut Self) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let made = make_dirs(store)?;
        let lock = Lock::acquire(&store.places)?;
        Self::begin_under(lock, made, store, prepare)
    }

    fn begin_under(
        lock: Lock,
        made: NewFolders,
        store: &'s LocalStore,
        prepare: impl Fn(&mut Self) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let places = &store.places;
        // A refused write of somebody else may have taken the empty folder away meanwhile.
        crate::atomic::create_dirs(&places.root).map_err(StoreError::io("create", &places.root))?;
        let tree = Tree::open(&places.root)?;
        let tree = tree.ok_or_else(|| {
            StoreError::io("open", &places.root)(std::io::ErrorKind::NotFound.into())
        })?;
        if !places.history().exists() && !places.git_history().exists() {
            places.seal.begin()?;
        }
        let (history, mended) = history_repair::open(places)?;
        // Without the key of a sealed history nothing is written beside it, plain or sealed by another. Damage is
        // another matter, and told below.
        if let Err(lost @ HistoryError::Sealed(_)) = history.require_key() {
            return Err(lost.into());
        }
        let mut locked = Self {
            store,
            tree,
            history,
            catalog: Catalog::load(&places.catalog()),
            walk: DirWalk::default(),
            external_change: None,
            mended,
            _made: made,
            _lock: lock,
        };
        // Once only: damage that shows again in a history just begun anew is a fault of the disk, not of the file.
        match prepare(&mut locked) {
            Err(StoreError::History(damage)) if locked.can_repair(&damage) => {
                locked.repair(&damage)?;
                prepare(&mut locked)?;
            }
            settled => settled?,
        }
        Ok(locked)
    }

    /// Finishes what a crash interrupted and records what others changed.
    pub(super) fn recover_and_record(&mut self, now: Now) -> Result<(), StoreError> {
        self.recover_and_walk()?;
        self.external_change = self.record_external_edits(now)?;
        Ok(())
    }

    fn recover_and_walk(&mut self) -> Result<(), StoreError> {
        if self.mended.is_some() {
            // It is told by the history that took the place of the damaged one.
            self.catalog = Catalog::default();
        }
        // Recover before the walk, or a half-made change would be recorded as an external edit. Sweep after it: the
        // walk finds the leftovers. The file `writing` goes last, when nothing is left to finish.
        self.recover()?;
        self.walk = DirWalk::from_tree(&self.tree)?;
        self.sweep()?;
        self.end_applying();
        Ok(())
    }

    /// Nothing is to be finished, unless other programs have files open that are to be looked at again.
    pub(super) fn end_applying(&self) {
        if !self.tree.has_retired() {
            apply_marker::end(&self.store.places);
        }
    }

    /// Warnings, headed by what happened to a damaged history.
    pub(super) fn with_repaired(&self, mut warnings: Vec<String>) -> Vec<String> {
        warnings.splice(0..0, self.mended());
        warnings
    }

    /// What happened to a damaged history, for people.
    pub fn mended(&self) -> Option<String> {
        self.mended.as_ref().map(HistoryRepair::message)
    }

    /// What others changed since the last look, recorded just now.
    pub fn external_change(&self) -> Option<&Change> {
        self.external_change.as_ref()
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The newest state.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The files.
    pub fn walk(&self) -> &DirWalk {
        &self.walk
    }

    /// A draft on the newest state.
    pub(super) fn draft(&self) -> WriteTransaction<'_> {
        let key = &self.store.places.key;
        WriteTransaction::new(&self.tree, &self.catalog, &self.walk, &self.history, key)
    }

    /// Looks at the directory again after someone else wrote in the middle of a plan.
    pub(super) fn look_again(&mut self, now: Now) -> Result<(), StoreError> {
        self.walk = DirWalk::from_tree(&self.tree)?;
        if let Some(change) = self.record_external_edits(now)? {
            self.external_change = Some(change);
        }
        Ok(())
    }
}

/// Makes the state place and the memory directory; returns what is new of the latter.
fn make_dirs(store: &LocalStore) -> Result<NewFolders, StoreError> {
    let places = &store.places;
    crate::atomic::create_dirs(&places.state).map_err(StoreError::io("create", &places.state))?;
    let note = places.root_note();
    if !note.exists() {
        let text = format!("{}\n", places.root.display());
        crate::atomic::replace_file(&note, text.as_bytes())?;
    }
    let missing = places
        .root
        .ancestors()
        .take_while(|folder| !folder.exists());
    let made = NewFolders(missing.map(Path::to_path_buf).collect());
    crate::atomic::create_dirs(&places.root).map_err(StoreError::io("create", &places.root))?;
    Ok(made)
}
