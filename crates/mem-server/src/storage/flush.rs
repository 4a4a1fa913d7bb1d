//! Stores what has changed: three statements, however much it is, and one or two more where paths became free.
//!
//! **Invariant:** the store's number goes from the one that was read to the one after the changes, in the same transaction
//! as the rows. The lock on the store's row is to ensure that; the condition of the update proves it at the last moment.
//! Versions are only added here: what was shown to somebody under a number stays.

use mem_sync::limits::ENTRIES_MAX;
use mem_vault::DataKey;

use super::sql::{SqlValue, Transaction, sql, values};
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
    let advance =
        "UPDATE memory_store SET sequence = $1, live_memories = $2 WHERE id = $3 AND sequence = $4";
    let after = set.store();
    let advance = sql!(advance; after.sequence, after.live, &store.id, store.sequence);
    if within.run(advance).await? != 1 {
        return Ok(false);
    }
    let key = sealing::of_row(within, store).await?;
    for chunk in set.versions().chunks(ROWS_MAX) {
        let mut rows = Vec::with_capacity(chunk.len() * VERSION_COLUMNS);
        for version in chunk {
            rows.extend(version_row(store, version, key.as_deref())?);
        }
        let insert = format!("{VERSIONS}{}", values(1, chunk.len(), VERSION_COLUMNS));
        let insert = sql!(insert)
            .bind_all(rows)
            .prepared(chunk.len() <= ROWS_PREPARED);
        within.run(insert).await?;
        // Reasons are few: a row that has none is written without a thought of them.
        for version in chunk.iter().filter(|version| version.reason.is_some()) {
            let because =
                "UPDATE memory_version SET reason = $1 WHERE store_id = $2 AND sequence = $3";
            let reason = version.reason.clone();
            let change = sql!(because; reason, &store.id, version.row.sequence);
            within.run(change).await?;
        }
    }
    // Paths change hands within one transaction: first all are let go, then they are taken.
    for chunk in set.gone().chunks(ROWS_MAX) {
        let ids = values(1, chunk.len(), 1);
        let free = sql!(format!("DELETE FROM memory WHERE id IN (VALUES {ids})"));
        let free = free
            .bind_all(chunk.iter().copied())
            .prepared(chunk.len() <= ROWS_PREPARED);
        within.run(free).await?;
    }
    let paths = set.rows();
    for chunk in paths.chunks(ROWS_MAX) {
        let rows = chunk.iter().flat_map(|row| memory_row(store, row));
        let list = values(1, chunk.len(), MEMORY_COLUMNS);
        let upsert = sql!(format!("{MEMORIES}{list}{OR_UPDATE}")).bind_all(rows);
        let change = upsert.prepared(chunk.len() <= ROWS_PREPARED);
        within.run(change).await?;
    }
    if paths.iter().any(|row| !row.live) {
        // A store has as many tombstones as entries at most: the oldest are forgotten.
        let forget = "DELETE FROM memory WHERE store_id = $1 AND NOT live AND sequence <= (SELECT sequence FROM memory \
                      WHERE store_id = $1 AND NOT live ORDER BY sequence DESC LIMIT 1 OFFSET $2)";
        within.run(sql!(forget; &store.id, ENTRIES_MAX)).await?;
    }
    Ok(true)
}

fn version_row(
    store: &StoreRow,
    version: &NewVersion,
    key: Option<&DataKey>,
) -> Result<[SqlValue; VERSION_COLUMNS], StorageError> {
    let row = &version.row;
    let content = row.content.as_deref();
    let (codec, key_id, stored) = sealing::stored(key, store, &row.version_id, content)?;
    Ok([
        (&row.version_id).into(),
        (&store.id).into(),
        row.sequence.into(),
        version.change.into(),
        (&row.id).into(),
        version.operation.as_str().into(),
        (&row.path).into(),
        stored.into(),
        content.map(|_| row.sha256.as_bytes().to_vec()).into(),
        content.map(|_| row.size as i64).into(),
        row.updated_at.into(),
        version.actor.kind.as_str().into(),
        (&version.actor.id).into(),
        (&version.actor.name).into(),
        codec.into(),
        key_id.into(),
    ])
}

fn memory_row(store: &StoreRow, row: &PathRow) -> [SqlValue; MEMORY_COLUMNS] {
    [
        (&row.id).into(),
        (&store.id).into(),
        (&row.path).into(),
        (&row.folded).into(),
        row.live.into(),
        (&row.version_id).into(),
        row.sequence.into(),
        row.sha256.into(),
        row.size.into(),
        row.created_at.into(),
        row.updated_at.into(),
    ]
}
