//! One change of a memory, as somebody asks for it. It waits in a queue, and is decided and stored together with
//! what else changes its store at that moment.

use jiff::Timestamp;
use mem_core::history::Sha256;

use super::{AccessScope, MemoryChange, MemoryRecord, StoreRefusal, StoresError};
use crate::storage::group::{RequestOutcome, WriteRequest};
use crate::storage::{Database, StorageActor, StorageError};

/// Into which store, as far as the caller may write; by whom, and when.
#[derive(Clone, Debug)]
pub struct Writing {
    pub(crate) scope: AccessScope,
    /// The id of the store.
    pub(crate) store: String,
    pub(crate) actor: StorageActor,
    pub(crate) now: Timestamp,
    /// Whether an archived store takes it too: what an erasure puts back is not a change that anybody makes.
    pub(crate) is_past_archive: bool,
    /// The number of the store's newest change, where nothing may have come after it; else
    /// [`StoreRefusal::Precondition`].
    pub(crate) only_after: Option<u64>,
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
}

/// A change that somebody asks for.
#[derive(Debug)]
pub(crate) struct MemoryEdit {
    pub(crate) writing: Writing,
    pub(crate) act: Act,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(crate) enum Act {
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
pub(crate) type Edited = Result<Option<MemoryRecord>, StoreRefusal>;

impl Database {
    /// Makes a memory where nothing is.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`], `Archived`, `PathConflict`, `Full`, `TeamPath`.
    pub async fn create_memory(
        &self,
        writing: Writing,
        path: String,
        content: String,
    ) -> Result<MemoryRecord, StoresError> {
        self.change(writing, Act::Create { path, content }).await
    }

    /// Makes a memory, or gives the one that is at this very path a new content.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`], `Archived`, `PathConflict` (a path above or below), `Full`, `TeamPath`;
    /// `Precondition` where something else is there that was to be absent (`not_exists`).
    pub async fn upsert_memory(
        &self,
        writing: Writing,
        path: String,
        content: String,
        not_exists: bool,
    ) -> Result<MemoryRecord, StoresError> {
        let act = Act::Upsert {
            path,
            content,
            not_exists,
        };
        self.change(writing, act).await
    }

    /// Changes a memory's content, its path or both. What changes nothing makes no version.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`], `NoMemory`, `Archived`, `Precondition`, `PathConflict`, `TeamPath`.
    pub async fn update_memory(
        &self,
        writing: Writing,
        id: &str,
        change: MemoryChange,
    ) -> Result<MemoryRecord, StoresError> {
        let id = id.to_owned();
        self.change(writing, Act::Update { id, change }).await
    }

    /// Deletes a memory; its versions stay. In an archived store too.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`], `NoMemory`, `Precondition`.
    pub async fn delete_memory(
        &self,
        writing: Writing,
        id: &str,
        expected: Option<Sha256>,
    ) -> Result<(), StoresError> {
        let id = id.to_owned();
        self.edit(writing, Act::Delete { id, expected })
            .await
            .map(drop)
    }

    /// A change after which there is a memory.
    async fn change(&self, writing: Writing, act: Act) -> Result<MemoryRecord, StoresError> {
        let changed = self.edit(writing, act).await?;
        changed.ok_or_else(|| StorageError::Corrupt("an answer to something else").into())
    }

    async fn edit(&self, writing: Writing, act: Act) -> Result<Option<MemoryRecord>, StoresError> {
        self.may_write()?;
        let edit = WriteRequest::Edit(MemoryEdit { writing, act });
        self.require_room(&edit).await?;
        match self.0.queues.hand_in(edit).await? {
            RequestOutcome::Edit(edited) => Ok(edited?),
            RequestOutcome::Put(_) => {
                Err(StorageError::Corrupt("an answer to something else").into())
            }
        }
    }
}
