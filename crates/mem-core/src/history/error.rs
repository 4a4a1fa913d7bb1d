//! What can go wrong with the history.

use std::path::PathBuf;

use crate::error::{Diagnose, ErrorKind};

/// An error of the history.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// libgit2 refused; the message is its own.
    #[error("history: {}", .0.message())]
    Git(#[from] git2::Error),
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
    /// After a redaction the text was still found.
    #[error("{0} objects of the history still hold the redacted text")]
    NotErased(usize),
}

impl HistoryError {
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

impl Diagnose for HistoryError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoSuchChange(_) => ErrorKind::NotFound,
            Self::Io { .. } => ErrorKind::Io,
            Self::Git(error) if error.class() == git2::ErrorClass::Os => ErrorKind::Io,
            _ => ErrorKind::Corrupt,
        }
    }

    fn hint(&self) -> Option<String> {
        match self.kind() {
            ErrorKind::NotFound => Some("`mem history` lists the ids".to_owned()),
            ErrorKind::Corrupt => Some("`mem doctor` checks the history".to_owned()),
            _ => None,
        }
    }
}
