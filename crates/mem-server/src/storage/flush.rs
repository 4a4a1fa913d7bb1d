//! Stores what a shelf says has changed: three statements, however much it is.

use std::collections::BTreeMap;

use super::StorageError;
use super::load::{folded, path};
use super::shelf::{NewVersion, Shelf};
use super::sql::{Query, Transaction, Value, values};
use super::store_row::StoreRow;

/// Rows of one statement; SQLite allows 32,766 values in one.
const ROWS_MAX: usize = 2000;
/// Up to so many rows a statement is prepared for good.
const ROWS_PREPARED: usize = 4;

const VERSION_COLUMNS: usize = 14;
const VERSIONS: &str = "INSERT INTO memory_version (id, store_id, sequence, change, memory_id, operation, path, \
    content, content_sha256, content_size, created_at, actor_kind, actor_id, actor_name) VALUES ";

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
    shelf: &Shelf,
) -> Result<bool, StorageError> {
    let advance = Query::new(
        "UPDATE memory_store SET sequence = $1, live_memories = $2 WHERE id = $3 AND sequence = $4",
    );
    let advance = advance
        .bind(number(shelf.sequence())?)
        .bind(number(shelf.live())?);
    let advance = advance.bind(store.id.clone()).bind(number(store.sequence)?);
    if within.run(advance).await? != 1 {
        return Ok(false);
    }
    for chunk in shelf.versions().chunks(ROWS_MAX) {
        let mut rows = Vec::with_capacity(chunk.len() * VERSION_COLUMNS);
        for version in chunk {
            rows.extend(version_row(store, version)?);
        }
        let sql = format!("{VERSIONS}{}", values(1, chunk.len(), VERSION_COLUMNS));
        let insert = Query::built(sql, chunk.len() <= ROWS_PREPARED).bind_all(rows);
        within.run(insert).await?;
        for version in chunk.iter().filter(|version| version.reason.is_some()) {
            within.run(because(store, version)?).await?;
        }
    }
    let newest: BTreeMap<_, _> = shelf.versions().iter().map(|one| (&one.key, one)).collect();
    let newest: Vec<&NewVersion> = newest.into_values().collect();
    for chunk in newest.chunks(ROWS_MAX) {
        let mut rows = Vec::with_capacity(chunk.len() * MEMORY_COLUMNS);
        for version in chunk {
            rows.extend(memory_row(store, version)?);
        }
        let list = values(1, chunk.len(), MEMORY_COLUMNS);
        let upsert = format!("{MEMORIES}{list}{OR_UPDATE}");
        let upsert = Query::built(upsert, chunk.len() <= ROWS_PREPARED).bind_all(rows);
        within.run(upsert).await?;
    }
    Ok(true)
}

/// Reasons are few: a row that has none is written without a thought of them.
fn because(store: &StoreRow, version: &NewVersion) -> Result<Query, StorageError> {
    let sql = "UPDATE memory_version SET reason = $1 WHERE store_id = $2 AND sequence = $3";
    let query = Query::new(sql).bind(version.reason.clone());
    let query = query.bind(store.id.clone());
    Ok(query.bind(number(version.memory.sequence)?))
}

fn version_row(
    store: &StoreRow,
    version: &NewVersion,
) -> Result<[Value; VERSION_COLUMNS], StorageError> {
    let memory = &version.memory;
    let has_content = version.content.is_some();
    let size = has_content.then(|| size(memory.size)).transpose()?;
    Ok([
        memory.version_id.clone().into(),
        store.id.clone().into(),
        number(memory.sequence)?.into(),
        number(version.change)?.into(),
        memory.id.clone().into(),
        version.operation.into(),
        path(&version.key).into(),
        version.content.clone().map(String::into_bytes).into(),
        has_content
            .then(|| memory.sha256.as_bytes().to_vec())
            .into(),
        size.into(),
        memory.updated_at.as_microsecond().into(),
        version.actor.kind.as_str().into(),
        version.actor.id.as_str().into(),
        version.actor.name.as_str().into(),
    ])
}

fn memory_row(
    store: &StoreRow,
    version: &NewVersion,
) -> Result<[Value; MEMORY_COLUMNS], StorageError> {
    let memory = &version.memory;
    Ok([
        memory.id.clone().into(),
        store.id.clone().into(),
        path(&version.key).into(),
        folded(&version.key).into(),
        memory.live.into(),
        memory.version_id.clone().into(),
        number(memory.sequence)?.into(),
        memory.sha256.as_bytes().to_vec().into(),
        size(memory.size)?.into(),
        memory.created_at.as_microsecond().into(),
        memory.updated_at.as_microsecond().into(),
    ])
}

fn number(count: u64) -> Result<i64, StorageError> {
    i64::try_from(count).map_err(|_| StorageError::Corrupt("a count beyond all counting"))
}

fn size(bytes: usize) -> Result<i64, StorageError> {
    number(bytes as u64)
}
