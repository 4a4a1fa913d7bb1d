//! The row of a store: what names its state.

use mem_sync::EntryKey;
use mem_sync::wire::ETag;
use mem_vault::KeyId;

use super::outbox::{self, WantedEvents};
use super::sql::{Engine, SqlDialect, SqlQuery, Transaction, from_columns, sql};
use super::stores::{IndexMark, StoreRefusal};
use super::{RepositoryName, StorageError, load};

/// The workspace that every database has, and that the memory of repositories is in.
pub const WORKSPACE: &str = "wrkspc_default";
/// Stores whose ids are read at once.
const STORES_AT_ONCE: i64 = 200;

/// A store, as its row says.
#[derive(Clone, Debug, Default)]
pub(super) struct StoreRow {
    pub(super) id: String,
    pub(super) epoch: String,
    pub(super) sequence: u64,
    pub(super) live: u64,
    /// `team:owner/repo` where it is a repository's.
    pub(super) handle: Option<String>,
    pub(super) workspace: String,
    pub(super) is_archived: bool,
    /// What its next versions are sealed with.
    pub(super) data_key: Option<KeyId>,
    /// What its workspace's webhooks ask for; known of a row that was [`locked`] to be changed.
    pub(super) wanted: WantedEvents,
}

from_columns!(StoreRow: id, epoch, sequence, live, handle, workspace, is_archived, data_key, wanted);

/// The columns of a [`StoreRow`] but the last.
const COLUMNS: &str = "s.id, s.epoch, s.sequence, s.live_memories, s.handle, s.workspace_id, s.archived_at IS NOT NULL, \
    s.data_key_id";
/// The store of a repository.
const OF_REPOSITORY: &str = "s.workspace_id = $1 AND s.handle = $2";

/// The statement that locks the stores of a condition until the transaction ends.
pub(super) fn locked(dialect: SqlDialect, condition: &str) -> String {
    let (wanted, end) = (outbox::wanted_by("s"), dialect.for_update());
    format!("SELECT {COLUMNS}, {wanted} FROM memory_store s WHERE {condition}{end}")
}

impl StoreRow {
    /// Names its state. An epoch never comes back, so neither does a tag. A repository's store comes about with its
    /// first version: before it, it is as one that is not there.
    pub(super) fn etag(&self) -> Result<ETag, StorageError> {
        if self.sequence == 0 {
            return Ok(etag_of_none());
        }
        let etag = ETag::of_state(&self.epoch, self.sequence);
        etag.map_err(|_| StorageError::Corrupt("an epoch that is none"))
    }

    /// The state that it is in.
    pub(super) fn mark(&self) -> IndexMark {
        IndexMark {
            epoch: self.epoch.clone(),
            sequence: self.sequence,
        }
    }

    /// Whether its paths are keys of team memory.
    pub(super) fn is_repository(&self) -> bool {
        self.handle.is_some()
    }

    /// The form that all paths have which exclude this one: in a repository's store that of a key.
    ///
    /// # Errors
    /// The path cannot be one here.
    pub(super) fn folded(&self, path: &str) -> Result<String, StoreRefusal> {
        if !self.is_repository() {
            return Ok(path.to_owned());
        }
        match EntryKey::parse(path.strip_prefix('/').unwrap_or(path)) {
            Ok(key) => Ok(load::folded(&key)),
            Err(error) => Err(StoreRefusal::TeamPath(error.to_string())),
        }
    }

    /// The repository whose store it is.
    pub(super) fn repository(&self) -> Option<RepositoryName> {
        let name = self.handle.as_deref()?.strip_prefix("team:")?;
        RepositoryName::parse(name).ok()
    }
}

/// The state of a store that is not there. What is not there is the same everywhere and always.
pub(super) fn etag_of_none() -> ETag {
    ETag::of_version(0)
}

/// Asks for a repository's store.
pub(super) fn by_repository(repo: &RepositoryName) -> SqlQuery {
    let sql =
        format!("SELECT {COLUMNS}, CAST(NULL AS TEXT) FROM memory_store s WHERE {OF_REPOSITORY}");
    sql!(sql; WORKSPACE, repo.handle())
}

/// Looks a repository's store up, and keeps everybody else from changing it until the transaction ends.
pub(super) async fn lock_by_repository(
    within: &mut Transaction,
    repo: &RepositoryName,
) -> Result<Option<StoreRow>, StorageError> {
    let sql = locked(within.dialect(), OF_REPOSITORY);
    within.read_one(sql!(sql; WORKSPACE, repo.handle())).await
}

/// Looks a store up by its id, and keeps everybody else from changing it until the transaction ends.
pub(super) async fn lock_by_id(
    within: &mut Transaction,
    id: &str,
) -> Result<Option<StoreRow>, StorageError> {
    let sql = locked(within.dialect(), "s.id = $1");
    within.read_one(sql!(sql; id)).await
}

/// Every store, in the order of their ids, which are read some at a time.
#[derive(Debug, Default)]
pub(super) struct EveryStore {
    after: String,
    read: std::vec::IntoIter<String>,
}

impl EveryStore {
    /// The id of the next one.
    pub(super) async fn next(&mut self, engine: &Engine) -> Result<Option<String>, StorageError> {
        if self.read.as_slice().is_empty() {
            let next = "SELECT id FROM memory_store WHERE id > $1 ORDER BY id LIMIT $2";
            let next = sql!(next; &self.after, STORES_AT_ONCE);
            self.read = engine.read_all(next).await?.into_iter();
        }
        let store = self.read.next();
        if let Some(store) = &store {
            self.after.clone_from(store);
        }
        Ok(store)
    }
}
