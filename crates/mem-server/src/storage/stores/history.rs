//! Versions: one, pages of them, the newest first, and the end of one's content.

use jiff::Timestamp;
use mem_core::history::Sha256;
pub use mem_stores::wire::VersionOperation;

use super::catalogue::find as find_store;
use super::{AccessScope, ListPage, StoreRefusal, StoresError, Writing};
use crate::events::{Event, EventType};
use crate::storage::outbox::{self, WantedEvents};
use crate::storage::sealing::ContentCipher;
use crate::storage::sql::{
    Conditions, Engine, SqlDialect, SqlQuery, SqlRow, SqlValue, from_columns, sql,
};
use crate::storage::{ActorKind, Database, StorageActor, StorageError, objects, scrub};

/// One mutation of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRecord {
    /// `memver_…`.
    pub id: String,
    /// Its number in the store's order.
    pub sequence: u64,
    /// `mem_…`.
    pub memory_id: String,
    /// `memstore_…`.
    pub store_id: String,
    /// What was done.
    pub operation: VersionOperation,
    /// Where the memory was with it; `None` once redacted.
    pub path: Option<String>,
    /// Where it was asked for; `None` of a deletion, and once redacted.
    pub content: Option<String>,
    /// `None` of a deletion, and once redacted.
    pub content_sha256: Option<Sha256>,
    /// In bytes; `None` of a deletion, and once redacted.
    pub content_size: Option<u64>,
    /// When.
    pub created_at: Timestamp,
    /// Who.
    pub created_by: StorageActor,
    /// When it was redacted.
    pub redacted_at: Option<Timestamp>,
    /// Who redacted it.
    pub redacted_by: Option<StorageActor>,
}

from_columns!(VersionRecord: id, sequence, memory_id, store_id, operation, path, content_sha256, content_size,
    created_at, created_by, redacted_at, redacted_by; content);

/// Which versions of a store are asked for; the newest first. All that is said has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionQuery {
    /// By this token.
    pub api_key_id: Option<String>,
    /// By this service account.
    pub service_account_id: Option<String>,
    /// By this session.
    pub session_id: Option<String>,
    /// Of this memory.
    pub memory_id: Option<String>,
    /// That did this.
    pub operation: Option<VersionOperation>,
    /// Then or later.
    pub created_from: Option<Timestamp>,
    /// Then or earlier.
    pub created_to: Option<Timestamp>,
    /// With content.
    pub content: bool,
    /// At most so many; one at least.
    pub limit: u32,
    /// Those with smaller numbers.
    pub after: Option<u64>,
}

const COLUMNS: &str = "v.id, v.sequence, v.memory_id, v.store_id, v.operation, v.path, v.content_sha256, \
    v.content_size, v.created_at, v.actor_kind, v.actor_id, v.actor_name, v.redacted_at, v.redactor_kind, \
    v.redactor_id, v.redactor_name";

/// The column of the content, where it is asked for.
const CONTENT: usize = 16;

impl Database {
    /// A version: one statement, which says also whether there is such a store.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`], `NoVersion`.
    pub async fn version(
        &self,
        scope: &AccessScope,
        store: &str,
        id: &str,
        content: bool,
    ) -> Result<VersionRecord, StoresError> {
        self.reading(|| async {
            let (engine, column) = (self.engine(), content.then_some(CONTENT));
            let query = || by_id(scope, store, id, content.then_some("v.content"), "");
            let rows = engine.with_contents(None, query, column).await?;
            found(rows.first(), content.then_some(&engine.seals))
        })
        .await
    }

    /// Versions of a store, the newest first.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`].
    pub async fn versions(
        &self,
        scope: &AccessScope,
        store: &str,
        asked: &VersionQuery,
    ) -> Result<ListPage<VersionRecord, u64>, StoresError> {
        self.reading(|| async {
            let (engine, column) = (self.engine(), asked.content.then_some(CONTENT));
            let rows = engine
                .with_contents(None, || query(scope, store, asked), column)
                .await?;
            if rows.is_empty() {
                find_store(engine, scope, store).await?;
            }
            let seals = asked.content.then_some(&engine.seals);
            let read = |row: &SqlRow| Ok(record(row, seals)?);
            ListPage::from_rows(&rows, asked.limit, read, |last| last.sequence)
        })
        .await
    }

    /// Takes content, checksum, size and path out of a version, for good, and says what is left of it. One that is
    /// redacted stays as it is. In an archived store too.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`], `NoVersion`, `Head`. After an error of the database it is to be asked for
    /// again: what was redacted may still stand in its files.
    pub async fn redact_version(
        &self,
        writing: Writing,
        id: &str,
    ) -> Result<VersionRecord, StoresError> {
        self.may_write()?;
        let (engine, id) = (self.engine().clone(), id.to_owned());
        // Whoever asked may go away; what was begun is not left half done.
        let database = self.clone();
        let work = async move {
            let redacted = redact(&engine, &writing, &id).await;
            database.wake_delivery();
            redacted
        };
        let done = tokio::spawn(work).await;
        done.map_err(|_| StorageError::Corrupt("a redaction that panicked"))?
    }
}

fn by_id(scope: &AccessScope, store: &str, id: &str, more: Option<&str>, end: &str) -> SqlQuery {
    let (seen, values) = scope.condition(3);
    let more = more.map_or(String::new(), |column| format!(", {column}"));
    let sql = format!(
        "SELECT {COLUMNS}{more} FROM memory_store s \
         LEFT JOIN memory_version v ON v.store_id = s.id AND v.id = $2 WHERE s.id = $1 AND {seen}{end}"
    );
    sql!(sql; store, id).bind_all(values)
}

fn found(
    row: Option<&SqlRow>,
    seals: Option<&ContentCipher>,
) -> Result<VersionRecord, StoresError> {
    let row = row.ok_or(StoreRefusal::NoStore)?;
    match row.get::<Option<String>>(0)? {
        Some(_) => Ok(record(row, seals)?),
        None => Err(StoreRefusal::NoVersion.into()),
    }
}

fn query(scope: &AccessScope, store: &str, asked: &VersionQuery) -> SqlQuery {
    let (sql, of_scope) = scope.condition(2);
    let mut values: Vec<SqlValue> = vec![store.into()];
    values.extend(of_scope);
    let mut conditions = Conditions { sql, values };
    let by = [
        (ActorKind::ApiKey, &asked.api_key_id),
        (ActorKind::ServiceAccount, &asked.service_account_id),
        (ActorKind::Session, &asked.session_id),
    ];
    for (kind, id) in by {
        conditions.and("v.actor_kind =", id.as_ref().map(|_| kind.as_str()));
        conditions.and("v.actor_id =", id.as_ref());
    }
    conditions.and("v.memory_id =", asked.memory_id.as_ref());
    conditions.and(
        "v.operation =",
        asked.operation.map(VersionOperation::as_str),
    );
    conditions.and("v.created_at >=", asked.created_from);
    conditions.and("v.created_at <=", asked.created_to);
    conditions.and("v.sequence <", asked.after);
    let limit = conditions.value(i64::from(asked.limit) + 1);
    let column = if asked.content { ", v.content" } else { "" };
    let Conditions { sql, values } = conditions;
    let sql = format!(
        "SELECT {COLUMNS}{column} FROM memory_version v JOIN memory_store s ON s.id = v.store_id \
         WHERE v.store_id = $1 AND {sql} ORDER BY v.sequence DESC LIMIT {limit}"
    );
    sql!(sql).bind_all(values)
}

fn record(row: &SqlRow, seals: Option<&ContentCipher>) -> Result<VersionRecord, StorageError> {
    let mut version: VersionRecord = row.get(0)?;
    // The team protocol leaves the path of what it redacts, for its own log.
    version.path = version.path.filter(|_| version.redacted_at.is_none());
    if let Some(seals) = seals {
        version.content = seals.content(row, CONTENT, &version.store_id, &version.id)?;
    }
    Ok(version)
}

async fn redact(
    engine: &Engine,
    writing: &Writing,
    id: &str,
) -> Result<VersionRecord, StoresError> {
    let (store, actor, now) = (&writing.store, &writing.actor, writing.now);
    let mut within = engine.begin().await?;
    let end = match engine.dialect() {
        SqlDialect::Sqlite => "",
        // The version may be absent, and what may be absent cannot be locked.
        SqlDialect::Postgres => " FOR UPDATE OF s",
    };
    let wanted = outbox::wanted_by("s");
    let query = by_id(&writing.scope, store, id, Some(&wanted), end);
    let row = within.one(query).await?;
    let mut version = found(row.as_ref(), None)?;
    let wanted: Option<WantedEvents> = row.map(|row| row.get(CONTENT)).transpose()?;
    if version.redacted_at.is_none() {
        let live = "SELECT m.id FROM memory m WHERE m.store_id = $1 AND m.id = $2 AND m.live AND m.version_id = $3";
        let live = sql!(live; store, &version.memory_id, id);
        if within.one(live).await?.is_some() {
            return Err(StoreRefusal::Head.into());
        }
    }
    // One that the team protocol redacted has its path yet.
    let clear = "UPDATE memory_version SET content = NULL, content_sha256 = NULL, content_size = NULL, path = NULL, \
                 redacted_at = coalesce(redacted_at, $1), redactor_kind = coalesce(redactor_kind, $2), \
                 redactor_id = coalesce(redactor_id, $3), redactor_name = coalesce(redactor_name, $4) \
                 WHERE store_id = $5 AND id = $6";
    let clear = sql!(clear; now, actor.kind.as_str(), &actor.id, &actor.name, store, id);
    within.run(clear).await?;
    objects::release_version(&mut within, id).await?;
    within.run(outbox::forget_version(store, id)).await?;
    let is_wanted = wanted.is_some_and(|wanted| wanted.has(EventType::MemoryRedacted));
    if is_wanted && version.redacted_at.is_none() {
        let workspace = writing.scope.workspace();
        let event = Event {
            subject: version.memory_id.clone(),
            version: Some(id.to_owned()),
            ..Event::of_store(EventType::MemoryRedacted, workspace, store, actor, now)
        };
        outbox::write(&mut within, &event.workspace, std::slice::from_ref(&event)).await?;
    }
    within.commit().await?;
    // Again even where it was redacted before: the last time may have been interrupted here.
    scrub::scrub(engine).await?;
    (version.path, version.content) = (None, None);
    (version.content_sha256, version.content_size) = (None, None);
    if version.redacted_at.is_none() {
        version.redacted_at = Some(now);
        version.redacted_by = Some(actor.clone());
    }
    Ok(version)
}
