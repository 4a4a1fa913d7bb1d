//! What can go wrong in a plain directory.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::Diagnose;

/// An error of a plain directory. Paths are relative to it.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum PlainError {
    /// The system refused.
    #[error("cannot {action} `{}`", path.display())]
    #[diagnose(
        Io,
        hint = (source.kind() == io::ErrorKind::PermissionDenied).then_some("check who owns it and its permissions")
    )]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// A `..` or a symbolic link leads out.
    #[error("`{0}` leads out of its directory")]
    #[diagnose(Invalid)]
    Escapes(String),
    /// Symbolic links lead in a circle.
    #[error("`{0}` goes through too many symbolic links")]
    #[diagnose(Invalid)]
    Circle(String),
    /// A file stands where a folder should.
    #[error("a part of `{0}` is a file")]
    #[diagnose(Invalid)]
    NotAFolder(String),
    /// A symbolic link was swapped in.
    #[error("`{0}` is a symbolic link")]
    #[diagnose(Invalid)]
    Link(String),
    /// It is a folder, a pipe, a socket or a device.
    #[error("`{0}` is not a regular file")]
    #[diagnose(Invalid)]
    NotAFile(String),
    /// It vanished meanwhile.
    #[error("`{0}` is gone")]
    #[diagnose(NotFound)]
    Gone(String),
    /// Something stands there already.
    #[error("`{0}` exists already")]
    #[diagnose(Conflict)]
    Exists(String),
    /// It is too large to be read.
    #[error("`{path}` has more than {limit_bytes} bytes")]
    #[diagnose(Invalid)]
    TooLarge {
        /// The file.
        path: String,
        /// The limit.
        limit_bytes: u64,
    },
}

impl PlainError {
    /// An error of the system with what was tried.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
