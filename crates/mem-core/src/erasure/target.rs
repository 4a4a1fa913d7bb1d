//! The memory directories that an erasure reaches, and how far.
//!
//! A folder is a memory directory of a host where the rule of today puts it: `<base>/memory`,
//! `<base>/projects/<slug>/memory`, or below the state of `mem`. Every other recorded folder is elsewhere: the choice
//! of a person or a program, or, recorded by an older version, merely the source of an adoption. It may hold anything,
//! loses only files that the history knows as its own, and those only after a person agreed for this very folder.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::entries;
use crate::dirs::Dirs;
use crate::location;
use crate::store::{DirectoryKind, LocalStore, Purge, StoreError, Tiers};
use crate::{projects, registry, regular_file};

/// The folder of the memory tool's users, in the state of a project or where a host wanted it.
const USERS: &str = "users";
/// A user's records, and their files of the memory tool, each below the user's folder.
const RECORDS: &str = "memory";
const FILES: &str = "memories";

/// A memory directory with whose it is.
#[derive(Debug)]
pub(super) struct ErasureTarget {
    pub(super) store: LocalStore,
    kind: DirectoryKind,
    /// Whether its files go: it is a host's, or a person agreed.
    pub(super) is_approved: bool,
    /// Whether a project of today has its memory here.
    is_current: bool,
}

impl ErasureTarget {
    pub(super) fn new(store: LocalStore, is_current: bool, dirs: &Dirs) -> Self {
        let kind = DirectoryKind::from_root(&store.places().root, dirs);
        Self {
            store,
            kind,
            is_approved: kind == DirectoryKind::Host,
            is_current,
        }
    }

    /// What goes, as far as it is agreed. Without a word for it the history goes only where no file is the store's
    /// own: else it alone tells which files are, to whoever is asked later.
    pub(super) fn preview(&self) -> Result<Purge, StoreError> {
        let approved = self.preview_approved()?;
        if self.is_approved {
            return Ok(approved);
        }
        let is_empty = approved.files == 0;
        let mut kept = approved.kept;
        if is_empty && self.has_memories() {
            kept.push("memories that are not in the history: mem did not write them".to_owned());
        }
        Ok(Purge {
            directory: approved.directory,
            state: approved.state.filter(|_| is_empty),
            kept,
            ..Purge::default()
        })
    }

    /// The files that stay, since they are not the store's own.
    pub(super) fn files_that_stay(&self) -> BTreeSet<PathBuf> {
        let purge = self.preview().unwrap_or_default();
        purge.kept_files.into_iter().chain(purge.hidden).collect()
    }

    /// What would go if somebody agreed.
    pub(super) fn preview_approved(&self) -> Result<Purge, StoreError> {
        self.store.preview_purge(self.kind)
    }

    pub(super) fn purge(&self) -> Result<Purge, StoreError> {
        if self.is_approved {
            return self.store.purge(self.kind);
        }
        let unasked = self.preview()?;
        if unasked.state.is_some() {
            self.store.purge_state()?;
        }
        Ok(unasked)
    }

    /// Whether memories of a project of today stand here, outside the host's directories.
    fn has_memories(&self) -> bool {
        self.is_current
            && self.kind == DirectoryKind::Elsewhere
            && projects::has_notes(&self.store.places().root)
    }

    /// Whether files of `mem`'s stay because nobody agreed to lose them. A directory that cannot be listed is as it
    /// was.
    pub(super) fn keeps_files(&self) -> bool {
        let has_files = |purge: Purge| purge.files > 0;
        !self.is_approved && self.preview_approved().map_or(true, has_files)
    }

    /// Whether memories are left here: such files, or what a project of today reads.
    pub(super) fn keeps_memories(&self) -> bool {
        self.has_memories() || self.keeps_files()
    }
}

/// Every directory that has a history, was recorded, or stands where hosts keep memory.
pub(super) fn all(dirs: &Dirs) -> Vec<ErasureTarget> {
    let mut roots = vec![(dirs.global_memory(), true)];
    roots.extend(
        super::memory_dirs(dirs)
            .into_iter()
            .map(|root| (root, true)),
    );
    roots.extend(recorded_roots(dirs).into_iter().map(|root| (root, false)));
    let mut found: BTreeMap<PathBuf, ErasureTarget> = BTreeMap::new();
    for (root, is_current) in roots {
        let tiers = match root == dirs.global_memory() {
            true => Tiers::Global,
            false => Tiers::Project,
        };
        if let Some(store) = existing(&root, tiers, dirs) {
            let root = store.places().root.clone();
            let target = ErasureTarget::new(store, is_current, dirs);
            found.entry(root).or_insert(target);
        }
    }
    let is_memory = |one: &ErasureTarget| {
        one.kind == DirectoryKind::Host || !location::is_unfit(&one.store.places().root, dirs)
    };
    found.into_values().filter(is_memory).collect()
}

/// A store that has files or a history.
fn existing(root: &Path, tiers: Tiers, dirs: &Dirs) -> Option<LocalStore> {
    let store = LocalStore::new(root, tiers, dirs);
    let places = store.places();
    (places.root.is_dir() || places.state.is_dir()).then_some(store)
}

/// The memory directories that have a history, or were recorded, wherever they are.
pub(super) fn recorded_roots(dirs: &Dirs) -> Vec<PathBuf> {
    let stores = entries(&dirs.stores()).into_iter();
    let noted = stores.filter_map(|state| {
        let text = regular_file::read_text(state.join("root")).ok()?;
        Some(PathBuf::from(text.trim_end_matches('\n')))
    });
    let (records, _) = registry::read(dirs);
    noted
        .chain(records.into_keys())
        .filter(|root| root.is_absolute())
        .collect()
}

/// The folders that are a user's, as far as they are there or something is remembered of them.
pub(super) fn folders_of_user(records: &Path, dirs: &Dirs) -> Vec<PathBuf> {
    let name = records.file_name().unwrap_or_default();
    let states = entries(&dirs.stores()).into_iter();
    let in_projects = states.map(|state| state.join(USERS).join(name));
    let elsewhere = recorded_roots(dirs).into_iter().filter_map(|root| {
        let folder = root.parent()?;
        let is_theirs = root.file_name() == Some(OsStr::new(FILES))
            && folder.file_name() == Some(name)
            && folder.parent()?.file_name() == Some(OsStr::new(USERS));
        is_theirs.then(|| folder.to_owned())
    });
    let found = in_projects.filter(|folder| folder.is_dir());
    let mut folders: Vec<PathBuf> = found.chain(elsewhere).collect();
    folders.push(records.to_owned());
    folders.sort_unstable();
    folders.dedup();
    folders
}

/// The memory directories in these folders, each once however it is reached. The folders are named after the user:
/// naming the user names them.
pub(super) fn of_user(folders: &[PathBuf], dirs: &Dirs) -> Vec<ErasureTarget> {
    let mut found = BTreeMap::new();
    for folder in folders {
        for (name, tiers) in [(RECORDS, Tiers::Project), (FILES, Tiers::Global)] {
            if let Some(store) = existing(&folder.join(name), tiers, dirs) {
                let root = store.places().root.clone();
                let mut target = ErasureTarget::new(store, false, dirs);
                target.is_approved = true;
                found.insert(root, target);
            }
        }
    }
    found.into_values().collect()
}
