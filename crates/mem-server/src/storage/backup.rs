//! A copy of the database that a restore can begin with, and a restore.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mem_core::{atomic, regular_file};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};

use super::sql::sqlite::{FILE, Sqlite, lock, private_directory, private_file};
use super::sql::{DatabaseKind, sql};
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
        let DatabaseKind::Sqlite(sqlite) = self.engine().kind() else {
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
        let row = self.engine().one(sql!(counts)).await?;
        let row = row.ok_or(StorageError::Corrupt("no count"))?;
        Ok(BackupSummary {
            stores: row.count(0)?,
            memories: row.count(1)?,
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

/// Puts a backup in the place of the database of a directory. It is checked before anything is touched;
/// whoever serves it then begins new epochs, so that no client takes a state for one that it knows.
///
/// # Errors
/// [`StorageError::Locked`] while a server has the directory, [`StorageError::Exists`] where a database is
/// there that is not to be replaced, [`StorageError::Corrupt`] for a file that is no whole backup.
pub async fn restore(directory: &Path, from: &Path, replace: bool) -> Result<(), StorageError> {
    private_directory(directory).map_err(StorageError::at_file(directory))?;
    let _lock = lock(directory)?;
    let file = directory.join(FILE);
    let is_there = fs::metadata(&file).is_ok_and(|file| file.len() > 0);
    if is_there && !replace {
        return Err(StorageError::Exists(file));
    }
    let part = sibling_path(&file, ".part");
    let done = match make(from, &part).await {
        Ok(()) => exchange(&part, &file, directory).await,
        Err(error) => Err(error),
    };
    if done.is_err() {
        for end in ["", BESIDE[0], BESIDE[1]] {
            let _ = fs::remove_file(sibling_path(&part, end));
        }
    }
    done
}

/// A copy of the backup, checked, on the disk.
async fn make(from: &Path, part: &Path) -> Result<(), StorageError> {
    let _ = fs::remove_file(part);
    let mut source = regular_file::open(from).map_err(StorageError::at_file(from))?;
    let mut copy = private_file(part).map_err(StorageError::at_file(part))?;
    io::copy(&mut source, &mut copy).map_err(StorageError::at_file(from))?;
    drop(copy);
    let copy = SqliteConnectOptions::new().filename(part).connect().await;
    let mut copy = copy.map_err(|_| NO_BACKUP)?;
    check(&mut copy).await?;
    copy.close().await?;
    sync(part)
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
