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
}

impl ErasureTarget {
    pub(super) fn new(store: Store, dirs: &Dirs) -> Self {
        let kind = DirectoryKind::of(&store.places().root, dirs);
        Self {
            store,
            kind,
            is_approved: kind == DirectoryKind::Host,
        }
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
        let is_empty = self.preview_approved()?.files == 0;
        let state = Some(places.state.clone()).filter(|state| is_empty && state.exists());
        Ok(Purge {
            directory: places.root.clone(),
            state,
            ..Purge::default()
        })
    }
}

/// Every directory that has a history, was recorded, or stands where hosts keep memory.
pub(super) fn all(dirs: &Dirs) -> Vec<ErasureTarget> {
    let mut found: BTreeMap<PathBuf, ErasureTarget> = BTreeMap::new();
    let mut add = |root: &Path| {
        let tiers = match root == dirs.global_memory() {
            true => Tiers::Global,
            false => Tiers::Project,
        };
        let store = Store::new(root, tiers, dirs);
        let places = store.places();
        if places.root.is_dir() || places.state.is_dir() {
            found.insert(places.root.clone(), ErasureTarget::new(store, dirs));
        }
    };
    add(&dirs.global_memory());
    for project in projects::list(dirs) {
        add(&project.memory_dir);
    }
    for root in recorded_roots(dirs) {
        add(&root);
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
