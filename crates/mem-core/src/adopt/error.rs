//! What can go wrong with an adoption.

use std::path::PathBuf;

use crate::error::Diagnose;
use crate::history::HistoryError;
use crate::inbox::InboxError;
use crate::memory_path::InvalidPath;
use crate::run::HomeError;
use crate::store::StoreError;

/// An error of an adoption. Nothing was written.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum AdoptError {
    /// A directory or its history failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What waits there cannot be taken along.
    #[error(transparent)]
    Inbox(#[from] InboxError),
    /// A numbered name does not fit.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// Source and target are the same directory.
    #[error("that is the memory of this repository itself")]
    #[diagnose(Invalid, hint = "name the directory or the repository of before")]
    Itself,
    /// Nothing is known under the name.
    #[error("no memories are kept under `{}`", crate::memory_path::printable(.0))]
    #[diagnose(NotFound, hint = "`mem audit` lists every project that has memories")]
    NoSource(String),
    /// The source is no host's memory directory: its other files are not `mem`'s to remove.
    #[error("`{}` is not a memory directory of a host, so `mem` removes nothing there", .0.display())]
    #[diagnose(
        Invalid,
        hint = "adopt without `--delete-source`, then remove what you want there yourself"
    )]
    NotAHosts(PathBuf),
    /// The files of a source that an adoption emptied cannot be put back.
    #[error("cannot restore the files of `{}`, which this adoption emptied: {why}", directory.display())]
    #[diagnose(
        Conflict,
        hint = "nothing was undone; `mem restore NAME` writes single files of the history"
    )]
    NotRestored {
        /// The source.
        directory: PathBuf,
        /// What is in the way.
        why: String,
    },
    /// Something of the source is not in the target.
    #[error("not in this repository's memory yet: {files} of the files in `{}`", directory.display())]
    #[diagnose(Conflict, hint = "nothing was removed; run `mem adopt` again")]
    NotBrought {
        /// The source.
        directory: PathBuf,
        /// How many.
        files: usize,
    },
    /// Nothing is known that could be this repository's.
    #[error("no memories elsewhere are known to be this repository's")]
    #[diagnose(NotFound, hint = "`mem audit` lists all memories; --from names one")]
    NothingKnown,
    /// Some are, which go on living elsewhere, or are all here.
    #[error("nothing is offered here; memories elsewhere that may be related: {}", .0.join(", "))]
    #[diagnose(
        NotFound,
        hint = format!("`mem adopt --from={}` takes over what is missing here", first_slug(_0))
    )]
    NotOffered(Vec<String>),
    /// Several are.
    #[error("several memories could be this repository's: {}", .0.join(", "))]
    #[diagnose(Invalid, hint = format!("choose one: `mem adopt --from={}`", first_slug(_0)))]
    Several(Vec<String>),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
}

fn first_slug(slugs: &[String]) -> &str {
    slugs.first().map_or("SLUG", String::as_str)
}

impl From<HistoryError> for AdoptError {
    fn from(error: HistoryError) -> Self {
        Self::Store(error.into())
    }
}
