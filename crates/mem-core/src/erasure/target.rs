//! The memory directories that an erasure reaches, and how far.
//!
//! A folder is a memory directory of a host where the rule of today puts it: `<base>/memory`,
//! `<base>/projects/<slug>/memory`, or below the state of `mem`. Every other recorded folder is elsewhere: the choice
//! of a person or a program, or, recorded by an older version, merely the source of an adoption. It may hold anything,
//! loses only files that the history knows as its own, and those only after a person agreed for this very folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::dirs::Dirs;
use crate::location;
use crate::store::{DirectoryKind, Purge, Store, StoreError, Tiers};
use crate::{projects, registry, regular_file};

/// A memory directory with whose it is.
#[derive(Debug)]
pub(super) struct ErasureTarget {
    pub(super) store: Store,
    kind: DirectoryKind,
    is_approved: bool,
    /// Whether a project of today has its memory here.
    is_current: bool,
}

impl ErasureTarget {
    pub(super) fn new(store: Store, dirs: &Dirs) -> Self {
        let kind = DirectoryKind::of(&store.places().root, dirs);
        Self {
            store,
            kind,
            is_approved: kind == DirectoryKind::Host,
            is_current: false,
        }
    }

    /// The same, where a project has its memory there today.
    pub(super) fn current(mut self) -> Self {
        self.is_current = true;
        self
    }

    /// The same, where what was asked for names it.
    pub(super) fn approved(mut self) -> Self {
        self.approve();
        self
    }

    pub(super) fn approve(&mut self) {
        self.is_approved = true;
    }

    /// Whether its files stay because nobody agreed that they go.
    pub(super) fn is_unasked(&self) -> bool {
        !self.is_approved
    }

    /// What goes, as far as it is agreed.
    pub(super) fn preview(&self) -> Result<Purge, StoreError> {
        match self.is_approved {
            true => self.preview_approved(),
            false => self.preview_unasked(),
        }
    }

    /// What would go if somebody agreed.
    pub(super) fn preview_approved(&self) -> Result<Purge, StoreError> {
        self.store.preview_purge(self.kind)
    }

    pub(super) fn purge(&self) -> Result<Purge, StoreError> {
        if self.is_approved {
            return self.store.purge(self.kind);
        }
        let unasked = self.preview_unasked()?;
        if unasked.state.is_some() {
            self.store.purge_state()?;
        }
        Ok(unasked)
    }

    /// Without a word for it: the history goes only where no file is the store's own. Else it alone tells which
    /// files are, to whoever is asked later.
    fn preview_unasked(&self) -> Result<Purge, StoreError> {
        let places = self.store.places();
        let approved = self.preview_approved()?;
        let is_empty = approved.files == 0;
        let state = Some(places.state.clone()).filter(|state| is_empty && state.exists());
        let mut kept = approved.kept;
        if is_empty && self.has_memories() {
            kept.push("memories that are not in the history: mem did not write them".to_owned());
        }
        Ok(Purge {
            directory: places.root.clone(),
            state,
            kept,
            ..Purge::default()
        })
    }

    /// Whether memories of a project of today stand here, outside the host's directories.
    fn has_memories(&self) -> bool {
        self.is_current
            && self.kind == DirectoryKind::Elsewhere
            && projects::has_notes(&self.store.places().root)
    }

    /// Whether memories are left here: files of `mem`'s that nobody agreed to lose, or what a project of today reads.
    pub(super) fn keeps_memories(&self) -> bool {
        // A directory that cannot be listed is as it was.
        let has_own = || {
            self.preview_approved()
                .map_or(true, |purge| purge.files > 0)
        };
        self.has_memories() || self.is_unasked() && has_own()
    }
}

/// Every directory that has a history, was recorded, or stands where hosts keep memory.
pub(super) fn all(dirs: &Dirs) -> Vec<ErasureTarget> {
    let mut found: BTreeMap<PathBuf, ErasureTarget> = BTreeMap::new();
    let mut add = |root: &Path, is_current: bool| {
        let tiers = match root == dirs.global_memory() {
            true => Tiers::Global,
            false => Tiers::Project,
        };
        let store = Store::new(root, tiers, dirs);
        let places = store.places();
        if places.root.is_dir() || places.state.is_dir() {
            let root = places.root.clone();
            let target = ErasureTarget::new(store, dirs);
            let target = match is_current {
                true => target.current(),
                false => target,
            };
            found.entry(root).or_insert(target);
        }
    };
    add(&dirs.global_memory(), true);
    for project in projects::list(dirs) {
        add(&project.memory_dir, true);
    }
    for root in recorded_roots(dirs) {
        add(&root, false);
    }
    let is_memory = |one: &ErasureTarget| {
        one.kind == DirectoryKind::Host || !location::is_unfit(&one.store.places().root, dirs)
    };
    found.into_values().filter(is_memory).collect()
}

/// The memory directories that have a history, or were recorded, wherever they are.
pub(super) fn recorded_roots(dirs: &Dirs) -> Vec<PathBuf> {
    let stores = fs::read_dir(dirs.stores()).into_iter().flatten().flatten();
    let noted = stores.filter_map(|entry| {
        let text = regular_file::read_text(entry.path().join("root")).ok()?;
        Some(PathBuf::from(text.trim_end_matches('\n')))
    });
    let (records, _) = registry::read(dirs);
    noted
        .chain(records.into_keys())
        .filter(|root| root.is_absolute())
        .collect()
}
