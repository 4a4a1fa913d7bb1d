//! The stores themselves: what is asked for, what is answered, and how they are changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::Timestamp;
pub use mem_stores::wire::{CreateStore, UpdateStore};

use super::{AccessScope, StoreRefusal, StoresError};
use crate::storage::sql::{Engine, SqlQuery, SqlRow, SqlValue, Transaction};
use crate::storage::{StorageError, id, sealing, time};

/// A store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRecord {
    /// `memstore_…`.
    pub id: String,
    /// `team:owner/repo` where it is a repository's.
    pub handle: Option<String>,
    /// For people.
    pub name: String,
    /// Empty where there is none.
    pub description: String,
    /// Pairs.
    pub metadata: BTreeMap<String, String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When name, description or metadata changed last, or it was archived.
    pub updated_at: Timestamp,
    /// Since when it is not written any more.
    pub archived_at: Option<Timestamp>,
    /// Names the state of its memories: another text after every change of one, and never again the same.
    pub state: String,
}

/// Which stores are asked for; the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreQuery {
    /// Made then or later.
    pub created_from: Option<Timestamp>,
    /// Made then or earlier.
    pub created_to: Option<Timestamp>,
    /// Archived ones too.
    pub include_archived: bool,
    /// At most so many; one at least.
    pub limit: u32,
    /// Those after this one.
    pub after: Option<StorePosition>,
}

/// A place in the list of stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorePosition {
    /// Of the last one, in microseconds since 1970.
    pub created_us: i64,
    /// Of the last one.
    pub id: String,
}

/// Some of a list, and where it goes on; `None` at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage<T, P> {
    /// In their order.
    pub items: Vec<T>,
    /// What the next question says as `after`.
    pub next: Option<P>,
}

/// Pairs that a store can have.
const PAIRS_MAX: usize = 16;

const COLUMNS: &str = "s.id, s.handle, s.name, s.description, s.metadata, s.created_at, s.updated_at, \
    s.archived_at, s.epoch, s.sequence";

/// Makes a store.
pub(super) async fn create(
    engine: &Engine,
    scope: &AccessScope,
    new: &CreateStore,
    now: Timestamp,
) -> Result<StoreRecord, StoresError> {
    if !scope.covers_new_stores() {
        return Err(StoreRefusal::MayNotCreate.into());
    }
    require_few(&new.metadata)?;
    let mut within = engine.begin().await?;
    let made = insert(&mut within, scope, new, now).await?;
    within.commit().await?;
    Ok(made)
}

/// The id of the oldest store of a name; where there is none it is made. However many ask at once, on any replica,
/// they are told of one.
pub(super) async fn named_or_new(
    engine: &Engine,
    scope: &AccessScope,
    name: &str,
    now: Timestamp,
) -> Result<String, StoresError> {
    let mut within = engine.begin().await?;
    // Whoever makes one holds the row of its workspace meanwhile.
    let hold = SqlQuery::new("UPDATE workspace SET name = name WHERE id = $1");
    within.run(hold.bind(scope.workspace())).await?;
    let oldest = SqlQuery::new(
        "SELECT id FROM memory_store WHERE workspace_id = $1 AND name = $2 ORDER BY created_at, id LIMIT 1",
    );
    let oldest = oldest.bind(scope.workspace()).bind(name);
    if let Some(row) = within.one(oldest).await? {
        return Ok(row.get(0)?);
    }
    let new = CreateStore {
        name: name.to_owned(),
        ..CreateStore::default()
    };
    let made = insert(&mut within, scope, &new, now).await?;
    within.commit().await?;
    Ok(made.id)
}

async fn insert(
    within: &mut Transaction,
    scope: &AccessScope,
    new: &CreateStore,
    now: Timestamp,
) -> Result<StoreRecord, StoresError> {
    let (id, epoch) = (id::store()?, id::epoch()?);
    let insert = SqlQuery::new(
        "INSERT INTO memory_store (id, workspace_id, name, description, metadata, epoch, sequence, \
         live_memories, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7, $7)",
    );
    let insert = insert.bind(id.as_str()).bind(scope.workspace());
    let insert = insert
        .bind(new.name.as_str())
        .bind(new.description.as_str());
    let insert = insert.bind(stored(&new.metadata)?).bind(epoch.as_str());
    within.run(insert.bind(now.as_microsecond())).await?;
    sealing::begin_store(within, &id).await?;
    Ok(StoreRecord {
        id,
        handle: None,
        name: new.name.clone(),
        description: new.description.clone(),
        metadata: new.metadata.clone(),
        created_at: now,
        updated_at: now,
        archived_at: None,
        state: state(&epoch, 0),
    })
}

/// A store.
pub(super) async fn find(
    engine: &Engine,
    scope: &AccessScope,
    id: &str,
) -> Result<StoreRecord, StoresError> {
    let rows = engine.all(by_id(scope, id, "")).await?;
    rows.first()
        .map_or(Err(StoreRefusal::NoStore.into()), record)
}

/// That there is a store: where a list has found nothing.
pub(super) async fn require(
    engine: &Engine,
    scope: &AccessScope,
    id: &str,
) -> Result<(), StoresError> {
    find(engine, scope, id).await.map(drop)
}

/// Changes a store.
pub(super) async fn update(
    engine: &Engine,
    scope: &AccessScope,
    id: &str,
    change: &UpdateStore,
    now: Timestamp,
) -> Result<StoreRecord, StoresError> {
    let mut within = engine.begin().await?;
    let before = lock(engine, &mut within, scope, id).await?;
    if before.archived_at.is_some() {
        return Err(StoreRefusal::Archived.into());
    }
    let mut after = before.clone();
    after.name = change.name.clone().unwrap_or(after.name);
    after.description = change.description.clone().unwrap_or(after.description);
    for (key, value) in &change.metadata {
        match value {
            Some(value) => drop(after.metadata.insert(key.clone(), value.clone())),
            None => drop(after.metadata.remove(key)),
        }
    }
    require_few(&after.metadata)?;
    if after == before {
        return Ok(before);
    }
    after.updated_at = now;
    let update = SqlQuery::new(
        "UPDATE memory_store SET name = $1, description = $2, metadata = $3, updated_at = $4 WHERE id = $5",
    );
    let update = update
        .bind(after.name.as_str())
        .bind(after.description.as_str());
    let update = update
        .bind(stored(&after.metadata)?)
        .bind(now.as_microsecond());
    within.run(update.bind(id)).await?;
    within.commit().await?;
    Ok(after)
}

/// Archives a store.
pub(super) async fn archive(
    engine: &Engine,
    scope: &AccessScope,
    id: &str,
    now: Timestamp,
) -> Result<StoreRecord, StoresError> {
    let mut within = engine.begin().await?;
    let mut store = lock(engine, &mut within, scope, id).await?;
    if store.archived_at.is_some() {
        return Ok(store);
    }
    let archive =
        SqlQuery::new("UPDATE memory_store SET archived_at = $1, updated_at = $1 WHERE id = $2");
    let archive = archive.bind(now.as_microsecond()).bind(id);
    within.run(archive).await?;
    within.commit().await?;
    (store.archived_at, store.updated_at) = (Some(now), now);
    Ok(store)
}

/// Removes a store, and says which it was.
pub(super) async fn delete(
    engine: &Engine,
    scope: &AccessScope,
    id: &str,
) -> Result<StoreRecord, StoresError> {
    let mut within = engine.begin().await?;
    let store = lock(engine, &mut within, scope, id).await?;
    // Its memories and versions go with it.
    let delete = SqlQuery::new("DELETE FROM memory_store WHERE id = $1").bind(id);
    within.run(delete).await?;
    within.commit().await?;
    Ok(store)
}

/// Stores, the newest first.
pub(super) async fn list(
    engine: &Engine,
    scope: &AccessScope,
    query: &StoreQuery,
) -> Result<ListPage<StoreRecord, StorePosition>, StoresError> {
    let (seen, mut values) = scope.condition(1);
    let mut sql = format!("SELECT {COLUMNS} FROM memory_store s WHERE {seen}");
    let mut and = |text: &str, value: SqlValue| {
        values.push(value);
        let _ = write!(sql, " AND {text}${}", values.len());
    };
    if let Some(from) = query.created_from {
        and("s.created_at >= ", from.as_microsecond().into());
    }
    if let Some(to) = query.created_to {
        and("s.created_at <= ", to.as_microsecond().into());
    }
    if let Some(after) = &query.after {
        and("s.created_at <= ", after.created_us.into());
        and("(s.created_at, s.id) < (", after.created_us.into());
        values.push(after.id.as_str().into());
        let _ = write!(sql, ", ${})", values.len());
    }
    if !query.include_archived {
        sql.push_str(" AND s.archived_at IS NULL");
    }
    values.push((i64::from(query.limit) + 1).into());
    let _ = write!(
        sql,
        " ORDER BY s.created_at DESC, s.id DESC LIMIT ${}",
        values.len()
    );
    let rows = engine
        .all(SqlQuery::built(sql, true).bind_all(values))
        .await?;
    let items = rows.iter().take(query.limit as usize).map(record);
    let items: Vec<StoreRecord> = items.collect::<Result<_, _>>()?;
    let has_more = rows.len() > items.len();
    let next = items.last().filter(|_| has_more).map(|last| StorePosition {
        created_us: last.created_at.as_microsecond(),
        id: last.id.clone(),
    });
    Ok(ListPage { items, next })
}

async fn lock(
    engine: &Engine,
    within: &mut Transaction,
    scope: &AccessScope,
    id: &str,
) -> Result<StoreRecord, StoresError> {
    let query = by_id(scope, id, engine.dialect().for_update());
    let row = within.one(query).await?;
    row.as_ref()
        .map_or(Err(StoreRefusal::NoStore.into()), record)
}

fn by_id(scope: &AccessScope, id: &str, end: &str) -> SqlQuery {
    let (seen, values) = scope.condition(2);
    let sql = format!("SELECT {COLUMNS} FROM memory_store s WHERE s.id = $1 AND {seen}{end}");
    SqlQuery::built(sql, true).bind(id).bind_all(values)
}

fn record(row: &SqlRow) -> Result<StoreRecord, StoresError> {
    Ok(StoreRecord {
        id: row.get(0)?,
        handle: row.get(1)?,
        name: row.get(2)?,
        description: row.get(3)?,
        metadata: serde_json::from_str(&row.get::<String>(4)?)
            .map_err(|_| StorageError::Corrupt("metadata that are none"))?,
        created_at: time::from_stored(row.get(5)?)?,
        updated_at: time::from_stored(row.get(6)?)?,
        archived_at: time::from_optional(row.get(7)?)?,
        state: state(&row.get::<String>(8)?, row.count(9)?),
    })
}

fn state(epoch: &str, sequence: u64) -> String {
    format!("{epoch}-{sequence}")
}

fn stored(metadata: &BTreeMap<String, String>) -> Result<String, StorageError> {
    serde_json::to_string(metadata).map_err(|_| StorageError::Corrupt("metadata that are none"))
}

fn require_few(metadata: &BTreeMap<String, String>) -> Result<(), StoreRefusal> {
    match metadata.len() > PAIRS_MAX {
        true => Err(StoreRefusal::TooMuchMetadata),
        false => Ok(()),
    }
}
