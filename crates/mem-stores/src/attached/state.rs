//! What is remembered of an offline copy: what it had in common with the server, what waits to be sent, how the
//! last talk with the server went, and what gave way. Small files beside the copy, never in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mem_core::history::Sha256;
use serde::{Deserialize, Serialize};

use super::skipped_deletion::SkippedDeletion;

/// A memory as here and there had it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastSynced {
    /// `mem_…`.
    pub id: String,
    /// Of its content.
    pub sha256: Sha256,
    /// Of its content.
    #[serde(default)]
    pub bytes: u64,
    /// When it was changed there, RFC 3339.
    #[serde(default)]
    pub updated_at: String,
}

/// What here and there have in common, by path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Base {
    /// By path, with its first slash.
    pub memories: BTreeMap<String, LastSynced>,
}

/// The newest version that the copy has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionCursor {
    /// `memver_…`.
    pub version: String,
    /// When it was made, as the server says it.
    pub created_at: String,
}

/// A text that gave way, kept in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictCopy {
    /// Where it stood.
    pub path: String,
    /// The name of the file that it is kept in.
    pub file: String,
    /// Why.
    pub why: String,
    /// When, RFC 3339.
    pub at: String,
}

impl ConflictCopy {
    /// The name of the file for a text, from itself and from what its memory is called.
    pub(super) fn file_name(bytes: &[u8], called: &str) -> String {
        let digest = Sha256::digest(bytes).to_string();
        let plain: String = Self::file_name_chars(called).take(60).collect();
        let file = format!("{}-{plain}", &digest[..12]);
        file.trim_end_matches('.').to_owned()
    }

    /// What of a name such a file has.
    pub(super) fn file_name_chars(called: &str) -> impl Iterator<Item = char> {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
        called.chars().filter(is_plain)
    }
}

/// How things stand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CopyStatus {
    /// The newest version; `None` before the copy was whole.
    pub cursor: Option<VersionCursor>,
    /// Whether all memories of the server were here once.
    pub is_whole: bool,
    /// When the server was last asked what is new, in seconds since 1970.
    pub pulled: Option<i64>,
    /// Nobody asks the server before this, in seconds since 1970.
    pub away_until: Option<i64>,
    /// How often in a row it was away.
    pub times_away: u32,
    /// What was wrong the last time.
    pub trouble: Option<String>,
    /// Whether that was the server's answer: there is no such store, or not for this key.
    pub is_turned_away: bool,
    /// Whether the store is archived.
    pub is_archived: bool,
    /// What of the server cannot be kept here, by path, and why.
    pub skipped: BTreeMap<String, String>,
    /// What of here the server does not get, by path.
    pub held: BTreeMap<String, BlockedUpload>,
    /// Texts that gave way.
    pub aside: Vec<ConflictCopy>,
    /// Deletions that were not made, and that no agent was told of yet.
    pub undone: Vec<SkippedDeletion>,
}

/// Why something is not sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedUpload {
    /// The content that it was decided about.
    pub sha256: Option<Sha256>,
    /// In words.
    pub why: String,
}

/// What was changed here and has not been sent, by path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UnsentChanges {
    /// With the first slash.
    pub paths: BTreeSet<String>,
}

/// The files of one copy's state.
#[derive(Clone, Debug)]
pub struct StateFiles {
    folder: PathBuf,
}

impl StateFiles {
    /// The state in a folder.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn base_file(&self) -> PathBuf {
        self.folder.join("base.json")
    }

    pub(super) fn status_file(&self) -> PathBuf {
        self.folder.join("standing.json")
    }

    pub(super) fn unsent_file(&self) -> PathBuf {
        self.folder.join("waiting.json")
    }

    /// Held while files of the copy are looked at and changed: never while somebody waits for a server.
    pub fn files_lock(&self) -> PathBuf {
        self.folder.join("files.lock")
    }

    /// Held by whoever talks to the server.
    pub(super) fn talk_lock(&self) -> PathBuf {
        self.folder.join("talk.lock")
    }

    /// Where texts that gave way are.
    pub fn conflicts_folder(&self) -> PathBuf {
        self.folder.join("aside")
    }
}
