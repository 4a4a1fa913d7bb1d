//! Which contents go to object storage, and the end of objects that nothing refers to.

use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::{SignedDuration, Timestamp};

use super::{AT_ONCE, ContentReference, MOVE_MAX};
use crate::storage::queue::patiently;
use crate::storage::sql::{Engine, Transaction, sql, values};
use crate::storage::store_row::EveryStore;
use crate::storage::{Database, StorageError, id};

/// Added to the codec of a content that is a reference.
const MOVED: i64 = 2;
/// Contents of more bytes go at once.
const LARGE_BYTES: i64 = 32 * 1024;
/// Smaller ones of old versions stay: a reference takes as much.
const SMALL_BYTES: i64 = 512;
/// A version that was replaced is read again within a day, if ever.
const OLD: SignedDuration = SignedDuration::from_hours(24);
/// Versions of one transaction.
const BATCH: usize = 64;

/// A content on its way.
struct MovingContent {
    version: String,
    name: String,
    bytes: Vec<u8>,
}

impl Database {
    /// Moves contents that are large or old to object storage, where there is one, and deletes objects that nothing
    /// refers to. Says how many contents were moved. Harmless twice, and beside other replicas.
    ///
    /// # Errors
    /// The database or the storage. What was moved before stays so.
    pub async fn move_contents(&self, now: Timestamp) -> Result<u64, StorageError> {
        let engine = self.engine();
        if engine.objects.0.is_none() {
            return Ok(0);
        }
        engine.objects.check(engine).await?;
        let old = now.checked_sub(OLD).unwrap_or(now);
        let mut moved = 0;
        let mut stores = EveryStore::default();
        while let Some(store) = stores.next(engine).await? {
            moved += move_store(engine, &store, old).await?;
        }
        remove_released(engine, false).await?;
        Ok(moved)
    }
}

async fn move_store(engine: &Engine, store: &str, old: Timestamp) -> Result<u64, StorageError> {
    let next = "SELECT v.sequence, v.id FROM memory_version v WHERE v.store_id = $1 AND v.sequence > $2 \
                AND v.content IS NOT NULL AND v.codec < 2 AND (v.content_size > $3 OR (v.content_size > $4 \
                AND v.created_at < $5 AND NOT EXISTS \
                (SELECT 1 FROM memory m WHERE m.id = v.memory_id AND m.version_id = v.id))) \
                ORDER BY v.sequence LIMIT $6";
    let (mut moved, mut after) = (0, 0_i64);
    loop {
        let next = sql!(next; store, after, LARGE_BYTES, SMALL_BYTES, old, BATCH);
        let rows: Vec<(i64, String)> = engine.read_all(next).await?;
        let Some((last, _)) = rows.last() else {
            return Ok(moved);
        };
        after = *last;
        let ids: Vec<String> = rows.into_iter().map(|(_, id)| id).collect();
        let is_busy = |error: &StorageError| matches!(error, StorageError::Busy);
        moved += patiently(is_busy, || move_batch(engine, store, &ids)).await?;
    }
}

async fn move_batch(engine: &Engine, store: &str, ids: &[String]) -> Result<u64, StorageError> {
    let batch = name_contents(engine, store, ids).await?;
    let storage = engine.objects.storage()?;
    let written: Vec<_> = batch
        .iter()
        .map(|content| {
            let (name, bytes) = (content.name.clone(), content.bytes.clone());
            let storage = Arc::clone(storage);
            async move { storage.put_object(&name, bytes.into()).await }
        })
        .collect();
    let written = stream::iter(written)
        .buffer_unordered(AT_ONCE)
        .try_collect();
    // A slower move would find its names gone.
    let () = tokio::time::timeout(MOVE_MAX / 2, written)
        .await
        .map_err(|_| StorageError::silent())??;
    let mut within = engine.begin().await?;
    let mut moved = 0;
    for content in &batch {
        moved += u64::from(refer_to(&mut within, content).await?);
    }
    within.commit().await?;
    Ok(moved)
}

/// Puts the reference in the place of the content, unless somebody else was faster.
async fn refer_to(within: &mut Transaction, content: &MovingContent) -> Result<bool, StorageError> {
    let MovingContent {
        version,
        name,
        bytes,
    } = content;
    // The name first, and locked: whoever releases it meanwhile, and has its object deleted, is waited for.
    let end = within.dialect().for_update();
    let named = format!("SELECT 1 FROM stored_object WHERE name = $1 AND version_id = $2{end}");
    if within.one(sql!(named; name, version)).await?.is_none() {
        return Ok(false);
    }
    let reference = ContentReference::to_bytes(name, bytes);
    // It may have been redacted or sealed anew.
    let refer = "UPDATE memory_version SET content = $1, codec = codec + $2 \
                 WHERE id = $3 AND content = $4 AND codec < 2";
    let refer = sql!(refer; reference, MOVED, version, bytes.clone());
    if within.run(refer).await? == 1 {
        return Ok(true);
    }
    release_version(within, version).await?;
    Ok(false)
}

/// Gives each content that is still there a name, under the lock of its version: whoever takes the content away
/// afterwards finds the name.
async fn name_contents(
    engine: &Engine,
    store: &str,
    ids: &[String],
) -> Result<Vec<MovingContent>, StorageError> {
    let mut within = engine.begin().await?;
    let contents = format!(
        "SELECT v.id, v.content FROM memory_version v WHERE v.id IN (VALUES {}) AND v.content IS NOT NULL \
         AND v.codec < 2{}",
        values(1, ids.len(), 1),
        within.dialect().for_update()
    );
    let rows: Vec<(String, Vec<u8>)> = within
        .read_all(sql!(contents).bind_all(ids).prepared(false))
        .await?;
    let created_at = format!(
        "INSERT INTO stored_object (name, version_id, created_at) \
         VALUES ($1, $2, {})",
        within.dialect().now_us()
    );
    let mut batch = Vec::with_capacity(rows.len());
    for (version, bytes) in rows {
        // What was named before was not finished, or is by somebody who will find that out.
        release_version(&mut within, &version).await?;
        let name = format!("{store}/{}", id::random(id::OBJECT)?);
        within
            .run(sql!(created_at.clone(); &name, &version))
            .await?;
        batch.push(MovingContent {
            version,
            name,
            bytes,
        });
    }
    within.commit().await?;
    Ok(batch)
}

/// Releases the objects of a version whose content is in the database, or gone.
pub(in crate::storage) async fn release_version(
    within: &mut Transaction,
    version: &str,
) -> Result<(), StorageError> {
    let release = sql!("UPDATE stored_object SET version_id = NULL WHERE version_id = $1"; version);
    within.run(release).await.map(drop)
}

/// Releases the objects of all redacted versions of a store.
pub(in crate::storage) async fn release_redacted(
    within: &mut Transaction,
    store: &str,
) -> Result<(), StorageError> {
    let release = "UPDATE stored_object SET version_id = NULL WHERE version_id IN \
                   (SELECT v.id FROM memory_version v WHERE v.store_id = $1 AND v.content IS NULL \
                   AND v.redacted_at IS NOT NULL)";
    within.run(sql!(release; store)).await.map(drop)
}

/// Deletes the objects that nothing refers to. Their names go when nobody can be writing them any more.
pub(in crate::storage) async fn remove_released(
    engine: &Engine,
    is_alone: bool,
) -> Result<(), StorageError> {
    let released = "SELECT name FROM stored_object WHERE version_id IS NULL \
                    AND name > $1 AND name NOT LIKE 'marker/%' ORDER BY name LIMIT $2";
    let forget = format!(
        "DELETE FROM stored_object WHERE name = $1 AND version_id IS NULL AND created_at < {} - $2",
        engine.dialect().now_us()
    );
    // An erasure in a data directory has it for itself, and leaves nobody's name.
    let age = match is_alone {
        true => 0,
        false => i64::try_from(MOVE_MAX.as_micros()).unwrap_or(i64::MAX),
    };
    let mut after = String::new();
    loop {
        let names: Vec<String> = engine.read_all(sql!(released; &after, BATCH)).await?;
        let Some(last) = names.last() else {
            return Ok(());
        };
        if after.is_empty() {
            engine.objects.check(engine).await?;
        }
        after.clone_from(last);
        let storage = engine.objects.storage()?;
        let deleted: Vec<_> = names
            .iter()
            .map(|name| Arc::clone(storage).delete_object(name.clone()))
            .collect();
        let deleted = stream::iter(deleted)
            .buffer_unordered(AT_ONCE)
            .try_collect();
        let () = deleted.await?;
        let mut within = engine.begin().await?;
        for name in &names {
            within.run(sql!(forget.clone(); name, age)).await?;
        }
        within.commit().await?;
    }
}
