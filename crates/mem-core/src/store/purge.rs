//! Erasing what is the store's own in a memory directory, with everything that is kept about it. Nothing brings it
//! back. Which files those are, `ownership.rs` says; every other one stays, and so does the folder around it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::Serialize;

use super::error::StoreError;
use super::local_store::LocalStore;
use super::lock::Lock;
use super::ownership::{DirectoryKind, FileClass, Ownership};
use super::tree::Tree;
use super::walk::DirWalk;
use crate::MemoryPath;
use crate::regular_file::if_there;

/// What a purge removes, or removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Purge {
    /// The memory directory.
    #[serde(rename = "dir")]
    pub directory: PathBuf,
    /// How many of its files go.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// How many of each class.
    pub classes: BTreeMap<FileClass, usize>,
    /// Where history and catalog are, where there are any.
    #[serde(rename = "history")]
    pub state: Option<PathBuf>,
    /// What stays in the directory because it is not the store's own, with the reason where it is a file.
    pub kept: Vec<String>,
    /// Regular files among these, for whoever looks for traces.
    #[serde(skip)]
    pub kept_files: Vec<PathBuf>,
    /// What is hidden among these, which is nobody's memory.
    #[serde(skip)]
    pub hidden: Vec<PathBuf>,
}

/// What stands in a directory, divided into what goes and what stays.
#[derive(Default)]
struct Division {
    walk: DirWalk,
    own: Vec<MemoryPath>,
    others: Vec<(MemoryPath, &'static str)>,
}

impl LocalStore {
    /// What [`LocalStore::purge`] would erase.
    ///
    /// # Errors
    /// The directory cannot be listed.
    pub fn preview_purge(&self, kind: DirectoryKind) -> Result<Purge, StoreError> {
        self.finish_applying();
        let tree = Tree::open(&self.places.root)?;
        let division = tree.as_ref().map(|tree| self.divide(tree, kind));
        let division = division.transpose()?.unwrap_or_default();
        Ok(self.purge_of(&division))
    }

    /// Erases the store's own files, then its history and all other state. The directory goes when nothing else is
    /// in it. No process may be writing to it.
    ///
    /// # Errors
    /// Another process holds the lock; a file cannot be removed: what was removed before stays
    /// removed, and the history stays.
    pub fn purge(&self, kind: DirectoryKind) -> Result<Purge, StoreError> {
        let places = &self.places;
        let Some(tree) = Tree::open(&places.root)? else {
            let purge = self.purge_of(&Division::default());
            self.purge_state()?;
            return Ok(purge);
        };
        // The rest of a change that a kill interrupted is the store's own. Where that cannot be finished, it stays.
        self.finish_applying();
        // The lock lives in the state place, which need not exist yet.
        crate::atomic::create_dirs(&places.state)
            .map_err(StoreError::io("create", &places.state))?;
        let lock = Lock::acquire(places)?;
        let division = self.divide(&tree, kind)?;
        for path in &division.own {
            let Some(folder) = tree.folder(path)? else {
                continue;
            };
            folder
                .remove_file(path.file_name())
                .map_err(|error| tree.explain("remove", path, error))?;
        }
        for leftover in &division.walk.leftovers {
            // In a folder that is hidden or linked by now; then it is told as kept.
            let _ = tree.remove_leftover(leftover);
        }
        let purge = self.purge_of(&division);
        tree.clear_folders(division.own.iter(), &[]);
        // A folder that somebody else made and emptied is theirs.
        if kind == DirectoryKind::Host || !division.own.is_empty() {
            // Refused where something else is in it.
            let _ = fs::remove_dir(&places.root);
        }
        remove_state(self)?;
        drop(lock);
        Ok(purge)
    }

    /// Erases the history and all other state, and leaves every file of the directory.
    ///
    /// # Errors
    /// Another process holds the lock, or something cannot be removed.
    pub fn purge_state(&self) -> Result<(), StoreError> {
        let _lock = match self.places.state.exists() {
            true => Some(Lock::acquire(&self.places)?),
            false => None,
        };
        remove_state(self)
    }

    /// Removes the folders that some files stood in, where they are empty by now; the directory itself stays.
    ///
    /// # Errors
    /// The directory cannot be opened.
    pub(crate) fn clear_folders<'p>(
        &self,
        files: impl Iterator<Item = &'p MemoryPath>,
    ) -> Result<(), StoreError> {
        let tree = Tree::open(&self.places.root)?;
        if let Some(tree) = tree {
            tree.clear_folders(files, &[]);
        }
        Ok(())
    }

    /// Compares every file with the history. A directory elsewhere of which the history has nothing of its own is
    /// not listed: it may be a whole disk.
    fn divide(&self, tree: &Tree, kind: DirectoryKind) -> Result<Division, StoreError> {
        let ownership = Ownership::for_store(self, kind);
        if kind == DirectoryKind::Elsewhere && !ownership.has_any() {
            return Ok(Division::default());
        }
        let walk = DirWalk::from_tree(tree)?;
        walk.require_readable(tree.path())?;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (path, stat) in &walk.files {
            match ownership.objection(tree, path, stat) {
                None => own.push(path.clone()),
                Some(why) => others.push((path.clone(), why)),
            }
        }
        Ok(Division { walk, own, others })
    }

    fn purge_of(&self, division: &Division) -> Purge {
        let places = &self.places;
        let entries = fs::read_dir(&places.root).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let is_hidden = |name: &String| {
            name.starts_with('.') && !name.starts_with(super::walk::TEMPORARY_PREFIX)
        };
        let mut kept: Vec<String> = names.filter(is_hidden).collect();
        kept.sort_unstable();
        let hidden: Vec<PathBuf> = kept.iter().map(|name| places.root.join(name)).collect();
        kept.extend(division.walk.skipped.iter().map(ToString::to_string));
        let others = division.others.iter();
        kept.extend(others.map(|(path, why)| format!("{path} {why}")));
        let mut classes = BTreeMap::new();
        let mut bytes = 0;
        for path in &division.own {
            *classes.entry(FileClass::from_path(path)).or_default() += 1;
            bytes += division.walk.files.get(path).map_or(0, |stat| stat.size);
        }
        let kept_files = division.others.iter();
        Purge {
            directory: places.root.clone(),
            files: division.own.len(),
            bytes,
            classes,
            state: places.state.exists().then(|| places.state.clone()),
            kept,
            kept_files: kept_files
                .map(|(path, _)| places.root.join(path.as_str()))
                .collect(),
            hidden,
        }
    }
}

/// Removes the index of recall, which holds the words of every note that it knew, and what was on
/// the way to be one.
pub(super) fn remove_index(store: &LocalStore) -> Result<(), StoreError> {
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
        if_there(fs::remove_file(&path)).map_err(StoreError::io("remove", &path))?;
    }
    Ok(())
}

fn remove_state(store: &LocalStore) -> Result<(), StoreError> {
    remove_index(store)?;
    let state = &store.places.state;
    crate::directory_removal::remove(state).map_err(StoreError::io("remove", state))
}
