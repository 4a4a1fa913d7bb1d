//! Sealing what is kept of a memory directory, under a new key, or opening it again: history and inbox.
//!
//! The place's key is appointed first, under the lock: whoever writes from then on uses
//! it. Then what is there is written anew, the history in one step. What is interrupted is finished by the next
//! run, and readers cope meanwhile: everything that is sealed names its key.
//!
//! ```text
//!  appoint new key | rewrite inbox | rewrite history | end the other keys
//!  keys   old, new   old, new        old, new          new
//!  sealed by old     old or new      new               new
//! ```
//!
//! **Invariant:** a key ends only after nothing is left that names it, and an entry that cannot be rewritten keeps all of
//! them. The other order (rewrite, then appoint) would leave whatever is written meanwhile under the old key.
//! Tests: `local::keys_change_while_others_write_and_the_old_ones_end`,
//! `local::a_change_of_keys_that_was_interrupted_is_finished_by_the_next_run`.

use std::fs;
use std::path::PathBuf;

use super::error::StoreError;
use super::local_store::LocalStore;
use super::locked_store::LockedStore;
use super::memory_paths::Tiers;
use crate::inbox::Inbox;
use crate::sealing::EncryptionTarget;
use crate::{Dirs, regular_file};

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResealOutcome {
    /// Changes of the history that were written anew; none where it was as it is to be.
    pub changes: usize,
    /// Entries of the inbox.
    pub waiting: usize,
    /// Entries that cannot be opened or written, each with the reason: they stay as they are, and so do the keys of
    /// before.
    pub unopened: Vec<(PathBuf, String)>,
    /// Keys that nothing is sealed with any more, and that are gone.
    pub ended: usize,
}

/// How it is, without a look at any content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SealState {
    /// The name of the key that new contents are sealed with.
    pub key: Option<String>,
    /// Whether all that is there is as new contents are.
    pub is_whole: bool,
    /// Whether nothing is there: a write was refused before anything began.
    pub is_empty: bool,
    /// Damaged histories that were set aside, which stay as they are.
    pub set_aside: usize,
}

/// The memory directories that something is kept of, and the folders of state whose directory is not known.
pub fn kept(dirs: &Dirs) -> (Vec<LocalStore>, Vec<PathBuf>) {
    let (mut stores, mut unknown) = (Vec::new(), Vec::new());
    let folders = fs::read_dir(dirs.stores()).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort_unstable();
    for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
        let root = regular_file::read_text(folder.join("root")).unwrap_or_default();
        let root = PathBuf::from(root.trim_end_matches('\n'));
        let tiers = match root == dirs.global_memory() {
            true => Tiers::Global,
            false => Tiers::Project,
        };
        let store = root
            .is_absolute()
            .then(|| LocalStore::new(&root, tiers, dirs))
            .filter(|store| store.places.state == folder);
        match store {
            Some(store) => stores.push(store),
            None => unknown.push(folder),
        }
    }
    (stores, unknown)
}

impl LocalStore {
    /// Seals what is kept of the directory, or opens it. The files of the directory stay as they are.
    ///
    /// # Errors
    /// A key cannot be had, or something not be opened or written: it is as it was, and can be read.
    pub fn reseal(&self, appointed: EncryptionTarget) -> Result<ResealOutcome, StoreError> {
        let locked = LockedStore::begin_unseen(self)?;
        let seal = &self.places.seal;
        seal.appoint(appointed)?;
        let (waiting, unopened) = Inbox::for_paths(&self.places).reseal();
        let mut resealed = ResealOutcome {
            waiting,
            unopened,
            ..ResealOutcome::default()
        };
        let key = seal.key_name()?;
        if locked.history.key_names()?.iter().any(|name| *name != key) {
            resealed.changes = locked.reseal_history()?;
        }
        if resealed.unopened.is_empty() {
            resealed.ended = seal.end_others()?;
        }
        Ok(resealed)
    }

    /// How that is by now. Takes no lock and no key.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn seal_state(&self) -> Result<SealState, StoreError> {
        let key = self.places.seal.key_name()?;
        let history = self.open_history()?;
        let names = match &history {
            Some(history) => history.key_names()?,
            None => Vec::new(),
        };
        let (sealed, other) = Inbox::for_paths(&self.places).count_sealed();
        let is_inbox_whole = match key {
            Some(_) => other == 0,
            None => sealed == 0,
        };
        Ok(SealState {
            is_empty: history.is_none() && sealed + other == 0,
            is_whole: is_inbox_whole && names.iter().all(|name| *name == key),
            set_aside: super::history_repair::count_damaged(&self.places),
            key,
        })
    }
}

impl LockedStore<'_> {
    fn reseal_history(mut self) -> Result<usize, StoreError> {
        let (history, proof) = self.history.reseal()?;
        let head = history.head()?;
        self.catalog.head = head;
        self.catalog.save(&self.store.places.catalog())?;
        Ok(proof.changes)
    }
}
