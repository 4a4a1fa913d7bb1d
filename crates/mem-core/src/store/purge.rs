//! Erasing a memory directory with everything that is kept about it. Nothing brings it back.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::error::StoreError;
use super::lock::Lock;
use super::tree::Tree;
use super::walk::Walk;
use super::write::Store;

/// What a purge takes away, or took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Purge {
    /// The memory directory.
    pub directory: PathBuf,
    /// How many files of it, and their bytes.
    pub files: usize,
    /// Their size.
    pub bytes: u64,
    /// Where history, catalog and journal are, where there are any.
    pub state: Option<PathBuf>,
    /// What stays in the directory because it is not memory's: hidden files, links.
    pub kept: Vec<String>,
}

impl Store {
    /// Says what [`Store::purge`] would erase.
    ///
    /// # Errors
    /// The directory cannot be listed.
    pub fn preview_purge(&self) -> Result<Purge, StoreError> {
        let tree = Tree::open(&self.places.root)?;
        let walk = tree.as_ref().map(Walk::of).transpose()?.unwrap_or_default();
        Ok(self.purge_of(&walk))
    }

    /// Erases the files of the directory, then its history and all other state. The directory
    /// goes when nothing else is in it. No process may be writing to it.
    ///
    /// # Errors
    /// Another process holds the lock; a file cannot be removed: what was removed before stays
    /// removed, and the history stays.
    pub fn purge(&self) -> Result<Purge, StoreError> {
        let places = &self.places;
        let Some(tree) = Tree::open(&places.root)? else {
            let purge = self.purge_of(&Walk::default());
            let _lock = match places.state.exists() {
                true => Some(Lock::acquire(places)?),
                false => None,
            };
            remove_state(self)?;
            return Ok(purge);
        };
        // The lock lives in the state place, which need not exist yet.
        crate::atomic::create_dirs(&places.state)
            .map_err(StoreError::io("create", &places.state))?;
        let lock = Lock::acquire(places)?;
        let walk = Walk::of(&tree)?;
        for path in walk.files.keys() {
            let Some(folder) = tree.folder(path)? else {
                continue;
            };
            folder
                .remove_file(path.file_name())
                .map_err(|error| tree.explain("remove", path, error))?;
        }
        for leftover in &walk.leftovers {
            // In a folder that is hidden or linked by now; then it is told as kept.
            let _ = tree.remove_leftover(leftover);
        }
        let purge = self.purge_of(&walk);
        remove_folders(&tree, &walk);
        // Refused where something else is in it.
        let _ = fs::remove_dir(&places.root);
        remove_state(self)?;
        drop(lock);
        Ok(purge)
    }

    fn purge_of(&self, walk: &Walk) -> Purge {
        let places = &self.places;
        let entries = fs::read_dir(&places.root).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let is_hidden = |name: &String| {
            name.starts_with('.') && !name.starts_with(super::walk::TEMPORARY_PREFIX)
        };
        let mut kept: Vec<String> = names.filter(is_hidden).collect();
        kept.extend(walk.skipped.iter().map(ToString::to_string));
        Purge {
            directory: places.root.clone(),
            files: walk.files.len(),
            bytes: walk.files.values().map(|stat| stat.size).sum(),
            state: places.state.exists().then(|| places.state.clone()),
            kept,
        }
    }
}

/// Removes the folders that the files stood in, deepest first, where they are empty now.
fn remove_folders(tree: &Tree, walk: &Walk) {
    let parents = walk.files.keys().filter_map(|path| path.parent());
    let ends = parents.flat_map(|parent| {
        let inner = parent.match_indices('/').map(|(at, _)| at);
        inner.chain([parent.len()]).map(move |at| &parent[..at])
    });
    let mut folders: Vec<&str> = ends.collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders.into_iter().rev() {
        let _ = tree.dir().remove_dir(folder);
    }
}

/// Removes the index of recall, which holds the words of every note that it knew, and what was on
/// the way to be one.
pub(super) fn remove_index(store: &Store) -> Result<(), StoreError> {
    let (index, temporary) = (
        store.places.recall_index(),
        store.places.recall_index_temporary(),
    );
    let beside = index.parent().map(fs::read_dir);
    let beside = beside.into_iter().flatten().flatten().flatten();
    let is_temporary =
        |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(&temporary);
    let begun = beside.filter(is_temporary).map(|entry| entry.path());
    for path in begun.chain([index]) {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io("remove", &path)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn remove_state(store: &Store) -> Result<(), StoreError> {
    remove_index(store)?;
    let state = &store.places.state;
    crate::emptied::remove(state).map_err(StoreError::io("remove", state))
}
