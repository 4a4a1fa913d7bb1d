//! One file in the data directory, with one connection that writes and some that read.
//!
//! SQLite has one writer at a time. Several writing connections would wait for each other by polling, the longest waiting
//! without any right to be next; behind one connection requests queue in their order. Readers go on beside it, each on
//! the state in which its statement began (write-ahead log).

use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};

use crate::storage::{OpenOptions as Options, Purpose, StorageError};
use mem_core::regular_file;

/// The database.
pub(crate) const FILE: &str = "mem.sqlite";
/// Locked by the server that has the directory.
const LOCK_FILE: &str = "mem.lock";

/// An open file.
#[derive(Clone, Debug)]
pub(crate) struct Sqlite {
    pub(crate) writer: SqlitePool,
    pub(crate) readers: SqlitePool,
    pub(crate) lock: Option<Arc<File>>,
}

impl Sqlite {
    /// Closes every connection, then lets another server have the directory.
    pub(super) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
        if let Some(lock) = &self.lock {
            // It ends with the process at the latest.
            let _ = lock.unlock();
        }
    }
}

/// Opens the database of a data directory, which is made where there is none.
pub(crate) async fn open(directory: &Path, options: &Options) -> Result<Sqlite, StorageError> {
    private_directory(directory).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            StorageError::NoDirectory(directory.to_owned())
        }
        _ => StorageError::at_file(directory)(error),
    })?;
    let lock = match options.purpose {
        Purpose::Serve => Some(Arc::new(lock(directory)?)),
        Purpose::Erase => Some(Arc::new(lock(directory).map_err(|error| match error {
            StorageError::Locked(directory) => StorageError::Served(directory),
            other => other,
        })?)),
        Purpose::Administer => None,
    };
    let file = directory.join(FILE);
    private_file(&file).map_err(StorageError::at_file(&file))?;
    let connect = connect_options(&file);
    let writer = pool(1, options).connect_with(connect.clone()).await?;
    check(&writer).await?;
    let readers = pool(options.connections.max(1), options);
    let readers = readers.connect_lazy_with(connect.pragma("query_only", "ON"));
    Ok(Sqlite {
        writer,
        readers,
        lock,
    })
}

/// How every connection is set. Its files get the permissions of the database.
pub(crate) fn connect_options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .disable_statement_logging()
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10))
        .pragma("secure_delete", "ON")
        .row_buffer_size(1024)
}

fn pool(connections: u32, options: &Options) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(options.acquire_timeout)
        // A file does not hang up.
        .test_before_acquire(false)
        // A full disk ends a transaction without a word to the driver, which then begins no other.
        .before_acquire(|connection, _| {
            Box::pin(async move { Ok(!connection.is_in_transaction()) })
        })
        .idle_timeout(None)
        .max_lifetime(None)
}

/// What is acknowledged has to be on the disk: not only asked for, but so.
async fn check(pool: &SqlitePool) -> Result<(), StorageError> {
    for (setting, sql, wanted) in [
        ("synchronous", "PRAGMA synchronous", "2"),
        ("foreign_keys", "PRAGMA foreign_keys", "1"),
        ("secure_delete", "PRAGMA secure_delete", "1"),
        ("journal_mode", "PRAGMA journal_mode", "wal"),
    ] {
        // A number too is read as its digits.
        let found: String = sqlx::query(sql)
            .fetch_one(pool)
            .await?
            .try_get_unchecked(0)?;
        if found != wanted {
            return Err(StorageError::Setting {
                setting,
                found,
                wanted,
            });
        }
    }
    Ok(())
}

pub(crate) fn private_directory(directory: &Path) -> io::Result<()> {
    if !directory.is_dir() {
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(directory)?;
    }
    #[cfg(unix)]
    {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(directory, Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Makes the file with its permissions, so that it never has others.
pub(crate) fn private_file(file: &Path) -> io::Result<File> {
    regular_file::open_lock(file)
}

/// Takes a data directory, as a server does.
pub(crate) fn lock(directory: &Path) -> Result<File, StorageError> {
    let path = directory.join(LOCK_FILE);
    let file = private_file(&path);
    let refused = StorageError::at_file(&path);
    let file = file.map_err(&refused)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StorageError::Locked(directory.to_owned())),
        Err(TryLockError::Error(source)) => Err(refused(source)),
    }
}
