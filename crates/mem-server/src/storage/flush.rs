//! Stores what has changed: three statements, however much it is, and one or two more where paths became free.

use mem_sync::limits::ENTRIES_MAX;
use mem_vault::DataKey;

use super::sql::{SqlQuery, SqlValue, Transaction, values};
use super::store_row::StoreRow;
use super::working_set::{NewVersion, PathRow, WorkingSet};
use super::{StorageError, sealing};

/// Rows of one statement; SQLite allows 32,766 values in one.
const ROWS_MAX: usize = 2000;
/// Up to so many rows a statement is prepared for good.
const ROWS_PREPARED: usize = 4;

const VERSION_COLUMNS: usize = 16;
const VERSIONS: &str = "INSERT INTO memory_version (id, store_id, sequence, change, memory_id, operation, path, \
    content, content_sha256, content_size, created_at, actor_kind, actor_id, actor_name, \
    codec, key_id) VALUES ";

const MEMORY_COLUMNS: usize = 11;
const MEMORIES: &str = "INSERT INTO memory (id, store_id, path, path_folded, live, version_id, sequence, \
    content_sha256, content_size, created_at, updated_at) VALUES ";
const OR_UPDATE: &str = " ON CONFLICT (store_id, path) DO UPDATE SET id = excluded.id, \
    live = excluded.live, version_id = excluded.version_id, sequence = excluded.sequence, \
    content_sha256 = excluded.content_sha256, content_size = excluded.content_size, \
    created_at = excluded.created_at, updated_at = excluded.updated_at";

/// Stores the versions, the memories as they are after the last of them, and the store's counters.
/// Says `false` where the store is not what it was when it was read.
pub(super) async fn flush(
    within: &mut Transaction,
    store: &StoreRow,
    set: &WorkingSet,
) -> Result<bool, StorageError> {
    let advance = SqlQuery::new(
        "UPDATE memory_store SET sequence = $1, live_memories = $2 WHERE id = $3 AND sequence = $4",
    );
    let advance = advance
        .bind(number(set.store().sequence)?)
        .bind(number(set.store().live)?);
    let advance = advance.bind(store.id.clone()).bind(number(store.sequence)?);
    if within.run(advance).await? != 1 {
        return Ok(false);
    }
    let key = sealing::of_row(within, store).await?;
    for chunk in set.versions().chunks(ROWS_MAX) {
        let mut rows = Vec::with_capacity(chunk.len() * VERSION_COLUMNS);
        for version in chunk {
            rows.extend(version_row(store, version, key.as_deref())?);
        }
        let sql = format!("{VERSIONS}{}", values(1, chunk.len(), VERSION_COLUMNS));
        let insert = SqlQuery::built(sql, chunk.len() <= ROWS_PREPARED).bind_all(rows);
        within.run(insert).await?;
        for version in chunk.iter().filter(|version| version.reason.is_some()) {
            within.run(because(store, version)?).await?;
        }
    }
    free(within, &set.gone()).await?;
    let paths = set.rows();
    for chunk in paths.chunks(ROWS_MAX) {
        let mut rows = Vec::with_capacity(chunk.len() * MEMORY_COLUMNS);
        for row in chunk {
            rows.extend(memory_row(store, row)?);
        }
        let list = values(1, chunk.len(), MEMORY_COLUMNS);
        let upsert = format!("{MEMORIES}{list}{OR_UPDATE}");
        let upsert = SqlQuery::built(upsert, chunk.len() <= ROWS_PREPARED).bind_all(rows);
        within.run(upsert).await?;
    }
    if paths.iter().any(|row| !row.live) {
        forget_oldest(within, store).await?;
    }
    Ok(true)
}

/// Reasons are few: a row that has none is written without a thought of them.
fn because(store: &StoreRow, version: &NewVersion) -> Result<SqlQuery, StorageError> {
    let sql = "UPDATE memory_version SET reason = $1 WHERE store_id = $2 AND sequence = $3";
    let query = SqlQuery::new(sql).bind(version.reason.clone());
    let query = query.bind(store.id.clone());
    Ok(query.bind(number(version.row.sequence)?))
}

/// Paths change hands within one transaction: first all are let go, then they are taken.
async fn free(within: &mut Transaction, gone: &[&str]) -> Result<(), StorageError> {
    for chunk in gone.chunks(ROWS_MAX) {
        let sql = format!(
            "DELETE FROM memory WHERE id IN (VALUES {})",
            values(1, chunk.len(), 1)
        );
        let ids = chunk.iter().map(|id| SqlValue::from(*id));
        let delete = SqlQuery::built(sql, chunk.len() <= ROWS_PREPARED).bind_all(ids);
        within.run(delete).await?;
    }
    Ok(())
}

/// A store has as many tombstones as entries at most: the oldest are forgotten.
async fn forget_oldest(within: &mut Transaction, store: &StoreRow) -> Result<(), StorageError> {
    let forget = SqlQuery::new(
        "DELETE FROM memory WHERE store_id = $1 AND NOT live AND sequence <= (SELECT sequence FROM memory \
         WHERE store_id = $1 AND NOT live ORDER BY sequence DESC LIMIT 1 OFFSET $2)",
    );
    let forget = forget
        .bind(store.id.clone())
        .bind(number(ENTRIES_MAX as u64)?);
    within.run(forget).await?;
    Ok(())
}

fn version_row(
    store: &StoreRow,
    version: &NewVersion,
    key: Option<&DataKey>,
) -> Result<[SqlValue; VERSION_COLUMNS], StorageError> {
    let row = &version.row;
    let has_content = version.content.is_some();
    let size = has_content.then(|| size(row.size)).transpose()?;
    let content = version.content.as_deref();
    let (codec, key_id, content) = sealing::stored(key, store, &row.version_id, content)?;
    Ok([
        row.version_id.clone().into(),
        store.id.clone().into(),
        number(row.sequence)?.into(),
        number(version.change)?.into(),
        row.id.clone().into(),
        version.operation.as_str().into(),
        row.path.clone().into(),
        content.into(),
        has_content.then(|| row.sha256.as_bytes().to_vec()).into(),
        size.into(),
        row.updated_at.as_microsecond().into(),
        version.actor.kind.as_str().into(),
        version.actor.id.as_str().into(),
        version.actor.name.as_str().into(),
        codec.into(),
        key_id.into(),
    ])
}

fn memory_row(store: &StoreRow, row: &PathRow) -> Result<[SqlValue; MEMORY_COLUMNS], StorageError> {
    Ok([
        row.id.clone().into(),
        store.id.clone().into(),
        row.path.clone().into(),
        row.folded.clone().into(),
        row.live.into(),
        row.version_id.clone().into(),
        number(row.sequence)?.into(),
        row.sha256.as_bytes().to_vec().into(),
        size(row.size)?.into(),
        row.created_at.as_microsecond().into(),
        row.updated_at.as_microsecond().into(),
    ])
}

pub(super) fn number(count: u64) -> Result<i64, StorageError> {
    i64::try_from(count).map_err(|_| StorageError::Corrupt("a count beyond all counting"))
}

fn size(bytes: usize) -> Result<i64, StorageError> {
    number(bytes as u64)
}
