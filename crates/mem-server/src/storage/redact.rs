//! Takes the content of a key's earlier versions out of the database.

use jiff::Timestamp;
use mem_sync::Key;

use super::sql::{Dialect, Engine, Query, Transaction};
use super::store_row::{self, StoreRow};
use super::{Actor, RepositoryName, StorageError, load};

/// What a redaction came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redaction {
    /// The content of so many versions is gone; none of it is left in the database's files.
    Done {
        /// Versions that had content.
        redacted: u64,
    },
    /// The newest version is what everybody has, and the only one: it is not redacted.
    Head,
    /// There never was such a key.
    NotFound,
}

/// Redacts every version of a key but the one that is live.
pub(super) async fn run(
    engine: &Engine,
    repo: &RepositoryName,
    key: &Key,
    actor: &Actor,
    now: Timestamp,
) -> Result<Redaction, StorageError> {
    let mut within = engine.begin().await?;
    let Some(store) = store_row::lock(&mut within, engine.dialect(), repo).await? else {
        return Ok(Redaction::NotFound);
    };
    let (versions, earlier) = count(&mut within, &store, key).await?;
    if versions == 0 {
        return Ok(Redaction::NotFound);
    }
    if earlier == 0 {
        return Ok(Redaction::Head);
    }
    let redacted = clear(&mut within, &store, key, actor, now).await?;
    within.commit().await?;
    // Again even where nothing was left to redact: the last time may have been interrupted here.
    scrub(engine).await?;
    Ok(Redaction::Done { redacted })
}

/// Versions of a path, and those of them that are not live.
async fn count(
    within: &mut Transaction,
    store: &StoreRow,
    key: &Key,
) -> Result<(u64, u64), StorageError> {
    let sql = "SELECT count(*), count(CASE WHEN m.live AND m.sequence = v.sequence THEN NULL ELSE 1 END) \
               FROM memory_version v LEFT JOIN memory m ON m.store_id = v.store_id AND m.path = v.path \
               WHERE v.store_id = $1 AND v.path = $2";
    let query = Query::new(sql).bind(store.id.clone()).bind(load::path(key));
    match within.one(query).await? {
        Some(row) => Ok((row.count(0)?, row.count(1)?)),
        None => Ok((0, 0)),
    }
}

/// Path, actor and time stay, so that the log can say what was done to which key.
async fn clear(
    within: &mut Transaction,
    store: &StoreRow,
    key: &Key,
    actor: &Actor,
    now: Timestamp,
) -> Result<u64, StorageError> {
    let sql = "UPDATE memory_version SET content = NULL, content_sha256 = NULL, content_size = NULL, \
               redacted_at = $1, redactor_kind = $2, redactor_id = $3, redactor_name = $4 \
               WHERE store_id = $5 AND path = $6 AND redacted_at IS NULL AND operation <> 'deleted' \
               AND sequence NOT IN (SELECT sequence FROM memory WHERE store_id = $5 AND path = $6 AND live)";
    let query = Query::new(sql).bind(now.as_microsecond());
    let query = query.bind(actor.kind.as_str());
    let query = query.bind(actor.id.as_str()).bind(actor.name.as_str());
    let query = query.bind(store.id.clone()).bind(load::path(key));
    Ok(within.run(query).await?)
}

/// What the database's files still hold of it.
async fn scrub(engine: &Engine) -> Result<(), StorageError> {
    match engine {
        Engine::Sqlite(sqlite) => {
            // `secure_delete` overwrites what is freed, but not what pages kept when others were cut from
            // them: so the whole file is written anew, and the log before it is emptied.
            let mut connection = sqlite.writer.acquire().await?;
            sqlx::query("VACUUM").execute(&mut *connection).await?;
            let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
            let busy: i64 = sqlx::query_scalar(sql).fetch_one(&mut *connection).await?;
            match busy {
                0 => Ok(()),
                _ => Err(StorageError::Busy),
            }
        }
        Engine::Postgres(pool) => {
            // Rows that are dead become free; their bytes go when the space is used again.
            let done = sqlx::query("VACUUM memory_version").execute(pool).await;
            // A database that speaks the protocol may have no such statement.
            drop(done);
            Ok(())
        }
    }
}

/// What is left of a redaction, said plainly; empty where nothing is.
pub(super) fn note(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "",
        Dialect::Postgres => {
            "PostgreSQL keeps the bytes of removed rows on disk until it uses the space again, and in its \
             write-ahead log and backups: see VACUUM FULL and your retention of those"
        }
    }
}
