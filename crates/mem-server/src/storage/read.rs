//! What a GET is answered with.

use jiff::Timestamp;
use mem_sync::limits::ANSWER_BYTES_MAX;
use mem_sync::remote::StateQuery as Asked;
use mem_sync::wire::{ETag, RemoteEntry, StateAnswer, Tombstone};

use super::sealing::ContentCipher;
use super::sql::{Engine, SqlQuery, SqlRow, Transaction, sql, values};
use super::store_row::{self, StoreRow, etag_of_none};
use super::{Database, RepositoryName, StorageError, load};

/// The column of the content.
const CONTENT: usize = 7;

impl Database {
    /// What a repository's store holds, or the part that is asked for, and the name of that state: two statements that
    /// see one state.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn read(
        &self,
        repo: &RepositoryName,
        asked: &Asked,
    ) -> Result<(ETag, StateAnswer), StorageError> {
        self.reading(|| async {
            let engine = self.engine();
            if engine.has_standbys()
                && let Some(store) = self.look_up(repo).await?
            {
                let ask = async |within| answer(engine, within, repo, asked).await;
                if let Some(answer) = engine.ask_standby(&store.id, &store.mark(), ask).await {
                    return Ok(answer);
                }
            }
            answer(engine, engine.snapshot().await?, repo, asked).await
        })
        .await
    }
}

async fn answer(
    engine: &Engine,
    mut within: Transaction,
    repo: &RepositoryName,
    asked: &Asked,
) -> Result<(ETag, StateAnswer), StorageError> {
    let store: Option<StoreRow> = within.read_one(store_row::by_repository(repo)).await?;
    let Some(store) = store else {
        return Ok((etag_of_none(), StateAnswer::default()));
    };
    if !asked.hashes && asked.keys.is_empty() {
        let bytes = "SELECT CAST(coalesce(sum(content_size), 0) AS BIGINT) FROM memory \
                     WHERE store_id = $1 AND live";
        let bytes: Option<u64> = within.read_one(sql!(bytes; &store.id)).await?;
        if bytes.unwrap_or(0) > ANSWER_BYTES_MAX as u64 {
            return Err(StorageError::TooLarge);
        }
    }
    let seals = (!asked.hashes).then_some(&engine.seals);
    let mut answer = StateAnswer {
        version: store.sequence,
        ..StateAnswer::default()
    };
    let mut rows = within.all(query(&store, asked)).await?;
    if !asked.hashes {
        within.meet_keys(&rows, CONTENT).await?;
    }
    within.commit().await?;
    if !asked.hashes {
        engine.objects.fetch_contents(&mut rows, CONTENT).await?;
    }
    // Each row goes when it was read.
    for row in rows {
        put(&mut answer, &row, &store, seals)?;
    }
    Ok((store.etag()?, answer))
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
    let query = sql!(sql; &store.id).bind_all(asked.keys.iter().map(load::path));
    query.prepared(asked.keys.len() <= 1)
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
    let sha256 = row.get(2)?;
    let updated_at = row.get::<Timestamp>(3)?.to_string();
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
        None => Ok(None),
        Some(seals) => seals.content(row, CONTENT, &store.id, row.text(6)?),
    };
    // A pull without one of the keys would look like the whole store.
    let content = content.map_err(|error| error.at(key.as_str()))?;
    let entry = RemoteEntry {
        content,
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
