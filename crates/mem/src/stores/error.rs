//! What can be wrong with what is asked of a store, or with what it answers.

use mem_core::Diagnose;
use mem_core::memory_path::{escaped, printable};
use mem_stores::StorePath;

/// A store or a memory cannot be worked on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
pub(crate) enum StoreCommandError {
    /// A version without a text.
    #[error("the version `{0}` has no content: it was redacted, or is that of a deletion")]
    #[diagnose(NotFound, hint = "`mem store versions STORE` lists the others")]
    NoContent(String),
    /// Somebody was quicker.
    #[error("`{}` is not what was expected: its sha256 is {is}", escaped(path))]
    #[diagnose(Conflict, hint = "look at it again with `mem store cat`, and repeat")]
    Stale {
        /// The memory.
        path: String,
        /// What it is.
        is: String,
    },
    /// A deleted memory cannot come back where it was.
    #[error(
        "`{}` cannot come back: `{}` stands in its way",
        escaped(path),
        escaped(other)
    )]
    #[diagnose(
        Conflict,
        hint = format!("`mem store mv STORE {other} PATH` makes room; `mem store cat STORE {path} --version {version}` prints the text, for `mem store put` at another path", other = escaped(other), path = escaped(path), version = printable(version))
    )]
    InItsWay {
        /// Where it was.
        path: String,
        /// The memory there now, above it or below it.
        other: String,
        /// The version that was to be written anew.
        version: String,
    },
    /// A name of the SDKs.
    #[error("`{}` cannot be a memory: {}", escaped(.0), StorePath::RESERVED_WHY)]
    #[diagnose(Refused, hint = "write it at another path")]
    Reserved(String),
    /// The store is closed.
    #[error("the store is archived: nothing can be written there")]
    #[diagnose(Refused, hint = "it can be read and exported")]
    Archived,
}
