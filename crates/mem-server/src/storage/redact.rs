//! Takes the content of a key's earlier versions, and its name, out of the database.

use jiff::Timestamp;
use mem_sync::wire::{RedactBody, RedactOutcome};

use super::sql::{Engine, SqlDialect, sql};
use super::store_row;
use super::{
    Database, RepositoryName, StorageActor, StorageError, load, objects, outbox, outcome_events,
    scrub,
};
use crate::events::{Event, EventType};

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

impl Database {
    /// Takes the content of a key's earlier versions, and its name, out of the database.
    ///
    /// # Errors
    /// See [`StorageError`]. After any it is to be asked for again: what was redacted may still stand in
    /// the database's files.
    pub async fn redact(
        &self,
        repo: &RepositoryName,
        what: &RedactBody,
        actor: &StorageActor,
        now: Timestamp,
    ) -> Result<RedactionOutcome, StorageError> {
        self.may_write()?;
        let (database, repo, what) = (self.clone(), repo.clone(), what.clone());
        let actor = actor.clone();
        // Whoever asked may go away; what was begun is not left half done.
        let work = async move {
            let done = run(database.engine(), &repo, &what, &actor, now).await;
            database.wake_delivery();
            // A name that went is another state, and an error says nothing of how far it came.
            if let Some(states) = database.0.states.as_ref().filter(|_| what.name) {
                states.forget(&repo);
            }
            done
        };
        let done = tokio::spawn(work).await;
        done.map_err(|_| StorageError::Corrupt("a redaction that panicked"))?
    }
}

/// Redacts every version of a key whose content is not that of the live one; with its name, all of them, and
/// the tombstone.
async fn run(
    engine: &Engine,
    repo: &RepositoryName,
    what: &RedactBody,
    actor: &StorageActor,
    now: Timestamp,
) -> Result<RedactionOutcome, StorageError> {
    let path = load::path(&what.key);
    let mut within = engine.begin().await?;
    let Some(locked) = store_row::lock_by_repository(&mut within, repo).await? else {
        return Ok(RedactionOutcome::NotFound);
    };
    let store = locked.id.clone();
    // Versions of the path, those with content that is not live or that had some, and those beside which
    // something is live.
    let count = "SELECT count(*), count(CASE WHEN v.redacted_at IS NOT NULL OR v.content_sha256 IS NOT NULL \
                 AND (m.id IS NULL OR m.content_sha256 <> v.content_sha256) THEN 1 END), count(m.id) \
                 FROM memory_version v \
                 LEFT JOIN memory m ON m.store_id = v.store_id AND m.path = v.path AND m.live \
                 WHERE v.store_id = $1 AND v.path = $2";
    let counts: Option<(u64, u64, u64)> = within.read_one(sql!(count; &store, &path)).await?;
    match counts.unwrap_or_default() {
        (0, _, _) if what.name => {
            drop(within);
            // The last time may have been interrupted before its end.
            scrub::scrub(engine).await?;
            return Ok(RedactionOutcome::NotFound);
        }
        (0, _, _) => return Ok(RedactionOutcome::NotFound),
        (_, _, live) if live > 0 && what.name => return Ok(RedactionOutcome::Stands),
        (_, 0, live) if live > 0 => return Ok(RedactionOutcome::Head),
        _ => {}
    }
    let mut events = Vec::new();
    if locked.wanted.has(EventType::MemoryRedacted) {
        let memories = "SELECT DISTINCT memory_id FROM memory_version WHERE store_id = $1 AND path = $2 \
                        ORDER BY memory_id";
        for subject in within.read_all(sql!(memories; &store, &path)).await? {
            events.push(Event {
                subject,
                path: Some(path.clone()).filter(|_| !what.name),
                ..outcome_events::of_store(&locked, EventType::MemoryRedacted, actor, now)
            });
        }
    }
    // Path, actor and time stay, so that the log can say what was done to which key. A tombstone keeps its
    // checksum too: it is what keeps an old client from bringing the content back.
    let clear = "UPDATE memory_version SET content = NULL, content_sha256 = NULL, content_size = NULL, \
                 redacted_at = $1, redactor_kind = $2, redactor_id = $3, redactor_name = $4 \
                 WHERE store_id = $5 AND path = $6 AND content_sha256 IS NOT NULL AND NOT EXISTS \
                 (SELECT 1 FROM memory m WHERE m.store_id = $5 AND m.path = $6 AND m.live \
                 AND m.content_sha256 = memory_version.content_sha256)";
    let StorageActor { kind, id, name } = actor;
    let clear = sql!(clear; now, kind.as_str(), id, name, &store, &path);
    let redacted = within.run(clear).await?;
    objects::release_redacted(&mut within, &store).await?;
    if what.name {
        // The versions keep actor and time, under no name; the tombstone goes. The store is in another state then:
        // it says of one deletion less.
        let forget = "UPDATE memory_version SET path = NULL, redacted_at = coalesce(redacted_at, $1), \
                      redactor_kind = coalesce(redactor_kind, $2), redactor_id = coalesce(redactor_id, $3), \
                      redactor_name = coalesce(redactor_name, $4) WHERE store_id = $5 AND path = $6";
        let forget = sql!(forget; now, kind.as_str(), id, name, &store, &path);
        within.run(forget).await?;
        let bury = "DELETE FROM memory WHERE store_id = $1 AND path = $2 AND NOT live";
        within.run(sql!(bury; &store, &path)).await?;
        let advance = "UPDATE memory_store SET sequence = sequence + 1 WHERE id = $1";
        within.run(sql!(advance; &store)).await?;
        within.run(outbox::forget_path(&store, &path)).await?;
    }
    outbox::write(&mut within, &locked.workspace, &events).await?;
    within.commit().await?;
    // Again even where nothing was left to redact: the last time may have been interrupted here.
    scrub::scrub(engine).await?;
    // What a redaction cannot reach; empty where that is nothing.
    let note = match engine.dialect() {
        SqlDialect::Sqlite => "",
        SqlDialect::Postgres => {
            "PostgreSQL keeps removed bytes on disk until it uses the space again (VACUUM FULL), and in its \
             write-ahead log and backups for as long as these are kept"
        }
    };
    Ok(RedactionOutcome::Done(RedactOutcome {
        redacted,
        note: note.to_owned(),
        name: what.name,
    }))
}
