//! What a group of changes comes to as events: one for each version, and one for each write that met a conflict.

use jiff::Timestamp;
use mem_sync::EntryKey;
use mem_sync::wire::RejectionCode;

use super::group::{GroupWrite, PutRequest, RequestOutcome, WriteRequest};
use super::load;
use super::store_row::{self, StoreRow};
use super::stores::VersionOperation;
use super::working_set::{NewVersion, WorkingSet};
use super::{Database, RepositoryName, StorageActor, StorageError, outbox};
use crate::events::{Event, EventType};

/// The reason of a conflict that concerns the whole of a PUT.
const IF_MATCH: &str = "if-match";

/// The events that somebody asks for. Where nobody does, this looks at nothing.
pub(super) fn of_group(
    store: &StoreRow,
    is_new: bool,
    set: &WorkingSet,
    requests: &[&WriteRequest],
    done: &[RequestOutcome],
) -> Vec<Event> {
    let mut events = Vec::new();
    if is_new && !set.versions().is_empty() && store.wanted.has(EventType::StoreCreated) {
        // A repository's store comes about with its first version.
        let first = set.versions().first();
        events.extend(first.map(|first| {
            of_store(
                store,
                EventType::StoreCreated,
                &first.actor,
                first.row.updated_at,
            )
        }));
    }
    let versions = set.versions().iter();
    events.extend(versions.filter_map(|version| of_version(store, version)));
    if store.wanted.has(EventType::TeamConflict) {
        for (request, outcome) in std::iter::zip(requests, done) {
            if let (WriteRequest::Put(put), RequestOutcome::Put(written)) = (request, outcome) {
                events.extend(conflict_events(store, put, written));
            }
        }
    }
    events
}

/// An event about a store itself.
pub(super) fn of_store(
    store: &StoreRow,
    event_type: EventType,
    actor: &StorageActor,
    at: Timestamp,
) -> Event {
    Event::of_store(event_type, &store.workspace, &store.id, actor, at)
}

fn of_version(store: &StoreRow, version: &NewVersion) -> Option<Event> {
    let event_type = match version.operation {
        VersionOperation::Created => EventType::MemoryCreated,
        VersionOperation::Modified => EventType::MemoryModified,
        VersionOperation::Deleted => EventType::MemoryDeleted,
    };
    let row = &version.row;
    store.wanted.has(event_type).then(|| Event {
        subject: row.id.clone(),
        path: Some(row.path.clone()),
        version: Some(row.version_id.clone()),
        ..of_store(store, event_type, &version.actor, row.updated_at)
    })
}

/// A PUT on another state than the store has: of one key it is known which one. Keys that exclude one that is there, or
/// that bring a deleted content back, are told one by one.
fn conflict_events(store: &StoreRow, put: &PutRequest, written: &GroupWrite) -> Vec<Event> {
    let conflict = |path: Option<String>, reason: &str| Event {
        path,
        detail: Some(reason.to_owned()),
        ..of_store(store, EventType::TeamConflict, &put.actor, put.now)
    };
    match written {
        GroupWrite::Raced { .. } => {
            let mut keys = put.body.entries.keys().chain(&put.body.delete);
            let only = match (keys.next(), keys.next()) {
                (Some(key), None) => Some(load::path(key)),
                _ => None,
            };
            vec![conflict(only, IF_MATCH)]
        }
        GroupWrite::Done { answer, .. } => {
            let rejected = answer.rejected.iter();
            let told = rejected.filter_map(|(name, why)| {
                Some(conflict(Some(format!("/{name}")), conflict_word(why.code)?))
            });
            told.collect()
        }
        GroupWrite::Archived => Vec::new(),
    }
}

/// What a rejection is called that another's change is the reason of.
fn conflict_word(code: RejectionCode) -> Option<&'static str> {
    match code {
        RejectionCode::Twin => Some("twin"),
        RejectionCode::PathConflict => Some("path-conflict"),
        RejectionCode::Deleted => Some("deleted"),
        _ => None,
    }
}

impl Database {
    /// Tells the webhooks that ask for it that a client found a secret in a memory and did not send it. Says whether
    /// there are any.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn report_secret(
        &self,
        repo: &RepositoryName,
        key: Option<&EntryKey>,
        rule: &str,
        actor: &StorageActor,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        self.transact_with_events(async |within| {
            let store = store_row::lock_by_repository(within, repo).await?;
            let Some(store) = store.filter(|store| store.wanted.has(EventType::SecretRefused))
            else {
                return Ok(false);
            };
            let event = Event {
                path: key.map(load::path),
                detail: Some(rule.to_owned()),
                ..of_store(&store, EventType::SecretRefused, actor, now)
            };
            outbox::write(within, &store.workspace, &[event]).await?;
            Ok(true)
        })
        .await
    }
}
