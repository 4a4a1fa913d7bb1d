//! A copy of the database that a restore can begin with, and a restore.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use mem_core::{atomic, regular_file};
use serde::Serialize;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};

use super::sealing::{self, ContentCipher, MasterSource};
use super::sql::sqlite::{FILE, Sqlite, lock, private_directory, private_file};
use super::sql::{DatabaseKind, SqlRow, sql};
use super::{Database, StorageError};

/// What was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupSummary {
    /// Stores.
    pub stores: u64,
    /// Entries that are live.
    pub memories: u64,
    /// The copy's size.
    pub bytes: u64,
}

/// Whoever opens a copy begins new epochs: states that came after it are not states of it.
const MARK: &str = "UPDATE database_life SET is_copy = TRUE";

impl Database {
    /// Copies the database into a new file, synced and private, while it is being served. To restore, the
    /// file is put in the place of the database, under its name; it then begins new epochs by itself.
    ///
    /// # Errors
    /// See [`StorageError`]; [`StorageError::NoBackup`] with PostgreSQL.
    pub async fn backup(&self, to: &Path) -> Result<BackupSummary, StorageError> {
        let DatabaseKind::Sqlite(sqlite) = &self.engine().kind else {
            return Err(StorageError::NoBackup);
        };
        if to.try_exists().map_err(StorageError::at_file(to))? {
            return Err(StorageError::Exists(to.to_owned()));
        }
        let part = sibling_path(to, ".part");
        let made = copy(sqlite, &part).await;
        let done = made.and_then(|()| finish(&part, to));
        if done.is_err() {
            // What is left of it is no backup.
            let _ = fs::remove_file(&part);
        }
        done?;
        let bytes = fs::metadata(to).map_err(StorageError::at_file(to))?.len();
        let counts =
            "SELECT count(*), CAST(coalesce(sum(live_memories), 0) AS BIGINT) FROM memory_store";
        let counts = self.engine().read_one(sql!(counts)).await?;
        let (stores, memories) = counts.ok_or(StorageError::Corrupt("no count"))?;
        Ok(BackupSummary {
            stores,
            memories,
            bytes,
        })
    }
}

/// Into a file that is private before anything is in it; SQLite takes one that is empty.
async fn copy(sqlite: &Sqlite, part: &Path) -> Result<(), StorageError> {
    let _ = fs::remove_file(part);
    private_file(part).map_err(StorageError::at_file(part))?;
    let name = part
        .to_str()
        .ok_or(StorageError::Corrupt("a name that is no UTF-8"))?;
    let copy = sqlx::query("VACUUM INTO $1").bind(name.to_owned());
    copy.execute(&sqlite.writer).await?;
    let mut copy = SqliteConnectOptions::new().filename(part).connect().await?;
    sqlx::query(MARK).execute(&mut copy).await?;
    Ok(copy.close().await?)
}

fn sync(part: &Path) -> Result<(), StorageError> {
    let synced = regular_file::open(part).and_then(|file| file.sync_all());
    synced.map_err(StorageError::at_file(part))
}

fn finish(part: &Path, to: &Path) -> Result<(), StorageError> {
    sync(part)?;
    fs::hard_link(part, to).map_err(StorageError::at_file(to))?;
    fs::remove_file(part).map_err(StorageError::at_file(part))?;
    let folder = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    atomic::sync_dir(folder).map_err(StorageError::at_file(folder))
}

const NO_BACKUP: StorageError = StorageError::Corrupt("it is no backup of a server");
/// What SQLite keeps beside a database: what is not yet in it.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// The tokens that are valid while they have not ended, each with when that is. A session can be renewed until
/// `renew_until`.
const TOKENS: &str = "SELECT k.id, k.name, \
    max(coalesce(k.expires_at, 9223372036854775807), coalesce(k.renew_until, 0)) \
    FROM api_key k LEFT JOIN identity_user u ON u.id = k.user_id \
    WHERE k.revoked_at IS NULL AND (k.user_id IS NULL OR coalesce(u.active, FALSE)) ORDER BY k.created_at, k.id";
/// The same in a backup of schema 7 or before, which has no users.
const TOKENS_WITHOUT_USERS: &str = "SELECT id, name, coalesce(expires_at, 9223372036854775807) FROM api_key \
    WHERE revoked_at IS NULL ORDER BY created_at, id";

/// A token that a backup has as valid, and that the replaced data did not have, had ended, or would end earlier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RevivedToken {
    /// Public, `apikey_…`.
    pub id: String,
    /// For people; may be empty.
    pub name: String,
}

/// Puts a backup in the place of the database of a directory. It is checked before anything is touched, with the master
/// key that it needs; the server that runs on it begins new epochs, so that no client takes a state for one that it knows.
/// Returns the tokens that are valid `now` and are not in the replaced data, or for less long there: those that were
/// revoked or rotated since, and those of users who were erased. `None` where no data is replaced whose tokens can be
/// read.
///
/// # Errors
/// [`StorageError::Locked`] while a server has the directory, [`StorageError::Exists`] where a database is
/// there that is not to be replaced, [`StorageError::Corrupt`] for a file that is no whole backup,
/// [`StorageError::Vault`] where the master key of its contents is not there.
pub async fn restore(
    directory: &Path,
    from: &Path,
    replace: bool,
    master: MasterSource,
    now: Timestamp,
) -> Result<Option<Vec<RevivedToken>>, StorageError> {
    private_directory(directory).map_err(StorageError::at_file(directory))?;
    let _lock = lock(directory)?;
    let file = directory.join(FILE);
    let is_there = fs::metadata(&file).is_ok_and(|file| file.len() > 0);
    if is_there && !replace {
        return Err(StorageError::Exists(file));
    }
    let part = sibling_path(&file, ".part");
    let done = async {
        let tokens = make(from, &part, master, now).await?;
        // A database that cannot be read is often the reason of a restore.
        let replaced = match is_there {
            true => replaced_tokens(&file, now).await.ok(),
            false => None,
        };
        exchange(&part, &file, directory).await?;
        Ok::<_, StorageError>(replaced.map(|replaced| revived_tokens(tokens, replaced)))
    };
    let done = done.await;
    if done.is_err() {
        for end in ["", BESIDE[0], BESIDE[1]] {
            let _ = fs::remove_file(sibling_path(&part, end));
        }
    }
    done
}

/// A copy of the backup, checked, on the disk, and the tokens that are valid in it.
async fn make(
    from: &Path,
    part: &Path,
    master: MasterSource,
    now: Timestamp,
) -> Result<Vec<ValidToken>, StorageError> {
    let _ = fs::remove_file(part);
    let mut source = regular_file::open(from).map_err(StorageError::at_file(from))?;
    let mut copy = private_file(part).map_err(StorageError::at_file(part))?;
    io::copy(&mut source, &mut copy).map_err(StorageError::at_file(from))?;
    drop(copy);
    let copy = SqliteConnectOptions::new().filename(part).connect().await;
    let mut copy = copy.map_err(|_| NO_BACKUP)?;
    check(&mut copy).await?;
    check_master_key(&mut copy, master).await?;
    let tokens = valid_tokens(&mut copy, now).await?;
    copy.close().await?;
    sync(part)?;
    Ok(tokens)
}

/// That the server can open what is sealed in the backup.
async fn check_master_key(
    copy: &mut SqliteConnection,
    master: MasterSource,
) -> Result<(), StorageError> {
    // A backup of schema 3 or before has no keys.
    if !has_table(copy, "data_key").await? {
        return Ok(());
    }
    let rows = sqlx::query(sealing::KEY_PER_MASTER).fetch_all(copy).await?;
    let rows: Vec<SqlRow> = rows.into_iter().map(SqlRow::from).collect();
    sealing::check_keys(&ContentCipher::new(master), &rows).await
}

async fn has_table(data: &mut SqliteConnection, name: &str) -> Result<bool, StorageError> {
    let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1";
    let count = sqlx::query_scalar(count).bind(name.to_owned());
    let count: i64 = count.fetch_one(data).await?;
    Ok(count > 0)
}

/// A token that is valid in some data: id, name, and the end in microseconds, the greatest number without one.
type ValidToken = (String, String, i64);

async fn valid_tokens(
    data: &mut SqliteConnection,
    now: Timestamp,
) -> Result<Vec<ValidToken>, StorageError> {
    let tokens = match has_table(data, "identity_user").await? {
        true => TOKENS,
        false => TOKENS_WITHOUT_USERS,
    };
    let mut tokens: Vec<ValidToken> = sqlx::query_as(tokens).fetch_all(data).await?;
    tokens.retain(|(_, _, end)| *end > now.as_microsecond());
    Ok(tokens)
}

async fn replaced_tokens(file: &Path, now: Timestamp) -> Result<Vec<ValidToken>, StorageError> {
    let mut old = SqliteConnectOptions::new().filename(file).connect().await?;
    let tokens = valid_tokens(&mut old, now).await?;
    old.close().await?;
    Ok(tokens)
}

fn revived_tokens(mut tokens: Vec<ValidToken>, replaced: Vec<ValidToken>) -> Vec<RevivedToken> {
    let replaced = replaced.into_iter().map(|(id, _, end)| (id, end));
    let ends: HashMap<String, i64> = replaced.collect();
    tokens.retain(|(id, _, end)| ends.get(id).is_none_or(|before| before < end));
    let revived = tokens.into_iter();
    revived
        .map(|(id, name, _)| RevivedToken { id, name })
        .collect()
}

async fn check(copy: &mut SqliteConnection) -> Result<(), StorageError> {
    let check = sqlx::query_scalar("PRAGMA integrity_check");
    let found: String = check.fetch_one(&mut *copy).await.map_err(|_| NO_BACKUP)?;
    if found != "ok" {
        return Err(StorageError::Corrupt("the backup is damaged"));
    }
    let marked = sqlx::query(MARK)
        .execute(copy)
        .await
        .map_err(|_| NO_BACKUP)?;
    match marked.rows_affected() {
        1 => Ok(()),
        _ => Err(NO_BACKUP),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is no memory; it is synced before and after"
)]
async fn exchange(part: &Path, file: &Path, directory: &Path) -> Result<(), StorageError> {
    checkpoint_wal(file).await;
    for end in BESIDE {
        // What was written to the old database is nothing to the new one.
        match fs::remove_file(sibling_path(file, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StorageError::at_file(file)(error));
            }
            _ => {}
        }
    }
    fs::rename(part, file).map_err(StorageError::at_file(file))?;
    atomic::sync_dir(directory).map_err(StorageError::at_file(directory))
}

/// Lets the old database be whole by itself, should all end here. One that is damaged stays so.
async fn checkpoint_wal(file: &Path) {
    let options = SqliteConnectOptions::new().filename(file);
    if let Ok(mut old) = options.connect().await {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let _ = sqlx::query(sql).execute(&mut old).await;
        let _ = old.close().await;
    }
}

fn sibling_path(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
