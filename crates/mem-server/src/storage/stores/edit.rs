//! One change of a memory, as somebody asks for it. It waits in a queue, and is decided and stored together with
//! what else changes its store at that moment.

use jiff::Timestamp;
use mem_core::history::Sha256;

use super::{AccessScope, IndexMark, MemoryChange, MemoryRecord, StoreRefusal};
use crate::storage::StorageActor;

/// Into which store, as far as the caller may write; by whom, and when.
#[derive(Clone, Debug)]
pub struct Writing {
    pub(in crate::storage) scope: AccessScope,
    /// The id of the store.
    pub(in crate::storage) store: String,
    pub(in crate::storage) actor: StorageActor,
    pub(in crate::storage) now: Timestamp,
    /// Whether an archived store takes it too.
    pub(in crate::storage) is_past_archive: bool,
    /// The number of the store's newest change, where nothing may have come after it.
    pub(in crate::storage) only_after: Option<u64>,
}

impl Writing {
    /// The parts in the order of their questions: where, who, when.
    pub fn new(scope: &AccessScope, store: &str, actor: &StorageActor, now: Timestamp) -> Self {
        Self {
            scope: scope.clone(),
            store: store.to_owned(),
            actor: actor.clone(),
            now,
            is_past_archive: false,
            only_after: None,
        }
    }

    /// The same, but only where nothing of the store has changed since a moment; else [`StoreRefusal::Precondition`].
    #[must_use]
    pub fn only_after(self, moment: &IndexMark) -> Self {
        Self {
            only_after: Some(moment.sequence()),
            ..self
        }
    }

    /// The same where the store is archived: what an erasure puts back is not a change that anybody makes.
    pub(in crate::storage) fn past_archive(self) -> Self {
        Self {
            is_past_archive: true,
            ..self
        }
    }
}

/// A change that somebody asks for.
#[derive(Debug)]
pub(in crate::storage) struct MemoryEdit {
    pub(in crate::storage) writing: Writing,
    pub(in crate::storage) act: Act,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(in crate::storage) enum Act {
    /// A memory where nothing is.
    Create { path: String, content: String },
    /// A memory, or another content for the one that is there.
    Upsert {
        path: String,
        content: String,
        not_exists: bool,
    },
    /// Another content, another path.
    Update { id: String, change: MemoryChange },
    /// The end of a memory.
    Delete {
        id: String,
        expected: Option<Sha256>,
    },
}

/// What it came to; `None`: the memory is deleted.
pub(in crate::storage) type Edited = Result<Option<MemoryRecord>, StoreRefusal>;
