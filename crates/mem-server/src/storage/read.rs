//! What a GET is answered with.

use std::borrow::Cow;

use mem_sync::limits::ANSWER_BYTES_MAX;
use mem_sync::remote::StateQuery as Asked;
use mem_sync::wire::{ETag, RemoteEntry, StateAnswer, Tombstone};

use super::sealing::ContentCipher;
use super::sql::{Engine, SqlQuery, SqlRow, Transaction, values};
use super::store_row::{self, StoreRow, etag_of_none};
use super::{RepositoryName, StorageError, load, time};

/// The column of the content.
const CONTENT: usize = 7;

/// Reads a store, or the part of it that is asked for: two statements that see one state.
pub(super) async fn answer(
    engine: &Engine,
    repo: &RepositoryName,
    asked: &Asked,
) -> Result<(ETag, StateAnswer), StorageError> {
    let mut within = engine.snapshot().await?;
    let Some(store) = store_row::find_in(&mut within, repo).await? else {
        return Ok((etag_of_none(), StateAnswer::default()));
    };
    if !asked.hashes && asked.keys.is_empty() {
        let bytes = content_bytes(&mut within, &store).await?;
        if bytes > ANSWER_BYTES_MAX as u64 {
            return Err(StorageError::TooLarge);
        }
    }
    let seals = (!asked.hashes).then(|| engine.seals());
    let mut answer = StateAnswer {
        version: store.sequence,
        ..StateAnswer::default()
    };
    let rows = within.all(query(&store, asked)).await?;
    if !asked.hashes {
        within.meet_keys(&rows, CONTENT).await?;
    }
    within.commit().await?;
    // Each row goes when it was read.
    for row in rows {
        put(&mut answer, &row, &store, seals)?;
    }
    Ok((store.etag()?, answer))
}

/// What all contents of a store are together.
async fn content_bytes(within: &mut Transaction, store: &StoreRow) -> Result<u64, StorageError> {
    let sql = "SELECT CAST(coalesce(sum(content_size), 0) AS BIGINT) FROM memory \
               WHERE store_id = $1 AND live";
    let row = within
        .one(SqlQuery::new(sql).bind(store.id.clone()))
        .await?;
    Ok(row.map(|row| row.count(0)).transpose()?.unwrap_or_default())
}

fn query(store: &StoreRow, asked: &Asked) -> SqlQuery {
    let content = match asked.hashes {
        true => "",
        false => ", v.content",
    };
    let keys = match asked.keys.len() {
        0 => String::new(),
        count => format!(" AND m.path IN (VALUES {})", values(2, count, 1)),
    };
    let sql = format!(
        "SELECT m.path, m.live, m.content_sha256, m.updated_at, v.actor_id, v.actor_name, m.version_id{content} \
         FROM memory m JOIN memory_version v ON v.store_id = m.store_id AND v.sequence = m.sequence \
         WHERE m.store_id = $1{keys}"
    );
    let paths = asked.keys.iter().map(|key| load::path(key).into());
    SqlQuery::built(sql, asked.keys.len() <= 1)
        .bind(store.id.clone())
        .bind_all(paths)
}

/// Adds what a row says of its key; nothing where the team protocol has no name for its path.
fn put(
    answer: &mut StateAnswer,
    row: &SqlRow,
    store: &StoreRow,
    seals: Option<&ContentCipher>,
) -> Result<(), StorageError> {
    let Some(key) = load::key(row.text(0)?) else {
        return Ok(());
    };
    let sha256 = row.sha256(2)?;
    let updated_at = time::text(row.get(3)?)?;
    let actor = label(row, 4)?;
    if !row.get::<bool>(1)? {
        let tombstone = Tombstone {
            sha256,
            updated_at,
            actor,
        };
        answer.deleted.insert(key, tombstone);
        return Ok(());
    }
    let content = match seals {
        None => None,
        Some(seals) => {
            let content = seals.content(row, CONTENT, &store.id, row.text(6)?);
            // A pull without one of the keys would look like the whole store.
            content.map_err(|error| error.at(key.as_str()))?
        }
    };
    let entry = RemoteEntry {
        content: content.map(Cow::into_owned),
        sha256,
        updated_at,
        actor,
    };
    answer.entries.insert(key, entry);
    Ok(())
}

/// What the team protocol calls whoever it was: the name, or the id in the column before it.
pub(super) fn label(row: &SqlRow, id: usize) -> Result<String, StorageError> {
    let name: String = row.get(id + 1)?;
    match name.is_empty() {
        true => Ok(row.get(id)?),
        false => Ok(name),
    }
}
