//! Several PUTs in one transaction: each is decided after the one before it, all become durable with one
//! sync of the disk, and none is acknowledged before that.

use std::collections::BTreeMap;

use jiff::Timestamp;
use mem_sync::wire::{ETag, PutAnswer, PutBody};

use super::shelf::{By, Shelf};
use super::sql::{Engine, Query, Transaction};
use super::store_row::{self, StoreRow, WORKSPACE, etag_of_none};
use super::{Actor, RepositoryName, StorageError, flush, id, load};

/// A PUT.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) repo: RepositoryName,
    pub(super) body: PutBody,
    pub(super) if_match: Option<ETag>,
    pub(super) actor: Actor,
    pub(super) now: Timestamp,
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
    pub(super) written: Vec<Written>,
    /// The states that the stores are in now.
    pub(super) states: Vec<(RepositoryName, ETag)>,
}

/// Carries out requests. Stores are locked in the order of their names, so that no two groups wait for
/// each other.
pub(super) async fn run(engine: &Engine, requests: &[&Request]) -> Result<Outcome, Failure> {
    let mut stores: BTreeMap<&RepositoryName, Vec<usize>> = BTreeMap::new();
    for (place, request) in requests.iter().enumerate() {
        stores.entry(&request.repo).or_default().push(place);
    }
    let mut within = engine.begin().await.map_err(StorageError::of)?;
    let mut written: Vec<Option<Written>> = vec![None; requests.len()];
    let mut states = Vec::with_capacity(stores.len());
    for (repo, places) in stores {
        let of_store: Vec<&Request> = places.iter().map(|&place| requests[place]).collect();
        let (done, etag) = in_store(engine, &mut within, repo, &of_store).await?;
        for (place, one) in std::iter::zip(places, done) {
            written[place] = Some(one);
        }
        states.push((repo.clone(), etag));
    }
    let committed = within.commit().await;
    committed.map_err(|error| Failure::Commit(error.into()))?;
    let written = written.into_iter().flatten().collect();
    Ok(Outcome { written, states })
}

/// One store's part.
async fn in_store(
    engine: &Engine,
    within: &mut Transaction,
    repo: &RepositoryName,
    requests: &[&Request],
) -> Result<(Vec<Written>, ETag), Failure> {
    let stored = store_row::lock(within, engine.dialect(), repo).await?;
    let (store, mut shelf) = match &stored {
        Some(store) => {
            let bodies = requests.iter().map(|request| &request.body);
            (store.clone(), load::shelf(within, store, bodies).await?)
        }
        None => (new_store()?, Shelf::new(0, 0, [])),
    };
    let is_new = stored.is_none();
    let mut done = Vec::with_capacity(requests.len());
    for request in requests {
        done.push(decide(&store, is_new, &mut shelf, request)?);
    }
    if !shelf.versions().is_empty() {
        if is_new && !insert(within, repo, &store, requests).await? {
            return Err(Failure::Again);
        }
        if !flush::flush(within, &store, &shelf).await? {
            return Err(Failure::Again);
        }
    }
    let etag = state(&store, is_new, &shelf)?;
    Ok((done, etag))
}

fn decide(
    store: &StoreRow,
    is_new: bool,
    shelf: &mut Shelf,
    request: &Request,
) -> Result<Written, StorageError> {
    let etag = state(store, is_new, shelf)?;
    if request.if_match.as_ref().is_some_and(|tag| *tag != etag) {
        return Ok(Written::Raced { etag });
    }
    let by = By {
        actor: &request.actor,
        now: request.now,
    };
    let answer = shelf.put(request.body.clone(), by)?;
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

fn new_store() -> Result<StoreRow, StorageError> {
    Ok(StoreRow {
        id: id::store()?,
        epoch: id::epoch()?,
        sequence: 0,
        live: 0,
    })
}

/// Says `false` where another replica was faster.
async fn insert(
    within: &mut Transaction,
    repo: &RepositoryName,
    store: &StoreRow,
    requests: &[&Request],
) -> Result<bool, StorageError> {
    let now = requests.first().map(|request| request.now.as_microsecond());
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
