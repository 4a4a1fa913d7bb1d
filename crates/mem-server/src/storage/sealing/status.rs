//! How much is sealed, and with what.

use mem_vault::VaultError;

use crate::storage::StorageError;
use crate::storage::sql::{Engine, Query};

/// What a run of `on`, `off` or `rotate` came to.
#[derive(Debug, Default)]
pub struct Sealing {
    /// Stores that were looked at.
    pub stores: u64,
    /// Versions that were sealed or opened.
    pub versions: u64,
    /// Data keys that another master key wrapped before.
    pub rewrapped: u64,
    /// Data keys that nothing needed any more.
    pub ended: u64,
    /// Versions that cannot be opened, and were left as they are.
    pub unopened: Vec<Unopened>,
}

/// A version whose content cannot be opened.
#[derive(Debug)]
pub struct Unopened {
    /// Which.
    pub version: String,
    /// Why.
    pub error: VaultError,
}

/// How a database stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encryption {
    /// Whether what is written is sealed.
    pub is_on: bool,
    /// Stores.
    pub stores: u64,
    /// Stores with a key.
    pub stores_with_key: u64,
    /// Versions with a content.
    pub versions: u64,
    /// Those whose content is sealed.
    pub sealed: u64,
    /// The names of the master keys that are needed.
    pub masters: Vec<String>,
}

impl Encryption {
    /// Versions that are sealed and should not be, or the reverse: a run was interrupted or is under way, or they
    /// cannot be opened.
    pub fn amiss(&self) -> u64 {
        match self.is_on {
            true => self.versions.saturating_sub(self.sealed),
            false => self.sealed,
        }
    }
}

/// Looks.
pub(in crate::storage) async fn status(engine: &Engine) -> Result<Encryption, StorageError> {
    let mut found = Encryption::default();
    for row in &engine
        .all(Query::new("SELECT is_on FROM encryption"))
        .await?
    {
        found.is_on = row.get(0)?;
    }
    let sql = "SELECT count(*), count(data_key_id) FROM memory_store";
    for row in &engine.all(Query::new(sql)).await? {
        (found.stores, found.stores_with_key) = (row.count(0)?, row.count(1)?);
    }
    let sql = "SELECT count(*), count(key_id) FROM memory_version WHERE content IS NOT NULL";
    for row in &engine.all(Query::new(sql)).await? {
        (found.versions, found.sealed) = (row.count(0)?, row.count(1)?);
    }
    let sql = "SELECT DISTINCT master_id FROM data_key ORDER BY master_id";
    for row in &engine.all(Query::new(sql)).await? {
        found.masters.push(row.get(0)?);
    }
    Ok(found)
}
