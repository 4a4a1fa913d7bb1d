//! Several changes in one transaction: each is decided after the one before it, all become durable with one
//! sync of the disk, and none is acknowledged before that.

use std::collections::BTreeMap;

use jiff::Timestamp;
use mem_sync::wire::{ETag, PutAnswer, PutBody};

use super::flush::Changes;
use super::shelf::{By, Shelf};
use super::sql::{Engine, Query, Transaction};
use super::store_row::{StoreRow, WORKSPACE, etag_of_none};
use super::stores::Refusal;
use super::stores::edit::{self, Edit, Edited};
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
    let locked = locked::lock(&mut within, engine.dialect(), requests).await?;
    let mut done: BTreeMap<usize, Done> = BTreeMap::new();
    let mut states = Vec::new();
    for (store, places) in locked.stores {
        let of_store = places.iter().map(|&place| requests[place]);
        let of_store: Vec<&Request> = of_store.collect();
        let (answers, store) = in_store(&mut within, store, &of_store).await?;
        done.extend(std::iter::zip(places, answers));
        if let Some(repo) = store.repository() {
            states.push((repo, store.etag()?));
        }
    }
    for (repo, places) in locked.missing {
        let puts = places.iter().filter_map(|&place| match requests[place] {
            Request::Put(put) => Some(put),
            Request::Edit(_) => None,
        });
        let puts: Vec<&Put> = puts.collect();
        let (answers, etag) = in_new_store(&mut within, repo, &puts).await?;
        done.extend(std::iter::zip(places, answers));
        states.push((repo.clone(), etag));
    }
    for place in locked.refused {
        done.insert(place, Done::Edit(Err(Refusal::NoStore)));
    }
    let committed = within.commit().await;
    committed.map_err(|error| Failure::Commit(error.into()))?;
    let done = done.into_values().collect();
    Ok(Outcome { done, states })
}

/// One store's part: what follows each other and is of one kind goes together.
async fn in_store(
    within: &mut Transaction,
    mut store: StoreRow,
    requests: &[&Request],
) -> Result<(Vec<Done>, StoreRow), Failure> {
    let mut done = Vec::with_capacity(requests.len());
    let is_put = |request: &&Request| matches!(request, Request::Put(_));
    for alike in requests.chunk_by(|a, b| is_put(a) == is_put(b)) {
        let puts = alike.iter().filter_map(|request| match request {
            Request::Put(put) => Some(put),
            Request::Edit(_) => None,
        });
        let puts: Vec<&Put> = puts.collect();
        let edits = alike.iter().filter_map(|request| match request {
            Request::Edit(edit) => Some(edit),
            Request::Put(_) => None,
        });
        let edits: Vec<&Edit> = edits.collect();
        if edits.is_empty() {
            done.extend(put(within, &mut store, &puts).await?);
        } else {
            let edited = edit::run(within, &mut store, &edits).await?;
            let edited = edited.ok_or(Failure::Again)?;
            done.extend(edited.into_iter().map(Done::Edit));
        }
    }
    Ok((done, store))
}

/// PUTs into a store that is there.
async fn put(
    within: &mut Transaction,
    store: &mut StoreRow,
    puts: &[&Put],
) -> Result<Vec<Done>, Failure> {
    if store.is_archived {
        let archived = puts.iter().map(|_| Done::Put(Written::Archived));
        return Ok(archived.collect());
    }
    let bodies = puts.iter().map(|put| &put.body);
    let mut shelf = load::shelf(within, store, bodies).await?;
    let mut done = Vec::with_capacity(puts.len());
    for put in puts {
        done.push(Done::Put(decide(store, false, &mut shelf, put)?));
    }
    if !shelf.versions().is_empty() && !flush::flush(within, store, &changes(&shelf)).await? {
        return Err(Failure::Again);
    }
    (store.sequence, store.live) = (shelf.sequence(), shelf.live());
    Ok(done)
}

/// PUTs into a store that comes about with its first version.
async fn in_new_store(
    within: &mut Transaction,
    repo: &RepositoryName,
    puts: &[&Put],
) -> Result<(Vec<Done>, ETag), Failure> {
    let (mut store, mut shelf) = (new_store(repo)?, Shelf::new(0, 0, []));
    let mut done = Vec::with_capacity(puts.len());
    for put in puts {
        done.push(Done::Put(decide(&store, true, &mut shelf, put)?));
    }
    if !shelf.versions().is_empty() {
        if !insert(within, repo, &store, puts).await? {
            return Err(Failure::Again);
        }
        store.data_key = sealing::begin_store(within, &store.id).await?;
        if !flush::flush(within, &store, &changes(&shelf)).await? {
            return Err(Failure::Again);
        }
    }
    let etag = state(&store, true, &shelf)?;
    Ok((done, etag))
}

fn changes(shelf: &Shelf) -> Changes<'_> {
    Changes {
        sequence: shelf.sequence(),
        live: shelf.live(),
        versions: shelf.versions(),
        rows: shelf.rows(),
        gone: Vec::new(),
    }
}

fn decide(
    store: &StoreRow,
    is_new: bool,
    shelf: &mut Shelf,
    put: &Put,
) -> Result<Written, StorageError> {
    let etag = state(store, is_new, shelf)?;
    if put.if_match.as_ref().is_some_and(|tag| *tag != etag) {
        return Ok(Written::Raced { etag });
    }
    let by = By {
        actor: &put.actor,
        now: put.now,
    };
    let answer = shelf.put(put.body.clone(), by)?;
    let etag = state(store, is_new, shelf)?;
    Ok(Written::Done { etag, answer })
}

/// A store comes about with its first version.
fn state(store: &StoreRow, is_new: bool, shelf: &Shelf) -> Result<ETag, StorageError> {
    if is_new && shelf.sequence() == 0 {
        return Ok(etag_of_none());
    }
    store.etag_at(shelf.sequence())
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
    repo: &RepositoryName,
    store: &StoreRow,
    puts: &[&Put],
) -> Result<bool, StorageError> {
    let now = puts.first().map(|put| put.now.as_microsecond());
    let insert = Query::new(
        "INSERT INTO memory_store (id, workspace_id, handle, name, epoch, sequence, live_memories, \
         created_at, updated_at) VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $6) \
         ON CONFLICT (workspace_id, handle) DO NOTHING",
    );
    let insert = insert.bind(store.id.clone()).bind(WORKSPACE);
    let insert = insert.bind(repo.handle()).bind(repo.as_str());
    let insert = insert.bind(store.epoch.clone()).bind(now);
    Ok(within.run(insert).await? == 1)
}
