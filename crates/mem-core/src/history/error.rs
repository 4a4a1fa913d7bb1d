//! What can go wrong with the history.

use std::path::PathBuf;

use crate::error::{Diagnose, ErrorKind};
use crate::sealing::SealError;

/// An error of the history.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// libgit2 refused; the message is its own.
    #[error("history: {}", .0.message())]
    Git(git2::Error),
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
    /// A commit that `mem` did not write, or a damaged one.
    #[error("history: commit {0} carries no change")]
    Foreign(git2::Oid),
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
    #[error("a version of `{path}` cannot be read: {}", reason.message())]
    Unreadable {
        /// Where the file stood.
        path: String,
        /// libgit2's.
        reason: git2::Error,
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
    #[error("{0} objects of the history still hold the redacted text")]
    NotErased(usize),
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
fn is_of_the_system(error: &git2::Error) -> bool {
    use git2::ErrorClass::{NoMemory, Os};
    matches!(error.class(), Os | NoMemory)
}

impl Diagnose for HistoryError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoSuchChange(_) => ErrorKind::NotFound,
            Self::Io { .. } => ErrorKind::Io,
            Self::Git(error) | Self::Unreadable { reason: error, .. }
                if is_of_the_system(error) =>
            {
                ErrorKind::Io
            }
            Self::Sealed(error) | Self::Closed { source: error, .. } => error.kind(),
            _ => ErrorKind::Corrupt,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Sealed(error) | Self::Closed { source: error, .. } => return error.hint(),
            Self::Unreadable { .. } => {
                return Some("`mem doctor` checks the history; it stays as it was".to_owned());
            }
            _ => {}
        }
        match self.kind() {
            ErrorKind::NotFound => Some("`mem history` lists the ids".to_owned()),
            ErrorKind::Corrupt => Some("`mem doctor` checks the history".to_owned()),
            ErrorKind::Io if self.to_string().contains("No space left") => {
                Some("the disk is full: free some space".to_owned())
            }
            _ => None,
        }
    }
}
