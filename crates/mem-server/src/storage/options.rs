//! Where the database is, and how it is opened.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

use super::objects::ObjectSettings;
use super::sealing::MasterSource;
use super::sql::sqlite::FILE;
use crate::quota::QuotaSettings;

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
