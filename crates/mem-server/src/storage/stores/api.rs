//! The methods of a database that are about stores. Each is told what its caller may see.

use jiff::Timestamp;
use mem_core::history::Sha256;

use super::edit::{Act, MemoryEdit};
use super::{
    AccessScope, CreateStore, ListPage, ListedMemory, MemoryChange, MemoryQuery, MemoryRecord,
    StorePosition, StoreQuery, StoreRecord, StoresError, UpdateStore, VersionQuery, VersionRecord,
    Writing,
};
use super::{catalogue, history, memories};
use crate::storage::group::{RequestOutcome, WriteRequest};
use crate::storage::{Database, StorageError};

type Outcome<T> = Result<T, StoresError>;

/// Of stores. Every error is a [`StoresError`]; what is refused is refused whole.
impl Database {
    /// Makes a store.
    ///
    /// # Errors
    /// [`super::StoreRefusal::MayNotCreate`].
    pub async fn create_store(
        &self,
        scope: &AccessScope,
        new: &CreateStore,
        now: Timestamp,
    ) -> Outcome<StoreRecord> {
        self.in_time(catalogue::create(&self.0.engine, scope, new, now))
            .await
    }

    /// The id of the oldest store of a name in a workspace; where there is none it is made. However many ask at
    /// once, on any replica, they are told of one.
    ///
    /// # Errors
    /// The database.
    pub async fn store_named_or_new(
        &self,
        scope: &AccessScope,
        name: &str,
        now: Timestamp,
    ) -> Outcome<String> {
        self.in_time(catalogue::named_or_new(&self.0.engine, scope, name, now))
            .await
    }

    /// A store.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`].
    pub async fn store(&self, scope: &AccessScope, id: &str) -> Outcome<StoreRecord> {
        self.reading(|| catalogue::find(&self.0.engine, scope, id))
            .await
    }

    /// Changes a store. One that is already as asked for stays as it is.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`], `Archived`, `TooMuchMetadata`.
    pub async fn update_store(
        &self,
        scope: &AccessScope,
        id: &str,
        change: &UpdateStore,
        now: Timestamp,
    ) -> Outcome<StoreRecord> {
        self.may_write()?;
        self.in_time(catalogue::update(&self.0.engine, scope, id, change, now))
            .await
    }

    /// Archives a store, for good. One that is archived stays as it is.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`].
    pub async fn archive_store(
        &self,
        scope: &AccessScope,
        id: &str,
        now: Timestamp,
    ) -> Outcome<StoreRecord> {
        self.may_write()?;
        self.in_time(catalogue::archive(&self.0.engine, scope, id, now))
            .await
    }

    /// Removes a store with its memories and versions.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`].
    pub async fn delete_store(&self, scope: &AccessScope, id: &str) -> Outcome<()> {
        self.may_write()?;
        let deleted = catalogue::delete(&self.0.engine, scope, id).await;
        if let Some(states) = &self.0.states {
            states.clear();
        }
        deleted.map(drop)
    }

    /// Stores, the newest first.
    ///
    /// # Errors
    /// The database.
    pub async fn stores(
        &self,
        scope: &AccessScope,
        query: &StoreQuery,
    ) -> Outcome<ListPage<StoreRecord, StorePosition>> {
        self.reading(|| catalogue::list(&self.0.engine, scope, query))
            .await
    }

    /// Makes a memory where nothing is.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`], `Archived`, `PathConflict`, `Full`, `TeamPath`.
    pub async fn create_memory(
        &self,
        writing: Writing,
        path: String,
        content: String,
    ) -> Outcome<MemoryRecord> {
        self.change(writing, Act::Create { path, content }).await
    }

    /// Makes a memory, or gives the one that is at this very path a new content.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`], `Archived`, `PathConflict` (a path above or below), `Full`, `TeamPath`;
    /// `Precondition` where something else is there that was to be absent (`not_exists`).
    pub async fn upsert_memory(
        &self,
        writing: Writing,
        path: String,
        content: String,
        not_exists: bool,
    ) -> Outcome<MemoryRecord> {
        let act = Act::Upsert {
            path,
            content,
            not_exists,
        };
        self.change(writing, act).await
    }

    /// A memory.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`], `NoMemory`.
    pub async fn memory(
        &self,
        scope: &AccessScope,
        store: &str,
        id: &str,
        content: bool,
    ) -> Outcome<MemoryRecord> {
        self.reading(|| memories::find(&self.0.engine, scope, store, id, content))
            .await
    }

    /// Changes a memory's content, its path or both. What changes nothing makes no version.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`], `NoMemory`, `Archived`, `Precondition`, `PathConflict`, `TeamPath`.
    pub async fn update_memory(
        &self,
        writing: Writing,
        id: &str,
        change: MemoryChange,
    ) -> Outcome<MemoryRecord> {
        let id = id.to_owned();
        self.change(writing, Act::Update { id, change }).await
    }

    /// Deletes a memory; its versions stay. In an archived store too.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`], `NoMemory`, `Precondition`.
    pub async fn delete_memory(
        &self,
        writing: Writing,
        id: &str,
        expected: Option<Sha256>,
    ) -> Outcome<()> {
        let id = id.to_owned();
        self.edit(writing, Act::Delete { id, expected })
            .await
            .map(drop)
    }

    /// Memories and folders, in the order of their paths' bytes.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`].
    pub async fn memories(
        &self,
        scope: &AccessScope,
        store: &str,
        query: &MemoryQuery,
    ) -> Outcome<ListPage<ListedMemory, String>> {
        self.reading(|| memories::list(&self.0.engine, scope, store, query))
            .await
    }

    /// How many memories a store has.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`].
    pub async fn count_memories(&self, scope: &AccessScope, store: &str) -> Outcome<u64> {
        self.reading(|| memories::count(&self.0.engine, scope, store))
            .await
    }

    /// Versions of a store, the newest first.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`].
    pub async fn versions(
        &self,
        scope: &AccessScope,
        store: &str,
        query: &VersionQuery,
    ) -> Outcome<ListPage<VersionRecord, u64>> {
        self.reading(|| history::list(&self.0.engine, scope, store, query))
            .await
    }

    /// A version.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`], `NoVersion`.
    pub async fn version(
        &self,
        scope: &AccessScope,
        store: &str,
        id: &str,
        content: bool,
    ) -> Outcome<VersionRecord> {
        self.reading(|| history::find(&self.0.engine, scope, store, id, content))
            .await
    }

    /// Takes content, checksum, size and path out of a version, for good. One that is redacted stays as it is.
    /// In an archived store too.
    ///
    /// # Errors
    /// [`super::StoreRefusal::NoStore`], `NoVersion`, `Head`. After an error of the database it is to be asked for
    /// again: what was redacted may still stand in its files.
    pub async fn redact_version(&self, writing: Writing, id: &str) -> Outcome<VersionRecord> {
        self.may_write()?;
        let engine = self.0.engine.clone();
        let id = id.to_owned();
        // Whoever asked may go away; what was begun is not left half done.
        let work = async move { history::redact(&engine, &writing, &id).await };
        let done = tokio::spawn(work).await;
        done.map_err(|_| StorageError::Corrupt("a redaction that panicked"))?
    }

    /// A change after which there is a memory.
    async fn change(&self, writing: Writing, act: Act) -> Outcome<MemoryRecord> {
        let changed = self.edit(writing, act).await?;
        changed.ok_or_else(|| StorageError::Corrupt("an answer to something else").into())
    }

    async fn edit(&self, writing: Writing, act: Act) -> Outcome<Option<MemoryRecord>> {
        self.may_write()?;
        let edit = WriteRequest::Edit(MemoryEdit { writing, act });
        match self.0.queues.hand_in(edit).await? {
            RequestOutcome::Edit(edited) => Ok(edited?),
            RequestOutcome::Put(_) => {
                Err(StorageError::Corrupt("an answer to something else").into())
            }
        }
    }
}
