//! Versions of one store from one key to another, or to none: in small transactions, beside readers and writers.

use mem_vault::DataKey;

use super::status::Unopened;
use super::{SEALED, of_version};
use crate::storage::queue::{TRIES, pause};
use crate::storage::sql::{Engine, Query, Row, Transaction};
use crate::storage::store_row::StoreRow;
use crate::storage::{StorageError, store_row};

/// Versions of one transaction.
const AT_ONCE: i64 = 64;

/// What came of the versions of a store.
#[derive(Debug, Default)]
pub(super) struct Resealed {
    /// How many are sealed, or open, as they are to be.
    pub(super) done: u64,
    /// Those that cannot be opened, and stay as they are.
    pub(super) unopened: Vec<Unopened>,
}

/// Seals, or opens, what is not as the store's row wants it.
pub(super) async fn all_of(engine: &Engine, store: &str) -> Result<Resealed, StorageError> {
    let (mut all, mut after) = (Resealed::default(), 0);
    while let Some((last, some)) = some_patiently(engine, store, after).await? {
        all.done += some.done;
        all.unopened.extend(some.unopened);
        after = last;
    }
    Ok(all)
}

async fn some_patiently(
    engine: &Engine,
    store: &str,
    after: i64,
) -> Result<Option<(i64, Resealed)>, StorageError> {
    let mut tries = 1;
    loop {
        match some(engine, store, after).await {
            Err(error) if error.is_transient() && tries < TRIES => tries += 1,
            done => return done,
        }
        tokio::time::sleep(pause(tries)).await;
    }
}

/// The next few, under the lock of their store: the last of their numbers, and what came of them; `None` behind
/// the last.
async fn some(
    engine: &Engine,
    store: &str,
    after: i64,
) -> Result<Option<(i64, Resealed)>, StorageError> {
    let mut within = engine.begin().await?;
    let Some(store) = store_row::lock_by_id(&mut within, store).await? else {
        return Ok(None);
    };
    let key = super::data_keys::of_row(&mut within, &store).await?;
    let rows = within.all(query(&store, after)).await?;
    let (mut last, mut resealed) = (None, Resealed::default());
    for row in &rows {
        last = Some(row.get(0)?);
        match one(&mut within, &store, key.as_deref(), row).await {
            Ok(()) => resealed.done += 1,
            Err(error) => resealed.unopened.push(unopened(row.get(1)?, error)?),
        }
    }
    within.commit().await?;
    Ok(last.map(|last| (last, resealed)))
}

/// What is wrong with one content is no reason to leave the others as they are; everything else is.
fn unopened(version: String, error: StorageError) -> Result<Unopened, StorageError> {
    match error {
        StorageError::Content { error, .. } => Ok(Unopened { version, error }),
        error => Err(error),
    }
}

fn query(store: &StoreRow, after: i64) -> Query {
    let sql = "SELECT sequence, id, content FROM memory_version WHERE store_id = $1 AND sequence > $2 \
               AND content IS NOT NULL AND coalesce(key_id, '') <> $3 ORDER BY sequence LIMIT $4";
    let wanted = store.data_key.map_or(String::new(), |id| id.to_string());
    let query = Query::new(sql).bind(store.id.clone()).bind(after);
    query.bind(wanted).bind(AT_ONCE)
}

/// Where it cannot be opened it stays as it is.
async fn one(
    within: &mut Transaction,
    store: &StoreRow,
    key: Option<&DataKey>,
    row: &Row,
) -> Result<(), StorageError> {
    let (sequence, version): (i64, String) = (row.get(0)?, row.get(1)?);
    within.meet_keys(std::slice::from_ref(row), 2).await?;
    let sealed = row.bytes(2)?.unwrap_or_default();
    let plain = within.seals().text(sealed, &store.id, &version)?;
    let (codec, id, bytes) = match key {
        None => (0, None, plain.into_owned().into_bytes()),
        Some(key) => {
            let sealed = key.seal(plain.as_bytes(), &of_version(&store.id, &version))?;
            (SEALED, Some(key.id().to_string()), sealed)
        }
    };
    let sql = "UPDATE memory_version SET content = $1, codec = $2, key_id = $3 \
               WHERE store_id = $4 AND sequence = $5 AND content IS NOT NULL";
    let update = Query::new(sql).bind(bytes).bind(codec).bind(id);
    let update = update.bind(store.id.clone()).bind(sequence);
    within.run(update).await?;
    Ok(())
}
