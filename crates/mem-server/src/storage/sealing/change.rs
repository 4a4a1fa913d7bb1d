//! Encryption on, off, and under new keys, while servers go on. What was interrupted is finished by the next run.

use mem_vault::MasterKey;

use super::status::Sealing;
use super::{data_keys, resealed};
use crate::storage::queue::{TRIES, pause};
use crate::storage::sql::{Engine, Query, Row};
use crate::storage::{StorageError, scrub, store_row};

/// Stores whose names are read at once.
const STORES_AT_ONCE: i64 = 200;

/// Seals everything that is there, and whatever comes. What was plain is then in none of the database's files.
pub(in crate::storage) async fn on(engine: &Engine) -> Result<Sealing, StorageError> {
    // First of all: the wrong key, or none, changes nothing.
    data_keys::check(engine).await?;
    let masters = engine.seals().master().fresh().await?;
    let master = masters.first()?;
    switch(engine, true).await?;
    each_store(engine, async |store| {
        appoint_new(engine, master, store, false).await
    })
    .await?;
    finish(engine).await
}

/// Opens everything again.
pub(in crate::storage) async fn off(engine: &Engine) -> Result<Sealing, StorageError> {
    data_keys::check(engine).await?;
    switch(engine, false).await?;
    each_store(engine, async |store| {
        let mut within = engine.begin().await?;
        data_keys::appoint(&mut within, store, None).await?;
        Ok(within.commit().await?)
    })
    .await?;
    finish(engine).await
}

/// New data keys, wrapped by the first of the master keys, and everything sealed with them.
pub(in crate::storage) async fn rotate(engine: &Engine) -> Result<Sealing, StorageError> {
    data_keys::check(engine).await?;
    let masters = engine.seals().master().fresh().await?;
    let master = masters.first()?;
    let rewrapped = data_keys::rewrap(engine, master).await?;
    each_store(engine, async |store| {
        appoint_new(engine, master, store, true).await
    })
    .await?;
    let sealing = finish(engine).await?;
    Ok(Sealing {
        rewrapped,
        ..sealing
    })
}

async fn switch(engine: &Engine, is_on: bool) -> Result<(), StorageError> {
    let mut within = engine.begin().await?;
    let update = Query::new("UPDATE encryption SET is_on = $1 WHERE id = 1");
    within.run(update.bind(is_on)).await?;
    Ok(within.commit().await?)
}

/// A new key for a store: where it has none, or in the place of the one it has.
async fn appoint_new(
    engine: &Engine,
    master: &MasterKey,
    store: &str,
    anew: bool,
) -> Result<(), StorageError> {
    let mut within = engine.begin().await?;
    let row = store_row::lock_by_id(&mut within, store).await?;
    // A store that is plain stays plain in a rotation.
    if row.is_some_and(|row| row.data_key.is_some() == anew) {
        let key = data_keys::make(&mut within, master, store).await?;
        data_keys::appoint(&mut within, store, Some(key.id())).await?;
    }
    Ok(within.commit().await?)
}

/// Brings every version in line with the row of its store, ends keys that are not used any more, and empties
/// what the files still hold of what stood there before.
async fn finish(engine: &Engine) -> Result<Sealing, StorageError> {
    let mut sealing = Sealing::default();
    each_store(engine, async |store| {
        let resealed = resealed::all_of(engine, store).await?;
        sealing.versions += resealed.done;
        sealing.unopened.extend(resealed.unopened);
        sealing.stores += 1;
        Ok(())
    })
    .await?;
    sealing.ended = data_keys::end_unused(engine).await?;
    scrub_patiently(engine).await?;
    Ok(sealing)
}

/// Readers that hold on to an old state keep the log from being emptied.
async fn scrub_patiently(engine: &Engine) -> Result<(), StorageError> {
    let mut tries = 1;
    loop {
        match scrub::scrub(engine).await {
            Err(StorageError::Busy) if tries < TRIES => tries += 1,
            done => return done,
        }
        tokio::time::sleep(pause(tries)).await;
    }
}

pub(super) async fn each_store(
    engine: &Engine,
    mut work: impl AsyncFnMut(&str) -> Result<(), StorageError>,
) -> Result<(), StorageError> {
    let mut after = String::new();
    loop {
        let sql = "SELECT id FROM memory_store WHERE id > $1 ORDER BY id LIMIT $2";
        let query = Query::new(sql).bind(after.as_str()).bind(STORES_AT_ONCE);
        let rows: Vec<Row> = engine.all(query).await?;
        for row in &rows {
            after = row.get(0)?;
            work(&after).await?;
        }
        if (rows.len() as i64) < STORES_AT_ONCE {
            return Ok(());
        }
    }
}
