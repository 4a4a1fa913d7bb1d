//! The row of a store: what names its state.

use mem_sync::EntryKey;
use mem_sync::wire::ETag;
use mem_vault::KeyId;

use super::outbox::{self, WantedEvents};
use super::sql::{Engine, SqlQuery, SqlRow, Transaction, sql};
use super::stores::StoreRefusal;
use super::{RepositoryName, StorageError, load, sealing};

/// The workspace that every database has, and that the memory of repositories is in.
pub const WORKSPACE: &str = "wrkspc_default";
/// Stores whose ids are read at once.
const STORES_AT_ONCE: i64 = 200;

/// A store, as its row says.
#[derive(Clone, Debug)]
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
    /// What its workspace's webhooks ask for; known of a row that was read to be changed ([`StoreRow::read_locked`]).
    pub(super) wanted: WantedEvents,
}

/// The columns of [`StoreRow::read`].
pub(super) const COLUMNS: &str = "s.id, s.epoch, s.sequence, s.live_memories, s.handle, s.workspace_id, s.archived_at, s.data_key_id";

/// The column after them.
const WANTED: usize = 8;

/// The columns of [`StoreRow::read_locked`].
pub(super) fn locked_columns() -> String {
    format!("{COLUMNS}, {}", outbox::wanted_by("s"))
}

impl StoreRow {
    /// Names its state. An epoch never comes back, so neither does a tag. A repository's store comes about with its
    /// first version: before it, it is as one that is not there.
    pub(super) fn etag(&self) -> Result<ETag, StorageError> {
        if self.sequence == 0 {
            return Ok(etag_of_none());
        }
        let text = format!("\"{}-{}\"", self.epoch, self.sequence);
        ETag::parse(&text).map_err(|_| StorageError::Corrupt("an epoch that is none"))
    }

    /// The state that it is in.
    pub(super) fn state(&self) -> StoreState {
        StoreState {
            id: self.id.clone(),
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

    pub(super) fn read(row: &SqlRow) -> Result<Self, StorageError> {
        let data_key: Option<String> = row.get(7)?;
        Ok(Self {
            id: row.get(0)?,
            epoch: row.get(1)?,
            sequence: row.count(2)?,
            live: row.count(3)?,
            handle: row.get(4)?,
            workspace: row.get(5)?,
            is_archived: row.get::<Option<i64>>(6)?.is_some(),
            data_key: data_key.as_deref().map(sealing::key_id).transpose()?,
            wanted: WantedEvents::default(),
        })
    }

    /// The same of a row with [`locked_columns`].
    pub(super) fn read_locked(row: &SqlRow) -> Result<Self, StorageError> {
        let wanted = WantedEvents::read(row, WANTED)?;
        let store = Self::read(row)?;
        Ok(Self { wanted, ..store })
    }
}

/// A state of a store that somebody has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoreState {
    /// The store.
    pub(super) id: String,
    pub(super) epoch: String,
    /// The number of its newest change.
    pub(super) sequence: u64,
}

impl StoreState {
    /// Whether a transaction of a standby sees this state or a later one. What is no standby may be a copy, whose history is
    /// another one.
    pub(super) async fn is_reached(&self, within: &mut Transaction) -> Result<bool, StorageError> {
        let state = "SELECT epoch, sequence, pg_is_in_recovery() FROM memory_store WHERE id = $1";
        let found: Option<(String, u64, bool)> = within.read_one(sql!(state; &self.id)).await?;
        match found {
            Some((_, _, false)) => Err(StorageError::Corrupt("no standby")),
            Some((epoch, sequence, true)) => Ok(epoch == self.epoch && sequence >= self.sequence),
            None => Ok(false),
        }
    }
}

/// The state of a store that is not there. What is not there is the same everywhere and always.
pub(super) fn etag_of_none() -> ETag {
    ETag::of_version(0)
}

/// Asks for a repository's store.
pub(super) fn by_repository(repo: &RepositoryName) -> SqlQuery {
    let sql =
        format!("SELECT {COLUMNS} FROM memory_store s WHERE s.workspace_id = $1 AND s.handle = $2");
    sql!(sql; WORKSPACE, repo.handle())
}

/// Looks a repository's store up, and keeps everybody else from changing it until the transaction ends.
pub(super) async fn lock_by_repository(
    within: &mut Transaction,
    repo: &RepositoryName,
) -> Result<Option<StoreRow>, StorageError> {
    let (columns, end) = (locked_columns(), within.dialect().for_update());
    let sql = format!(
        "SELECT {columns} FROM memory_store s WHERE s.workspace_id = $1 AND s.handle = $2{end}"
    );
    let row = within.one(sql!(sql; WORKSPACE, repo.handle())).await?;
    row.as_ref().map(StoreRow::read_locked).transpose()
}

/// Looks a repository's store up by itself.
pub(super) async fn find(
    engine: &Engine,
    repo: &RepositoryName,
) -> Result<Option<StoreRow>, StorageError> {
    let row = engine.one(by_repository(repo)).await?;
    row.as_ref().map(StoreRow::read).transpose()
}

/// Looks a store up by its id, and keeps everybody else from changing it until the transaction ends.
pub(super) async fn lock_by_id(
    within: &mut Transaction,
    id: &str,
) -> Result<Option<StoreRow>, StorageError> {
    let end = within.dialect().for_update();
    let columns = locked_columns();
    let sql = format!("SELECT {columns} FROM memory_store s WHERE s.id = $1{end}");
    let row = within.one(sql!(sql; id)).await?;
    row.as_ref().map(StoreRow::read_locked).transpose()
}

/// The ids of the next stores behind one, some at a time; none at the end.
pub(super) async fn stores_after(
    engine: &Engine,
    after: &str,
) -> Result<Vec<String>, StorageError> {
    let next = "SELECT id FROM memory_store WHERE id > $1 ORDER BY id LIMIT $2";
    engine.read_all(sql!(next; after, STORES_AT_ONCE)).await
}
