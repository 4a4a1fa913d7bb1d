//! Where the database is, and how it is opened.

use std::path::PathBuf;
use std::time::Duration;

use mem_core::RunContext;
use secrecy::SecretString;

use super::objects::ObjectSettings;
use super::sealing::MasterSource;
use super::sql::sqlite::FILE;
use crate::quota::QuotaSettings;

/// The variable that names standbys of a database, which answer reads.
const READ_URL_VARIABLE: &str = "MEM_DATABASE_READ_URL";
/// The variable that names object storage.
const OBJECTS_VARIABLE: &str = "MEM_OBJECTS_URL";
/// What the variables begin with that object stores are set by.
const OBJECT_OPTIONS: &str = "AWS_";

/// Where the database is.
#[derive(Clone, Debug)]
pub enum DatabaseAddress {
    /// SQLite: one file in this data directory.
    Directory(PathBuf),
    /// PostgreSQL: `postgres://…`.
    Url(SecretString),
}

impl DatabaseAddress {
    /// Whether this is a directory in which no server has kept anything. Opening it would make a database.
    pub fn is_new(&self) -> bool {
        match self {
            Self::Directory(folder) => !folder.join(FILE).is_file(),
            Self::Url(_) => false,
        }
    }

    /// What it is, without an address that somebody may enter.
    pub fn describe(&self) -> String {
        match self {
            Self::Directory(folder) => format!("the server's data in `{}`", folder.display()),
            Self::Url(_) => "the database that was named".to_owned(),
        }
    }
}

/// What the database is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To serve. A data directory has one server at a time, which alone writes memories.
    Serve,
    /// To take something out of it: as a server, but without a look at its contents.
    Erase,
    /// For tokens and backups, beside a server that may be running.
    Administer,
}

/// How the database is opened.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// What for.
    pub purpose: Purpose,
    /// Connections of the pool; with SQLite those that read.
    pub connections: u32,
    /// How long a request waits for a connection.
    pub acquire_timeout: Duration,
    /// How long one statement may take (PostgreSQL).
    pub statement_timeout: Duration,
    /// How long all of a question may take, or one transaction of changes, where the database says nothing at all.
    pub deadline: Duration,
    /// Where the master key comes from, where contents are encrypted.
    pub master: MasterSource,
    /// Standbys that reads may be answered by (PostgreSQL), as an address of one server or several.
    pub standbys: Option<SecretString>,
    /// Where contents go that are large or old.
    pub objects: Option<ObjectSettings>,
    /// How much somebody may have.
    pub quota: QuotaSettings,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            purpose: Purpose::Serve,
            connections: 8,
            acquire_timeout: Duration::from_secs(10),
            statement_timeout: Duration::from_secs(20),
            deadline: Duration::from_secs(25),
            master: MasterSource::none(),
            standbys: None,
            objects: None,
            quota: QuotaSettings::default(),
        }
    }
}

impl OpenOptions {
    /// As far as the environment of a run says it.
    pub fn for_run(run: &RunContext) -> Self {
        let options = run.env.iter();
        let options = options.filter(|(name, _)| name.starts_with(OBJECT_OPTIONS));
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let objects = run.env.get(OBJECTS_VARIABLE).map(|url| ObjectSettings {
            url: url.to_owned(),
            options: options.collect(),
        });
        Self {
            standbys: run.env.get(READ_URL_VARIABLE).map(SecretString::from),
            objects,
            ..Self::default()
        }
    }
}
