//! One change and its versions, as they stand in a commit message.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::author::Author;
use super::cited::Cited;
use super::digest::Sha256;
use super::id::{ChangeId, NoteId, VersionId};
use crate::MemoryPath;

/// What a version takes in a message, roughly.
const VERSION_BYTES: usize = 400;

/// What happened to one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// It was not there before.
    Created,
    /// Its content or its path changed.
    Modified,
    /// It is gone.
    Deleted,
}

impl Operation {
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
    /// Its own id, not a commit hash.
    pub id: VersionId,
    /// The note it belongs to.
    pub note: NoteId,
    /// Where the file stood after the change (for `deleted`: before it).
    pub path: MemoryPath,
    /// What happened.
    pub operation: Operation,
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
    #[serde(default, skip_serializing_if = "Cited::is_empty")]
    pub cited: Cited,
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
    /// Its own id, not a commit hash.
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
    /// A change without files that stands before `first`: where a history begins by bringing
    /// another one along, what it brings must not take the place of its own past, which is the
    /// first parent of every change. Listings pass it over.
    pub(crate) fn beginning(first: &Self) -> Self {
        Self {
            id: ChangeId::derive(&[first.id.as_str().as_bytes(), b"begin"]),
            verb: "begin".to_owned(),
            author: first.author.clone(),
            reason: None,
            time: first.time,
            undoes: Vec::new(),
            is_base: false,
            versions: Vec::new(),
        }
    }

    /// Whether something else than `mem` made it.
    pub fn is_foreign(&self) -> bool {
        self.verb == "foreign"
    }

    /// Whether it removed content for good.
    pub fn is_redaction(&self) -> bool {
        self.verb == "redact"
    }

    /// The commit message: a summary line for people, an empty line, JSON for us.
    ///
    /// # Errors
    /// Never in practice; the types serialise.
    pub(super) fn to_message(&self) -> serde_json::Result<String> {
        let first = self
            .versions
            .first()
            .map_or("", |version| version.path.as_str());
        let more = match self.versions.len() {
            0 | 1 => String::new(),
            n => format!(" (+{})", n - 1),
        };
        let mut message = format!("{}: {first}{more}\n\n", self.verb).into_bytes();
        // Of thousands of files it has megabytes, which are not to be moved to a larger place again and again.
        message.reserve(self.versions.len() * VERSION_BYTES);
        serde_json::to_writer(&mut message, self)?;
        message.push(b'\n');
        String::from_utf8(message).map_err(serde::de::Error::custom)
    }

    /// Reads a message that [`Change::to_message`] made.
    pub(super) fn from_message(message: &str) -> Option<Self> {
        let (_, json) = message.split_once("\n\n")?;
        serde_json::from_str(json).ok()
    }
}
