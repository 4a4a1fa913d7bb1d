//! What can go wrong with a memory.

use crate::error::{Diagnose, ErrorKind};
use crate::frontmatter::EditError;
use crate::history::HistoryError;
use crate::memory_path::InvalidPath;
use crate::store::StoreError;
use crate::topic::InvalidTopic;
use crate::{MemoryPath, Scope};

use super::routing::RoutingError;

/// An error of an operation on memories. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// No memory is called that.
    #[error("no memory is called `{}`", crate::memory_path::printable(.0))]
    NotFound(String),
    /// Several are.
    #[error("`{name}` could be any of {}", .candidates.join(", "))]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The files that match, with their tier where it is not the private one.
        candidates: Vec<String>,
    },
    /// A file of that name is there already.
    #[error("`{path}` exists already in the {scope} tier")]
    Exists {
        /// Where.
        path: MemoryPath,
        /// In which tier.
        scope: Scope,
    },
    /// A file is there whose name only looks like another one.
    #[error(
        "`{path}` would stand beside `{existing}`, whose name is the same apart from case or composition"
    )]
    Twin {
        /// What was asked for.
        path: MemoryPath,
        /// What is there.
        existing: MemoryPath,
    },
    /// The name belongs to the index, the archive or the logs.
    #[error("`{0}` is not a name for a memory file")]
    NotATopic(String),
    /// Someone edited the same lines while an editor was open.
    #[error("`{path}` was changed by something else while you edited it")]
    Overtaken {
        /// The file.
        path: MemoryPath,
        /// What stands there now.
        now: Vec<u8>,
        /// What would have been written.
        wanted: Vec<u8>,
    },
    /// A field breaks its rules.
    #[error(transparent)]
    Topic(#[from] InvalidTopic),
    /// A field cannot be changed alone.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The name is no path.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// The tier is not for this type.
    #[error(transparent)]
    Routing(#[from] RoutingError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<HistoryError> for MemoryError {
    fn from(error: HistoryError) -> Self {
        Self::Store(error.into())
    }
}

impl Diagnose for MemoryError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound(_) => ErrorKind::NotFound,
            Self::Ambiguous { .. } | Self::NotATopic(_) => ErrorKind::Invalid,
            Self::Exists { .. } | Self::Twin { .. } | Self::Overtaken { .. } => ErrorKind::Conflict,
            Self::Topic(error) => error.kind(),
            Self::Edit(error) => error.kind(),
            Self::Path(error) => error.kind(),
            Self::Routing(error) => error.kind(),
            Self::Store(error) => error.kind(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NotFound(_) => "`mem list` shows what there is",
            Self::Ambiguous { candidates, .. }
                if candidates.iter().any(|one| one.contains(':')) =>
            {
                "name the file in full; `private:`, `team:` or `global:` before it says the tier"
            }
            Self::Ambiguous { .. } => "name the file in full",
            Self::Exists { .. } => "`--update` changes it, `--file` chooses another name",
            Self::Twin { .. } => "write the name as it is there, or choose another one",
            Self::NotATopic(_) => "use a name such as `project_release.md`",
            Self::Overtaken { .. } => "your text is kept; look at both and try again",
            Self::Topic(error) => return error.hint(),
            Self::Edit(error) => return error.hint(),
            Self::Path(error) => return error.hint(),
            Self::Routing(error) => return error.hint(),
            Self::Store(error) => return error.hint(),
        };
        Some(hint.to_owned())
    }
}
