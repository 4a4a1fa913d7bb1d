//! The methods of a database that are about stores. Each is told what its caller may see.

use jiff::Timestamp;
use mem_core::history::Sha256;

use super::{
    Listed, MemoryChange, MemoryQuery, MemoryRecord, NewStore, Page, Scope, StoreChange,
    StorePosition, StoreQuery, StoreRecord, StoresError, VersionQuery, VersionRecord,
};
use crate::storage::{Actor, Database, StorageError};

type Outcome<T> = Result<T, StoresError>;

fn unfinished<T>() -> Outcome<T> {
    Err(StorageError::Corrupt("not yet").into())
}

/// Of stores. Every error is a [`StoresError`]; what is refused is refused whole.
impl Database {
    /// Makes a store.
    ///
    /// # Errors
    /// [`super::Refusal::MayNotCreate`].
    pub async fn create_store(
        &self,
        scope: &Scope,
        new: &NewStore,
        now: Timestamp,
    ) -> Outcome<StoreRecord> {
        let _ = (scope, new, now);
        unfinished()
    }

    /// A store.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`].
    pub async fn store(&self, scope: &Scope, id: &str) -> Outcome<StoreRecord> {
        let _ = (scope, id);
        unfinished()
    }

    /// Changes a store. One that is already as asked for stays as it is.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`], `Archived`, `TooMuchMetadata`.
    pub async fn update_store(
        &self,
        scope: &Scope,
        id: &str,
        change: &StoreChange,
        now: Timestamp,
    ) -> Outcome<StoreRecord> {
        let _ = (scope, id, change, now);
        unfinished()
    }

    /// Archives a store, for good. One that is archived stays as it is.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`].
    pub async fn archive_store(
        &self,
        scope: &Scope,
        id: &str,
        now: Timestamp,
    ) -> Outcome<StoreRecord> {
        let _ = (scope, id, now);
        unfinished()
    }

    /// Removes a store with its memories and versions.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`].
    pub async fn delete_store(&self, scope: &Scope, id: &str) -> Outcome<()> {
        let _ = (scope, id);
        unfinished()
    }

    /// Stores, the newest first.
    ///
    /// # Errors
    /// The database.
    pub async fn stores(
        &self,
        scope: &Scope,
        query: &StoreQuery,
    ) -> Outcome<Page<StoreRecord, StorePosition>> {
        let _ = (scope, query);
        unfinished()
    }

    /// Makes a memory where nothing is.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`], `Archived`, `PathConflict`, `Full`, `TeamPath`.
    pub async fn create_memory(
        &self,
        scope: &Scope,
        store: &str,
        path: String,
        content: String,
        actor: &Actor,
        now: Timestamp,
    ) -> Outcome<MemoryRecord> {
        let _ = (scope, store, path, content, actor, now);
        unfinished()
    }

    /// Makes a memory, or gives the one that is at this very path a new content.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`], `Archived`, `PathConflict` (a path above or below), `Full`, `TeamPath`;
    /// `Precondition` where something is there that was to be absent (`not_exists`), unless it is that content.
    pub async fn upsert_memory(
        &self,
        scope: &Scope,
        store: &str,
        path: String,
        content: String,
        not_exists: bool,
        actor: &Actor,
        now: Timestamp,
    ) -> Outcome<MemoryRecord> {
        let _ = (scope, store, path, content, not_exists, actor, now);
        unfinished()
    }

    /// A memory.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`], `NoMemory`.
    pub async fn memory(
        &self,
        scope: &Scope,
        store: &str,
        id: &str,
        content: bool,
    ) -> Outcome<MemoryRecord> {
        let _ = (scope, store, id, content);
        unfinished()
    }

    /// Changes a memory's content, its path or both. What changes nothing makes no version.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`], `NoMemory`, `Archived`, `Precondition`, `PathConflict`, `TeamPath`.
    pub async fn update_memory(
        &self,
        scope: &Scope,
        store: &str,
        id: &str,
        change: MemoryChange,
        actor: &Actor,
        now: Timestamp,
    ) -> Outcome<MemoryRecord> {
        let _ = (scope, store, id, change, actor, now);
        unfinished()
    }

    /// Deletes a memory; its versions stay. In an archived store too.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`], `NoMemory`, `Precondition`.
    pub async fn delete_memory(
        &self,
        scope: &Scope,
        store: &str,
        id: &str,
        expected: Option<Sha256>,
        actor: &Actor,
        now: Timestamp,
    ) -> Outcome<()> {
        let _ = (scope, store, id, expected, actor, now);
        unfinished()
    }

    /// Memories and folders, in the order of their paths' bytes.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`].
    pub async fn memories(
        &self,
        scope: &Scope,
        store: &str,
        query: &MemoryQuery,
    ) -> Outcome<Page<Listed, String>> {
        let _ = (scope, store, query);
        unfinished()
    }

    /// How many memories a store has.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`].
    pub async fn count_memories(&self, scope: &Scope, store: &str) -> Outcome<u64> {
        let _ = (scope, store);
        unfinished()
    }

    /// Versions of a store, the newest first.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`].
    pub async fn versions(
        &self,
        scope: &Scope,
        store: &str,
        query: &VersionQuery,
    ) -> Outcome<Page<VersionRecord, u64>> {
        let _ = (scope, store, query);
        unfinished()
    }

    /// A version.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`], `NoVersion`.
    pub async fn version(
        &self,
        scope: &Scope,
        store: &str,
        id: &str,
        content: bool,
    ) -> Outcome<VersionRecord> {
        let _ = (scope, store, id, content);
        unfinished()
    }

    /// Takes content, checksum, size and path out of a version, for good. One that is redacted stays as it is.
    /// In an archived store too.
    ///
    /// # Errors
    /// [`super::Refusal::NoStore`], `NoVersion`, `Head`. After an error of the database it is to be asked for
    /// again: what was redacted may still stand in its files.
    pub async fn redact_version(
        &self,
        scope: &Scope,
        store: &str,
        id: &str,
        actor: &Actor,
        now: Timestamp,
    ) -> Outcome<VersionRecord> {
        let _ = (scope, store, id, actor, now);
        unfinished()
    }
}
