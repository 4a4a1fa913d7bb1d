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
    /// An object or a reference is a pipe or a device.
    #[error("`{}` is not a regular file, so the repository is not read", .0.display())]
    Special(PathBuf),
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
            Self::Open { .. } | Self::Special(_) => ErrorKind::Corrupt,
        }
    }

    fn hint(&self) -> Option<String> {
        let Self::Open { cause, .. } = self else {
            return Some("git would wait for it as well: look what put it there".to_owned());
        };
        Some(match self.kind() {
            _ if cause.message().contains("object format") => "only repositories of SHA-1 are checked",
            ErrorKind::Refused => "it belongs to another user; trust it with `git config --global --add safe.directory DIR`",
            _ => "`git fsck` tells more about the repository",
        }
        .to_owned())
    }
}
