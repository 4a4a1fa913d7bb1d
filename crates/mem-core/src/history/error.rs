//! What can go wrong with the history.

use std::path::PathBuf;

use crate::error::{Diagnose, ErrorKind};
use crate::sealing::SealError;

/// An error of the history.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The database refused; the message is its own.
    #[error("history: {0}")]
    Database(rusqlite::Error),
    /// The repository of an earlier format cannot be read; the message is libgit2's.
    #[error("history of an earlier format: {}", .0.message())]
    Git(git2::Error),
    /// A later version of `mem` wrote it.
    #[error("`{}` was written by a later version of mem", .0.display())]
    Later(PathBuf),
    /// There was a history, and it is not there any more.
    #[error("`{}` is gone", .0.display())]
    Gone(PathBuf),
    /// Something else stands in its place.
    #[error("`{}` is no history", .0.display())]
    NotAHistory(PathBuf),
    /// A file of the history could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A place in the history where no change of `mem` stands, or a damaged one.
    #[error("history: place {0} holds no change")]
    Foreign(i64),
    /// What the history names is not in it.
    #[error("history: a version of `{0}` is missing")]
    Missing(String),
    /// A content is not the one that was recorded.
    #[error("it was changed since it was recorded")]
    Changed,
    /// A part of the history is damaged.
    #[error("{part}: {source}")]
    Damaged {
        /// Which part, for people.
        part: String,
        /// What is wrong with it.
        source: Box<HistoryError>,
    },
    /// A change could not be written down.
    #[error("history: {0}")]
    Json(#[from] serde_json::Error),
    /// No change or version has this id.
    #[error("nothing in the history is called `{0}`")]
    NoSuchChange(String),
    /// It is sealed, and cannot be opened or written.
    #[error(transparent)]
    Sealed(#[from] SealError),
    /// A version of a file cannot be read, so that the history cannot be written anew.
    #[error("a version of `{path}` cannot be read: {reason}")]
    Unreadable {
        /// Where the file stood.
        path: String,
        /// The database's.
        reason: rusqlite::Error,
    },
    /// A version of a file is sealed and cannot be opened: the same.
    #[error("a version of `{path}` cannot be opened: {source}")]
    Closed {
        /// Where the file stood.
        path: String,
        /// Why.
        source: SealError,
    },
    /// After a redaction the text was still found.
    #[error("{0} parts of the history still hold the redacted text")]
    NotErased(usize),
}

impl From<rusqlite::Error> for HistoryError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

// The message says all there is: a source would only be said twice.
impl From<git2::Error> for HistoryError {
    fn from(error: git2::Error) -> Self {
        Self::Git(error)
    }
}

impl HistoryError {
    /// Whether the history itself is at fault, so that trying again cannot help.
    pub(crate) fn is_damage(&self) -> bool {
        // Beginning anew would leave behind what the right key, or a backup, opens.
        let is_kept = matches!(
            self,
            Self::NotErased(_) | Self::Sealed(_) | Self::Closed { .. }
        );
        self.kind() == ErrorKind::Corrupt && !is_kept
    }

    /// An I/O error with its path.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

/// Whether the system refused, and not the history.
fn is_of_the_system(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{
        CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, FileLockingProtocolFailed,
        NoLargeFileSupport, OutOfMemory, PermissionDenied, ReadOnly, SystemIoFailure,
    };
    matches!(
        error.sqlite_error_code(),
        Some(
            CannotOpen
                | DatabaseBusy
                | DatabaseLocked
                | DiskFull
                | FileLockingProtocolFailed
                | NoLargeFileSupport
                | OutOfMemory
                | PermissionDenied
                | ReadOnly
                | SystemIoFailure
        )
    )
}

impl Diagnose for HistoryError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoSuchChange(_) => ErrorKind::NotFound,
            Self::Io { .. } => ErrorKind::Io,
            Self::Database(error) | Self::Unreadable { reason: error, .. }
                if is_of_the_system(error) =>
            {
                ErrorKind::Io
            }
            Self::Git(error)
                if matches!(
                    error.class(),
                    git2::ErrorClass::Os | git2::ErrorClass::NoMemory
                ) =>
            {
                ErrorKind::Io
            }
            Self::Later(_) => ErrorKind::Invalid,
            Self::Sealed(error) | Self::Closed { source: error, .. } => error.kind(),
            _ => ErrorKind::Corrupt,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Sealed(error) | Self::Closed { source: error, .. } => return error.hint(),
            Self::Later(_) => {
                return Some("`mem version` tells which one this is; update it".to_owned());
            }
            Self::Database(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull) =>
            {
                return Some("the disk is full: free some space".to_owned());
            }
            _ => {}
        }
        match self.kind() {
            ErrorKind::NotFound => Some("`mem history` lists the ids".to_owned()),
            ErrorKind::Corrupt => Some(
                "`mem doctor` checks the history; `mem gc` replaces it with everything that can be read of it".to_owned(),
            ),
            ErrorKind::Io if self.to_string().contains("No space left") => {
                Some("the disk is full: free some space".to_owned())
            }
            _ => None,
        }
    }
}
