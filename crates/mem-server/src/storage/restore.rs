//! A backup in the place of a data directory's database.

use std::fs::{self};
use std::io;
use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};

use super::StorageError;
use super::sql::sqlite::{FILE, lock, private_directory, private_file};
use mem_core::{atomic, regular_file};

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
    let part = beside(&file, ".part");
    let made = make(from, &part).await;
    let done = match made {
        Ok(()) => exchange(&part, &file, directory).await,
        Err(error) => Err(error),
    };
    if done.is_err() {
        for end in ["", BESIDE[0], BESIDE[1]] {
            let _ = fs::remove_file(beside(&part, end));
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
    let options = SqliteConnectOptions::new().filename(part);
    let none = |_| StorageError::Corrupt("it is no backup of a server");
    let mut copy = options.connect().await.map_err(none)?;
    check(&mut copy).await?;
    copy.close().await?;
    let synced = regular_file::open(part).and_then(|file| file.sync_all());
    synced.map_err(StorageError::at_file(part))
}

async fn check(copy: &mut SqliteConnection) -> Result<(), StorageError> {
    let none = |_| StorageError::Corrupt("it is no backup of a server");
    let sql = "PRAGMA integrity_check";
    let found: String = sqlx::query_scalar(sql)
        .fetch_one(&mut *copy)
        .await
        .map_err(none)?;
    if found != "ok" {
        return Err(StorageError::Corrupt("the backup is damaged"));
    }
    let sql = "UPDATE database_life SET is_copy = TRUE";
    let marked = sqlx::query(sql).execute(&mut *copy).await.map_err(none)?;
    match marked.rows_affected() {
        1 => Ok(()),
        _ => Err(StorageError::Corrupt("it is no backup of a server")),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is no memory; it is synced before and after"
)]
async fn exchange(part: &Path, file: &Path, directory: &Path) -> Result<(), StorageError> {
    settle(file).await;
    for end in BESIDE {
        // What was written to the old database is nothing to the new one.
        match fs::remove_file(beside(file, end)) {
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
async fn settle(file: &Path) {
    let options = SqliteConnectOptions::new().filename(file);
    if let Ok(mut old) = options.connect().await {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let _ = sqlx::query(sql).execute(&mut old).await;
        let _ = old.close().await;
    }
}

fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
