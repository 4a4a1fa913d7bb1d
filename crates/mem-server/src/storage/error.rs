//! Why the storage did not do it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mem_core::Diagnose;
use mem_vault::VaultError;

use super::sql::{SqlErrorClass, class};

/// The storage said no, or nothing. None of the messages quotes content.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum StorageError {
    /// A file or folder of the data directory.
    #[error("cannot use `{}`: {source}", path.display())]
    #[diagnose(Io)]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The data directory is none, or would be below a file.
    #[error("`{}` cannot be a directory: a file is in the way", .0.display())]
    #[diagnose(
        Invalid,
        hint = "name the directory of the server with `--data-dir DIR`; it is made where there is \
                none"
    )]
    NoDirectory(PathBuf),
    /// Another server has the data directory.
    #[error("another server is using `{}`", .0.display())]
    #[diagnose(
        Conflict,
        hint = "stop it, or give this one its own `--data-dir`; several servers share a PostgreSQL \
                database"
    )]
    Locked(PathBuf),
    /// A server has the data directory from which something is to be erased.
    #[error("a server is using `{}`: nothing is erased from it while it runs", .0.display())]
    #[diagnose(
        Conflict,
        hint = "stop it, erase, and start it again: it would go on telling what it remembers; over \
                PostgreSQL servers need not stop"
    )]
    Served(PathBuf),
    /// Opened for administration, while a server may be running: only it may write memories.
    #[error("memories are written by the server only")]
    #[diagnose(Refused)]
    NotServing,
    /// The address is not that of a database that is known here.
    #[error("the address of the database is not of the form `postgres://user@host/database`")]
    #[diagnose(
        Invalid,
        hint = "name several servers of it as `postgres://user@one,two/database`"
    )]
    Address,
    /// The same of its standbys.
    #[error("MEM_DATABASE_READ_URL is not of the form `postgres://user@host/database`")]
    #[diagnose(Invalid, hint = "name the standbys of the database there, or unset it")]
    ReadAddress,
    /// A later `mem` has written to it.
    #[error("the database has schema {found}, this program knows schemas up to {known}")]
    #[diagnose(Refused, hint = "use the newer `mem` that wrote it")]
    Newer {
        /// What it has.
        found: i64,
        /// What is known.
        known: i64,
    },
    /// Another replica has been migrating for too long.
    #[error("another replica is still migrating the database")]
    #[diagnose(Conflict, hint = "try again in a moment")]
    Migrating,
    /// The database is not set as it has to be.
    #[error("the database has `{setting}` at `{found}` instead of `{wanted}`")]
    #[diagnose(Corrupt)]
    Setting {
        /// Which setting.
        setting: &'static str,
        /// What it is.
        found: String,
        /// What it has to be.
        wanted: &'static str,
    },
    /// None of the servers of an address, when a database is opened.
    #[error("the database cannot be reached at `{servers}`")]
    #[diagnose(
        Unreachable,
        hint = "see that it runs there and takes connections from here"
    )]
    NoServer {
        /// Where they are.
        servers: String,
        /// What the last one said, or did not.
        #[source]
        source: Arc<sqlx::Error>,
    },
    /// No connection, or it broke. What was asked may have been done.
    #[error("the database cannot be reached")]
    #[diagnose(Unreachable, hint = "try again in a moment")]
    Unavailable(#[source] Arc<sqlx::Error>),
    /// Too many others at once, or too slow: nothing was done.
    #[error("the database is busy")]
    #[diagnose(Conflict, hint = "try again in a moment")]
    Busy,
    /// No room on the database's disk: nothing was done.
    #[error("the disk of the database is full")]
    #[diagnose(Io, hint = "make room on the machine that has the database")]
    DiskFull,
    /// Somebody has all that they may have: nothing was done.
    #[error(
        "the {owner} has {used} {measure} and may have {limit}: delete memories, or ask for a higher quota"
    )]
    #[diagnose(Refused)]
    Quota {
        /// Whose limit.
        owner: &'static str,
        /// Of what.
        measure: &'static str,
        /// How much there is.
        used: u64,
        /// How much.
        limit: u64,
    },
    /// The page of a log that was asked for is none.
    #[error("the page is not one that this log handed out")]
    #[diagnose(Invalid)]
    Page,
    /// More than one answer holds.
    #[error("the store is larger than one answer: ask for some of its keys")]
    #[diagnose(Invalid)]
    TooLarge,
    /// The address of the object storage, or what it is set by.
    #[error(
        "the address of the object storage is not of the form `s3://bucket/prefix` or `file:///folder`"
    )]
    #[diagnose(Invalid, hint = "correct MEM_OBJECTS_URL")]
    ObjectAddress,
    /// A variable that names a server of object storage.
    #[error("`{0}` is not an address of the form `https://host`")]
    #[diagnose(Invalid, hint = "correct the variable, or unset it")]
    ObjectEndpoint(String),
    /// Contents were moved, and nothing says where to.
    #[error("the database has contents in object storage, and it is not said where that is")]
    #[diagnose(Invalid, hint = "set MEM_OBJECTS_URL as it was")]
    NoObjects,
    /// It has other objects.
    #[error("the object storage does not have this database's objects")]
    #[diagnose(
        Refused,
        hint = "set MEM_OBJECTS_URL as it was, or bring the objects back"
    )]
    OtherObjects,
    /// The object storage does not answer.
    #[error("the object storage failed")]
    #[diagnose(Unreachable, hint = "try again in a moment")]
    Objects(#[source] Arc<object_store::Error>),
    /// What is stored cannot be: a bug, or a database that something else has written to.
    #[error("the database holds what it cannot: {0}")]
    #[diagnose(Corrupt)]
    Corrupt(&'static str),
    /// PostgreSQL has tools of its own for it.
    #[error("a PostgreSQL database is backed up with its own tools")]
    #[diagnose(
        Refused,
        hint = "use `pg_dump --format=custom`, and `pg_restore` into an empty database"
    )]
    NoBackup,
    /// Something else is there already.
    #[error("`{}` exists already", .0.display())]
    #[diagnose(Invalid, hint = "name a file that is not there yet")]
    Exists(PathBuf),
    /// The content of one version was changed, cut short, or sealed with a key that is gone.
    #[error("{}: {error}", named(path.as_deref(), version))]
    #[diagnose(kind = error.kind(), hint = error.hint())]
    Content {
        /// The memory's path, where it is known.
        path: Option<String>,
        /// Which version.
        version: String,
        /// What is wrong with it.
        error: VaultError,
    },
    /// Contents cannot be sealed or opened.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// Whatever else the database says.
    #[error("the database failed: {0}")]
    #[diagnose(Io)]
    Database(#[source] sqlx::Error),
}

impl StorageError {
    /// What a file or folder fails with.
    pub(super) fn at_file(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File {
            path: path.clone(),
            source,
        }
    }

    /// It said nothing for too long.
    pub(crate) fn silent() -> Self {
        Self::from(sqlx::Error::PoolTimedOut)
    }

    /// The same for another who waits for the same. Of what cannot be told twice they hear that it failed: only what
    /// may work later is to be tried again.
    pub(super) fn alike(&self) -> Self {
        match self {
            Self::Unavailable(why) => Self::Unavailable(Arc::clone(why)),
            Self::Objects(why) => Self::Objects(Arc::clone(why)),
            Self::Busy => Self::Busy,
            Self::DiskFull => Self::DiskFull,
            Self::Migrating => Self::Migrating,
            _ => {
                let why = "it failed for another who asked with this one";
                Self::Database(sqlx::Error::Protocol(why.to_owned()))
            }
        }
    }

    /// The same, of the memory at a path.
    #[must_use]
    pub(super) fn at(self, at: &str) -> Self {
        match self {
            Self::Content { version, error, .. } => Self::Content {
                path: Some(at.to_owned()),
                version,
                error,
            },
            other => other,
        }
    }

    /// Whether it concerns one content, and no other.
    pub(crate) fn is_of_one_content(&self) -> bool {
        matches!(self, Self::Content { .. })
    }

    /// Whether it may work later, with nothing changed.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Unavailable(_) | Self::Objects(_) | Self::Busy | Self::Migrating
        )
    }
}

/// What a content is called.
fn named(path: Option<&str>, version: &str) -> String {
    match path {
        Some(path) => format!("`{path}` (version `{version}`)"),
        None => format!("version `{version}`"),
    }
}

/// What follows from an error of the driver.
impl From<sqlx::Error> for StorageError {
    fn from(error: sqlx::Error) -> Self {
        match class(&error) {
            SqlErrorClass::Lost => Self::Unavailable(Arc::new(error)),
            SqlErrorClass::Busy => Self::Busy,
            SqlErrorClass::Full => Self::DiskFull,
            SqlErrorClass::Other => Self::Database(error),
        }
    }
}

impl From<object_store::Error> for StorageError {
    fn from(error: object_store::Error) -> Self {
        Self::Objects(Arc::new(error))
    }
}
