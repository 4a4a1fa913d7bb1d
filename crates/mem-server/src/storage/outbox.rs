//! The outbox: events that wait for webhooks, one row for each event and webhook.
//!
//! **Invariant:** an event is written in the transaction of its change, so that neither is there without the other.
//! Whether a workspace has webhooks comes along with the row of a store that every change reads anyhow
//! ([`wanted_by`]): where there are none, no statement is run and nothing is written.
//! **Delivery:** a replica claims rows for as long as a lease by the database's clock lasts, and deletes what was
//! delivered. One that ends before it could say so leaves the row to another: at least once, and once as a rule.

use std::time::Duration;

use jiff::Timestamp;

use super::sql::{
    FromColumns, RowColumns, SqlDialect, SqlQuery, Transaction, from_columns, sql, values,
};
use super::{ActorKind, Database, StorageActor, StorageError, id};
use crate::events::{Event, EventType};

/// Longer than one delivery may take, for as many as are claimed at once: they are sent side by side.
const LEASE_US: i64 = 30_000_000;
/// Events of one statement.
const EVENTS_AT_ONCE: usize = 500;
/// What a claim is told of a row.
const CLAIMED: &str = "id, event_id, event_type, workspace_id, subject_id, store_id, path, version_id, detail, \
    actor_kind, actor_id, actor_name, created_at, attempts";
const EVENT_COLUMNS: usize = 11;

/// What the webhooks of a workspace ask for.
#[derive(Clone, Debug, Default)]
pub(super) struct WantedEvents(Option<String>);

impl FromColumns for WantedEvents {
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
        Ok(Self(columns.read_next()?))
    }
}

impl WantedEvents {
    /// Whether one of them asks for this.
    pub(super) fn has(&self, event_type: EventType) -> bool {
        let types = self.0.as_deref().unwrap_or_default();
        let mut types = types.split(' ');
        types.any(|one| one == "*" || one == event_type.as_str())
    }
}

/// The column that says what the webhooks of a store's workspace ask for; `table` is the name that the store's row has.
pub(super) fn wanted_by(table: &str) -> String {
    format!(
        "(SELECT string_agg(h.event_types, ' ') FROM webhook h \
         WHERE h.workspace_id = {table}.workspace_id AND h.disabled_at IS NULL)"
    )
}

/// Writes events of one workspace for the webhooks that ask for them. Called with those only that one asks for.
pub(super) async fn write(
    within: &mut Transaction,
    workspace: &str,
    events: &[Event],
) -> Result<(), StorageError> {
    let asking = "h.disabled_at IS NULL \
                  AND (h.event_types = '*' OR ' ' || h.event_types || ' ' LIKE '% ' || e.column2 || ' %') \
                  AND h.workspace_id = ";
    for chunk in events.chunks(EVENTS_AT_ONCE) {
        let named = chunk
            .iter()
            .map(|event| Ok((id::random(id::EVENT)?, event)));
        let named = named.collect::<Result<Vec<_>, StorageError>>()?;
        insert_events(within, &named, asking, workspace).await?;
    }
    Ok(())
}

/// Writes one event for one webhook, whatever it asks for. Says the event's id.
pub(super) async fn write_for(
    within: &mut Transaction,
    webhook: &str,
    event: &Event,
) -> Result<String, StorageError> {
    let id = id::random(id::EVENT)?;
    insert_events(within, &[(id.clone(), event)], "h.id = ", webhook).await?;
    Ok(id)
}

/// Writes events, with their ids, for all webhooks `h` of which a condition holds that ends with a value.
async fn insert_events(
    within: &mut Transaction,
    events: &[(String, &Event)],
    condition: &str,
    value: &str,
) -> Result<(), StorageError> {
    let list = values(1, events.len(), EVENT_COLUMNS);
    let last = events.len() * EVENT_COLUMNS + 1;
    let insert = format!(
        "INSERT INTO event_delivery (id, webhook_id, event_id, event_type, subject_id, store_id, path, version_id, \
         detail, actor_kind, actor_id, actor_name, created_at, due_at, workspace_id, attempts, lease_ends_at) \
         SELECT e.column1 || '/' || h.id, h.id, e.column1, e.column2, e.column3, e.column4, e.column5, e.column6, \
         e.column7, e.column8, e.column9, e.column10, e.column11, e.column11, h.workspace_id, 0, 0 \
         FROM (VALUES {list}) AS e CROSS JOIN webhook h WHERE {condition}${last}"
    );
    let mut insert = sql!(insert);
    for (id, event) in events {
        let actor = &event.actor;
        insert = insert
            .bind(id)
            .bind(event.event_type.as_str())
            .bind(&event.subject);
        insert = insert
            .bind(&event.store)
            .bind(event.path.clone())
            .bind(event.version.clone());
        insert = insert.bind(event.detail.clone()).bind(actor.kind.as_str());
        insert = insert.bind(&actor.id).bind(&actor.name).bind(event.at);
    }
    within
        .run(insert.bind(value).prepared(events.len() == 1))
        .await?;
    Ok(())
}

/// A path that was redacted is not told of any more.
pub(super) fn forget_path(store: &str, path: &str) -> SqlQuery {
    sql!("UPDATE event_delivery SET path = NULL WHERE store_id = $1 AND path = $2"; store, path)
}

/// The same of a version that was redacted by itself.
pub(super) fn forget_version(store: &str, version: &str) -> SqlQuery {
    let forget = "UPDATE event_delivery SET path = NULL WHERE store_id = $1 AND version_id = $2";
    sql!(forget; store, version)
}

/// Nothing of a store that was erased is told any more.
pub(super) fn forget_store(store: &str) -> SqlQuery {
    sql!("DELETE FROM event_delivery WHERE store_id = $1"; store)
}

/// One event that is on its way to one webhook.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    id: String,
    /// The same for every attempt, and for every webhook: receivers know by it what they have.
    pub(crate) event_id: String,
    /// What is told.
    pub(crate) event: Event,
    /// How often it was tried.
    pub(crate) attempts: u64,
}

from_columns!(Delivery: id, event_id, event, attempts);
from_columns!(Event: event_type, workspace, subject, store, path, version, detail, actor, at);
from_columns!(StorageActor: kind, id, name);

/// Nobody where there is no kind.
impl FromColumns for Option<StorageActor> {
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
        let (kind, id, name): (Option<String>, Option<String>, Option<String>) =
            columns.read_next()?;
        let Some(kind) = kind else {
            return Ok(None);
        };
        let kind = ActorKind::from_stored(&kind);
        let kind = kind.ok_or(StorageError::Corrupt("somebody of no kind"))?;
        let (id, name) = (id.unwrap_or_default(), name.unwrap_or_default());
        Ok(Some(StorageActor { kind, id, name }))
    }
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeliveryOutcome {
    /// The receiver has it.
    Delivered,
    /// To be tried again then.
    Retry(Timestamp),
    /// It was tried often enough.
    Dead,
    /// The receiver wants nothing any more: the webhook is disabled.
    Gone,
}

impl Database {
    /// Wakes who delivers, on this replica.
    pub(crate) fn wake_delivery(&self) {
        self.0.outbox.notify_one();
    }

    /// Waits until there may be something to deliver, and no longer than so long.
    pub(crate) async fn wait_for_events(&self, most: Duration) {
        let _ = tokio::time::timeout(most, self.0.outbox.notified()).await;
    }

    /// Where one process has the database, whatever another began ended with it.
    pub(crate) async fn end_leases(&self) -> Result<(), StorageError> {
        if self.0.states.is_some() {
            let end = sql!("UPDATE event_delivery SET lease_ends_at = 0 WHERE lease_ends_at > 0");
            self.run_alone(end).await?;
        }
        Ok(())
    }

    /// The webhooks that have something to deliver.
    pub(crate) async fn due_webhooks(&self, now: Timestamp) -> Result<Vec<String>, StorageError> {
        let lease = self.engine().dialect().now_us();
        let due = format!(
            "SELECT h.id FROM webhook h WHERE h.disabled_at IS NULL AND EXISTS (SELECT 1 FROM event_delivery d \
             WHERE d.webhook_id = h.id AND d.dead_at IS NULL AND d.due_at <= $1 AND d.lease_ends_at < {lease})"
        );
        self.in_time(self.engine().read_all(sql!(due; now))).await
    }

    /// Takes some deliveries of a webhook, which no other replica takes while the lease lasts.
    pub(crate) async fn claim_deliveries(
        &self,
        webhook: &str,
        owner: &str,
        now: Timestamp,
        most: usize,
    ) -> Result<Vec<Delivery>, StorageError> {
        let lease = self.engine().dialect().now_us();
        let skip = match self.engine().dialect() {
            SqlDialect::Sqlite => "",
            SqlDialect::Postgres => " FOR UPDATE SKIP LOCKED",
        };
        let claim = format!(
            "UPDATE event_delivery SET owner = $1, lease_ends_at = {lease} + {LEASE_US} WHERE id IN \
             (SELECT id FROM event_delivery WHERE webhook_id = $2 AND dead_at IS NULL AND due_at <= $3 \
             AND lease_ends_at < {lease} ORDER BY due_at, id LIMIT $4{skip}) RETURNING {CLAIMED}"
        );
        let claim = sql!(claim; owner, webhook, now, most);
        self.transact(async |within| within.read_all(claim).await)
            .await
    }

    /// Says what became of an attempt, unless another replica has taken it meanwhile.
    pub(crate) async fn settle_delivery(
        &self,
        webhook: &str,
        owner: &str,
        delivery: &Delivery,
        outcome: DeliveryOutcome,
        (told, now): (&str, Timestamp),
    ) -> Result<(), StorageError> {
        let attempts = delivery.attempts + 1;
        let id = &delivery.id;
        let (due, dead) = match outcome {
            DeliveryOutcome::Retry(due) => (Some(due), None),
            _ => (None, Some(now)),
        };
        let settle = match outcome {
            DeliveryOutcome::Delivered => {
                sql!("DELETE FROM event_delivery WHERE id = $1 AND owner = $2"; id, owner)
            }
            _ => {
                // Where the webhook was disabled meanwhile, nothing is tried again.
                let keep = "UPDATE event_delivery SET due_at = coalesce($1, due_at), dead_at = coalesce($2, \
                            (SELECT w.disabled_at FROM webhook w WHERE w.id = event_delivery.webhook_id)), \
                            attempts = $3, last_outcome = $4, lease_ends_at = 0, owner = NULL \
                            WHERE id = $5 AND owner = $6";
                sql!(keep; due, dead, attempts, told, id, owner)
            }
        };
        self.transact(async |within| {
            // The webhook before its deliveries, as everywhere: else two outcomes would wait for each other.
            let last = "UPDATE webhook SET last_attempt_at = $1, last_outcome = $2 WHERE id = $3";
            within.run(sql!(last; now, told, webhook)).await?;
            within.run(settle).await?;
            if outcome == DeliveryOutcome::Gone {
                let disable =
                    "UPDATE webhook SET disabled_at = $1 WHERE id = $2 AND disabled_at IS NULL";
                within.run(sql!(disable; now, webhook)).await?;
                let bury = "UPDATE event_delivery SET dead_at = $1, last_outcome = $2 \
                            WHERE webhook_id = $3 AND dead_at IS NULL";
                within.run(sql!(bury; now, told, webhook)).await?;
            }
            Ok(())
        })
        .await
    }

    /// Ends dead letters that are older than this.
    pub(crate) async fn prune_dead_letters(&self, before: Timestamp) -> Result<u64, StorageError> {
        self.run_alone(sql!("DELETE FROM event_delivery WHERE dead_at < $1"; before))
            .await
    }

    /// How many deliveries wait, and how many are dead letters.
    pub(crate) async fn outbox_depth(&self) -> Result<(u64, u64), StorageError> {
        let depth = "SELECT count(*), count(dead_at) FROM event_delivery";
        let depth = self.in_time(self.engine().read_one(sql!(depth))).await?;
        let (all, dead): (u64, u64) = depth.unwrap_or_default();
        Ok((all.saturating_sub(dead), dead))
    }
}
