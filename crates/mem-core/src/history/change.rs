//! One change and its versions, as they are recorded.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::author::Author;
use super::citation_snapshot::CitationSnapshot;
use super::digest::Sha256;
use super::id::{ChangeId, NoteId, VersionId};
use crate::MemoryPath;

/// What happened to one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileOperation {
    /// It was not there before.
    Created,
    /// Its content or its path changed.
    Modified,
    /// It is gone.
    Deleted,
}

impl FileOperation {
    /// The word used in JSON and in listings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
        }
    }
}

/// What one change did to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Its own id, not its place in the history.
    pub id: VersionId,
    /// The note it belongs to.
    pub note: NoteId,
    /// Where the file stood after the change (for `deleted`: before it).
    pub path: MemoryPath,
    /// What happened.
    pub operation: FileOperation,
    /// Where the file stood before, when it was renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<MemoryPath>,
    /// The sha256 of the raw bytes; none when deleted or redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Sha256>,
    /// The size in bytes; none when deleted or redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// When this content came to be, where that is not when the change was made: the mtime of a
    /// foreign write, the time of a restored version, the age of an adopted note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_time: Option<Timestamp>,
    /// What the content rested on when it was written; empty where nobody recorded it. Readers that
    /// do not know it pass it over.
    #[serde(default, skip_serializing_if = "CitationSnapshot::is_empty")]
    pub cited: CitationSnapshot,
    /// Who wrote this content elsewhere, where that is another than who made the change: a colleague,
    /// by the name that the remote knows. Readers that do not know it pass it over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The note of the same change whose place this one took, for a note that says about the same.
    /// Readers that do not know it pass it over, and so the one below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<NoteId>,
    /// The note of the same change that took this one's place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<NoteId>,
    /// Whether the content was removed from the history.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redacted: bool,
}

/// One command, or one batch of foreign writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its own id, not its place in the history.
    pub id: ChangeId,
    /// The verb: `save`, `edit`, `undo`, `foreign`, ...
    pub verb: String,
    /// Who made it.
    pub author: Author,
    /// Why, where someone said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was made.
    pub time: Timestamp,
    /// The changes that this one takes back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undoes: Vec<ChangeId>,
    /// Whether the history was cut off before it: then what was known of every other file stands
    /// among its versions, and it cannot be taken back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_base: bool,
    /// One for every file, in path order.
    pub versions: Vec<Version>,
}

impl Change {
    /// Whether something else than `mem` made it.
    pub fn is_foreign(&self) -> bool {
        self.verb == "foreign"
    }

    /// Whether a sync wrote it: what others changed, of the team or on another machine of the person.
    pub fn is_from_sync(&self) -> bool {
        self.verb == "pull"
    }

    /// Whether it removed content for good.
    pub fn is_redaction(&self) -> bool {
        self.verb == "redact"
    }
}
