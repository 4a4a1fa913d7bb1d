//! What can go wrong with an adoption.

use std::path::PathBuf;

use crate::error::{Diagnose, ErrorKind};
use crate::history::HistoryError;
use crate::inbox::InboxError;
use crate::memory_path::InvalidPath;
use crate::store::StoreError;

/// An error of an adoption. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum AdoptError {
    /// A directory or its history failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What waits there cannot be taken along.
    #[error(transparent)]
    Inbox(#[from] InboxError),
    /// A numbered name does not fit.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// Source and target are the same directory.
    #[error("that is the memory of this repository itself")]
    Itself,
    /// Nothing is known under the name.
    #[error("no memories are kept under `{}`", crate::memory_path::printable(.0))]
    NoSource(String),
    /// The source is no host's memory directory: its other files are not `mem`'s to remove.
    #[error("`{}` is not a memory directory of a host, so `mem` removes nothing there", .0.display())]
    NotAHosts(PathBuf),
    /// The files of a source that an adoption emptied cannot be put back.
    #[error("cannot restore the files of `{}`, which this adoption emptied: {why}", directory.display())]
    NotRestored {
        /// The source.
        directory: PathBuf,
        /// What is in the way.
        why: String,
    },
    /// Something of the source is not in the target.
    #[error("not in this repository's memory yet: {files} of the files in `{}`", directory.display())]
    NotBrought {
        /// The source.
        directory: PathBuf,
        /// How many.
        files: usize,
    },
}

impl From<HistoryError> for AdoptError {
    fn from(error: HistoryError) -> Self {
        Self::Store(error.into())
    }
}

impl Diagnose for AdoptError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(error) => error.kind(),
            Self::Inbox(error) => error.kind(),
            Self::Path(error) => error.kind(),
            Self::Itself | Self::NotAHosts(_) => ErrorKind::Invalid,
            Self::NoSource(_) => ErrorKind::NotFound,
            Self::NotBrought { .. } | Self::NotRestored { .. } => ErrorKind::Conflict,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Store(error) => return error.hint(),
            Self::Inbox(error) => return error.hint(),
            Self::Path(error) => return error.hint(),
            Self::Itself => "name the directory or the repository of before",
            Self::NoSource(_) => "`mem audit` lists every project that has memories",
            Self::NotAHosts(_) => {
                "adopt without `--delete-source`, then remove what you want there yourself"
            }
            Self::NotRestored { .. } => {
                "nothing was undone; `mem restore NAME` writes single files of the history"
            }
            Self::NotBrought { .. } => "nothing was removed; run `mem adopt` again",
        };
        Some(hint.to_owned())
    }
}
