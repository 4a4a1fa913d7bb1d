//! What an administrator asks of a database about its encryption, beside servers too: on, off, new keys, how much is
//! sealed, whether it opens. An interrupted change is finished by the next run.
//!
//! Servers go on meanwhile: keys are appointed first, so that everything written from then on has its final form; what
//! is there follows in small transactions, each under the lock of its store; keys end when no version names them any
//! more. **Invariant:** at every moment each content opens by a key that is there. Tests:
//! `storage::encryption::replicas::keys_change_under_readers_and_writers_on_every_replica`,
//! `storage::encryption::replicas::what_was_interrupted_is_finished_by_the_next_run`.

use mem_core::history::Sha256;
use mem_vault::{DataKey, MasterKey, VaultError};

use super::queue::patiently;
use super::sealing::{self, CONTENT, damaged};
use super::sql::{Engine, SqlRow, Transaction, from_columns, sql};
use super::store_row::{self, EveryStore, StoreRow};
use super::{Database, StorageError, objects, scrub, webhooks};

/// Versions of one transaction, or that are read at once.
const AT_ONCE: i64 = 64;

/// What a change of the encryption came to.
#[derive(Debug, Default)]
pub struct Sealing {
    /// Stores that were looked at.
    pub stores: u64,
    /// Versions that were sealed or opened.
    pub versions: u64,
    /// Data keys that another master key wrapped before.
    pub rewrapped: u64,
    /// Data keys that nothing needed any more.
    pub ended: u64,
    /// Versions that cannot be opened, and were left as they are.
    pub unopened: Vec<Unopened>,
}

/// A version whose content cannot be opened.
#[derive(Debug)]
pub struct Unopened {
    /// Which.
    pub version: String,
    /// Why.
    pub error: VaultError,
}

/// How a database stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encryption {
    /// Whether what is written is sealed.
    pub is_on: bool,
    /// Stores.
    pub stores: u64,
    /// Stores with a key.
    pub stores_with_key: u64,
    /// Versions with a content.
    pub versions: u64,
    /// Those whose content is sealed.
    pub sealed: u64,
    /// The names of the master keys that are needed.
    pub masters: Vec<String>,
}

from_columns!(Encryption: is_on, stores, stores_with_key, versions, sealed; masters);

impl Encryption {
    /// Versions that are sealed and should not be, or the reverse: a run was interrupted or is under way, or they
    /// cannot be opened.
    pub fn problem_count(&self) -> u64 {
        match self.is_on {
            true => self.versions.saturating_sub(self.sealed),
            false => self.sealed,
        }
    }
}

/// What a look at every content came to.
#[derive(Debug, Default)]
pub struct Checked {
    /// How many open.
    pub open: u64,
    /// Those that do not.
    pub closed: Vec<UnopenedContent>,
}

/// A content that does not open, or is not the one that was stored.
#[derive(Debug)]
pub struct UnopenedContent {
    /// The store, `memstore_…`.
    pub store: String,
    /// Where the memory was then.
    pub path: Option<String>,
    /// Which version, `memver_…`.
    pub version: String,
    /// Why.
    pub error: VaultError,
}

impl Database {
    /// Seals all contents that are there, and those that are written from now on.
    ///
    /// # Errors
    /// See [`StorageError`]; without the master key nothing is changed. Run again after an interruption.
    pub async fn encrypt(&self) -> Result<Sealing, StorageError> {
        let engine = self.engine();
        // First of all: the wrong key, or none, changes nothing.
        sealing::check(engine).await?;
        let masters = engine.seals.master().fresh().await?;
        let master = masters.first_key()?;
        // The switch before the stores: a store that begins meanwhile already gets a key, and none is left out between
        // the list of stores and the end.
        switch(engine, true).await?;
        appoint_all(engine, master, false).await?;
        finish(engine).await
    }

    /// Opens all contents again.
    ///
    /// # Errors
    /// As for [`Database::encrypt`]. A content that cannot be opened stays as it is.
    pub async fn decrypt(&self) -> Result<Sealing, StorageError> {
        let engine = self.engine();
        sealing::check(engine).await?;
        switch(engine, false).await?;
        let mut stores = EveryStore::default();
        while let Some(store) = stores.next(engine).await? {
            let appoint =
                engine.transact(async |within| sealing::appoint(within, &store, None).await);
            appoint.await?;
        }
        finish(engine).await
    }

    /// Gives every store a new data key, wrapped by the first master key, and seals all contents with it.
    ///
    /// # Errors
    /// As for [`Database::encrypt`].
    pub async fn rotate(&self) -> Result<Sealing, StorageError> {
        let engine = self.engine();
        sealing::check(engine).await?;
        let masters = engine.seals.master().fresh().await?;
        let master = masters.first_key()?;
        let rewrapped = sealing::rewrap(engine, master).await?;
        appoint_all(engine, master, true).await?;
        let sealing = finish(engine).await?;
        Ok(Sealing {
            rewrapped,
            ..sealing
        })
    }

    /// How much is sealed.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn encryption(&self) -> Result<Encryption, StorageError> {
        let engine = self.engine();
        let figures = "SELECT e.is_on, s.*, v.* FROM encryption e \
            CROSS JOIN (SELECT count(*), count(data_key_id) FROM memory_store) s \
            CROSS JOIN (SELECT count(*), count(key_id) FROM memory_version WHERE content IS NOT NULL) v";
        let figures: Option<Encryption> = engine.read_one(sql!(figures)).await?;
        let masters = "SELECT master_id FROM data_key UNION SELECT master_id FROM webhook_secret \
                       WHERE master_id IS NOT NULL ORDER BY master_id";
        Ok(Encryption {
            masters: engine.read_all(sql!(masters)).await?,
            ..figures.unwrap_or_default()
        })
    }

    /// Opens every content there is, and tells which do not open.
    ///
    /// # Errors
    /// See [`StorageError`]; without the master key there is nothing to open with.
    pub async fn check_contents(&self) -> Result<Checked, StorageError> {
        let engine = self.engine();
        let mut checked = Checked::default();
        let mut stores = EveryStore::default();
        while let Some(store) = stores.next(engine).await? {
            let mut after = 0_i64;
            loop {
                let some = "SELECT sequence, id, content, path, content_sha256 FROM memory_version \
                            WHERE store_id = $1 AND sequence > $2 AND content IS NOT NULL \
                            ORDER BY sequence LIMIT $3";
                let query = || sql!(some; &store, after, AT_ONCE);
                let rows = engine.with_contents(None, query, Some(2)).await?;
                for row in &rows {
                    after = row.get(0)?;
                    match check_one(engine, &store, row) {
                        Ok(()) => checked.open += 1,
                        Err(StorageError::Content { version, error, .. }) => {
                            checked.closed.push(UnopenedContent {
                                store: store.clone(),
                                path: row.get(3)?,
                                version,
                                error,
                            });
                        }
                        Err(error) => return Err(error),
                    }
                }
                if (rows.len() as i64) < AT_ONCE {
                    break;
                }
            }
        }
        Ok(checked)
    }

    /// Whether the master key that is there opens what is sealed.
    ///
    /// # Errors
    /// See [`StorageError::Vault`].
    pub async fn check_master_key(&self) -> Result<(), StorageError> {
        sealing::check(self.engine()).await
    }
}

async fn switch(engine: &Engine, is_on: bool) -> Result<(), StorageError> {
    let switch = sql!("UPDATE encryption SET is_on = $1 WHERE id = 1"; is_on);
    engine.run(switch).await.map(drop)
}

/// A new key for each store: where it has none, or in the place of the one it has.
async fn appoint_all(
    engine: &Engine,
    master: &MasterKey,
    is_renewal: bool,
) -> Result<(), StorageError> {
    let mut stores = EveryStore::default();
    while let Some(store) = stores.next(engine).await? {
        let mut within = engine.begin().await?;
        let row = store_row::lock_by_id(&mut within, &store).await?;
        // A store that is plain stays plain in a rotation.
        if row.is_some_and(|row| row.data_key.is_some() == is_renewal) {
            sealing::appoint_new(&mut within, master, &store).await?;
        }
        within.commit().await?;
    }
    Ok(())
}

/// Brings every version in line with the row of its store, ends keys that are not used any more, and empties
/// what the files still hold of what stood there before.
async fn finish(engine: &Engine) -> Result<Sealing, StorageError> {
    let mut sealing = Sealing::default();
    let mut stores = EveryStore::default();
    while let Some(store) = stores.next(engine).await? {
        let mut after = 0;
        while let Some((last, some)) = patiently(StorageError::is_transient, || {
            reseal_some(engine, &store, after)
        })
        .await?
        {
            sealing.versions += some.versions;
            sealing.unopened.extend(some.unopened);
            after = last;
        }
        sealing.stores += 1;
    }
    sealing.ended = sealing::end_unused(engine).await?;
    webhooks::reseal(engine).await?;
    // Readers that hold on to an old state keep the log from being emptied.
    let is_busy = |error: &StorageError| matches!(error, StorageError::Busy);
    patiently(is_busy, || scrub::scrub(engine)).await?;
    Ok(sealing)
}

/// A content that opens may still be another than its checksum says: one that somebody stored plain, say.
fn check_one(engine: &Engine, store: &str, row: &SqlRow) -> Result<(), StorageError> {
    let version = row.text(1)?;
    let text = engine.seals.content(row, 2, store, version)?;
    let bytes = text.as_deref().unwrap_or_default().as_bytes();
    match Sha256::digest(bytes) == row.get(4)? {
        true => Ok(()),
        false => Err(damaged(version, VaultError::Tampered(CONTENT))),
    }
}

/// Seals, or opens, the next few versions of a store that are not as its row wants them, under its lock: the last of
/// their numbers, and what came of them; `None` behind the last.
async fn reseal_some(
    engine: &Engine,
    store: &str,
    after: i64,
) -> Result<Option<(i64, Sealing)>, StorageError> {
    let mut within = engine.begin().await?;
    let Some(store) = store_row::lock_by_id(&mut within, store).await? else {
        return Ok(None);
    };
    let key = sealing::of_row(&mut within, &store).await?;
    let others = "SELECT sequence, id, content FROM memory_version WHERE store_id = $1 AND sequence > $2 \
                  AND content IS NOT NULL AND coalesce(key_id, '') <> $3 ORDER BY sequence LIMIT $4";
    let wanted = store.data_key.map_or(String::new(), |id| id.to_string());
    let query = sql!(others; &store.id, after, wanted, AT_ONCE);
    let mut rows = within.all(query).await?;
    within.objects.fetch_contents(&mut rows, 2).await?;
    let (mut last, mut resealed) = (None, Sealing::default());
    for row in &rows {
        last = Some(row.get(0)?);
        match reseal_one(&mut within, &store, key.as_deref(), row).await {
            Ok(()) => resealed.versions += 1,
            // What is wrong with one content is no reason to leave the others as they are; everything else is.
            Err(StorageError::Content { error, .. }) => {
                let version = row.get(1)?;
                resealed.unopened.push(Unopened { version, error });
            }
            Err(error) => return Err(error),
        }
    }
    within.commit().await?;
    Ok(last.map(|last| (last, resealed)))
}

/// Where it cannot be opened it stays as it is.
async fn reseal_one(
    within: &mut Transaction,
    store: &StoreRow,
    key: Option<&DataKey>,
    row: &SqlRow,
) -> Result<(), StorageError> {
    let (sequence, version): (i64, String) = row.get(0)?;
    within.meet_keys(std::slice::from_ref(row), 2).await?;
    let sealed = row.bytes(2)?.unwrap_or_default();
    let plain = within.seals.text(sealed, &store.id, &version)?;
    let (codec, id, bytes) = sealing::stored(key, store, &version, Some(&plain))?;
    let update = "UPDATE memory_version SET content = $1, codec = $2, key_id = $3 \
                  WHERE store_id = $4 AND sequence = $5 AND content IS NOT NULL";
    let change = sql!(update; bytes, codec, id, &store.id, sequence);
    within.run(change).await?;
    objects::release_version(within, &version).await
}
