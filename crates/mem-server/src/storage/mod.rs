//! What the server keeps: stores, memories, their versions, and tokens, in SQLite or PostgreSQL.
//!
//! # Layout
//! - `sql`: two databases behind one set of statements; `migrate`: their schema.
//! - `working_set`: what PUTs and edits do, as a function; `load` reads what it needs, `flush` stores what it says.
//! - `group` and `queue`: changes that wait for the disk go together.
//! - `coalescer`: requests that look up the same token or store at once share a statement.
//! - `read`, `log`, `redact`, `tokens`, `backup` and [`restore()`]: the other things one can ask for.
//! - `administration`: what administrators did, for the audit log.
//! - `outbox`, `webhooks`: events that wait for their receivers, and who these are.
//! - `identity`: people who sign in, and their sessions.
//! - `objects`: contents that are in object storage.
//! - `erase`, `user`: the end of a store, and of all that somebody wrote.
//! - `sealing`: contents that only the server can read, and their keys.
//! - `quota`: whether somebody may have more. `use_counts`: what replicas tell each other.
//! - `state_cache`: why a conditional GET costs next to nothing where one process has the database.

mod actor;
mod administration;
mod backup;
mod coalescer;
mod database_epoch;
mod encryption;
mod erase;
mod error;
mod flush;
mod group;
mod id;
mod identity;
mod load;
mod log;
mod migrate;
mod objects;
mod options;
mod outbox;
mod outcome_events;
mod queue;
mod quota;
mod read;
mod redact;
mod repository_name;
mod retention;
mod scrub;
mod sealing;
pub(crate) mod sql;
mod state_cache;
mod store_locks;
mod store_row;
pub mod stores;
mod tokens;
mod use_counts;
mod user;
mod webhooks;
mod working_set;
mod workspaces;

use std::sync::Arc;
use std::time::Duration;

pub use actor::{ActorKind, StorageActor};
pub use backup::{BackupSummary, RevivedToken, restore};
use coalescer::Coalescer;
pub use encryption::{Checked, Encryption, Sealing, Unopened, UnopenedContent};
pub use erase::Doomed;
pub use error::StorageError;
pub use group::GroupWrite;
use group::{PutRequest, RequestOutcome, WriteRequest};
pub(crate) use id::{random_key, replica as new_replica_id};
pub(crate) use identity::{
    IdentityUser, NewSession, RenewableSession, SignInUser, UserError, UserFilter, UserProfile,
};
use jiff::Timestamp;
use mem_sync::wire::{ETag, PutBody};
use objects::ContentObjects;
pub use objects::{ObjectRequests, ObjectSettings};
pub use options::{DatabaseAddress, OpenOptions, Purpose};
pub(crate) use outbox::{Delivery, DeliveryOutcome};
use queue::{MayBeLost, Queues, reading};
use quota::StorageQuota;
pub(crate) use quota::StorageTotal;
pub use redact::RedactionOutcome;
pub use repository_name::RepositoryName;
pub use retention::VersionRetention;
use sealing::ContentCipher;
pub use sealing::MasterSource;
pub use sql::postgres::StandbyReads;
pub(crate) use sql::sqlite::FILE as SQLITE_FILE;
use sql::{DatabaseKind, Engine, SqlQuery, Transaction, sql};
use state_cache::StateCache;
use store_row::StoreRow;
pub use store_row::WORKSPACE as DEFAULT_WORKSPACE;
pub use tokens::{Grant, NewToken, SessionKind, Token, TokenSession, Verb};
use tokio::sync::Notify;
pub(crate) use use_counts::{USE_COUNTS_MAX, UseCount};
pub use user::{DoomedUser, StoredTombstone, WrittenLast, is_of_records};
pub(crate) use user::{records_store, records_workspace};
pub use webhooks::{DeadLetter, NewWebhook, Webhook, WebhookError};
pub use workspaces::{Workspace, WorkspaceError};

/// Queues of PUTs where several transactions can write at once.
const QUEUES: usize = 4;

/// How often others than the primary database were asked.
#[derive(Clone, Debug, Default)]
pub struct RequestCounts {
    /// Standbys of the database.
    pub standbys: StandbyReads,
    /// Object storage.
    pub objects: ObjectRequests,
}

/// An open database. Clones share it.
#[derive(Clone, Debug)]
pub struct Database(Arc<Open>);

#[derive(Debug)]
struct Open {
    engine: Engine,
    queues: Queues,
    repositories: Coalescer<RepositoryName, Option<StoreRow>>,
    tokens: Coalescer<[u8; 32], Option<Token>>,
    /// Where this process alone writes.
    states: Option<Arc<StateCache>>,
    /// Notified when an event was written by this process.
    outbox: Arc<Notify>,
    may_write: bool,
    deadline: Duration,
    quota: StorageQuota,
}

impl Database {
    /// Opens a database, makes it where there is none, and brings its schema up to date. Within a runtime.
    ///
    /// # Errors
    /// See [`StorageError`]; [`StorageError::Locked`] where another server has the data directory.
    pub async fn open(
        place: &DatabaseAddress,
        options: &OpenOptions,
    ) -> Result<Self, StorageError> {
        let kind = match place {
            DatabaseAddress::Directory(directory) => {
                DatabaseKind::Sqlite(sql::sqlite::open(directory, options).await?)
            }
            DatabaseAddress::Url(url) => {
                DatabaseKind::Postgres(sql::postgres::Postgres::open(url, options).await?)
            }
        };
        let objects = ContentObjects::open(options.objects.as_ref())?;
        let seals = ContentCipher::new(options.master.clone());
        let engine = Engine {
            kind,
            seals,
            objects,
        };
        migrate::migrate(&engine).await?;
        if let DatabaseKind::Postgres(servers) = &engine.kind {
            servers.begin_timeline().await?;
        }
        let serves = options.purpose != Purpose::Administer;
        if options.purpose == Purpose::Serve {
            sealing::check(&engine).await?;
        }
        if serves {
            let is_served = options.purpose == Purpose::Serve;
            match engine.objects.check(&engine).await {
                // What is in the database is served without it.
                Err(error @ StorageError::Objects(_))
                    if is_served && engine.objects.is_begun(&engine).await? =>
                {
                    tracing::warn!(%error, "contents that were moved cannot be read now");
                }
                checked => checked?,
            }
            database_epoch::begin(&engine, place).await?;
        }
        let (alone, count) = match &engine.kind {
            DatabaseKind::Sqlite(_) => (true, 1),
            DatabaseKind::Postgres(_) => (false, QUEUES),
        };
        let states = (alone && serves).then(Arc::default);
        let outbox = Arc::new(Notify::new());
        let queues = Queues::start(&engine, states.as_ref(), &outbox, count, options.deadline);
        Ok(Self(Arc::new(Open {
            engine,
            queues,
            repositories: Coalescer::new(options.deadline),
            tokens: Coalescer::new(options.deadline),
            states,
            outbox,
            may_write: serves || !alone,
            deadline: options.deadline,
            quota: StorageQuota::new(options.quota.clone()),
        })))
    }

    /// Finishes what was begun, and closes every connection, those of clones too.
    pub async fn close(self) {
        self.engine().close().await;
    }

    /// Whether it answers.
    ///
    /// # Errors
    /// It does not.
    pub async fn ready(&self) -> Result<(), StorageError> {
        self.in_time(async { self.engine().one(sql!("SELECT 1")).await.map(drop) })
            .await
    }

    /// The name of a repository's state: what a 304 costs.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn state(&self, repo: &RepositoryName) -> Result<ETag, StorageError> {
        let Some(states) = &self.0.states else {
            return etag_of(self.look_up(repo).await?.as_ref());
        };
        if let Some(etag) = states.get(repo) {
            return Ok(etag);
        }
        let generation = states.generation();
        let store = Box::pin(self.look_up(repo)).await?;
        let etag = etag_of(store.as_ref())?;
        if store.is_some() {
            states.learn(repo, &etag, generation);
        }
        Ok(etag)
    }

    async fn look_up(&self, repo: &RepositoryName) -> Result<Option<StoreRow>, StorageError> {
        let find = || {
            let engine = self.engine().clone();
            self.0.repositories.find(repo.clone(), move |repo| {
                let engine = engine.clone();
                async move { engine.read_one(store_row::by_repository(&repo)).await }
            })
        };
        self.reading(find).await
    }

    /// Writes and deletes: all keys that are not rejected, or none. Where it says so, it is on the disk.
    ///
    /// # Errors
    /// See [`StorageError`]. After [`StorageError::Unavailable`] it may have been done.
    pub async fn write(
        &self,
        repo: &RepositoryName,
        body: PutBody,
        if_match: Option<&ETag>,
        actor: &StorageActor,
        now: Timestamp,
    ) -> Result<GroupWrite, StorageError> {
        self.may_write()?;
        let put = PutRequest {
            repo: repo.clone(),
            body,
            if_match: if_match.cloned(),
            actor: actor.clone(),
            now,
        };
        let put = WriteRequest::Put(put);
        self.require_room(&put).await?;
        match self.0.queues.hand_in(put).await? {
            RequestOutcome::Put(written) => Ok(written),
            RequestOutcome::Edit(_) => Err(StorageError::Corrupt("an answer to something else")),
        }
    }

    /// Begins new epochs, so that no state has the name of one from before: after a PostgreSQL database
    /// was restored. To be called before replicas serve it.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn begin_new_epoch(&self) -> Result<(), StorageError> {
        self.may_write()?;
        let renewed = database_epoch::renew(self.engine()).await;
        self.forget_states();
        renewed
    }

    /// How often others than the primary database were asked.
    pub fn request_counts(&self) -> RequestCounts {
        RequestCounts {
            standbys: match &self.engine().kind {
                DatabaseKind::Sqlite(_) => StandbyReads::default(),
                DatabaseKind::Postgres(servers) => servers.standby_reads(),
            },
            objects: self.engine().objects.requests(),
        }
    }

    fn engine(&self) -> &Engine {
        &self.0.engine
    }

    /// Every state may have another name now, or none.
    fn forget_states(&self) {
        if let Some(states) = &self.0.states {
            states.clear();
        }
    }

    /// Asks within the time that an answer may take, again where a connection was lost.
    async fn reading<T, E, A>(&self, ask: impl Fn() -> A) -> Result<T, E>
    where
        E: MayBeLost + From<StorageError>,
        A: Future<Output = Result<T, E>>,
    {
        self.in_time(reading(ask)).await
    }

    /// A database that cannot be reached any more may say nothing for as long as it likes.
    async fn in_time<T, E: From<StorageError>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let done = tokio::time::timeout(self.0.deadline, work).await;
        done.unwrap_or_else(|_| Err(StorageError::silent().into()))
    }

    /// Statements that happen together, or not at all where one of them fails, in time.
    async fn transact<T, E: From<StorageError>>(
        &self,
        work: impl AsyncFnOnce(&mut Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.in_time(self.engine().transact(work)).await
    }

    /// The same of statements that write events; the delivery looks for them afterwards.
    async fn transact_with_events<T, E: From<StorageError>>(
        &self,
        work: impl AsyncFnOnce(&mut Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let done = self.transact(work).await;
        self.wake_delivery();
        done
    }

    /// Runs a statement in a transaction of its own, in time, and says how many rows it changed.
    async fn run_alone(&self, query: SqlQuery) -> Result<u64, StorageError> {
        self.in_time(async { self.engine().run(query).await }).await
    }

    fn may_write(&self) -> Result<(), StorageError> {
        match self.0.may_write {
            true => Ok(()),
            false => Err(StorageError::NotServing),
        }
    }
}

/// The name of the state of a repository's store, which may not be there.
fn etag_of(store: Option<&StoreRow>) -> Result<ETag, StorageError> {
    store.map_or_else(|| Ok(store_row::etag_of_none()), StoreRow::etag)
}
