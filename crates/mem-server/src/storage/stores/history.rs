//! Versions: one, pages of them, the newest first, and the end of one's content.

use std::borrow::Cow;
use std::fmt::Write as _;

use jiff::Timestamp;
use mem_core::history::Sha256;
pub use mem_stores::wire::VersionOperation;

use super::catalogue::require;
use super::{AccessScope, ListPage, StoreRefusal, StoresError, Writing};
use crate::storage::sealing::ContentCipher;
use crate::storage::sql::{Engine, SqlDialect, SqlQuery, SqlRow, SqlValue, Transaction};
use crate::storage::{ActorKind, StorageActor, StorageError, scrub, time};

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

const COLUMNS: &str = "v.id, v.sequence, v.memory_id, v.operation, v.path, v.content_sha256, \
    v.content_size, v.created_at, v.actor_kind, v.actor_id, v.actor_name, v.redacted_at, v.redactor_kind, \
    v.redactor_id, v.redactor_name";

/// The column of the content, where it is asked for.
const CONTENT: usize = 15;

/// A version: one statement, which says also whether there is such a store.
pub(super) async fn find(
    engine: &Engine,
    scope: &AccessScope,
    store: &str,
    id: &str,
    content: bool,
) -> Result<VersionRecord, StoresError> {
    let query = || by_id(scope, store, id, content, "");
    let rows = match content {
        true => engine.with_contents(query, CONTENT).await?,
        false => engine.all(query()).await?,
    };
    let seals = content.then(|| engine.seals());
    found(rows.first(), store, seals)
}

/// A version whose store nobody else changes until the transaction ends.
async fn lock(
    within: &mut Transaction,
    scope: &AccessScope,
    store: &str,
    id: &str,
) -> Result<VersionRecord, StoresError> {
    let end = match within.dialect() {
        SqlDialect::Sqlite => "",
        // The version may be absent, and what may be absent cannot be locked.
        SqlDialect::Postgres => " FOR UPDATE OF s",
    };
    let row = within.one(by_id(scope, store, id, false, end)).await?;
    found(row.as_ref(), store, None)
}

fn by_id(scope: &AccessScope, store: &str, id: &str, content: bool, end: &str) -> SqlQuery {
    let (seen, values) = scope.condition(3);
    let column = if content { ", v.content" } else { "" };
    let sql = format!(
        "SELECT {COLUMNS}{column} FROM memory_store s \
         LEFT JOIN memory_version v ON v.store_id = s.id AND v.id = $2 WHERE s.id = $1 AND {seen}{end}"
    );
    let query = SqlQuery::built(sql, true).bind(store).bind(id);
    query.bind_all(values)
}

fn found(
    row: Option<&SqlRow>,
    store: &str,
    seals: Option<&ContentCipher>,
) -> Result<VersionRecord, StoresError> {
    let row = row.ok_or(StoreRefusal::NoStore)?;
    match row.get::<Option<String>>(0)? {
        Some(_) => Ok(record(row, store, seals)?),
        None => Err(StoreRefusal::NoVersion.into()),
    }
}

/// A page.
pub(super) async fn list(
    engine: &Engine,
    scope: &AccessScope,
    store: &str,
    asked: &VersionQuery,
) -> Result<ListPage<VersionRecord, u64>, StoresError> {
    let query = || query(scope, store, asked);
    let rows = match asked.content {
        true => engine.with_contents(query, CONTENT).await?,
        false => engine.all(query()).await?,
    };
    if rows.is_empty() {
        require(engine, scope, store).await?;
    }
    let seals = asked.content.then(|| engine.seals());
    let items = rows.iter().take(asked.limit as usize);
    let items = items.map(|row| record(row, store, seals));
    let items: Vec<VersionRecord> = items.collect::<Result<_, _>>()?;
    let has_more = rows.len() > items.len();
    let next = items.last().filter(|_| has_more).map(|last| last.sequence);
    Ok(ListPage { items, next })
}

fn query(scope: &AccessScope, store: &str, asked: &VersionQuery) -> SqlQuery {
    let (seen, of_scope) = scope.condition(2);
    let mut values: Vec<SqlValue> = vec![store.into()];
    values.extend(of_scope);
    let mut conditions = String::new();
    let mut and = |text: &str, value: SqlValue| {
        values.push(value);
        let _ = write!(conditions, " AND {text} ${}", values.len());
    };
    let by = [
        (ActorKind::ApiKey, &asked.api_key_id),
        (ActorKind::ServiceAccount, &asked.service_account_id),
        (ActorKind::Session, &asked.session_id),
    ];
    for (kind, id) in by {
        if let Some(id) = id {
            and("v.actor_kind =", kind.as_str().into());
            and("v.actor_id =", id.as_str().into());
        }
    }
    if let Some(memory) = &asked.memory_id {
        and("v.memory_id =", memory.as_str().into());
    }
    if let Some(operation) = asked.operation {
        and("v.operation =", operation.as_str().into());
    }
    if let Some(from) = asked.created_from {
        and("v.created_at >=", from.as_microsecond().into());
    }
    if let Some(to) = asked.created_to {
        and("v.created_at <=", to.as_microsecond().into());
    }
    if let Some(after) = asked.after {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        and("v.sequence <", after.into());
    }
    values.push((i64::from(asked.limit) + 1).into());
    let column = if asked.content { ", v.content" } else { "" };
    let sql = format!(
        "SELECT {COLUMNS}{column} FROM memory_version v JOIN memory_store s ON s.id = v.store_id \
         WHERE v.store_id = $1 AND {seen}{conditions} ORDER BY v.sequence DESC LIMIT ${}",
        values.len()
    );
    SqlQuery::built(sql, true).bind_all(values)
}

fn record(
    row: &SqlRow,
    store: &str,
    seals: Option<&ContentCipher>,
) -> Result<VersionRecord, StorageError> {
    let operation = VersionOperation::parse(&row.get::<String>(3)?);
    let redacted_at = time::from_optional(row.get(11)?)?;
    let has_content = row.get::<Option<Vec<u8>>>(5)?.is_some();
    let content = match seals {
        Some(seals) => seals.content(row, CONTENT, store, row.text(0)?)?,
        None => None,
    };
    let content = content.map(Cow::into_owned);
    // The team protocol leaves the path of what it redacts, for its own log.
    let path = match redacted_at {
        None => row.get(4)?,
        Some(_) => None,
    };
    Ok(VersionRecord {
        id: row.get(0)?,
        sequence: row.count(1)?,
        memory_id: row.get(2)?,
        store_id: store.to_owned(),
        operation: operation.ok_or(StorageError::Corrupt("an operation that is none"))?,
        path,
        content,
        content_sha256: has_content.then(|| row.sha256(5)).transpose()?,
        content_size: has_content.then(|| row.count(6)).transpose()?,
        created_at: time::from_stored(row.get(7)?)?,
        created_by: actor(row, 8)?.ok_or(StorageError::Corrupt("a version of nobody"))?,
        redacted_at,
        redacted_by: actor(row, 12)?,
    })
}

fn actor(row: &SqlRow, first: usize) -> Result<Option<StorageActor>, StorageError> {
    let Some(kind) = row.get::<Option<String>>(first)? else {
        return Ok(None);
    };
    let kind = ActorKind::from_stored(&kind);
    let kind = kind.ok_or(StorageError::Corrupt("somebody of no kind"))?;
    let id: Option<String> = row.get(first + 1)?;
    let name: Option<String> = row.get(first + 2)?;
    let (id, name) = (id.unwrap_or_default(), name.unwrap_or_default());
    Ok(Some(StorageActor { kind, id, name }))
}

/// Takes a version's content, checksum, size and path out of the database, and says what is left of it.
pub(super) async fn redact(
    engine: &Engine,
    writing: &Writing,
    id: &str,
) -> Result<VersionRecord, StoresError> {
    let Writing {
        scope,
        store,
        actor,
        now,
        ..
    } = writing;
    let mut within = engine.begin().await?;
    let mut version = lock(&mut within, scope, store, id).await?;
    if version.redacted_at.is_none() {
        let live = SqlQuery::new(
            "SELECT m.id FROM memory m WHERE m.store_id = $1 AND m.id = $2 AND m.live AND m.version_id = $3",
        );
        let live = live.bind(store.as_str()).bind(version.memory_id.as_str());
        if within.one(live.bind(id)).await?.is_some() {
            return Err(StoreRefusal::Head.into());
        }
    }
    // One that the team protocol redacted has its path yet.
    let clear = SqlQuery::new(
        "UPDATE memory_version SET content = NULL, content_sha256 = NULL, content_size = NULL, path = NULL, \
         redacted_at = coalesce(redacted_at, $1), redactor_kind = coalesce(redactor_kind, $2), \
         redactor_id = coalesce(redactor_id, $3), redactor_name = coalesce(redactor_name, $4) \
         WHERE store_id = $5 AND id = $6",
    );
    let clear = clear.bind(now.as_microsecond()).bind(actor.kind.as_str());
    let clear = clear.bind(actor.id.as_str()).bind(actor.name.as_str());
    within.run(clear.bind(store.as_str()).bind(id)).await?;
    within.commit().await?;
    // Again even where it was redacted before: the last time may have been interrupted here.
    scrub::scrub(engine).await?;
    (version.path, version.content) = (None, None);
    (version.content_sha256, version.content_size) = (None, None);
    if version.redacted_at.is_none() {
        version.redacted_at = Some(*now);
        version.redacted_by = Some(actor.clone());
    }
    Ok(version)
}
