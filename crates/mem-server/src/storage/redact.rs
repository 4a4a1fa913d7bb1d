//! Takes the content of a key's earlier versions, and its name, out of the database.

use jiff::Timestamp;
use mem_sync::EntryKey;
use mem_sync::wire::{RedactBody, RedactOutcome};

use super::sql::{Engine, SqlDialect, SqlQuery, Transaction};
use super::store_row::{self, StoreRow};
use super::{RepositoryName, StorageActor, StorageError, load, scrub};

/// What a redaction came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedactionOutcome {
    /// The content of so many versions is gone, and what that cannot reach.
    Done(RedactOutcome),
    /// The key never held anything but what it holds now, which is not redacted.
    Head,
    /// The name is to go, and something stands under it.
    Stands,
    /// There never was such a key.
    NotFound,
}

/// Redacts every version of a key whose content is not that of the live one; with its name, all of them, and
/// the tombstone.
pub(super) async fn run(
    engine: &Engine,
    repo: &RepositoryName,
    what: &RedactBody,
    actor: &StorageActor,
    now: Timestamp,
) -> Result<RedactionOutcome, StorageError> {
    let key = &what.key;
    let mut within = engine.begin().await?;
    let Some(store) = store_row::lock(&mut within, repo).await? else {
        return Ok(RedactionOutcome::NotFound);
    };
    match count(&mut within, &store, key).await? {
        [0, _, _] if what.name => {
            drop(within);
            // The last time may have been interrupted before its end.
            scrub::scrub(engine).await?;
            return Ok(RedactionOutcome::NotFound);
        }
        [0, _, _] => return Ok(RedactionOutcome::NotFound),
        [_, _, live] if live > 0 && what.name => return Ok(RedactionOutcome::Stands),
        [_, 0, live] if live > 0 => return Ok(RedactionOutcome::Head),
        _ => {}
    }
    let redacted = clear(&mut within, &store, key, actor, now).await?;
    if what.name {
        forget(&mut within, &store, key, actor, now).await?;
    }
    within.commit().await?;
    // Again even where nothing was left to redact: the last time may have been interrupted here.
    scrub::scrub(engine).await?;
    Ok(RedactionOutcome::Done(RedactOutcome {
        redacted,
        note: note(engine.dialect()).to_owned(),
        name: what.name,
    }))
}

/// Versions of a path, those with content that is not live or that had some, and those beside which
/// something is live.
async fn count(
    within: &mut Transaction,
    store: &StoreRow,
    key: &EntryKey,
) -> Result<[u64; 3], StorageError> {
    let sql = "SELECT count(*), count(CASE WHEN v.redacted_at IS NOT NULL OR v.content_sha256 IS NOT NULL \
               AND (m.id IS NULL OR m.content_sha256 <> v.content_sha256) THEN 1 END), count(m.id) \
               FROM memory_version v \
               LEFT JOIN memory m ON m.store_id = v.store_id AND m.path = v.path AND m.live \
               WHERE v.store_id = $1 AND v.path = $2";
    let query = SqlQuery::new(sql)
        .bind(store.id.clone())
        .bind(load::path(key));
    match within.one(query).await? {
        Some(row) => Ok([row.count(0)?, row.count(1)?, row.count(2)?]),
        None => Ok([0, 0, 0]),
    }
}

/// Path, actor and time stay, so that the log can say what was done to which key. A tombstone keeps its
/// checksum too: it is what keeps an old client from bringing the content back.
async fn clear(
    within: &mut Transaction,
    store: &StoreRow,
    key: &EntryKey,
    actor: &StorageActor,
    now: Timestamp,
) -> Result<u64, StorageError> {
    let sql = "UPDATE memory_version SET content = NULL, content_sha256 = NULL, content_size = NULL, \
               redacted_at = $1, redactor_kind = $2, redactor_id = $3, redactor_name = $4 \
               WHERE store_id = $5 AND path = $6 AND content_sha256 IS NOT NULL AND NOT EXISTS \
               (SELECT 1 FROM memory m WHERE m.store_id = $5 AND m.path = $6 AND m.live \
               AND m.content_sha256 = memory_version.content_sha256)";
    let query = SqlQuery::new(sql).bind(now.as_microsecond());
    let query = query.bind(actor.kind.as_str());
    let query = query.bind(actor.id.as_str()).bind(actor.name.as_str());
    let query = query.bind(store.id.clone()).bind(load::path(key));
    Ok(within.run(query).await?)
}

/// The versions keep actor and time, under no name; the tombstone goes. The store is in another state then: it
/// says of one deletion less.
async fn forget(
    within: &mut Transaction,
    store: &StoreRow,
    key: &EntryKey,
    actor: &StorageActor,
    now: Timestamp,
) -> Result<(), StorageError> {
    let sql = "UPDATE memory_version SET path = NULL, redacted_at = coalesce(redacted_at, $1), \
               redactor_kind = coalesce(redactor_kind, $2), redactor_id = coalesce(redactor_id, $3), \
               redactor_name = coalesce(redactor_name, $4) WHERE store_id = $5 AND path = $6";
    let query = SqlQuery::new(sql).bind(now.as_microsecond());
    let query = query.bind(actor.kind.as_str());
    let query = query.bind(actor.id.as_str()).bind(actor.name.as_str());
    let query = query.bind(store.id.clone()).bind(load::path(key));
    within.run(query).await?;
    let sql = "DELETE FROM memory WHERE store_id = $1 AND path = $2 AND NOT live";
    let query = SqlQuery::new(sql).bind(store.id.clone());
    within.run(query.bind(load::path(key))).await?;
    let sql = "UPDATE memory_store SET sequence = sequence + 1 WHERE id = $1";
    within
        .run(SqlQuery::new(sql).bind(store.id.clone()))
        .await?;
    Ok(())
}

/// What a redaction cannot reach; empty where that is nothing.
fn note(dialect: SqlDialect) -> &'static str {
    match dialect {
        SqlDialect::Sqlite => "",
        SqlDialect::Postgres => {
            "PostgreSQL keeps removed bytes on disk until it uses the space again (VACUUM FULL), and in its \
             write-ahead log and backups for as long as these are kept"
        }
    }
}
