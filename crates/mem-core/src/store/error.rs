//! What can go wrong with a memory directory.

use std::io;
use std::path::{Path, PathBuf};

use super::gate::Refusal;
use crate::MemoryPath;
use crate::atomic::ReplaceError;
use crate::error::{Diagnose, ErrorKind};
use crate::history::HistoryError;
use crate::sealing::SealError;

/// An error of the store. Whatever it is, nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {action} `{}`: {}", path.display(), reason(source))]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// A symbolic link stands where a file or folder should.
    #[error("`{0}` is a symbolic link, or lies behind one")]
    Symlink(MemoryPath),
    /// A folder, device or socket stands where a file should.
    #[error("`{0}` is not a regular file")]
    NotAFile(MemoryPath),
    /// The file is larger than its limit.
    #[error("`{path}` would be {bytes} bytes, over the limit of {limit_bytes}")]
    TooLarge {
        /// The file.
        path: MemoryPath,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit_bytes: u64,
    },
    /// The file is too large to be a memory: something else put it there.
    #[error("`{path}` has {bytes} bytes; what is over {limit_bytes} is left alone")]
    Oversized {
        /// The file.
        path: MemoryPath,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit_bytes: u64,
    },
    /// The directory would hold more files than a memory directory may.
    #[error("`{}` holds {files} files, and {added} more would exceed the limit of {limit}", root.display())]
    TooManyFiles {
        /// The memory directory.
        root: PathBuf,
        /// How many it holds.
        files: usize,
        /// How many the write would add.
        added: usize,
        /// The limit.
        limit: usize,
    },
    /// There is no such file.
    #[error("`{0}` does not exist")]
    NotFound(MemoryPath),
    /// Something else stands there already.
    #[error("`{0}` exists already")]
    Exists(MemoryPath),
    /// Someone else kept writing the same file.
    #[error("`{0}` was changed by something else at the same time")]
    Conflict(MemoryPath),
    /// Another process held the lock for too long.
    #[error("another `mem` has held the lock of `{}` for {seconds} s", root.display())]
    Locked {
        /// The memory directory.
        root: PathBuf,
        /// How long this process waited.
        seconds: u64,
    },
    /// A state file could not be replaced.
    #[error(transparent)]
    Replace(#[from] ReplaceError),
    /// A gate refused the write.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Something is sealed, and cannot be opened or written.
    #[error(transparent)]
    Sealed(#[from] SealError),
    /// A write in the inbox that nobody can tell whether it holds what is to go.
    #[error("`{}` in the inbox cannot be read, and may hold what is to go: {cause}", path.display())]
    Waiting {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// The history failed.
    #[error(transparent)]
    History(#[from] HistoryError),
}

impl StoreError {
    /// An I/O error with its path.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

/// The system's words without the error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    text.to_lowercase()
}

impl Diagnose for StoreError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Io { .. } | Self::Locked { .. } => ErrorKind::Io,
            Self::Symlink(_)
            | Self::NotAFile(_)
            | Self::TooLarge { .. }
            | Self::Oversized { .. }
            | Self::TooManyFiles { .. } => ErrorKind::Invalid,
            Self::NotFound(_) => ErrorKind::NotFound,
            Self::Exists(_) | Self::Conflict(_) => ErrorKind::Conflict,
            Self::Refused(_) => ErrorKind::Refused,
            Self::History(error) => error.kind(),
            Self::Sealed(error) => error.kind(),
            Self::Waiting { .. } => ErrorKind::Corrupt,
            Self::Replace(error) => error.kind(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Io { source, .. } => io_hint(source)?,
            Self::Symlink(_) => "memory files are plain files: replace the link by what it names",
            Self::NotAFile(_) | Self::Oversized { .. } => "move it out of the memory directory",
            Self::TooLarge { .. } => "keep memories short; put long material into the repository",
            Self::TooManyFiles { .. } => {
                "`mem prune` or `mem remove` makes room; nothing was written"
            }
            Self::NotFound(_) => "`mem list` shows what there is",
            Self::Exists(_) => "use `--update`, or another name",
            Self::Conflict(_) => "look at the file and try again",
            Self::Locked { .. } => "`mem doctor` shows which process it is",
            Self::Waiting { .. } => {
                "restore it or its key from a backup, or remove the file and with it the write; nothing was changed"
            }
            Self::Refused(refusal) => return refusal.hint.clone(),
            Self::History(error) => return error.hint(),
            Self::Sealed(error) => return error.hint(),
            Self::Replace(error) => return error.hint(),
        };
        Some(hint.to_owned())
    }
}

/// The remedy for the errors of the system that have one.
fn io_hint(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("the disk is full: free some space; nothing was changed")
        }
        io::ErrorKind::PermissionDenied => Some("check who owns it and its permissions"),
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            Some("a file stands where a directory should: move it out of the way")
        }
        io::ErrorKind::ReadOnlyFilesystem => Some("the file system is mounted read-only"),
        _ => None,
    }
}
