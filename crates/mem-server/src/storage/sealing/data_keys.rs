//! The rows of data keys.

use mem_vault::{AssociatedData, DataKey, KeyId, MasterKey, VaultError};

use super::ContentCipher;
use crate::storage::StorageError;
use crate::storage::sql::{Engine, SqlDialect, SqlQuery, SqlRow, Transaction};
use crate::storage::store_row::StoreRow;

const COLUMNS: &str = "SELECT wrapped, store_id, master_id FROM data_key";

/// One by its name.
pub(in crate::storage) fn wrapped(id: KeyId) -> SqlQuery {
    SqlQuery::new("SELECT wrapped, store_id, master_id FROM data_key WHERE id = $1")
        .bind(id.to_string())
}

/// The key of a row of [`COLUMNS`].
pub(in crate::storage) async fn unwrap(
    seals: &ContentCipher,
    row: &SqlRow,
) -> Result<DataKey, StorageError> {
    let (wrapped, store): (Vec<u8>, String) = (row.get(0)?, row.get(1)?);
    let masters = seals.master().keys_for(&row.get::<String>(2)?).await?;
    Ok(masters.unwrap_key(&wrapped, &of_store(&store))?)
}

/// That everything which is in use can be unwrapped: asked before a server begins, not by its first reader.
pub(in crate::storage) async fn check(engine: &Engine) -> Result<(), StorageError> {
    let sql = format!("{COLUMNS} WHERE id IN (SELECT max(id) FROM data_key GROUP BY master_id)");
    for row in &engine.all(SqlQuery::built(sql, false)).await? {
        unwrap(engine.seals(), row).await?;
    }
    Ok(())
}

/// Makes a key for a store, wraps it and writes it down. It is not the store's yet.
pub(in crate::storage) async fn make(
    within: &mut Transaction,
    master: &MasterKey,
    store: &str,
) -> Result<DataKey, StorageError> {
    let key = DataKey::generate()?;
    let insert = SqlQuery::new(
        "INSERT INTO data_key (id, store_id, master_id, wrapped) VALUES ($1, $2, $3, $4)",
    );
    let insert = insert.bind(key.id().to_string()).bind(store);
    let insert = insert.bind(master.id().to_string());
    let wrapped = master.wrap_key(&key, &of_store(store))?;
    within.run(insert.bind(wrapped)).await?;
    Ok(key)
}

/// Says which key a store's next versions are sealed with.
pub(in crate::storage) async fn appoint(
    within: &mut Transaction,
    store: &str,
    key: Option<KeyId>,
) -> Result<(), StorageError> {
    let sql = "UPDATE memory_store SET data_key_id = $1 WHERE id = $2";
    let update = SqlQuery::new(sql).bind(key.map(|id| id.to_string()));
    within.run(update.bind(store)).await?;
    Ok(())
}

/// Gives a store that was just made its key, where encryption is on. Whoever switches it on waits for this
/// transaction, or this one sees that it is on.
pub(in crate::storage) async fn begin_store(
    within: &mut Transaction,
    store: &str,
) -> Result<Option<KeyId>, StorageError> {
    let sql = match within.dialect() {
        SqlDialect::Sqlite => "SELECT is_on FROM encryption WHERE id = 1",
        SqlDialect::Postgres => "SELECT is_on FROM encryption WHERE id = 1 FOR SHARE",
    };
    let row = within.one(SqlQuery::new(sql)).await?;
    let is_on = row.map(|row| row.get::<bool>(0)).transpose()?;
    if is_on != Some(true) {
        return Ok(None);
    }
    let masters = within.seals().master().fresh().await?;
    let key = make(within, masters.first_key()?, store).await?;
    appoint(within, store, Some(key.id())).await?;
    Ok(Some(key.id()))
}

/// The key that a store's versions are to be sealed with.
pub(in crate::storage) async fn of_row(
    within: &mut Transaction,
    store: &StoreRow,
) -> Result<Option<std::sync::Arc<DataKey>>, StorageError> {
    match store.data_key {
        None => Ok(None),
        Some(id) => within.key(id).await.map(Some),
    }
}

/// Wraps anew what another master key wrapped, and says how many keys that were.
pub(in crate::storage) async fn rewrap(
    engine: &Engine,
    master: &MasterKey,
) -> Result<u64, StorageError> {
    let sql = format!("{COLUMNS} WHERE master_id <> $1 ORDER BY id");
    let others = SqlQuery::built(sql, false).bind(master.id().to_string());
    let mut count = 0;
    for row in &engine.all(others).await? {
        let key = unwrap(engine.seals(), row).await?;
        let wrapped = master.wrap_key(&key, &of_store(&row.get::<String>(1)?))?;
        let update =
            SqlQuery::new("UPDATE data_key SET wrapped = $1, master_id = $2 WHERE id = $3");
        let update = update.bind(wrapped).bind(master.id().to_string());
        let mut within = engine.begin().await?;
        count += within.run(update.bind(key.id().to_string())).await?;
        within.commit().await?;
    }
    Ok(count)
}

/// Ends the keys that nothing is sealed with any more.
pub(in crate::storage) async fn end_unused(engine: &Engine) -> Result<u64, StorageError> {
    let sql = "DELETE FROM data_key WHERE NOT EXISTS (SELECT 1 FROM memory_store s WHERE s.data_key_id = data_key.id) \
               AND NOT EXISTS (SELECT 1 FROM memory_version v WHERE v.store_id = data_key.store_id \
               AND v.key_id = data_key.id AND v.content IS NOT NULL)";
    let mut within = engine.begin().await?;
    let ended = within.run(SqlQuery::new(sql)).await?;
    within.commit().await?;
    Ok(ended)
}

fn of_store(store: &str) -> AssociatedData {
    AssociatedData::from_words(&["data_key", store])
}

/// A name as it is stored.
pub(in crate::storage) fn parse(text: &str) -> Result<KeyId, StorageError> {
    let wrong = VaultError::Form("the name of a data key");
    Ok(KeyId::parse(text).ok_or(wrong)?)
}
