//! Why the git remote could not do it.

use mem_core::Diagnose;
use mem_core::memory_path::printable;

use crate::remote::RemoteError;

/// What stood in the way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum GitRemoteError {
    /// An address that git would take for something else than a repository to talk to.
    #[error("the address of the git remote cannot be used: {0}")]
    #[diagnose(Invalid, hint = "use an https, ssh, git or file address, or a path")]
    Address(&'static str),
    /// The ref's name is none of ours.
    #[error("`{0}` is not a ref that memory can be kept in")]
    #[diagnose(Invalid)]
    Reference(String),
    /// The program could not be started, or its end not be waited for.
    #[error("cannot run git: {0}")]
    #[diagnose(Io, hint = "check that `git` is installed and on the path")]
    Run(String),
    /// It took too long, and was ended.
    #[error("git took longer than {0} seconds")]
    #[diagnose(
        Unreachable,
        hint = "check that `git ls-remote` of it answers, then try again"
    )]
    TimedOut(u64),
    /// What was fetched is larger than any memory.
    #[error("the git remote sends more than a memory can hold")]
    #[diagnose(Corrupt)]
    TooMuch,
    /// Another process has had the copy for too long.
    #[error("the copy of the git remote is in use by another process")]
    #[diagnose(Io)]
    Busy,
    /// The copy stands where something else is.
    #[error("`{0}` is not a copy of a git remote")]
    #[diagnose(Io)]
    NotAStore(String),
    /// The copy could not be read or written.
    #[error("cannot use the copy of the git remote: {0}")]
    #[diagnose(Io)]
    Store(String),
    /// The copy's objects are damaged or missing; it is made anew.
    #[error("the copy of the git remote is damaged: {0}")]
    #[diagnose(Corrupt)]
    Damaged(String),
    /// A repository with SHA-256 ids.
    #[error("the git remote names its objects by SHA-256, which is not supported")]
    #[diagnose(Invalid, hint = "share through a server: `mem serve`")]
    ObjectFormat,
    /// What the ref holds was written by a later version.
    #[error("the ref was written by a later version of mem")]
    #[diagnose(Corrupt, hint = "update mem")]
    Later,
    /// It is not there, or not for this user; forges do not say which.
    #[error("{0}")]
    #[diagnose(Refused, hint = RemoteError::Access(_0.clone()).hint())]
    Denied(String),
    /// What git said, told apart by what follows from it.
    #[error(transparent)]
    Remote(#[from] RemoteError),
}

impl From<git2::Error> for GitRemoteError {
    /// A failure of libgit2 while it read objects.
    fn from(error: git2::Error) -> Self {
        match error.code() {
            git2::ErrorCode::Locked => Self::Busy,
            _ => Self::Damaged(printable(error.message())),
        }
    }
}

impl From<std::io::Error> for GitRemoteError {
    /// A failure of the file system.
    fn from(error: std::io::Error) -> Self {
        Self::Store(error.to_string())
    }
}

impl From<GitRemoteError> for RemoteError {
    fn from(error: GitRemoteError) -> Self {
        match error {
            GitRemoteError::Remote(error) => error,
            GitRemoteError::TimedOut(_) | GitRemoteError::Busy => {
                Self::Unreachable(error.to_string())
            }
            GitRemoteError::Denied(said) => Self::Access(said),
            GitRemoteError::TooMuch => Self::AnswerTooLarge,
            GitRemoteError::Later => Self::Nonsense(error.to_string()),
            _ => Self::Local(error.to_string()),
        }
    }
}
