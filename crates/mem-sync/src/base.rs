//! What one machine remembers of a remote between two runs. One file for each repository, in the state
//! place, never among the notes.
//!
//! The base of a key moves only with proof that both ends hold the content: an acknowledged push, or a file that was
//! written. Writing files and noting their bases are two steps, and a crash between them would make the new file look
//! like an edit of this machine. `taking` closes that gap:
//!
//! ```text
//!  save taking = {k: T}      write file k = T          save base k = T, taking = {}
//!  -----------|---------------------|------------------------|------>
//!    crash here: k is as before,    crash here: k holds T, which is
//!    and is taken again             in `taking`: its base counts as T
//! ```
//!
//! Tests: `convergence::rounds::what_a_crash_left_half_taken_is_nobodys_change`,
//! `convergence::rounds::a_crash_after_a_crash_makes_no_conflict_of_what_was_taken`.

mod file;
mod row;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use mem_core::history::Sha256;
use mem_core::sorted_lines::{LineIterator, SortedLines};
use mem_core::state_file::StateError;
use serde::{Deserialize, Serialize};

pub use self::file::StateFile;
pub use self::row::KeyRow;
pub(crate) use self::row::heads;
pub use self::row::is_there;
use self::text::StateText;
use crate::decide::KnownKey;
use crate::key::EntryKey;
use crate::wire::{ETag, RejectionCode, clean_reason as reason_of};

/// All that is remembered. What is lost of it costs merges and copies, never a text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SyncState {
    /// The repository it is about, as `host/owner/repo`.
    pub repository: String,
    /// Which moment of the remote was last seen.
    #[serde(skip)]
    pub view: RemoteView,
    /// Of each key, what the remote was last seen to have, and what the file here last had in common with it.
    #[serde(skip)]
    rows: SortedLines<KeyRow>,
    /// What is being written from the remote right now. Noted before the first file is touched: after a
    /// crash, such content is known not to be anybody's change.
    #[serde(skip)]
    pub taking: BTreeMap<EntryKey, Sha256>,
    /// Local texts that gave way, until a person has looked.
    pub conflicts: Vec<Conflict>,
    /// What is not sent again as it is.
    pub held: BTreeMap<EntryKey, RejectedContent>,
    /// What is to be deleted for everybody, with the checksum of the content that is meant.
    pub deleting: BTreeMap<EntryKey, Sha256>,
    /// Why, of some of these.
    pub reasons: BTreeMap<EntryKey, String>,
    /// What is left of the caller's quotas there, as the remote says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<String>,
    /// What of it, but for the rows, stands in the file.
    #[serde(skip)]
    saved: StateText,
}

/// A moment of a remote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RemoteView {
    /// The name of that moment; `None` before the first answer.
    pub etag: Option<ETag>,
    /// Its sequence number.
    pub version: u64,
}

/// What a remote knew and does not know any more: somebody reset it, or restored an older state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteRollback {
    /// What it had, and does not even know as deleted.
    pub entries: BTreeSet<EntryKey>,
    /// What was deleted there, and stands there again with just that content.
    pub deletions: BTreeMap<EntryKey, Sha256>,
    /// What is another there than it was, and what it is.
    pub changes: BTreeMap<EntryKey, KnownKey>,
}

/// One key of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    /// There or deleted.
    pub known: KnownKey,
    /// Who wrote or deleted it.
    pub actor: String,
    /// When, RFC 3339.
    pub updated_at: String,
}

impl From<KnownKey> for KeyView {
    /// By nobody knows whom.
    fn from(known: KnownKey) -> Self {
        Self {
            known,
            actor: String::new(),
            updated_at: String::new(),
        }
    }
}

/// A local text that gave way to the remote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// Where it stood.
    pub key: EntryKey,
    /// The text.
    pub local: FileContent,
    /// What both came from, if that is known.
    pub base: Option<KnownKey>,
    /// What the remote had.
    pub remote: KnownKey,
}

/// A file's bytes, as text where they are text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FileContent {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Bytes(Vec<u8>),
}

/// Why a key waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedContent {
    /// The content that was refused; other content is tried.
    pub sha256: Sha256,
    /// The server's word.
    pub code: RejectionCode,
    /// The server's sentence.
    pub message: String,
    /// Set where the refusal has to do with what else the store holds: another state of it is tried.
    pub etag: Option<ETag>,
}

impl FileContent {
    /// Keeps some bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Bytes(error.into_bytes()),
        }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl SyncState {
    /// What a file last had in common with the remote. Moves when the remote has acknowledged a push, and
    /// when a file has been written from the remote.
    pub fn base(&self, key: &EntryKey) -> Option<KnownKey> {
        self.rows.get(key.as_str())?.base
    }

    /// Notes what a file and the remote have in common.
    pub fn set_base(&mut self, key: &EntryKey, base: Option<KnownKey>) {
        let row = self.rows.get(key.as_str()).unwrap_or_default();
        if row.base != base {
            self.set_row(key, row.with_base(base));
        }
    }

    /// What the remote is known to be.
    pub fn remote_of(&self, key: &EntryKey) -> Option<KnownKey> {
        self.rows.get(key.as_str())?.remote
    }

    /// The same, and who made it so.
    pub fn last_view(&self, key: &EntryKey) -> Option<KeyView> {
        self.rows.get(key.as_str())?.last_view()
    }

    /// Remembers that what the remote was last seen to have under a key is to be deleted for everybody, and why.
    /// Returns `false` where it is not known to have anything there.
    pub fn will_delete(&mut self, key: &EntryKey, reason: Option<&str>) -> bool {
        let Some(KnownKey::At(sha256)) = self.remote_of(key) else {
            return false;
        };
        self.deleting.insert(key.clone(), sha256);
        match reason {
            Some(text) => drop(self.reasons.insert(key.clone(), reason_of(text))),
            None => drop(self.reasons.remove(key)),
        }
        true
    }

    /// Notes what the remote is.
    pub fn set_seen(&mut self, key: &EntryKey, last_view: Option<KeyView>) {
        let row = self.rows.get(key.as_str()).unwrap_or_default();
        if row.last_view() != last_view {
            self.set_row(key, row.with_seen(last_view));
        }
    }

    fn set_row(&mut self, key: &EntryKey, row: KeyRow) {
        self.rows
            .set(key.as_str(), row.says_anything().then_some(row));
    }

    /// Notes what the remote is in every key, bad ones left out. `is_put_back` says that the known view is not among
    /// the states that led to this one. Returns what the remote knew and does not know any more.
    pub fn set_view(
        &mut self,
        view: RemoteView,
        keys: BTreeMap<EntryKey, KeyView>,
        is_put_back: bool,
    ) -> RemoteRollback {
        let mut differing = Vec::new();
        let mut forgotten = RemoteRollback::default();
        // A deletion that is undone and one that was lost look alike: the deleted content stands there again. Only a
        // version that went back tells a restored backup from a colleague who wrote the text anew.
        // Its numbers only grow, unless it was put back to an older state.
        let is_older = view.version < self.view.version;
        let is_put_back = is_put_back || is_older;
        let mut new = keys.into_iter().peekable();
        for (name, line) in self.rows.iter() {
            while let Some(one) = new.next_if(|(key, _)| key.as_str() < name) {
                differing.push((one.0, Some(one.1)));
            }
            let Some(row) = line.value() else { continue };
            match new.next_if(|(key, _)| key.as_str() == name) {
                Some((key, last_view)) if row.last_view().as_ref() != Some(&last_view) => {
                    let now = last_view.known;
                    // Another machine sent an entry that the remote had lost. What that machine had may be older.
                    let was = row.remote.or(row.base);
                    let may_be_older = is_put_back || row.remote.is_none();
                    match (was, now) {
                        (Some(KnownKey::Gone(_)), KnownKey::At(sha256))
                            if is_older && row.remote == Some(KnownKey::Gone(sha256)) =>
                        {
                            forgotten.deletions.insert(key.clone(), sha256);
                        }
                        (Some(KnownKey::At(_)), _) if may_be_older && was != Some(now) => {
                            forgotten.changes.insert(key.clone(), now);
                        }
                        _ => {}
                    }
                    differing.push((key, Some(last_view)));
                }
                Some(_) => {}
                None => {
                    let gone = row
                        .remote
                        .and_then(|known| Some((known, EntryKey::parse(name).ok()?)));
                    if let Some((known, key)) = gone {
                        if matches!(known, KnownKey::At(_)) {
                            forgotten.entries.insert(key.clone());
                        }
                        differing.push((key, None));
                    }
                }
            }
        }
        differing.extend(new.map(|(key, last_view)| (key, Some(last_view))));
        for (key, last_view) in differing {
            self.set_seen(&key, last_view);
        }
        self.view = view;
        forgotten
    }

    /// What is known of each key, in the order of the keys.
    pub fn rows(&self) -> LineIterator<'_, KeyRow> {
        self.rows.iter()
    }

    /// Keeps a copy, unless the same one is there already.
    pub fn keep(&mut self, conflict: Conflict) {
        let same = |one: &Conflict| one.key == conflict.key && one.local == conflict.local;
        if !self.conflicts.iter().any(same) {
            self.conflicts.push(conflict);
        }
    }

    /// Forgets the oldest copy of this text, and says whether there was one.
    pub fn forget_copy(&mut self, key: &EntryKey, local: &[u8]) -> bool {
        let is_it = |one: &Conflict| one.key == *key && one.local.as_bytes() == local;
        let at = self.conflicts.iter().position(is_it);
        at.map(|at| self.conflicts.remove(at)).is_some()
    }

    /// Whether this content is held back for now.
    pub fn is_held(&self, key: &EntryKey, sha256: Sha256) -> Option<&RejectedContent> {
        self.held.get(key).filter(|held| {
            let unchanged = held.etag.is_none() || held.etag == self.view.etag;
            held.sha256 == sha256 && unchanged
        })
    }
}

/// Where a state is kept.
pub trait SyncStateStorage {
    /// Makes a state survive a crash from here on.
    ///
    /// # Errors
    /// It could not be written; the old one is still there.
    fn save(&mut self, state: &mut SyncState) -> Result<(), StateError>;

    /// Makes it survive the end of this process, however that comes. A power failure may take it back to what was
    /// saved last: for what the remote says again when it is asked, as after an answer that was lost.
    ///
    /// # Errors
    /// As [`SyncStateStorage::save`].
    fn note(&mut self, state: &mut SyncState) -> Result<(), StateError> {
        self.save(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_view_changes_what_differs_and_names_what_was_lost() {
        let key = |name: &str| EntryKey::parse(name).unwrap();
        let last_view = |n: u8, actor: &str| KeyView {
            known: KnownKey::At(Sha256::digest(&[n])),
            actor: actor.to_owned(),
            updated_at: "2026-01-01T00:00:00Z".to_owned(),
        };
        let gone = KeyView {
            known: KnownKey::Gone(Sha256::digest(b"x")),
            ..last_view(0, "ann")
        };
        let mut state = SyncState::default();
        let view = |version| RemoteView {
            etag: Some(ETag::of_version(version)),
            version,
        };
        let one = BTreeMap::from([
            (key("b.md"), last_view(1, "ann")),
            (key("c.md"), last_view(2, "a\tb\n\"")),
            (key("d.md"), gone.clone()),
        ]);
        let nothing = RemoteRollback::default();
        assert_eq!(state.set_view(view(1), one.clone(), false), nothing);
        state.mark_saved();
        assert_eq!(state.set_view(view(1), one, false), nothing);
        assert!(state.is_saved());
        state.set_base(&key("b.md"), Some(KnownKey::At(Sha256::digest(&[1]))));
        let two = BTreeMap::from([
            (key("a.md"), last_view(3, "ben")),
            (key("c.md"), last_view(2, "ben")),
        ]);
        let forgotten = state.set_view(view(2), two, false);
        assert_eq!(forgotten.entries, BTreeSet::from([key("b.md")]));
        assert_eq!(state.remote_of(&key("b.md")), None);
        assert_eq!(state.last_view(&key("c.md")), Some(last_view(2, "ben")));
        let names: Vec<_> = state.rows().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(names, ["a.md", "b.md", "c.md"], "of b.md the base is known");
        assert!(!state.is_saved());
    }
}
