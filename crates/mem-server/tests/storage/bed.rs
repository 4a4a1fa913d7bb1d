//! A database for a test, and a blocking remote over it.

use jiff::Timestamp;
use mem_server::storage::{
    Actor, ActorKind, Database, OpenOptions, Place, Redaction, RepositoryName, StorageError,
    Written,
};
use mem_sync::Key;
use mem_sync::remote::{Fetched, LogQuery, Put, Query, Remote, RemoteError};
use mem_sync::wire::{Answer, ETag, LogPage, PutBody, Redacted};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A throw-away data directory and a runtime.
pub(crate) struct Bed {
    pub(crate) runtime: Runtime,
    pub(crate) directory: TempDir,
}

impl Bed {
    pub(crate) fn new() -> Self {
        Self {
            runtime: Runtime::new().unwrap(),
            directory: TempDir::new().unwrap(),
        }
    }

    pub(crate) fn place(&self) -> Place {
        Place::Directory(self.directory.path().join("data"))
    }

    pub(crate) fn open(&self) -> Database {
        let (place, options) = (self.place(), OpenOptions::default());
        let opened = Database::open(&place, &options);
        self.runtime.block_on(opened).unwrap()
    }

    pub(crate) fn end<'a>(&'a self, database: &Database, name: &str) -> End<'a> {
        End {
            runtime: &self.runtime,
            database: database.clone(),
            repo: RepositoryName::parse("acme/app").unwrap(),
            actor: Actor::new(ActorKind::ApiKey, "apikey_1", name),
        }
    }
}

/// One end of the protocol, without a network.
pub(crate) struct End<'a> {
    runtime: &'a Runtime,
    database: Database,
    repo: RepositoryName,
    actor: Actor,
}

pub(crate) fn now() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

fn failed(error: StorageError) -> RemoteError {
    RemoteError::Unreachable(error.to_string())
}

impl Remote for End<'_> {
    fn get(&mut self, query: &Query, if_none_match: Option<&ETag>) -> Result<Fetched, RemoteError> {
        let state = self.runtime.block_on(self.database.state(&self.repo));
        if if_none_match == Some(&state.map_err(failed)?) {
            return Ok(Fetched::NotModified);
        }
        let read = self.runtime.block_on(self.database.read(&self.repo, query));
        let (etag, answer) = read.map_err(failed)?;
        let (answer, rejected) = Answer::read(&answer.to_json())?;
        Ok(Fetched::Found {
            etag,
            answer,
            rejected,
        })
    }

    fn put(&mut self, body: &PutBody, if_match: Option<&ETag>) -> Result<Put, RemoteError> {
        let json = body.to_json();
        if json.len() > mem_sync::limits::PUT_BYTES_MAX {
            return Err(RemoteError::TooLarge);
        }
        let (body, rejected) = PutBody::read(&json)?;
        let write = self
            .database
            .write(&self.repo, body, if_match, &self.actor, now());
        match self.runtime.block_on(write).map_err(failed)? {
            Written::Raced { etag } => Err(RemoteError::Raced { etag: Some(etag) }),
            Written::Done { etag, mut answer } => {
                let rejected = rejected.into_iter().map(|one| (one.name, one.rejection));
                answer.rejected.extend(rejected);
                Ok(Put { etag, answer })
            }
        }
    }

    fn log(&mut self, query: &LogQuery) -> Result<LogPage, RemoteError> {
        let page = self.runtime.block_on(self.database.log(&self.repo, query));
        let page = page.map_err(failed)?;
        Ok(LogPage::read(&page.to_json())?)
    }

    fn redact(&mut self, key: &Key) -> Result<Redacted, RemoteError> {
        let done = self.database.redact(&self.repo, key, &self.actor, now());
        match self.runtime.block_on(done).map_err(failed)? {
            Redaction::Done(redacted) => Ok(redacted),
            Redaction::NotFound => Err(RemoteError::NotFound),
            Redaction::Head => Err(RemoteError::Refused {
                status: 409,
                message: String::new(),
            }),
        }
    }
}
