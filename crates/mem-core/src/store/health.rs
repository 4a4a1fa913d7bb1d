//! How a memory directory and its state are: looked at without the lock, nothing written.

use std::fs::{self, TryLockError};

use super::error::StoreError;
use super::local_store::LocalStore;
use super::tree::Tree;
use super::walk::DirWalk;
use crate::{MemoryPath, regular_file};

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Temporary files that a killed write left behind.
    pub leftovers: Vec<String>,
    /// Files that are kept and recorded but are no Markdown.
    pub strangers: Vec<MemoryPath>,
    /// Whether somebody made the directory a git checkout of their own.
    pub is_checkout: bool,
    /// The size of the history on the disk.
    pub history_bytes: u64,
    /// Whether the last change was begun and not finished; the next write finishes it.
    pub is_unfinished: bool,
    /// Whether a process holds the lock right now.
    pub is_locked: bool,
    /// That process, where the system tells.
    pub holder: Option<u32>,
}

impl LocalStore {
    /// Looks at the directory, its history and its lock.
    ///
    /// # Errors
    /// The directory or the history cannot be read.
    pub fn health(&self) -> Result<Health, StoreError> {
        let places = &self.places;
        let tree = Tree::open(&places.root)?;
        let walk = tree
            .as_ref()
            .map(DirWalk::from_tree)
            .transpose()?
            .unwrap_or_default();
        let is_markdown = |path: &&MemoryPath| path.file_name().ends_with(".md");
        let (is_locked, holder) = self.lock_state();
        Ok(Health {
            strangers: walk
                .files
                .keys()
                .filter(|path| !is_markdown(path))
                .cloned()
                .collect(),
            leftovers: walk.leftovers,
            is_checkout: places.root.join(".git").exists(),
            history_bytes: history_bytes(&places.history()),
            is_unfinished: !is_locked && self.is_unfinished()?,
            is_locked,
            holder,
        })
    }

    fn is_unfinished(&self) -> Result<bool, StoreError> {
        Ok(match self.open_history()? {
            Some(history) => history.pending()?.is_some(),
            None => false,
        })
    }

    /// Whether the lock is taken, and by whom.
    pub(super) fn lock_state(&self) -> (bool, Option<u32>) {
        let Ok(file) = regular_file::open(&self.places.lock()) else {
            return (false, None);
        };
        // Taken for the moment that it is held here; a writer tries again after 200 µs.
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => (true, crate::platform::lock_holder(&file)),
            _ => (false, None),
        }
    }
}

/// The size of the files of a folder, 0 where there is none.
fn history_bytes(folder: &std::path::Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| entry.metadata().ok());
    sizes.map(|meta| meta.len()).sum()
}
