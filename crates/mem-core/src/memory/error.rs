//! What can go wrong with a memory.

use crate::error::Diagnose;
use crate::frontmatter::EditError;
use crate::history::HistoryError;
use crate::memory_path::InvalidPath;
use crate::store::StoreError;
use crate::topic::InvalidTopic;
use crate::{MemoryPath, Scope};

use super::routing::RoutingError;

/// An error of an operation on memories. Nothing was written.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum MemoryError {
    /// No memory is called that.
    #[error("no memory is called `{}`", crate::memory_path::printable(.0))]
    #[diagnose(NotFound, hint = "`mem list` shows what there is")]
    NotFound(String),
    /// Several are.
    #[error("`{name}` could be any of {}", .candidates.join(", "))]
    #[diagnose(Invalid, hint = full_name_hint(candidates))]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The files that match, with their tier where it is not the private one.
        candidates: Vec<String>,
    },
    /// A file of that name is there already.
    #[error("`{path}` exists already in the {scope} tier")]
    #[diagnose(
        Conflict,
        hint = "`--update` changes it, `--file` chooses another name"
    )]
    Exists {
        /// Where.
        path: MemoryPath,
        /// In which tier.
        scope: Scope,
    },
    /// A file of that name is there already, and the command cannot change it.
    #[error("`{path}` exists already in the {scope} tier")]
    #[diagnose(
        Conflict,
        hint = "choose another name, or `mem remove` the other memory first"
    )]
    NameTaken {
        /// Where.
        path: MemoryPath,
        /// In which tier.
        scope: Scope,
    },
    /// A file is there whose name only looks like another one.
    #[error(
        "`{path}` would stand beside `{existing}`, whose name is the same apart from case or composition"
    )]
    #[diagnose(
        Conflict,
        hint = "write the name as it is there, or choose another one"
    )]
    Twin {
        /// What was asked for.
        path: MemoryPath,
        /// What is there.
        existing: MemoryPath,
    },
    /// The name belongs to the index, the archive or the logs.
    #[error("`{0}` is not a name for a memory file")]
    #[diagnose(Invalid, hint = "use a name such as `project_release.md`")]
    NotATopic(String),
    /// Someone edited the same lines while an editor was open.
    #[error("`{path}` was changed by something else while you edited it")]
    #[diagnose(Conflict, hint = "your text is kept; look at both and try again")]
    Overtaken {
        /// The file.
        path: MemoryPath,
        /// What stands there now.
        now: Vec<u8>,
        /// What would have been written.
        wanted: Vec<u8>,
    },
    /// The content is not the one that was named as the condition of an edit.
    #[error("the content of `{0}` is not the one of `--if-match`")]
    #[diagnose(
        Conflict,
        hint = "your text is kept; `mem show --json` tells the SHA-256 of what is there now"
    )]
    Unmatched(MemoryPath),
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

impl MemoryError {
    /// Whether the change waits in the inbox for a person.
    pub fn awaits_consent(&self) -> bool {
        matches!(self, Self::Store(error) if error.awaits_consent())
    }
}

impl From<HistoryError> for MemoryError {
    fn from(error: HistoryError) -> Self {
        Self::Store(error.into())
    }
}

fn full_name_hint(candidates: &[String]) -> &'static str {
    match candidates.iter().any(|one| one.contains(':')) {
        true => "name the file in full; `private:`, `team:` or `global:` before it says the tier",
        false => "name the file in full",
    }
}
