//! What of an index may leave (`team.push = "review"`): the lines that a person stands behind, and not the ones that
//! agents and other programs wrote.
//!
//! The text that is sent starts from what the remote last had in common with us, and takes over those changes of the
//! file that pass (`mem_core::index::select`):
//!
//! - A new or changed entry passes where its file has left or may leave, and where either the history says that a
//!   person made it so, or it says no more than its file does.
//! - An entry that is missing is removed where its file is deleted, or where a person removed it.
//! - Any other line passes where the history says that a person wrote or removed it.
//!
//! Which version made a change is looked up in the versions of the index, from the newest on: it is the last of those
//! that have it without a gap.

use std::collections::HashMap;

use mem_core::MemoryPath;
use mem_core::history::Sha256;
use mem_core::index::{self, IndexChange, IndexContents, NewIndexEntry};
use mem_core::topic::TopicFile;
use mem_sync::EntryKey;
use mem_sync::decide::KnownKey;

use super::unreviewed::{FileVersion, ReviewState, UnreviewedTexts};

/// A line that stood for longer than this many versions of its index is not traced to who wrote it: it waits.
const VERSIONS_MAX: usize = 2000;

/// How much of an index may leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendableText {
    /// All of it.
    Whole,
    /// This text.
    Part(Vec<u8>),
    /// None of it, and the remote has no such index.
    Nothing,
    /// What the remote had in common with us is not known, and not every version is a person's: it waits as a whole.
    Unknown,
}

/// An entry that was moved or renamed more often than this is not traced to who wrote it: it waits.
const MOVES_MAX: usize = 16;

/// The versions of indexes that were read, and how many moves of one entry were followed.
#[derive(Default)]
struct IndexHistory {
    versions: HashMap<(Sha256, MemoryPath), IndexContents>,
    moves: usize,
}

impl UnreviewedTexts {
    /// How much of an index may leave that has this content here. `base` is the text to start from, where that is known
    /// better than from the state.
    pub fn sendable_index(
        &self,
        key: &EntryKey,
        sha256: Sha256,
        base: Option<&[u8]>,
    ) -> SendableText {
        let state = self.state.base(key);
        if state == Some(KnownKey::At(sha256)) || self.approved.has_approved(key, sha256) {
            return SendableText::Whole;
        }
        let past = self.past_of(key);
        let newest = past.first().filter(|newest| newest.sha256 == sha256);
        let ours = newest.and_then(|newest| self.version_content(newest));
        let base = base.map(<[u8]>::to_vec).or_else(|| match state {
            Some(KnownKey::At(sha256)) => {
                let last = || {
                    self.sent
                        .last_sent(key)
                        .and_then(|last| self.index_text(key, last))
                };
                self.index_text(key, sha256).or_else(last)
            }
            Some(KnownKey::Gone(_)) | None => Some(Vec::new()),
        });
        let (Some(ours), Some(base)) = (ours, base) else {
            return match newest.is_some() && self.is_list_seen(past) {
                true => SendableText::Whole,
                false => SendableText::Unknown,
            };
        };
        let mut read = IndexHistory::default();
        let made = index::select(&base, &ours, |change| {
            read.moves = 0;
            self.passes_change(key, change, past, &mut read)
        });
        let bytes = match made.is_whole && self.is_list_seen(past) {
            // All that differs yet is the order and blank lines, and a person stands behind these too.
            true => ours.clone(),
            false => made.bytes,
        };
        let is_there = matches!(state, Some(KnownKey::At(_)));
        match bytes {
            bytes if bytes == ours => SendableText::Whole,
            bytes if bytes.trim_ascii().is_empty() && !is_there => SendableText::Nothing,
            bytes => SendableText::Part(bytes),
        }
    }

    /// A text of an index that stood here or was sent.
    fn index_text(&self, key: &EntryKey, sha256: Sha256) -> Option<Vec<u8>> {
        if let Some(text) = self.sent.text_of(key, sha256) {
            return Some(text.as_bytes().to_vec());
        }
        let mut past = self.past_of(key).iter();
        self.version_content(past.find(|one| one.sha256 == sha256)?)
    }

    fn version_content(&self, one: &FileVersion) -> Option<Vec<u8>> {
        let history = self.history.as_ref()?;
        history.content(one.sequence, &one.path).ok().flatten()
    }

    fn passes_change(
        &self,
        key: &EntryKey,
        change: IndexChange<'_>,
        past: &[FileVersion],
        read: &mut IndexHistory,
    ) -> bool {
        match change {
            IndexChange::Entry { file, text } => {
                self.leaves_file(key, file)
                    && (self.is_of_person(key, change, past, read)
                        || self.says_its_file(key, file, text))
            }
            IndexChange::NoEntry { file } => {
                self.is_deleted(key, file) || self.is_of_person(key, change, past, read)
            }
            IndexChange::Text(_) | IndexChange::NoText(_) => {
                self.is_of_person(key, change, past, read)
            }
        }
    }

    /// Whether the file of an entry has left or may leave; also of what is no memory, such as a picture.
    fn leaves_file(&self, index: &EntryKey, file: &str) -> bool {
        let Some(key) = index.linked(file) else {
            return true;
        };
        if self.is_at_remote(&key) {
            return true;
        }
        match self.standing_content(&key) {
            Some(sha256) => !self.holds_content(&key, sha256),
            None => !key.as_str().ends_with(".md"),
        }
    }

    /// Whether the file of an entry is neither here nor at the remote, or is to be deleted there.
    fn is_deleted(&self, index: &EntryKey, file: &str) -> bool {
        index
            .linked(file)
            .is_some_and(|key| self.standing_content(&key).is_none() && !self.is_at_remote(&key))
    }

    pub(crate) fn is_at_remote(&self, key: &EntryKey) -> bool {
        let is_there = matches!(self.state.remote_of(key), Some(KnownKey::At(_)));
        is_there && !self.state.deleting.contains_key(key)
    }

    /// Whether an entry is the one that `mem` writes for its file, and the file may leave: `mem check --fix` and an
    /// agent that adds it bring no words of their own.
    fn says_its_file(&self, index: &EntryKey, file: &str, text: &[u8]) -> bool {
        let Some(key) = index.linked(file) else {
            return false;
        };
        let (Some(sha256), Ok(path)) = (self.standing_content(&key), MemoryPath::parse(file))
        else {
            return false;
        };
        let newest = self.past_of(&key).first();
        let Some(bytes) = newest.and_then(|newest| self.version_content(newest)) else {
            return false;
        };
        let topic = TopicFile::parse(&bytes);
        let line = index::put(b"", &NewIndexEntry::from_topic(&path, &topic));
        line.trim_ascii() == text.trim_ascii() && !self.holds_content(&key, sha256)
    }

    /// Whether the history says that a person made a change.
    fn is_of_person(
        &self,
        key: &EntryKey,
        change: IndexChange<'_>,
        past: &[FileVersion],
        read: &mut IndexHistory,
    ) -> bool {
        let removes = matches!(change, IndexChange::NoEntry { .. } | IndexChange::NoText(_));
        let past = &past[..past.len().min(VERSIONS_MAX)];
        let mut at = 0;
        while let Some(first) = past[at..]
            .iter()
            .position(|one| self.has_change(one, change, read))
        {
            let from = at + first;
            let run = past[from..].iter();
            let run: Vec<&FileVersion> = run
                .take_while(|one| self.has_change(one, change, read))
                .collect();
            if run.iter().any(|one| self.is_known(one)) {
                return true;
            }
            at = from + run.len();
            let Some(made) = run.last() else { return false };
            if removes && at == past.len() {
                // It was never there.
                return false;
            }
            match made.look {
                ReviewState::Seen => return true,
                ReviewState::Carried if removes => return true,
                ReviewState::Carried => {
                    let earlier = &past[at..];
                    if earlier.iter().any(|one| self.has_change(one, change, read)) {
                        // It goes back to an earlier version, which says who wrote it.
                        continue;
                    }
                    return self.is_moved(key, change, earlier, read);
                }
                // Of what colleagues wrote, only a mixture with our lines differs from the remote.
                ReviewState::Unseen | ReviewState::Team => return false,
            }
        }
        false
    }

    /// Whether an entry that a person moved or renamed was a person's before: moved between an index and its archive,
    /// or given another title and file.
    fn is_moved(
        &self,
        key: &EntryKey,
        change: IndexChange<'_>,
        earlier: &[FileVersion],
        read: &mut IndexHistory,
    ) -> bool {
        let IndexChange::Entry { text, .. } = change else {
            return false;
        };
        read.moves += 1;
        if read.moves > MOVES_MAX {
            return false;
        }
        if let Some(sibling) = key.sibling_index() {
            let past = self.past_of(&sibling);
            // An entry that is in neither any more came from where it stood last.
            if past.iter().any(|one| self.has_change(one, change, read)) {
                return self.is_of_person(&sibling, change, past, read);
            }
        }
        let Some(before) = earlier.first() else {
            return false;
        };
        self.has_change(before, change, read);
        let contents = read.versions.get(&(before.sha256, before.path.clone()));
        let old = contents.and_then(|contents| contents.renamed(text));
        let old = old.map(|(file, text)| (file.to_owned(), text.to_vec()));
        old.is_some_and(|(file, text)| {
            let change = IndexChange::Entry {
                file: &file,
                text: &text,
            };
            self.is_of_person(key, change, earlier, read)
        })
    }

    /// Whether a version is as a change makes it. One that cannot be read is not.
    fn has_change(
        &self,
        one: &FileVersion,
        change: IndexChange<'_>,
        read: &mut IndexHistory,
    ) -> bool {
        let contents = read
            .versions
            .entry((one.sha256, one.path.clone()))
            .or_insert_with(|| {
                IndexContents::from_bytes(&self.version_content(one).unwrap_or_default())
            });
        contents.has(change)
    }
}
