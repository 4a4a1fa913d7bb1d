//! What can go wrong: hardly anything. What cannot be told is an answer, "unknown".

use std::path::PathBuf;

use mem_core::{Diagnose, ErrorKind};

/// Why nothing could be checked at all.
#[derive(Debug, thiserror::Error)]
pub enum DriftError {
    /// libgit2 refuses the repository.
    #[error("cannot read the repository `{}`: {}", path.display(), cause.message())]
    Open {
        /// The directory of git.
        path: PathBuf,
        /// libgit2's reason; told as part of the message, so it is no source.
        cause: git2::Error,
    },
}

impl Diagnose for DriftError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Open { cause, .. } if cause.code() == git2::ErrorCode::NotFound => {
                ErrorKind::NotFound
            }
            Self::Open { cause, .. } if cause.code() == git2::ErrorCode::Owner => {
                ErrorKind::Refused
            }
            Self::Open { .. } => ErrorKind::Corrupt,
        }
    }

    fn hint(&self) -> Option<String> {
        let Self::Open { cause, .. } = self;
        Some(match self.kind() {
            _ if cause.message().contains("object format") => "only repositories of SHA-1 are checked",
            ErrorKind::Refused => "it belongs to another user; trust it with `git config --global --add safe.directory DIR`",
            _ => "`git fsck` tells more about the repository",
        }
        .to_owned())
    }
}
