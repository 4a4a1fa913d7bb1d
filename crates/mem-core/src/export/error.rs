//! What can go wrong with an export.

use std::io;
use std::path::PathBuf;

use crate::error::{Diagnose, ErrorKind};
use crate::store::StoreError;

/// An error of an export. The target is as it was.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Something stands at the target already.
    #[error("`{}` exists already and is no empty directory", .0.display())]
    Exists(PathBuf),
    /// The target lies inside of what is exported.
    #[error("`{}` lies inside the memory directory", .0.display())]
    Inside(PathBuf),
    /// The target has no name, as `/` or `..` have none.
    #[error("`{}` does not name a new directory", .0.display())]
    Nameless(PathBuf),
    /// The target cannot be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// What.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The memory cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Diagnose for ExportError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Exists(_) => ErrorKind::Conflict,
            Self::Inside(_) | Self::Nameless(_) => ErrorKind::Invalid,
            Self::Write { .. } => ErrorKind::Io,
            Self::Store(error) => error.kind(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Exists(_) => "an export never overwrites: choose another directory",
            Self::Inside(_) | Self::Nameless(_) => "choose a new directory somewhere else",
            Self::Write { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied => "check who owns the directory around it",
                io::ErrorKind::StorageFull => "free some space; nothing was left behind",
                _ => return None,
            },
            Self::Store(error) => return error.hint(),
        };
        Some(hint.to_owned())
    }
}
