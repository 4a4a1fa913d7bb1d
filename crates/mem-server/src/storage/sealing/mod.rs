//! Contents that only this server can read: sealed under a data key of their store, which a master key wraps.
//!
//! The row of a store names the key of its next versions. Every writer reads that row under its lock, so all
//! replicas seal with the new key from the moment it is there, and nobody has to be told. What is sealed names
//! its key: readers look up the ones that they have not met, once each.

pub(super) mod data_keys;
mod master;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

pub(super) use data_keys::{begin_store, check, end_unused, of_row, parse as key_id};
pub use master::MasterSource;
use mem_vault::{AssociatedData, DataKey, KeyId, VaultError, is_sealed, key_of};

use super::StorageError;
use super::sql::{SqlQuery, SqlRow};
use super::store_row::StoreRow;

/// The codec of a sealed content.
pub(super) const SEALED: i64 = 1;
/// What errors call one.
pub(super) const CONTENT: &str = "the content of a version";

/// The keys that were met, and where the master key comes from. Clones share them.
#[derive(Clone)]
pub(super) struct ContentCipher(Arc<SealsState>);

struct SealsState {
    master: MasterSource,
    keys: RwLock<HashMap<KeyId, Arc<DataKey>>>,
}

impl ContentCipher {
    pub(super) fn new(master: MasterSource) -> Self {
        let keys = RwLock::default();
        Self(Arc::new(SealsState { master, keys }))
    }

    /// Where the master key comes from.
    pub(super) fn master(&self) -> &MasterSource {
        &self.0.master
    }

    fn known(&self, id: KeyId) -> Option<Arc<DataKey>> {
        let keys = self.0.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.get(&id).cloned()
    }

    fn keep(&self, key: Arc<DataKey>) {
        let mut keys = self.0.keys.write().unwrap_or_else(PoisonError::into_inner);
        keys.insert(key.id(), key);
    }

    /// The keys of sealed contents in a column that were not met yet.
    pub(super) fn unmet(&self, rows: &[SqlRow], column: usize) -> Result<Vec<KeyId>, StorageError> {
        let mut unmet = Vec::new();
        for row in rows {
            let Some(bytes) = row.bytes(column)?.filter(|bytes| is_sealed(bytes)) else {
                continue;
            };
            // One that is damaged is told of when it is opened.
            let Ok(id) = key_of(bytes, CONTENT) else {
                continue;
            };
            if !unmet.contains(&id) && self.known(id).is_none() {
                unmet.push(id);
            }
        }
        Ok(unmet)
    }

    /// Asks for a wrapped key.
    pub(super) fn wrapped(id: KeyId) -> SqlQuery {
        data_keys::wrapped(id)
    }

    /// Keeps the key that was asked for.
    pub(super) async fn meet(
        &self,
        id: KeyId,
        rows: &[SqlRow],
    ) -> Result<Arc<DataKey>, StorageError> {
        let row = rows.first().ok_or(VaultError::LostKey(id))?;
        let key = Arc::new(data_keys::unwrap(self, row).await?);
        self.keep(Arc::clone(&key));
        Ok(key)
    }

    /// The key that was met, by its name.
    pub(super) fn met(&self, id: KeyId) -> Option<Arc<DataKey>> {
        self.known(id)
    }

    /// The text of a content in a column, whose key was met.
    pub(super) fn content<'r>(
        &self,
        row: &'r SqlRow,
        column: usize,
        store: &str,
        version: &str,
    ) -> Result<Option<Cow<'r, str>>, StorageError> {
        let bytes = row.bytes(column)?;
        let text = bytes.map(|bytes| self.text(bytes, store, version));
        text.transpose()
    }

    pub(super) fn text<'b>(
        &self,
        bytes: &'b [u8],
        store: &str,
        version: &str,
    ) -> Result<Cow<'b, str>, StorageError> {
        let text = match is_sealed(bytes) {
            false => std::str::from_utf8(bytes).map(Cow::Borrowed).ok(),
            true => {
                let plain = self.open(bytes, store, version)?;
                String::from_utf8(plain).map(Cow::Owned).ok()
            }
        };
        text.ok_or_else(|| damaged(version, VaultError::Form(CONTENT)))
    }

    fn open(&self, bytes: &[u8], store: &str, version: &str) -> Result<Vec<u8>, StorageError> {
        let wrong = |error| damaged(version, error);
        let id = key_of(bytes, CONTENT).map_err(wrong)?;
        let key = self.known(id).ok_or(VaultError::LostKey(id));
        let opened =
            key.and_then(|key| key.open_content(bytes, &of_version(store, version), CONTENT));
        opened.map_err(wrong)
    }
}

/// What is wrong with one content.
pub(super) fn damaged(version: &str, error: VaultError) -> StorageError {
    StorageError::Content {
        path: None,
        version: version.to_owned(),
        error,
    }
}

/// A key that is gone costs what it sealed, which tells of it when it is opened, and nothing beside it.
pub(super) fn unless_lost<T>(met: Result<T, StorageError>) -> Result<(), StorageError> {
    match met {
        Err(StorageError::Vault(VaultError::LostKey(_))) => Ok(()),
        met => met.map(drop),
    }
}

/// A content as it is stored: its codec, the name of its key, its bytes.
pub(super) type Stored = (i64, Option<String>, Option<Vec<u8>>);

/// What is to be stored of a version's content.
pub(super) fn stored(
    key: Option<&DataKey>,
    store: &StoreRow,
    version: &str,
    content: Option<&str>,
) -> Result<Stored, StorageError> {
    Ok(match (content, key) {
        (None, _) => (0, None, None),
        (Some(text), None) => (0, None, Some(text.as_bytes().to_vec())),
        (Some(text), Some(key)) => {
            let sealed = key.seal_content(text.as_bytes(), &of_version(&store.id, version))?;
            (SEALED, Some(key.id().to_string()), Some(sealed))
        }
    })
}

pub(super) fn of_version(store: &str, version: &str) -> AssociatedData {
    AssociatedData::from_words(&["memory_version", store, version])
}

impl fmt::Debug for ContentCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seals").finish_non_exhaustive()
    }
}
