//! How a memory directory and its state are: looked at without the lock, nothing written.

use std::fs::{self, TryLockError};

use super::error::StoreError;
use super::journal::Journal;
use super::tree::Tree;
use super::walk::Walk;
use super::write::Store;
use crate::{MemoryPath, regular_file};

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Temporary files that a killed write left behind.
    pub leftovers: Vec<String>,
    /// What cannot be a memory (links, sockets, odd names), and why.
    pub skipped: Vec<String>,
    /// Files that are kept and recorded but are no Markdown.
    pub strangers: Vec<MemoryPath>,
    /// Whether somebody made the directory a git checkout of their own.
    pub is_checkout: bool,
    /// The size of the journal.
    pub journal_bytes: u64,
    /// Whether the last change was begun and not finished; the next write finishes it.
    pub is_unfinished: bool,
    /// Whether a process holds the lock right now.
    pub is_locked: bool,
    /// That process, where the system tells.
    pub holder: Option<u32>,
}

impl Store {
    /// Looks at the directory, its journal and its lock.
    ///
    /// # Errors
    /// The directory or the journal cannot be read.
    pub fn health(&self) -> Result<Health, StoreError> {
        let places = &self.places;
        let tree = Tree::open(&places.root)?;
        let walk = tree.as_ref().map(Walk::of).transpose()?.unwrap_or_default();
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
            skipped: walk.skipped.iter().map(ToString::to_string).collect(),
            is_checkout: places.root.join(".git").exists(),
            journal_bytes: fs::metadata(places.journal()).map_or(0, |meta| meta.len()),
            is_unfinished: !is_locked && self.is_unfinished()?,
            is_locked,
            holder,
        })
    }

    fn is_unfinished(&self) -> Result<bool, StoreError> {
        let contents = Journal::of(&self.places).contents()?;
        let last = contents.and_then(|contents| contents.records.last().map(|one| one.commit));
        let head = match self.open_history()? {
            Some(history) => history.head()?,
            None => None,
        };
        Ok(last.is_some() && last != head)
    }

    /// Whether the lock is taken, and by whom.
    fn lock_state(&self) -> (bool, Option<u32>) {
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
