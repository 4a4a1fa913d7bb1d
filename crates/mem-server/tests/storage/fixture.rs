//! Databases for a test, and a blocking remote over one.

use std::sync::Arc;

use jiff::Timestamp;
use mem_server::storage::{
    ActorKind, Database, DatabaseAddress, GroupWrite, OpenOptions, RedactionOutcome,
    RepositoryName, StorageActor, StorageError,
};
use mem_sync::EntryKey;
use mem_sync::remote::{Fetched, LogQuery, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, LogPage, PutBody, RedactBody, RedactOutcome, StateAnswer};
use mem_tests::postgres::{self, Cluster};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A throw-away database that is not open yet, and a runtime.
pub(crate) struct Fixture {
    pub(crate) runtime: Runtime,
    pub(crate) place: DatabaseAddress,
    directory: Option<TempDir>,
    _cluster: Option<Arc<Cluster>>,
}

impl Fixture {
    pub(crate) fn sqlite() -> Self {
        let directory = TempDir::new().unwrap();
        Self {
            runtime: Runtime::new().unwrap(),
            place: DatabaseAddress::Directory(directory.path().join("data")),
            directory: Some(directory),
            _cluster: None,
        }
    }

    /// `None` where PostgreSQL is not to be tested.
    pub(crate) fn postgres() -> Option<Self> {
        postgres::cluster().map(Self::on)
    }

    pub(crate) fn on(cluster: Arc<Cluster>) -> Self {
        Self {
            runtime: Runtime::new().unwrap(),
            place: DatabaseAddress::Url(cluster.database().into()),
            directory: None,
            _cluster: Some(cluster),
        }
    }

    /// Every database that is to be tested.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        [Some(Self::sqlite()), Self::postgres()]
            .into_iter()
            .flatten()
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.place, DatabaseAddress::Url(_))
    }

    /// The folder that SQLite's data directory is in.
    pub(crate) fn folder(&self) -> &std::path::Path {
        self.directory.as_ref().unwrap().path()
    }

    /// Opened where the runtime is busy already.
    pub(crate) async fn opened(&self) -> Database {
        let options = OpenOptions::default();
        Database::open(&self.place, &options).await.unwrap()
    }

    pub(crate) fn try_open(&self) -> Result<Database, StorageError> {
        let options = OpenOptions::default();
        self.runtime.block_on(Database::open(&self.place, &options))
    }

    pub(crate) fn open(&self) -> Database {
        self.try_open().unwrap()
    }

    /// Two replicas, where the database can have two; else two handles of the one.
    pub(crate) fn open_two(&self) -> [Database; 2] {
        let one = self.open();
        let two = match &self.place {
            DatabaseAddress::Directory(_) => one.clone(),
            DatabaseAddress::Url(_) => self.open(),
        };
        [one, two]
    }

    pub(crate) fn end<'a>(&'a self, database: &Database, name: &str) -> End<'a> {
        End {
            runtime: &self.runtime,
            database: database.clone(),
            repo: repo(),
            actor: StorageActor::new(ActorKind::ApiKey, "apikey_1", name),
        }
    }
}

/// One end of the protocol, without a network.
pub(crate) struct End<'a> {
    runtime: &'a Runtime,
    database: Database,
    pub(crate) repo: RepositoryName,
    actor: StorageActor,
}

pub(crate) fn repo() -> RepositoryName {
    RepositoryName::parse("acme/app").unwrap()
}

pub(crate) fn actor() -> StorageActor {
    StorageActor::new(ActorKind::User, "user_1", "")
}

pub(crate) fn key(text: &str) -> EntryKey {
    EntryKey::parse(text).unwrap()
}

/// A PUT of texts by key.
pub(crate) fn body<'t>(entries: impl IntoIterator<Item = (&'t str, &'t str)>) -> PutBody {
    let entries = entries.into_iter();
    PutBody {
        entries: entries
            .map(|(name, text)| (key(name), text.to_owned()))
            .collect(),
        ..PutBody::default()
    }
}

/// A write.
pub(crate) async fn write(
    database: &Database,
    body: PutBody,
    if_match: Option<&ETag>,
) -> Result<GroupWrite, StorageError> {
    database
        .write(&repo(), body, if_match, &actor(), now())
        .await
}

/// A write that is to be done.
pub(crate) async fn put(database: &Database, body: PutBody) -> (ETag, mem_sync::wire::PutAnswer) {
    match write(database, body, None).await.unwrap() {
        GroupWrite::Done { etag, answer } => (etag, answer),
        other => panic!("an unconditional write has no race to lose: {other:?}"),
    }
}

pub(crate) fn now() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn failed(error: StorageError) -> RemoteError {
    RemoteError::Unreachable(error.to_string())
}

impl Remote for End<'_> {
    fn get_state(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        let state = self.runtime.block_on(self.database.state(&self.repo));
        if if_none_match == Some(&state.map_err(failed)?) {
            return Ok(Fetched::NotModified);
        }
        let read = self.runtime.block_on(self.database.read(&self.repo, query));
        let (etag, answer) = read.map_err(failed)?;
        let (answer, rejected) = StateAnswer::read(&answer.to_json())?;
        Ok(Fetched::Found {
            etag,
            answer,
            rejected,
        })
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        if_match: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        let json = body.to_json();
        if json.len() > mem_sync::limits::PUT_BYTES_MAX {
            return Err(RemoteError::TooLarge);
        }
        let (body, rejected) = PutBody::read(&json)?;
        let write = self
            .database
            .write(&self.repo, body, if_match, &self.actor, now());
        match self.runtime.block_on(write).map_err(failed)? {
            GroupWrite::Raced { etag } => Err(RemoteError::Raced { etag: Some(etag) }),
            GroupWrite::Archived => Err(RemoteError::Forbidden),
            GroupWrite::Done { etag, mut answer } => {
                for one in rejected {
                    let rejections = answer.rejected.entry(one.name);
                    rejections.or_insert(one.rejection);
                }
                Ok(PutOutcome { etag, answer })
            }
        }
    }

    fn read_log(&mut self, query: &LogQuery) -> Result<LogPage, RemoteError> {
        let page = self.runtime.block_on(self.database.log(&self.repo, query));
        let page = page.map_err(failed)?;
        Ok(LogPage::read(&page.to_json())?)
    }

    fn redact_key(&mut self, what: &RedactBody) -> Result<RedactOutcome, RemoteError> {
        let done = self.database.redact(&self.repo, what, &self.actor, now());
        match self.runtime.block_on(done).map_err(failed)? {
            RedactionOutcome::Done(redacted) => Ok(redacted),
            RedactionOutcome::NotFound => Err(RemoteError::NotFound),
            RedactionOutcome::Head | RedactionOutcome::Stands => {
                Err(RemoteError::InTheWay(String::new()))
            }
        }
    }
}
