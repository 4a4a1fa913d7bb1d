//! What the database's files still hold of something that was removed.
//!
//! SQLite: `secure_delete` overwrites what is freed; here the rest is emptied, page by page, and then the log
//! before the file. Nobody waits for longer than a few pages take. Where SQLite was built without its table of
//! pages the whole file is written anew instead.
//!
//! ```text
//!  a leaf after rows moved away:   header | list of cells | ..gap.. | cells
//!                                                           ^ holds old bytes, which no query shows
//! ```
//!
//! Order: the rows are gone and committed; then the pages; then the log, which still holds earlier copies of them, is
//! moved into the file and truncated. The log first would leave the copies that emptying the pages writes there.
//! **Invariant:** an emptied page differs from the old one only in bytes that belong to nothing, and each is read again in
//! the transaction that writes it. **Cost:** one read of the file beside readers and writers; writes of dirty pages only,
//! 64 a transaction. Tests: `storage::history::what_was_redacted_is_in_no_file_and_no_backup`,
//! `storage::stores::redaction::no_byte_of_what_was_redacted_is_left_in_any_file`,
//! `storage::stores::redaction::a_redaction_and_writers_do_not_get_in_each_others_way`.

use futures_util::TryStreamExt as _;
use sqlx::{Row as _, SqliteConnection};

use super::sql::page::{PAGES_MAX, clean};
use super::sql::sqlite::Sqlite;
use super::sql::{DatabaseKind, Engine};
use super::{StorageError, objects};

/// Pages that are written by one transaction.
const PAGES_AT_ONCE: usize = 64;

/// Removes it, and the objects of what was removed.
pub(super) async fn scrub(engine: &Engine) -> Result<(), StorageError> {
    objects::remove_released(engine, false).await?;
    match &engine.kind {
        DatabaseKind::Sqlite(sqlite) => {
            match pages(sqlite).await? {
                Some(pages) => empty(sqlite, pages).await?,
                None => {
                    sqlx::query("VACUUM").execute(&sqlite.writer).await?;
                }
            }
            let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
            let busy: i64 = sqlx::query_scalar(sql).fetch_one(&sqlite.writer).await?;
            match busy {
                0 => Ok(()),
                _ => Err(StorageError::Busy),
            }
        }
        DatabaseKind::Postgres(servers) => {
            let pool = servers.pool();
            // Rows that are dead become free; their bytes go when the space is used again.
            for sql in ["VACUUM memory_version", "VACUUM memory"] {
                let done = sqlx::query(sql).execute(&pool).await;
                // A database that speaks the protocol may have no such statement.
                drop(done);
            }
            Ok(())
        }
    }
}

/// What is to be emptied.
struct ScrubPages {
    reserved: usize,
    numbers: Vec<i64>,
}

/// The pages that hold something which belongs to nothing, found while others read and write. What is written
/// after this began is not copied from there. `None` where pages cannot be looked at.
async fn pages(sqlite: &Sqlite) -> Result<Option<ScrubPages>, StorageError> {
    let mut reader = sqlite.readers.acquire().await?;
    let sql = "SELECT count(*) FROM pragma_module_list WHERE name = 'sqlite_dbpage'";
    let modules: i64 = sqlx::query_scalar(sql).fetch_one(&mut *reader).await?;
    let count: i64 = sqlx::query_scalar("PRAGMA page_count")
        .fetch_one(&mut *reader)
        .await?;
    if modules == 0 || count >= PAGES_MAX {
        return Ok(None);
    }
    let first: Vec<u8> = sqlx::query_scalar("SELECT data FROM sqlite_dbpage WHERE pgno = 1")
        .fetch_one(&mut *reader)
        .await?;
    let reserved = first.get(20).copied().map_or(0, usize::from);
    let mut numbers = Vec::new();
    // Contents that fill pages of their own begin with 0 and are not even looked at.
    let sql = "SELECT pgno, data FROM sqlite_dbpage \
               WHERE pgno > 1 AND substr(data, 1, 1) IN (x'02', x'05', x'0a', x'0d')";
    let mut rows = sqlx::query(sql).fetch(&mut *reader);
    while let Some(row) = rows.try_next().await? {
        let mut page: Vec<u8> = row.try_get(1)?;
        if clean(&mut page, reserved) {
            numbers.push(row.try_get(0)?);
        }
    }
    Ok(Some(ScrubPages { reserved, numbers }))
}

/// Empties them, some at a time, each as it is now.
async fn empty(sqlite: &Sqlite, pages: ScrubPages) -> Result<(), StorageError> {
    for some in pages.numbers.chunks(PAGES_AT_ONCE) {
        let mut within = sqlite.writer.begin_with("BEGIN IMMEDIATE").await?;
        for number in some {
            empty_one(&mut within, *number, pages.reserved).await?;
        }
        within.commit().await?;
    }
    Ok(())
}

async fn empty_one(
    within: &mut SqliteConnection,
    number: i64,
    reserved: usize,
) -> Result<(), StorageError> {
    let found: Option<Vec<u8>> =
        sqlx::query_scalar("SELECT data FROM sqlite_dbpage WHERE pgno = $1")
            .bind(number)
            .fetch_optional(&mut *within)
            .await?;
    // It may have been freed meanwhile, and is nothing then.
    if let Some(mut page) = found
        && clean(&mut page, reserved)
    {
        sqlx::query("UPDATE sqlite_dbpage SET data = $1 WHERE pgno = $2")
            .bind(page)
            .bind(number)
            .execute(&mut *within)
            .await?;
    }
    Ok(())
}
