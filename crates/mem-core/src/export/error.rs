//! What can go wrong with an export.

use std::io;
use std::path::PathBuf;

use crate::error::Diagnose;
use crate::store::StoreError;

/// An error of an export. The target is as it was.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ExportError {
    /// Something stands at the target already.
    #[error("`{}` exists already and is no empty directory", .0.display())]
    #[diagnose(
        Conflict,
        hint = "an export never overwrites: choose another directory"
    )]
    Exists(PathBuf),
    /// The target lies inside of what is exported.
    #[error("`{}` lies inside the memory directory", .0.display())]
    #[diagnose(Invalid, hint = "choose a new directory somewhere else")]
    Inside(PathBuf),
    /// The target has no name, as `/` or `..` have none.
    #[error("`{}` does not name a new directory", .0.display())]
    #[diagnose(Invalid, hint = "choose a new directory somewhere else")]
    Nameless(PathBuf),
    /// The target cannot be written.
    #[error("cannot write `{}`", path.display())]
    #[diagnose(
        Io,
        hint = match source.kind() { io::ErrorKind::PermissionDenied => "check who owns the directory around it", io::ErrorKind::StorageFull => "free some space; nothing was left behind", _ => return None}
    )]
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
