//! What can be wrong with a directory that is imported or exported.

use std::io;

use mem_core::Diagnose;
use mem_core::memory_path::escaped;
use mem_core::plain::PlainError;

use crate::path::InvalidStorePath;

/// A directory cannot be imported, or nothing can be exported into it.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum FolderError {
    /// It holds something else.
    #[error("`{}` is not empty", escaped(.0))]
    #[diagnose(Invalid, hint = "name another directory, or give --force")]
    NotEmpty(String),
    /// Nothing can stand below a folder of that name in a store.
    #[error(transparent)]
    Path(#[from] InvalidStorePath),
    /// The files below it.
    #[error(transparent)]
    Files(#[from] PlainError),
    /// The directory itself.
    #[error(transparent)]
    #[diagnose(Io)]
    System(#[from] io::Error),
}
