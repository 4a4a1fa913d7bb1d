//! Whether this is the database that was served here last: a copy of it begins new epochs, so that no name of a
//! state ever means two.
//!
//! A backup is marked as one. A file that something else copied is known by where it is: its inode, and a word in
//! the lock file that is another one at every start.
//!
//! A state's name is epoch and number. Two copies that go on separately both reach number 8, with different contents: a
//! client that knows the one would get a 304 from the other, or its `If-Match` would overwrite what it has not seen.
//! Renewing needlessly costs every client one full look, and a conflict copy of each text that others changed since its
//! last look; missing a copy costs texts. So in doubt epochs are renewed.
//! Tests: `storage::database_copies::a_restart_keeps_the_names_of_states_and_a_copy_does_not`,
//! `storage::open::a_restored_backup_names_no_state_of_before`.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::sql::sqlite::FILE;
use super::sql::{DatabaseKind, Engine, sql};
use super::{DatabaseAddress, StorageError, id};

/// A word of the lock file, with room for a longer one.
const WORD_BYTES_MAX: u64 = 64;

/// Begins to serve: with new epochs where this is a copy.
pub(super) async fn begin(engine: &Engine, place: &DatabaseAddress) -> Result<(), StorageError> {
    if let DatabaseAddress::Directory(directory) = place {
        remember(engine, directory).await?;
    }
    let query = sql!("SELECT is_copy FROM database_life WHERE id = 1");
    match engine.read_one(query).await? {
        Some(true) => renew(engine).await,
        _ => Ok(()),
    }
}

/// New epochs where the database was elsewhere before, or another one here; then where it is now.
async fn remember(engine: &Engine, directory: &Path) -> Result<(), StorageError> {
    let DatabaseKind::Sqlite(sqlite) = &engine.kind else {
        return Ok(());
    };
    let file = directory.join(FILE);
    let failed = StorageError::at_file(&file);
    let metadata = fs::metadata(&file).map_err(&failed)?;
    let (device, inode) = file_identity(&metadata);
    let mut word = String::new();
    if let Some(lock) = &sqlite.lock {
        let mut lock = &**lock;
        lock.seek(SeekFrom::Start(0)).map_err(&failed)?;
        let read = lock.take(WORD_BYTES_MAX).read_to_string(&mut word);
        read.map_err(&failed)?;
    }
    let before = sql!("SELECT device, inode, word FROM database_place WHERE id = 1");
    let before: Option<(i64, i64, String)> = engine.read_one(before).await?;
    if before.is_some_and(|before| before != (device, inode, word)) {
        // First of all: what ends here is a copy yet.
        renew(engine).await?;
    }
    let word = id::replica()?;
    let insert = "INSERT INTO database_place (id, device, inode, word) VALUES (1, $1, $2, $3) ON CONFLICT (id) \
                  DO UPDATE SET device = excluded.device, inode = excluded.inode, word = excluded.word";
    engine.run(sql!(insert; device, inode, &word)).await?;
    if let Some(lock) = &sqlite.lock {
        let mut lock = &**lock;
        lock.set_len(0).map_err(&failed)?;
        lock.seek(SeekFrom::Start(0)).map_err(&failed)?;
        lock.write_all(word.as_bytes()).map_err(&failed)?;
    }
    Ok(())
}

/// Device and inode.
#[cfg(unix)]
fn file_identity(metadata: &fs::Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev().cast_signed(), metadata.ino().cast_signed())
}

/// When it was made, which a copy has of its own.
#[cfg(windows)]
fn file_identity(metadata: &fs::Metadata) -> (i64, i64) {
    let made = std::os::windows::fs::MetadataExt::creation_time(metadata);
    (0, made.cast_signed())
}

/// New epochs for every store.
pub(super) async fn renew(engine: &Engine) -> Result<(), StorageError> {
    let mut within = engine.begin().await?;
    let change = sql!("UPDATE memory_store SET epoch = $1"; id::epoch()?);
    within.run(change).await?;
    let change = sql!("UPDATE database_life SET is_copy = FALSE");
    within.run(change).await?;
    within.commit().await
}
