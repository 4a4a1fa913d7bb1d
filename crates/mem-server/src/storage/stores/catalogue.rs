//! The stores themselves: what is asked for, what is answered, and how they are changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::Timestamp;
pub use mem_stores::wire::{CreateStore, UpdateStore};

use super::{AccessScope, StoreRefusal, StoresError};
use crate::events::{Event, EventType};
use crate::storage::outbox::{self, WantedEvents};
use crate::storage::sql::{Engine, SqlQuery, SqlRow, SqlValue, Transaction, sql};
use crate::storage::{ActorKind, Database, StorageActor, StorageError, id, sealing};

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
    s.archived_at, s.epoch, s.sequence";

/// The column after them.
const WANTED: usize = 10;

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
        let made = self.in_time(async {
            if !scope.covers_new_stores() {
                return Err(StoreRefusal::MayNotCreate.into());
            }
            require_few(&new.metadata)?;
            let mut within = self.engine().begin().await?;
            let made = insert(&mut within, scope, new, actor, now).await?;
            within.commit().await?;
            Ok(made)
        });
        let made = made.await;
        self.wake_delivery();
        made
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
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            // Whoever makes one holds the row of its workspace meanwhile.
            let hold = sql!("UPDATE workspace SET name = name WHERE id = $1"; scope.workspace());
            within.run(hold).await?;
            let oldest = "SELECT id FROM memory_store WHERE workspace_id = $1 AND name = $2 \
                          ORDER BY created_at, id LIMIT 1";
            if let Some(row) = within.one(sql!(oldest; scope.workspace(), name)).await? {
                return Ok(row.get(0)?);
            }
            let new = CreateStore {
                name: name.to_owned(),
                ..CreateStore::default()
            };
            // Of a workspace of records, which has no webhooks.
            let nobody = StorageActor::new(ActorKind::User, "", "");
            let made = insert(&mut within, scope, &new, &nobody, now).await?;
            within.commit().await?;
            Ok(made.id)
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
        self.in_time(async {
            let (mut within, before, _) = self.lock_store(scope, id).await?;
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
            within.commit().await?;
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
        let archived = self.in_time(async {
            let (mut within, mut store, wanted) = self.lock_store(scope, id).await?;
            if store.archived_at.is_some() {
                return Ok(store);
            }
            let archive = "UPDATE memory_store SET archived_at = $1, updated_at = $1 WHERE id = $2";
            within.run(sql!(archive; now, id)).await?;
            let event =
                Event::of_store(EventType::StoreArchived, scope.workspace(), id, actor, now);
            tell(&mut within, &wanted, event).await?;
            within.commit().await?;
            (store.archived_at, store.updated_at) = (Some(now), now);
            Ok(store)
        });
        let archived = archived.await;
        self.wake_delivery();
        archived
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
        let delete = async {
            let (mut within, _, wanted) = self.lock_store(scope, id).await?;
            let change = sql!("DELETE FROM memory_store WHERE id = $1"; id);
            within.run(change).await?;
            let event = Event::of_store(EventType::StoreDeleted, scope.workspace(), id, actor, now);
            tell(&mut within, &wanted, event).await?;
            Ok(within.commit().await?)
        };
        let deleted = delete.await;
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
            ListPage::from_rows(&rows, query.limit, record, |last| StorePosition {
                created_us: last.created_at.as_microsecond(),
                id: last.id.clone(),
            })
        })
        .await
    }

    /// A store that nobody else changes until the transaction ends, and what its workspace's webhooks ask for.
    async fn lock_store(
        &self,
        scope: &AccessScope,
        id: &str,
    ) -> Result<(Transaction, StoreRecord, WantedEvents), StoresError> {
        let mut within = self.engine().begin().await?;
        let wanted = format!(", {}", outbox::wanted_by("s"));
        let query = by_id(scope, id, &wanted, self.engine().dialect().for_update());
        let row = within.one(query).await?.ok_or(StoreRefusal::NoStore)?;
        let wanted = WantedEvents::read(&row, WANTED)?;
        Ok((within, record(&row)?, wanted))
    }
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
    let (id, epoch) = (id::store()?, id::epoch()?);
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
    if let Some(row) = within.one(insert).await? {
        let wanted = WantedEvents::read(&row, 0)?;
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
    let row = engine.one(by_id(scope, id, "", "")).await?;
    record(&row.ok_or(StoreRefusal::NoStore)?)
}

fn list_query(scope: &AccessScope, query: &StoreQuery) -> SqlQuery {
    let (seen, mut values) = scope.condition(1);
    let mut sql = format!("SELECT {COLUMNS} FROM memory_store s WHERE {seen}");
    let mut and = |text: &str, value: SqlValue| {
        values.push(value);
        let _ = write!(sql, " AND {text}${}", values.len());
    };
    if let Some(from) = query.created_from {
        and("s.created_at >= ", from.into());
    }
    if let Some(to) = query.created_to {
        and("s.created_at <= ", to.into());
    }
    if let Some(after) = &query.after {
        and("s.created_at <= ", after.created_us.into());
        and("(s.created_at, s.id) < (", after.created_us.into());
        values.push((&after.id).into());
        let _ = write!(sql, ", ${})", values.len());
    }
    if !query.include_archived {
        sql.push_str(" AND s.archived_at IS NULL");
    }
    values.push((i64::from(query.limit) + 1).into());
    let at = values.len();
    let _ = write!(sql, " ORDER BY s.created_at DESC, s.id DESC LIMIT ${at}");
    sql!(sql).bind_all(values)
}

fn by_id(scope: &AccessScope, id: &str, more: &str, end: &str) -> SqlQuery {
    let (seen, values) = scope.condition(2);
    let sql = format!("SELECT {COLUMNS}{more} FROM memory_store s WHERE s.id = $1 AND {seen}{end}");
    sql!(sql; id).bind_all(values)
}

fn record(row: &SqlRow) -> Result<StoreRecord, StoresError> {
    Ok(StoreRecord {
        id: row.get(0)?,
        handle: row.get(1)?,
        name: row.get(2)?,
        description: row.get(3)?,
        metadata: serde_json::from_str(&row.get::<String>(4)?)
            .map_err(|_| StorageError::Corrupt("metadata that are none"))?,
        created_at: row.time(5)?,
        updated_at: row.time(6)?,
        archived_at: row.time_or_none(7)?,
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
