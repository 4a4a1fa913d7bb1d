//! The memories of a project, over all tiers: what the commands, the hooks and the tools work on.
//!
//! [`ProjectMemory`] joins two stores: the project's directory (private tier, with the team tier in
//! `team/`) and the directory of one's own notes across repositories. Each operation here is a
//! plan for [`LocalStore::write`](crate::store::LocalStore::write): it changes topic file and index line
//! in one change.

mod add;
mod deletions;
mod earlier_names;
mod error;
mod files;
mod find;
mod gate;
mod inspect;
mod known_names;
mod list;
mod maintain;
mod name_collisions;
mod note;
mod pointer;
mod remove;
mod rename;
mod replace;
mod rewrite;
mod routing;
mod save;
mod save_all;
mod scope_dir;
mod scoped_path;
mod share;

use std::path::Path;

use crate::location::Location;
use crate::store::{LocalStore, Tiers};
use crate::{Dirs, Scope};

pub use add::{AddOutcome, Addition, Predecessor};
pub use deletions::DeletionEntry;
pub use error::MemoryError;
pub use files::StoreMemories;
pub use find::{Candidates, split_scope};
pub use gate::{Gates, TierGate};
pub use inspect::Inspection;
pub use known_names::KnownName;
pub use list::{MemoryList, UnreadableMemory};
pub use maintain::IndexRepair;
pub(crate) use name_collisions::folded;
pub use note::Note;
pub use rename::Renamed;
pub use replace::Replaced;
pub use rewrite::{RewriteOutcome, RewriteTarget};
pub use routing::{RoutingError, route};
pub use save::{SaveOutcome, SaveRequest};
pub use save_all::{SaveOrAppend, SavedOrAppended};
pub use scope_dir::ScopeDir;
pub use scoped_path::{ScopedPath, resolved};
pub use share::{ShareError, ShareOutcome};

pub(crate) use save::form_of;

/// The memory directories of one project.
#[derive(Clone, Debug)]
pub struct ProjectMemory {
    project: LocalStore,
    global: LocalStore,
}

impl ProjectMemory {
    /// The memory that a location names. Nothing is touched yet.
    pub fn new(location: &Location, dirs: &Dirs) -> Self {
        Self {
            project: LocalStore::new(&location.memory_dir, Tiers::Project, dirs),
            global: LocalStore::new(&location.global_dir, Tiers::Global, dirs),
        }
    }

    /// The memory directory at a path, with the tier of one's own notes beside it.
    pub fn at(memory_dir: &Path, dirs: &Dirs) -> Self {
        Self {
            project: LocalStore::new(memory_dir, Tiers::Project, dirs),
            global: LocalStore::new(&dirs.global_memory(), Tiers::Global, dirs),
        }
    }

    /// The store that holds a tier.
    pub fn store(&self, scope: Scope) -> &LocalStore {
        match scope {
            Scope::Private | Scope::Team => &self.project,
            Scope::Global => &self.global,
        }
    }

    /// Whether the project was given the directory of one's own notes: then all of it counts as the
    /// private tier, once.
    pub fn is_one(&self) -> bool {
        self.project.places().root == self.global.places().root
    }

    /// Both stores, the project's first.
    pub fn stores(&self) -> [&LocalStore; 2] {
        [&self.project, &self.global]
    }

    /// The same, one of them where both are one.
    pub fn distinct_stores(&self) -> impl Iterator<Item = &LocalStore> {
        let count = if self.is_one() { 1 } else { 2 };
        self.stores().into_iter().take(count)
    }
}
