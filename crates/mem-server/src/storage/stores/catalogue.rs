//! The stores themselves: what is asked for, what is answered, and how they are changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::Timestamp;
pub use mem_stores::wire::{CreateStore, UpdateStore};

use super::{AccessScope, StoreRefusal, StoresError};
use crate::events::{Event, EventType};
use crate::storage::outbox::{self, WantedEvents};
use crate::storage::sql::{Conditions, Engine, SqlQuery, SqlRow, Transaction, from_columns, sql};
use crate::storage::{Database, StorageActor, StorageError, id, sealing};

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

/// What a store holds. Sizes are bytes of the texts, before they are sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreUsage {
    /// Memories that were not deleted.
    pub memories: u64,
    /// What these say.
    pub memory_bytes: u64,
    /// Versions that are kept, deletions and redacted ones too.
    pub versions: u64,
    /// What these say.
    pub version_bytes: u64,
}

from_columns!(StoreUsage: memories, memory_bytes, versions, version_bytes);

/// Some of a list, and where it goes on; `None` at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage<T, P> {
    /// In their order.
    pub items: Vec<T>,
    /// What the next question says as `after`.
    pub next: Option<P>,
}

impl<T, P> ListPage<T, P> {
    /// From rows, one more of which than is wanted says that more follow.
    pub(super) fn from_rows<E>(
        rows: &[SqlRow],
        limit: u32,
        read: impl Fn(&SqlRow) -> Result<T, E>,
        position: impl Fn(&T) -> P,
    ) -> Result<Self, E> {
        let items = rows.iter().take(limit as usize).map(read);
        let items: Vec<T> = items.collect::<Result<_, _>>()?;
        let has_more = rows.len() > items.len();
        let next = items.last().filter(|_| has_more).map(position);
        Ok(Self { items, next })
    }
}

/// Pairs that a store can have.
const PAIRS_MAX: usize = 16;

const COLUMNS: &str = "s.id, s.handle, s.name, s.description, s.metadata, s.created_at, s.updated_at, \
    s.archived_at, s.epoch || '-' || s.sequence";

from_columns!(StoreRecord: id, handle, name, description, metadata, created_at, updated_at, archived_at, state);

/// Of stores. Every error is a [`StoresError`]; what is refused is refused whole.
impl Database {
    /// Makes a store.
    ///
    /// # Errors
    /// [`StoreRefusal::MayNotCreate`].
    pub async fn create_store(
        &self,
        scope: &AccessScope,
        new: &CreateStore,
        actor: &StorageActor,
        now: Timestamp,
    ) -> Result<StoreRecord, StoresError> {
        if !scope.covers_new_stores() {
            return Err(StoreRefusal::MayNotCreate.into());
        }
        require_few(&new.metadata)?;
        self.transact_with_events(async |within| insert(within, scope, new, actor, now).await)
            .await
    }

    /// The id of the oldest store of a name in a workspace; where there is none it is made. However many ask at
    /// once, on any replica, they are told of one.
    ///
    /// # Errors
    /// The database.
    pub async fn store_named_or_new(
        &self,
        scope: &AccessScope,
        name: &str,
        now: Timestamp,
    ) -> Result<String, StoresError> {
        self.transact(async |within| {
            // Whoever makes one holds the row of its workspace meanwhile.
            let hold = sql!("UPDATE workspace SET name = name WHERE id = $1"; scope.workspace());
            within.run(hold).await?;
            let oldest = "SELECT id FROM memory_store WHERE workspace_id = $1 AND name = $2 \
                          ORDER BY created_at, id LIMIT 1";
            let oldest = sql!(oldest; scope.workspace(), name);
            if let Some(id) = within.read_one(oldest).await? {
                return Ok(id);
            }
            let new = CreateStore {
                name: name.to_owned(),
                ..CreateStore::default()
            };
            // Of a workspace of records, which has no webhooks.
            let nobody = StorageActor::default();
            Ok(insert(within, scope, &new, &nobody, now).await?.id)
        })
        .await
    }

    /// A store.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`].
    pub async fn store(&self, scope: &AccessScope, id: &str) -> Result<StoreRecord, StoresError> {
        self.reading(|| find(self.engine(), scope, id)).await
    }

    /// Changes a store. One that is already as asked for stays as it is.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`], `Archived`, `TooMuchMetadata`.
    pub async fn update_store(
        &self,
        scope: &AccessScope,
        id: &str,
        change: &UpdateStore,
        now: Timestamp,
    ) -> Result<StoreRecord, StoresError> {
        self.may_write()?;
        self.transact(async |within| {
            let (before, _) = lock_store(within, scope, id).await?;
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
            let update = "UPDATE memory_store SET name = $1, description = $2, metadata = $3, updated_at = $4 WHERE id = $5";
            let metadata = stored(&after.metadata)?;
            let update = sql!(update; &after.name, &after.description, metadata, now, id);
            within.run(update).await?;
            Ok(after)
        })
        .await
    }

    /// Archives a store, for good. One that is archived stays as it is.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`].
    pub async fn archive_store(
        &self,
        scope: &AccessScope,
        id: &str,
        actor: &StorageActor,
        now: Timestamp,
    ) -> Result<StoreRecord, StoresError> {
        self.may_write()?;
        self.transact_with_events(async |within| {
            let (mut store, wanted) = lock_store(within, scope, id).await?;
            if store.archived_at.is_some() {
                return Ok(store);
            }
            let archive = "UPDATE memory_store SET archived_at = $1, updated_at = $1 WHERE id = $2";
            within.run(sql!(archive; now, id)).await?;
            let event =
                Event::of_store(EventType::StoreArchived, scope.workspace(), id, actor, now);
            tell(within, &wanted, event).await?;
            (store.archived_at, store.updated_at) = (Some(now), now);
            Ok(store)
        })
        .await
    }

    /// Removes a store with its memories and versions.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`].
    pub async fn delete_store(
        &self,
        scope: &AccessScope,
        id: &str,
        actor: &StorageActor,
        now: Timestamp,
    ) -> Result<(), StoresError> {
        self.may_write()?;
        // However long it takes.
        let deleted = self.engine().transact(async |within| {
            let (_, wanted) = lock_store(within, scope, id).await?;
            let change = sql!("DELETE FROM memory_store WHERE id = $1"; id);
            within.run(change).await?;
            let event = Event::of_store(EventType::StoreDeleted, scope.workspace(), id, actor, now);
            tell(within, &wanted, event).await?;
            Ok(())
        });
        let deleted = deleted.await;
        self.forget_states();
        self.wake_delivery();
        deleted
    }

    /// Stores, the newest first.
    ///
    /// # Errors
    /// The database.
    pub async fn stores(
        &self,
        scope: &AccessScope,
        query: &StoreQuery,
    ) -> Result<ListPage<StoreRecord, StorePosition>, StoresError> {
        self.reading(|| async {
            let rows = self.engine().all(list_query(scope, query)).await?;
            let read = |row: &SqlRow| Ok(row.get(0)?);
            ListPage::from_rows(&rows, query.limit, read, |last: &StoreRecord| {
                StorePosition {
                    created_us: last.created_at.as_microsecond(),
                    id: last.id.clone(),
                }
            })
        })
        .await
    }

    /// How much a store holds.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`].
    pub async fn store_usage(
        &self,
        scope: &AccessScope,
        store: &str,
    ) -> Result<StoreUsage, StoresError> {
        // PostgreSQL adds up to a type of its own.
        let columns = "s.live_memories, \
            (SELECT CAST(COALESCE(SUM(m.content_size), 0) AS BIGINT) FROM memory m WHERE m.store_id = s.id AND m.live), \
            (SELECT COUNT(*) FROM memory_version v WHERE v.store_id = s.id), \
            (SELECT CAST(COALESCE(SUM(v.content_size), 0) AS BIGINT) FROM memory_version v WHERE v.store_id = s.id)";
        let query = || scope.of_store(store, columns, "");
        let found = self.reading(|| self.engine().read_one(query())).await?;
        Ok(found.ok_or(StoreRefusal::NoStore)?)
    }
}

/// A store that nobody else changes until the transaction ends, and what its workspace's webhooks ask for.
async fn lock_store(
    within: &mut Transaction,
    scope: &AccessScope,
    id: &str,
) -> Result<(StoreRecord, WantedEvents), StoresError> {
    let columns = format!("{COLUMNS}, {}", outbox::wanted_by("s"));
    let query = scope.of_store(id, &columns, within.dialect().for_update());
    Ok(within.read_one(query).await?.ok_or(StoreRefusal::NoStore)?)
}

/// Writes an event where somebody asks for it.
async fn tell(
    within: &mut Transaction,
    wanted: &WantedEvents,
    event: Event,
) -> Result<(), StorageError> {
    match wanted.has(event.event_type) {
        true => outbox::write(within, &event.workspace, std::slice::from_ref(&event)).await,
        false => Ok(()),
    }
}

async fn insert(
    within: &mut Transaction,
    scope: &AccessScope,
    new: &CreateStore,
    actor: &StorageActor,
    now: Timestamp,
) -> Result<StoreRecord, StoresError> {
    let (id, epoch) = (id::random(id::STORE)?, id::epoch()?);
    let CreateStore {
        name,
        description,
        metadata,
        ..
    } = new;
    let insert = "INSERT INTO memory_store (id, workspace_id, name, description, metadata, epoch, sequence, \
                  live_memories, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7, $7) RETURNING ";
    let insert = format!("{insert}{}", outbox::wanted_by("memory_store"));
    let stored = stored(metadata)?;
    let insert = sql!(insert; &id, scope.workspace(), name, description, stored, &epoch, now);
    if let Some(wanted) = within.read_one(insert).await? {
        let event = Event::of_store(EventType::StoreCreated, scope.workspace(), &id, actor, now);
        tell(within, &wanted, event).await?;
    }
    sealing::begin_store(within, &id).await?;
    Ok(StoreRecord {
        id,
        handle: None,
        name: name.clone(),
        description: description.clone(),
        metadata: metadata.clone(),
        created_at: now,
        updated_at: now,
        archived_at: None,
        state: state(&epoch, 0),
    })
}

/// A store. Lists that have found nothing ask for it too.
pub(super) async fn find(
    engine: &Engine,
    scope: &AccessScope,
    id: &str,
) -> Result<StoreRecord, StoresError> {
    let found = engine.read_one(scope.of_store(id, COLUMNS, "")).await?;
    Ok(found.ok_or(StoreRefusal::NoStore)?)
}

fn list_query(scope: &AccessScope, query: &StoreQuery) -> SqlQuery {
    let (sql, values) = scope.condition(1);
    let mut conditions = Conditions { sql, values };
    conditions.and("s.created_at >=", query.created_from);
    conditions.and("s.created_at <=", query.created_to);
    if let Some(StorePosition { created_us, id }) = &query.after {
        conditions.and("s.created_at <=", Some(*created_us));
        let (at, id) = (conditions.value(*created_us), conditions.value(id));
        let _ = write!(conditions.sql, " AND (s.created_at, s.id) < ({at}, {id})");
    }
    if !query.include_archived {
        conditions.sql.push_str(" AND s.archived_at IS NULL");
    }
    let limit = conditions.value(i64::from(query.limit) + 1);
    let Conditions { sql, values } = conditions;
    let sql = format!(
        "SELECT {COLUMNS} FROM memory_store s WHERE {sql} ORDER BY s.created_at DESC, s.id DESC LIMIT {limit}"
    );
    sql!(sql).bind_all(values)
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
