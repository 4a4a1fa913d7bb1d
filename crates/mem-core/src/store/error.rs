//! What can go wrong with a memory directory.

use std::io;
use std::path::{Path, PathBuf};

use super::gate::GateRefusal;
use crate::MemoryPath;
use crate::atomic::ReplaceError;
use crate::error::Diagnose;
use crate::history::HistoryError;
use crate::inbox::AWAITS_CONSENT;
use crate::sealing::SealError;

/// An error of the store. Whatever it is, nothing was written.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {action} `{}`: {}", path.display(), reason(source))]
    #[diagnose(Io, hint = io_hint(source))]
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
    #[diagnose(
        Invalid,
        hint = "memory files are plain files: replace the link by what it names"
    )]
    Symlink(MemoryPath),
    /// A folder, device or socket stands where a file should.
    #[error("`{0}` is not a regular file")]
    #[diagnose(Invalid, hint = "move it out of the memory directory")]
    NotAFile(MemoryPath),
    /// The file is larger than its limit.
    #[error("`{path}` would be {bytes} bytes, over the limit of {limit_bytes}")]
    #[diagnose(
        Invalid,
        hint = "keep memories short; put long material into the repository"
    )]
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
    #[diagnose(Invalid, hint = "move it out of the memory directory")]
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
    #[diagnose(
        Invalid,
        hint = "`mem prune` or `mem remove` makes room; nothing was written"
    )]
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
    #[diagnose(NotFound, hint = "`mem list` shows what there is")]
    NotFound(MemoryPath),
    /// Something else stands there already.
    #[error("`{0}` exists already")]
    #[diagnose(Conflict, hint = "use `--update`, or another name")]
    Exists(MemoryPath),
    /// Someone else kept writing the same file.
    #[error("`{0}` was changed by something else at the same time")]
    #[diagnose(Conflict, hint = "look at the file and try again")]
    Conflict(MemoryPath),
    /// Another process held the lock for too long.
    #[error("another `mem` has held the lock of `{}` for {seconds} s", root.display())]
    #[diagnose(Io, hint = "`mem doctor` shows which process it is")]
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
    #[diagnose(kind = _0.kind(), hint = _0.hint.clone())]
    Refused(#[from] GateRefusal),
    /// Something is sealed, and cannot be opened or written.
    #[error(transparent)]
    Sealed(#[from] SealError),
    /// A write in the inbox that nobody can tell whether it holds what is to go.
    #[error("`{}` in the inbox cannot be read, and may hold what is to go: {cause}", path.display())]
    #[diagnose(
        Corrupt,
        hint = "restore it or its key from a backup, or remove the file and with it the write; \
                nothing was changed"
    )]
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
    /// Whether the change waits in the inbox for a person.
    pub fn awaits_consent(&self) -> bool {
        matches!(self, Self::Refused(refusal) if refusal.code == AWAITS_CONSENT)
    }

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
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    text.to_lowercase()
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
