//! Several changes in one transaction: each is decided after the one before it, all become durable with one
//! sync of the disk, and none is acknowledged before that.
//!
//! ```text
//!  begin | lock the stores | load | decide 1, 2, 3 .. | flush, if unchanged | commit | acknowledge
//!        |---------------- nothing was done: may be tried again ------------|   |
//!                                                       may have been done: ----+  never tried again
//! ```
//!
//! **Invariant:** a request sees every request before it in the group, as if each had had a transaction of its own.
//! **Cost:** statements per store and not per key; one sync per group. Under load groups grow, and so the number of
//! syncs does not.
//!
//! Tests: `storage::races::conditional_writes_have_one_winner_a_round`,
//! `storage::races::unconditional_writes_are_all_stored`,
//! `storage::stores::races::writers_of_many_stores_do_not_stop_each_other`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use mem_sync::wire::{ETag, PutAnswer, PutBody};

use super::outbox::{self, WantedEvents};
use super::sql::{Engine, Transaction, sql};
use super::store_row::{StoreRow, WORKSPACE};
use super::stores::StoreRefusal;
use super::stores::edit::{Edited, MemoryEdit};
use super::working_set::WorkingSet;
use super::{
    RepositoryName, StorageActor, StorageError, flush, id, load, outcome_events, sealing,
    store_locks,
};

/// Something that changes a store.
#[derive(Debug)]
pub(super) enum WriteRequest {
    /// Of the team protocol.
    Put(PutRequest),
    /// Of the memory stores API.
    Edit(MemoryEdit),
}

/// A PUT.
#[derive(Debug)]
pub(super) struct PutRequest {
    pub(super) repo: RepositoryName,
    pub(super) body: PutBody,
    pub(super) if_match: Option<ETag>,
    pub(super) actor: StorageActor,
    pub(super) now: Timestamp,
}

/// What a request came to.
#[derive(Debug)]
pub(super) enum RequestOutcome {
    Put(GroupWrite),
    Edit(Edited),
}

/// What a write came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupWrite {
    /// It is stored.
    Done {
        /// Names the state right after it.
        etag: ETag,
        /// Key by key.
        answer: PutAnswer,
    },
    /// The store is not what `If-Match` names; nothing is stored.
    Raced {
        /// Names the state that it is in.
        etag: ETag,
    },
    /// The store is archived: it is not written any more.
    Archived,
}

/// Why a group did not come about.
#[derive(Debug)]
pub(super) enum GroupFailure {
    /// Nothing was done.
    Before(StorageError),
    /// It may have been done.
    Commit(StorageError),
}

impl From<StorageError> for GroupFailure {
    fn from(error: StorageError) -> Self {
        Self::Before(error)
    }
}

/// What a group came to.
#[derive(Debug)]
pub(super) struct GroupOutcome {
    /// For each request, in their order.
    pub(super) done: Vec<RequestOutcome>,
    /// The states that repositories' stores are in now.
    pub(super) states: Vec<(RepositoryName, ETag)>,
    /// Whether an event waits for a webhook.
    pub(super) has_events: bool,
}

/// Carries out requests, store by store. All stores that are there are locked first, in the order of their ids,
/// and those that are not are made in the order of their names: no two groups wait for each other.
pub(super) async fn run(
    engine: &Engine,
    requests: &[&WriteRequest],
) -> Result<GroupOutcome, GroupFailure> {
    let mut within = engine.begin().await?;
    let locked = store_locks::lock(&mut within, requests).await?;
    let mut done: BTreeMap<usize, RequestOutcome> = BTreeMap::new();
    let (mut states, mut has_events) = (Vec::new(), false);
    // Locks are taken in one order by every group: stores by id in one statement, then new ones by name. Two groups
    // that share two stores would else each hold the one that the other waits for.
    let there = locked.stores.into_iter();
    let mut stores: Vec<_> = there
        .map(|(store, places)| (store, false, places))
        .collect();
    for (repo, places) in locked.missing {
        stores.push((new_store(repo)?, true, places));
    }
    for (store, is_new, places) in stores {
        let of_store = places.iter().map(|&place| requests[place]);
        let of_store: Vec<&WriteRequest> = of_store.collect();
        let (answers, store, is_eventful) = in_store(&mut within, store, is_new, &of_store).await?;
        has_events |= is_eventful;
        done.extend(std::iter::zip(places, answers));
        if let Some(repo) = store.repository() {
            states.push((repo, store.etag()?));
        }
    }
    for place in locked.refused {
        done.insert(place, RequestOutcome::Edit(Err(StoreRefusal::NoStore)));
    }
    let committed = within.commit().await;
    committed.map_err(GroupFailure::Commit)?;
    let done = done.into_values().collect();
    Ok(GroupOutcome {
        done,
        states,
        has_events,
    })
}

/// One store's part, and whether somebody is to be told of it. A repository's store comes about with its first version.
async fn in_store(
    within: &mut Transaction,
    mut store: StoreRow,
    is_new: bool,
    requests: &[&WriteRequest],
) -> Result<(Vec<RequestOutcome>, StoreRow, bool), GroupFailure> {
    let mut set = match is_new {
        true => WorkingSet::new(&store, []),
        false => load::working_set(within, &store, requests).await?,
    };
    let done = requests.iter().map(|request| set.carry_out(request));
    let done = done.collect::<Result<Vec<_>, _>>()?;
    if let [first, ..] = set.versions() {
        if is_new {
            // A store that is not there cannot be locked. Whoever inserts its handle first has it; the other begins
            // again and finds it.
            let inserted = insert(within, &store, first.row.created_at).await?;
            store.wanted = inserted.ok_or(StorageError::Busy)?;
            store.data_key = sealing::begin_store(within, &store.id).await?;
        }
        if !flush::flush(within, &store, &set).await? {
            return Err(StorageError::Busy.into());
        }
    }
    let events = outcome_events::of_group(&store, is_new, &set, requests, &done);
    outbox::write(within, &store.workspace, &events).await?;
    Ok((done, set.store().clone(), !events.is_empty()))
}

fn new_store(repo: &RepositoryName) -> Result<StoreRow, StorageError> {
    Ok(StoreRow {
        id: id::random(id::STORE)?,
        epoch: id::epoch()?,
        handle: Some(repo.handle()),
        workspace: WORKSPACE.to_owned(),
        ..StoreRow::default()
    })
}

/// Says what the workspace's webhooks ask for; `None` where another replica was faster.
async fn insert(
    within: &mut Transaction,
    store: &StoreRow,
    now: Timestamp,
) -> Result<Option<WantedEvents>, StorageError> {
    let insert = "INSERT INTO memory_store (id, workspace_id, handle, name, epoch, sequence, live_memories, \
                  created_at, updated_at) VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $6) \
                  ON CONFLICT (workspace_id, handle) DO NOTHING RETURNING ";
    let insert = format!("{insert}{}", outbox::wanted_by("memory_store"));
    let name = store.repository();
    let name = name.as_ref().map_or("", RepositoryName::as_str);
    let handle = store.handle.clone();
    let insert = sql!(insert; &store.id, WORKSPACE, handle, name, &store.epoch, now);
    within.read_one(insert).await
}
