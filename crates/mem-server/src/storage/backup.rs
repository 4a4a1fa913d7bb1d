//! A copy of the database that a restore can begin with.

use std::fs::{self};
use std::path::{Path, PathBuf};

use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use super::StorageError;
use super::sql::sqlite::{Sqlite, private_file};
use super::sql::{DatabaseKind, Engine, SqlQuery};
use mem_core::{atomic, regular_file};

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

/// Copies a SQLite database into a new file: one state of it, while it is being served.
pub(super) async fn backup(engine: &Engine, to: &Path) -> Result<BackupSummary, StorageError> {
    let DatabaseKind::Sqlite(sqlite) = engine.kind() else {
        return Err(StorageError::NoBackup);
    };
    if to.try_exists().map_err(StorageError::at_file(to))? {
        return Err(StorageError::Exists(to.to_owned()));
    }
    let part = part(to);
    let made = copy(sqlite, &part).await;
    let done = made.and_then(|()| finish(&part, to));
    if done.is_err() {
        // What is left of it is no backup.
        let _ = fs::remove_file(&part);
    }
    done?;
    let bytes = fs::metadata(to).map_err(StorageError::at_file(to))?.len();
    summary(engine, bytes).await
}

/// Into a file that is private before anything is in it; SQLite takes one that is empty.
async fn copy(sqlite: &Sqlite, part: &Path) -> Result<(), StorageError> {
    let _ = fs::remove_file(part);
    private_file(part).map_err(StorageError::at_file(part))?;
    let name = part
        .to_str()
        .ok_or(StorageError::Corrupt("a name that is no UTF-8"))?;
    sqlx::query("VACUUM INTO $1")
        .bind(name.to_owned())
        .execute(&sqlite.writer)
        .await?;
    mark(part).await
}

/// Whoever opens the copy begins new epochs: states that came after it are not states of it.
async fn mark(part: &Path) -> Result<(), StorageError> {
    use sqlx::Connection as _;
    let options = SqliteConnectOptions::new().filename(part);
    let mut copy = options.connect().await?;
    let sql = "UPDATE database_life SET is_copy = TRUE";
    sqlx::query(sql).execute(&mut copy).await?;
    copy.close().await?;
    Ok(())
}

fn finish(part: &Path, to: &Path) -> Result<(), StorageError> {
    let synced = regular_file::open(part).and_then(|file| file.sync_all());
    synced.map_err(StorageError::at_file(part))?;
    fs::hard_link(part, to).map_err(StorageError::at_file(to))?;
    fs::remove_file(part).map_err(StorageError::at_file(part))?;
    let folder = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    atomic::sync_dir(folder).map_err(StorageError::at_file(folder))
}

async fn summary(engine: &Engine, bytes: u64) -> Result<BackupSummary, StorageError> {
    let sql = "SELECT count(*), CAST(coalesce(sum(live_memories), 0) AS BIGINT) FROM memory_store";
    let rows = engine.all(SqlQuery::new(sql)).await?;
    let row = rows.first().ok_or(StorageError::Corrupt("no count"))?;
    Ok(BackupSummary {
        stores: row.count(0)?,
        memories: row.count(1)?,
        bytes,
    })
}

fn part(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}
