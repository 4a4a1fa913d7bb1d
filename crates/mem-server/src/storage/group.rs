//! Several changes in one transaction: each is decided after the one before it, all become durable with one
//! sync of the disk, and none is acknowledged before that.

use std::collections::BTreeMap;

use jiff::Timestamp;
use mem_sync::wire::{ETag, PutAnswer, PutBody};

use super::sql::{Engine, Query, Transaction};
use super::store_row::{StoreRow, WORKSPACE};
use super::stores::Refusal;
use super::stores::edit::{Edit, Edited};
use super::working_set::WorkingSet;
use super::{Actor, RepositoryName, StorageError, flush, id, load, locked, sealing};

/// Something that changes a store.
#[derive(Debug)]
pub(super) enum Request {
    /// Of the team protocol.
    Put(Put),
    /// Of the memory stores API.
    Edit(Edit),
}

/// A PUT.
#[derive(Debug)]
pub(super) struct Put {
    pub(super) repo: RepositoryName,
    pub(super) body: PutBody,
    pub(super) if_match: Option<ETag>,
    pub(super) actor: Actor,
    pub(super) now: Timestamp,
}

/// What a request came to.
#[derive(Debug)]
pub(super) enum Done {
    Put(Written),
    Edit(Edited),
}

/// What a write came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
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
pub(super) enum Failure {
    /// Nothing was done; somebody else was in the way.
    Again,
    /// Nothing was done.
    Before(StorageError),
    /// It may have been done.
    Commit(StorageError),
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self::Before(error)
    }
}

/// What a group came to.
#[derive(Debug)]
pub(super) struct Outcome {
    /// For each request, in their order.
    pub(super) done: Vec<Done>,
    /// The states that repositories' stores are in now.
    pub(super) states: Vec<(RepositoryName, ETag)>,
}

/// Carries out requests, store by store. All stores that are there are locked first, in the order of their ids,
/// and those that are not are made in the order of their names: no two groups wait for each other.
pub(super) async fn run(engine: &Engine, requests: &[&Request]) -> Result<Outcome, Failure> {
    let mut within = engine.begin().await.map_err(StorageError::of)?;
    let locked = locked::lock(&mut within, requests).await?;
    let mut done: BTreeMap<usize, Done> = BTreeMap::new();
    let mut states = Vec::new();
    let mut stores = Vec::new();
    for (store, places) in locked.stores {
        stores.push((store, false, places));
    }
    for (repo, places) in locked.missing {
        stores.push((new_store(repo)?, true, places));
    }
    for (store, is_new, places) in stores {
        let of_store = places.iter().map(|&place| requests[place]);
        let of_store: Vec<&Request> = of_store.collect();
        let (answers, store) = in_store(&mut within, store, is_new, &of_store).await?;
        done.extend(std::iter::zip(places, answers));
        if let Some(repo) = store.repository() {
            states.push((repo, store.etag()?));
        }
    }
    for place in locked.refused {
        done.insert(place, Done::Edit(Err(Refusal::NoStore)));
    }
    let committed = within.commit().await;
    committed.map_err(|error| Failure::Commit(error.into()))?;
    let done = done.into_values().collect();
    Ok(Outcome { done, states })
}

/// One store's part. A repository's store comes about with its first version.
async fn in_store(
    within: &mut Transaction,
    mut store: StoreRow,
    is_new: bool,
    requests: &[&Request],
) -> Result<(Vec<Done>, StoreRow), Failure> {
    let mut set = match is_new {
        true => WorkingSet::new(&store, []),
        false => load::working_set(within, &store, requests).await?,
    };
    let done = requests.iter().map(|request| set.carry_out(request));
    let done = done.collect::<Result<_, _>>()?;
    if let [first, ..] = set.versions() {
        if is_new {
            if !insert(within, &store, first.row.created_at).await? {
                return Err(Failure::Again);
            }
            store.data_key = sealing::begin_store(within, &store.id).await?;
        }
        if !flush::flush(within, &store, &set).await? {
            return Err(Failure::Again);
        }
    }
    Ok((done, set.store().clone()))
}

fn new_store(repo: &RepositoryName) -> Result<StoreRow, StorageError> {
    Ok(StoreRow {
        id: id::store()?,
        epoch: id::epoch()?,
        sequence: 0,
        live: 0,
        handle: Some(repo.handle()),
        workspace: WORKSPACE.to_owned(),
        is_archived: false,
        data_key: None,
    })
}

/// Says `false` where another replica was faster.
async fn insert(
    within: &mut Transaction,
    store: &StoreRow,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let insert = Query::new(
        "INSERT INTO memory_store (id, workspace_id, handle, name, epoch, sequence, live_memories, \
         created_at, updated_at) VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $6) \
         ON CONFLICT (workspace_id, handle) DO NOTHING",
    );
    let name = store.repository();
    let name = name.as_ref().map_or("", RepositoryName::as_str);
    let insert = insert.bind(store.id.clone()).bind(WORKSPACE);
    let insert = insert.bind(store.handle.clone()).bind(name);
    let insert = insert.bind(store.epoch.clone()).bind(now.as_microsecond());
    Ok(within.run(insert).await? == 1)
}
