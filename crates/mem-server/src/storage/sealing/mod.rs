//! Contents that only this server can read: sealed under a data key of their store, which a master key wraps.
//!
//! The row of a store names the key of its next versions. Every writer reads that row under its lock, so all
//! replicas seal with the new key from the moment it is there, and nobody has to be told. What is sealed names
//! its key: readers look up the ones that they have not met, once each.

mod master;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

pub use master::MasterSource;
use mem_vault::{AssociatedData, DataKey, KeyId, MasterKey, VaultError, is_sealed, key_of};

use super::StorageError;
use super::objects::ContentReference;
use super::sql::{Engine, SqlDialect, SqlQuery, SqlRow, Transaction, sql};
use super::store_row::StoreRow;

/// The codec of a sealed content.
const SEALED: i64 = 1;
/// What errors call one.
pub(super) const CONTENT: &str = "the content of a version";
/// The columns of [`unwrap`].
const KEYS: &str = "SELECT wrapped, store_id, master_id FROM data_key";
/// One key of each master key that wraps any.
pub(super) const KEY_PER_MASTER: &str = "SELECT wrapped, store_id, master_id FROM data_key \
    WHERE id IN (SELECT max(id) FROM data_key GROUP BY master_id)";

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

    /// The key that was met, by its name.
    pub(super) fn met(&self, id: KeyId) -> Option<Arc<DataKey>> {
        let keys = self.0.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.get(&id).cloned()
    }

    /// The keys of sealed contents in a column that were not met yet.
    pub(super) fn unmet(&self, rows: &[SqlRow], column: usize) -> Result<Vec<KeyId>, StorageError> {
        let mut unmet = Vec::new();
        for row in rows {
            let bytes = row.bytes(column)?.map(ContentReference::sealed_head);
            let bytes = bytes.filter(|bytes| is_sealed(bytes));
            // One that is damaged is told of when it is opened.
            let id = bytes.and_then(|bytes| key_of(bytes, CONTENT).ok());
            unmet.extend(id.filter(|id| !unmet.contains(id) && self.met(*id).is_none()));
        }
        Ok(unmet)
    }

    /// Asks for a wrapped key.
    pub(super) fn wrapped(id: KeyId) -> SqlQuery {
        sql!("SELECT wrapped, store_id, master_id FROM data_key WHERE id = $1"; id)
    }

    /// Keeps the key that was asked for.
    pub(super) async fn meet(
        &self,
        id: KeyId,
        row: Option<&SqlRow>,
    ) -> Result<Arc<DataKey>, StorageError> {
        let key = Arc::new(unwrap(self, row.ok_or(VaultError::LostKey(id))?).await?);
        let mut keys = self.0.keys.write().unwrap_or_else(PoisonError::into_inner);
        keys.insert(key.id(), Arc::clone(&key));
        Ok(key)
    }

    /// The text of a content in a column, whose key was met.
    pub(super) fn content(
        &self,
        row: &SqlRow,
        column: usize,
        store: &str,
        version: &str,
    ) -> Result<Option<String>, StorageError> {
        let bytes = row.bytes(column)?;
        let text = bytes.map(|bytes| Ok(self.text(bytes, store, version)?.into_owned()));
        text.transpose()
    }

    pub(super) fn text<'b>(
        &self,
        bytes: &'b [u8],
        store: &str,
        version: &str,
    ) -> Result<Cow<'b, str>, StorageError> {
        if ContentReference::read(bytes).is_some() {
            return Err(damaged(version, VaultError::ObjectGone));
        }
        let text = match is_sealed(bytes) {
            false => std::str::from_utf8(bytes).map(Cow::Borrowed).ok(),
            true => {
                let plain = self.open(bytes, store, version);
                let plain = plain.map_err(|error| damaged(version, error))?;
                String::from_utf8(plain).map(Cow::Owned).ok()
            }
        };
        text.ok_or_else(|| damaged(version, VaultError::Form(CONTENT)))
    }

    fn open(&self, bytes: &[u8], store: &str, version: &str) -> Result<Vec<u8>, VaultError> {
        let id = key_of(bytes, CONTENT)?;
        let key = self.met(id).ok_or(VaultError::LostKey(id))?;
        key.open_content(bytes, &of_version(store, version), CONTENT)
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

/// A content as it is stored: its codec, the name of its key, its bytes.
pub(super) type Stored = (i64, Option<KeyId>, Option<Vec<u8>>);

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
            (SEALED, Some(key.id()), Some(sealed))
        }
    })
}

fn of_version(store: &str, version: &str) -> AssociatedData {
    AssociatedData::from_words(&["memory_version", store, version])
}

fn of_store(store: &str) -> AssociatedData {
    AssociatedData::from_words(&["data_key", store])
}

/// The key of a row of [`KEYS`].
async fn unwrap(seals: &ContentCipher, row: &SqlRow) -> Result<DataKey, StorageError> {
    let (wrapped, store, master): (Vec<u8>, String, String) = row.get(0)?;
    let masters = seals.master().keys_for(&master).await?;
    Ok(masters.unwrap_key(&wrapped, &of_store(&store))?)
}

/// That everything which is in use can be unwrapped: asked before a server begins, not by its first reader.
pub(super) async fn check(engine: &Engine) -> Result<(), StorageError> {
    let rows = engine.all(sql!(KEY_PER_MASTER)).await?;
    check_keys(&engine.seals, &rows).await
}

/// That the rows of [`KEY_PER_MASTER`] can be unwrapped.
pub(super) async fn check_keys(seals: &ContentCipher, rows: &[SqlRow]) -> Result<(), StorageError> {
    for row in rows {
        unwrap(seals, row).await?;
    }
    Ok(())
}

/// Makes a key for a store, wraps it, and seals the store's next versions with it.
pub(super) async fn appoint_new(
    within: &mut Transaction,
    master: &MasterKey,
    store: &str,
) -> Result<KeyId, StorageError> {
    let key = DataKey::generate()?;
    let wrapped = master.wrap_key(&key, &of_store(store))?;
    let insert = "INSERT INTO data_key (id, store_id, master_id, wrapped) VALUES ($1, $2, $3, $4)";
    let change = sql!(insert; key.id(), store, master.id(), wrapped);
    within.run(change).await?;
    appoint(within, store, Some(key.id())).await?;
    Ok(key.id())
}

/// Says which key a store's next versions are sealed with.
pub(super) async fn appoint(
    within: &mut Transaction,
    store: &str,
    key: Option<KeyId>,
) -> Result<(), StorageError> {
    let update = sql!("UPDATE memory_store SET data_key_id = $1 WHERE id = $2"; key, store);
    within.run(update).await.map(drop)
}

/// Gives a store that was just made its key, where encryption is on. Whoever switches it on waits for this
/// transaction, or this one sees that it is on.
pub(super) async fn begin_store(
    within: &mut Transaction,
    store: &str,
) -> Result<Option<KeyId>, StorageError> {
    let is_on = match within.dialect() {
        SqlDialect::Sqlite => "SELECT is_on FROM encryption WHERE id = 1",
        SqlDialect::Postgres => "SELECT is_on FROM encryption WHERE id = 1 FOR SHARE",
    };
    if within.read_one(sql!(is_on)).await? != Some(true) {
        return Ok(None);
    }
    let masters = within.seals.master().fresh().await?;
    appoint_new(within, masters.first_key()?, store)
        .await
        .map(Some)
}

/// The key that a store's versions are to be sealed with.
pub(super) async fn of_row(
    within: &mut Transaction,
    store: &StoreRow,
) -> Result<Option<Arc<DataKey>>, StorageError> {
    match store.data_key {
        None => Ok(None),
        Some(id) => within.key(id).await.map(Some),
    }
}

/// Wraps anew what another master key wrapped, and says how many keys that were.
pub(super) async fn rewrap(engine: &Engine, master: &MasterKey) -> Result<u64, StorageError> {
    let others = sql!(format!("{KEYS} WHERE master_id <> $1 ORDER BY id"); master.id());
    let mut count = 0;
    for row in &engine.all(others).await? {
        let key = unwrap(&engine.seals, row).await?;
        let wrapped = master.wrap_key(&key, &of_store(row.text(1)?))?;
        let update = "UPDATE data_key SET wrapped = $1, master_id = $2 WHERE id = $3";
        let change = sql!(update; wrapped, master.id(), key.id());
        count += engine.run(change).await?;
    }
    Ok(count)
}

/// Ends the keys that nothing is sealed with any more.
pub(super) async fn end_unused(engine: &Engine) -> Result<u64, StorageError> {
    let end = "DELETE FROM data_key WHERE NOT EXISTS (SELECT 1 FROM memory_store s WHERE s.data_key_id = data_key.id) \
               AND NOT EXISTS (SELECT 1 FROM memory_version v WHERE v.store_id = data_key.store_id \
               AND v.key_id = data_key.id AND v.content IS NOT NULL)";
    engine.run(sql!(end)).await
}

impl fmt::Debug for ContentCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seals").finish_non_exhaustive()
    }
}
