//! Changes wait in a queue while the disk syncs the ones before them, and then go together.
//!
//! ```text
//!  disk    |--- sync 1 ---|--- sync 2 ---|--- sync 3 ---|
//!  group   a              b c d          e f
//!  comes   a   b  c d        e  f                            no timer: a group is what came during one sync
//! ```
//!
//! Waiting a fixed time for others would delay a lone write. Here it goes at once, and the busier the disk, the larger
//! the groups. PUTs of one repository hash to one queue, and so do edits of one store: they keep their order. PostgreSQL
//! has several queues, since its transactions sync side by side; SQLite has one writer.
//! Tests: `storage::durability::a_killed_server_has_all_that_it_acknowledged`,
//! `storage::durability::postgres_that_crashes_under_load_costs_no_acknowledged_write`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mem_vault::VaultError;
use tokio::sync::{Notify, mpsc, oneshot};

use super::StorageError;
use super::group::{self, GroupFailure, GroupOutcome, RequestOutcome, WriteRequest};
use super::sql::Engine;
use super::state_cache::StateCache;
use super::stores::StoresError;

/// Changes of one transaction.
const GROUP_MAX: usize = 128;
/// Changes that wait; further ones wait outside.
const WAITING_MAX: usize = 1024;
/// How often a transaction runs that somebody else got in the way of.
const TRIES: u32 = 8;
/// No further try begins after this time; until then a lost database is tried again, since a standby may take over.
const TRYING: Duration = Duration::from_secs(10);
/// The longest first pause between two tries; it doubles.
const PAUSE_MS: u64 = 10;

type Reply = oneshot::Sender<Result<RequestOutcome, StorageError>>;

/// The queues of one open database. A store has its place in one of them.
#[derive(Debug)]
pub(super) struct Queues {
    senders: Vec<mpsc::Sender<(WriteRequest, Reply)>>,
    deadline: Duration,
}

impl Queues {
    /// Starts so many.
    pub(super) fn start(
        engine: &Engine,
        states: Option<&Arc<StateCache>>,
        outbox: &Arc<Notify>,
        count: usize,
        deadline: Duration,
    ) -> Self {
        let start = |_| {
            let (sender, receiver) = mpsc::channel(WAITING_MAX);
            let place = QueueSlot {
                engine: engine.clone(),
                states: states.cloned(),
                outbox: Arc::clone(outbox),
                deadline,
            };
            tokio::spawn(work(place, receiver));
            sender
        };
        let senders = (0..count).map(start).collect();
        Self { senders, deadline }
    }

    /// Hands a request in. It is carried out even if nobody waits for the answer any more.
    pub(super) async fn hand_in(
        &self,
        request: WriteRequest,
    ) -> Result<RequestOutcome, StorageError> {
        let (reply, answer) = oneshot::channel();
        let closed = || StorageError::from(sqlx::Error::PoolClosed);
        let queue = self.senders.get(place(&request, self.senders.len()));
        let queue = queue.ok_or_else(closed)?;
        let handed_in = async {
            let sent = queue.send((request, reply)).await;
            sent.map_err(|_| closed())?;
            answer.await.map_err(|_| closed())?
        };
        // The transaction before it may take its time, and then its own.
        let done = tokio::time::timeout(2 * self.deadline, handed_in).await;
        done.unwrap_or_else(|_| Err(StorageError::silent()))
    }
}

fn place(request: &WriteRequest, count: usize) -> usize {
    let mut hasher = DefaultHasher::new();
    match request {
        WriteRequest::Put(put) => put.repo.as_str().hash(&mut hasher),
        WriteRequest::Edit(edit) => edit.writing.store.hash(&mut hasher),
    }
    (hasher.finish() % count.max(1) as u64) as usize
}

/// Where one queue leads.
struct QueueSlot {
    engine: Engine,
    states: Option<Arc<StateCache>>,
    outbox: Arc<Notify>,
    deadline: Duration,
}

async fn work(place: QueueSlot, mut queue: mpsc::Receiver<(WriteRequest, Reply)>) {
    let mut group = Vec::with_capacity(GROUP_MAX);
    while queue.recv_many(&mut group, GROUP_MAX).await > 0 {
        let (requests, replies): (Vec<WriteRequest>, Vec<Reply>) = group.drain(..).unzip();
        let together: Vec<&WriteRequest> = requests.iter().collect();
        match attempt(&place, &together).await {
            // What fails for one must not fail for all: one after the other, each for itself.
            Err(GroupFailure::Before(error)) if requests.len() > 1 && !error.is_transient() => {
                for (request, reply) in std::iter::zip(together, replies) {
                    answer(attempt(&place, &[request]).await, vec![reply]);
                }
            }
            result => answer(result, replies),
        }
    }
}

/// Tells those who asked what came of it; they may be gone.
fn answer(result: Result<GroupOutcome, GroupFailure>, replies: Vec<Reply>) {
    let error = match result {
        Ok(outcome) => {
            for (reply, done) in std::iter::zip(replies, outcome.done) {
                let _ = reply.send(Ok(done));
            }
            return;
        }
        Err(GroupFailure::Before(error) | GroupFailure::Commit(error)) => error,
    };
    let mut others = replies.into_iter();
    let first = others.next();
    for reply in others {
        let _ = reply.send(Err(error.alike()));
    }
    if let Some(reply) = first {
        let _ = reply.send(Err(error));
    }
}

/// Runs a group until it goes through, as often as it may, and keeps what is remembered true.
async fn attempt(
    place: &QueueSlot,
    requests: &[&WriteRequest],
) -> Result<GroupOutcome, GroupFailure> {
    let begun = Instant::now();
    // Before the commit nothing was done: another time, or another connection, may do.
    let may_help = |failure: &GroupFailure, tries| {
        let may_help = match failure {
            GroupFailure::Before(StorageError::Busy) => tries < TRIES,
            GroupFailure::Before(StorageError::Unavailable(_)) => true,
            _ => false,
        };
        may_help && begun.elapsed() <= TRYING
    };
    let run = || async {
        let run = group::run(&place.engine, requests);
        let result = tokio::time::timeout(place.deadline, run).await;
        // What came of it nobody knows.
        let result = result.unwrap_or_else(|_| Err(GroupFailure::Commit(StorageError::silent())));
        // Before anybody is told: a client that was acknowledged and asks at once must not get the state of before.
        if let Some(states) = &place.states {
            remember(states, requests, &result);
        }
        if result.as_ref().is_ok_and(|outcome| outcome.has_events) {
            place.outbox.notify_one();
        }
        result
    };
    again(may_help, run).await
}

fn remember(
    states: &StateCache,
    requests: &[&WriteRequest],
    result: &Result<GroupOutcome, GroupFailure>,
) {
    match result {
        Ok(outcome) => {
            for (repo, etag) in &outcome.states {
                states.set(repo, etag);
            }
        }
        // After a failure nobody knows which state holds, so it is looked up again. A state that is remembered wrongly
        // would answer 304 to a client that has to see the change.
        Err(_) => {
            for request in requests {
                match request {
                    WriteRequest::Put(put) => states.forget(&put.repo),
                    // Whose store it is was not found out.
                    WriteRequest::Edit(_) => states.clear(),
                }
            }
        }
    }
}

/// Asks again where a connection was lost: reading twice is reading once.
pub(super) async fn reading<T, E: MayBeLost, A>(ask: impl Fn() -> A) -> Result<T, E>
where
    A: Future<Output = Result<T, E>>,
{
    let begun = Instant::now();
    let may_help = |error: &E, tries| {
        let may_help = match error.of_storage() {
            Some(StorageError::Unavailable(_)) => true,
            // A key that ended between two statements has a successor by now.
            Some(StorageError::Vault(VaultError::LostKey(_))) => tries < TRIES,
            _ => false,
        };
        may_help && begun.elapsed() < TRYING
    };
    again(may_help, ask).await
}

/// Asks again after a pause, where that may help.
pub(super) async fn patiently<T, E, A>(
    may_help: impl Fn(&E) -> bool,
    ask: impl Fn() -> A,
) -> A::Output
where
    A: Future<Output = Result<T, E>>,
{
    again(|error, tries| tries < TRIES && may_help(error), ask).await
}

/// Asks until there is an answer, or an error of this try after which asking again does not help.
async fn again<T, E, A>(may_help: impl Fn(&E, u32) -> bool, ask: impl Fn() -> A) -> A::Output
where
    A: Future<Output = Result<T, E>>,
{
    let mut tries = 1;
    loop {
        match ask().await {
            Err(error) if may_help(&error, tries) => {}
            answer => return answer,
        }
        tokio::time::sleep(pause(tries)).await;
        tries += 1;
    }
}

/// An error that a lost connection may be the reason of.
pub(super) trait MayBeLost {
    /// The error of the storage that it is.
    fn of_storage(&self) -> Option<&StorageError>;
}

impl MayBeLost for StorageError {
    fn of_storage(&self) -> Option<&StorageError> {
        Some(self)
    }
}

impl MayBeLost for StoresError {
    fn of_storage(&self) -> Option<&StorageError> {
        match self {
            Self::Storage(error) => Some(error),
            Self::Refused(_) => None,
        }
    }
}

/// Longer with every try, and never the same for two.
fn pause(tries: u32) -> Duration {
    // All of the pause is random: two replicas that got in each other's way would meet again after equal ones.
    let mut random = [0; 2];
    let longest = PAUSE_MS << tries.min(6);
    let share = match getrandom::fill(&mut random) {
        Ok(()) => u64::from(u16::from_le_bytes(random)),
        Err(_) => u64::from(u16::MAX),
    };
    Duration::from_micros(longest * 1000 * share / u64::from(u16::MAX))
}
