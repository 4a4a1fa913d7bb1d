//! What waits here before it leaves (`team.push = "review"`): every content that no person saved there, shared or
//! reviewed. It is told by the history, and what that does not say waits.
//!
//! A change of a person that brings no words of theirs (an undo, a restore, a rename, a redaction) leaves the question
//! to where the content comes from; a merge with what colleagues wrote leaves it to what stood here before. A redacted
//! version counts with the content that is left of it, and what is left of an approved or shared content is approved
//! (`erase`).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use mem_core::MemoryPath;
use mem_core::history::{
    AuthorKind, Change, ChangeSequence, FileOperation, History, NoteId, Sha256, Version,
};
use mem_core::memory::ScopeDir;
use mem_core::state_file::{self, StateError};
use mem_sync::EntryKey;
use mem_sync::base::SyncState;
use mem_sync::decide::KnownKey;

use super::index_lines::SendableText;
use super::sent_indexes::SentIndexes;
use super::settings::TeamShare;

/// Changes by which a person says what stands in a file, or that it is for the team.
const BY_A_PERSON: [&str; 4] = ["save", "edit", "resolve", "share"];
/// Changes that carry a content of earlier on, or take something away; of a list they add no line.
const CARRIED: [&str; 8] = [
    "delete", "fit", "prune", "redact", "remove", "rename", "restore", "undo",
];

/// What a version says of whether somebody has looked at its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReviewState {
    /// A person wrote, shared or accepted it.
    Seen,
    /// Nobody has.
    Unseen,
    /// It is a content of before, also a redacted one, or goes back to one.
    Carried,
    /// It was united with what the team has.
    Team,
}

/// One version of a file.
#[derive(Clone, Debug)]
pub(crate) struct FileVersion {
    pub(crate) sequence: ChangeSequence,
    pub(crate) path: MemoryPath,
    pub(crate) sha256: Sha256,
    pub(crate) look: ReviewState,
}

/// What nobody has looked at, of a shared tier.
#[derive(Debug)]
pub struct UnreviewedTexts {
    /// Every file's note.
    notes: HashMap<MemoryPath, NoteId>,
    /// The content of every file, as it was last recorded; `None` where it was deleted.
    stands: HashMap<MemoryPath, Option<Sha256>>,
    /// Its versions, the newest first.
    past: HashMap<NoteId, Vec<FileVersion>>,
    pub(crate) history: Option<History>,
    tier: ScopeDir,
    /// What the remote had when both ends were last in step.
    pub(crate) state: SyncState,
    pub(crate) approved: Approved,
    pub(crate) sent: SentIndexes,
}

impl UnreviewedTexts {
    /// Looks through the history. Where that cannot be read, everything is unseen.
    pub fn for_share(share: &TeamShare) -> Self {
        let mut unseen = Self {
            notes: HashMap::new(),
            stands: HashMap::new(),
            past: HashMap::new(),
            history: None,
            tier: share.tier,
            state: share.place.state_file().load().0,
            approved: Approved::load_approved(share.place.approved()),
            sent: SentIndexes::load_texts(&share.place),
        };
        if let Ok(Some(history)) = share.store.open_history() {
            for entry in history.own_entries().map_while(Result::ok) {
                unseen.add_change(&history, entry.sequence, entry.change);
            }
            unseen.history = Some(history);
        }
        unseen
    }

    fn add_change(&mut self, history: &History, sequence: ChangeSequence, change: Change) {
        let (is_base, verb, actor) = (change.is_base, change.verb, change.author.actor);
        for version in change.versions {
            let Version {
                path,
                note,
                sha256,
                operation,
                renamed_from,
                redacted,
                ..
            } = version;
            let is_there = operation != FileOperation::Deleted;
            let sha256 = match redacted && is_there {
                true => history.content(sequence, &path).ok().flatten(),
                false => None,
            }
            .map_or(sha256, |left| Some(Sha256::digest(&left)));
            self.stands
                .entry(path.clone())
                .or_insert(sha256.filter(|_| is_there));
            if let Some(from) = renamed_from {
                self.stands.entry(from).or_insert(None);
            }
            let Some(sha256) = sha256 else { continue };
            // Who wrote what stands behind the end of a history that was cut off, nobody knows.
            let look = match is_base {
                true => ReviewState::Unseen,
                false => review_state(actor, &verb),
            };
            self.notes
                .entry(path.clone())
                .or_insert_with(|| note.clone());
            let past = self.past.entry(note).or_default();
            past.push(FileVersion {
                sequence,
                path,
                sha256,
                look,
            });
        }
    }

    /// Whether a content of a key waits for a person.
    pub fn holds_content(&self, key: &EntryKey, sha256: Sha256) -> bool {
        if self.approved.has_approved(key, sha256) {
            return false;
        }
        let past = self.past_of(key);
        match past.first() {
            Some(newest) if newest.sha256 == sha256 => match key.is_index() {
                true => self.sendable_index(key, sha256, None) != SendableText::Whole,
                false => !self.is_seen(past),
            },
            // Another program wrote it since the history was brought up to date.
            _ => true,
        }
    }

    /// The versions of a file, the newest first.
    pub(crate) fn past_of(&self, key: &EntryKey) -> &[FileVersion] {
        let path = self.tier.path(key.as_str()).ok();
        let note = path.and_then(|path| self.notes.get(&path));
        let past = note.and_then(|note| self.past.get(note));
        past.map_or(&[][..], Vec::as_slice)
    }

    /// The content of a file, as it was last recorded.
    pub(crate) fn standing_content(&self, key: &EntryKey) -> Option<Sha256> {
        let path = self.tier.path(key.as_str()).ok()?;
        self.stands.get(&path).copied().flatten()
    }

    /// Whether a person stands behind the newest of these versions.
    fn is_seen(&self, mut past: &[FileVersion]) -> bool {
        let mut is_of_team = false;
        while let Some((newest, rest)) = past.split_first() {
            past = match newest.look {
                ReviewState::Seen => return true,
                _ if self.is_known(newest) => return true,
                ReviewState::Unseen => return false,
                ReviewState::Carried => versions_before(newest, rest),
                ReviewState::Team => {
                    is_of_team = true;
                    rest
                }
            };
        }
        is_of_team
    }

    /// Whether no line of a list is new but those that persons put there: whoever saves a memory adds a line and looks
    /// at no other, so what came before counts until it was shared or approved.
    pub(crate) fn is_list_seen(&self, mut past: &[FileVersion]) -> bool {
        while let Some((newest, rest)) = past.split_first() {
            if self.is_known(newest) {
                return true;
            }
            past = match newest.look {
                ReviewState::Unseen => return false,
                ReviewState::Carried => versions_before(newest, rest),
                ReviewState::Seen | ReviewState::Team => rest,
            };
        }
        true
    }

    /// Whether the remote had this content, or a person has reviewed it.
    pub(crate) fn is_known(&self, one: &FileVersion) -> bool {
        let name = self.tier.file(&one.path);
        let key = name.and_then(|name| EntryKey::parse(name).ok());
        key.is_some_and(|key| {
            self.state.base(&key) == Some(KnownKey::At(one.sha256))
                || self.approved.has_approved(&key, one.sha256)
        })
    }

    /// Remembers that a person has looked at these contents.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn approve_contents<'k>(
        &mut self,
        contents: impl IntoIterator<Item = (&'k EntryKey, Sha256)>,
    ) -> Result<(), StateError> {
        self.approved.add_approved(contents)
    }
}

/// The versions to ask about a content that was there before: from where it last stood on, else all.
fn versions_before<'p>(carried: &FileVersion, rest: &'p [FileVersion]) -> &'p [FileVersion] {
    let stood = rest.iter().position(|one| one.sha256 == carried.sha256);
    &rest[stood.unwrap_or_default()..]
}

fn review_state(actor: AuthorKind, verb: &str) -> ReviewState {
    match actor {
        AuthorKind::Team => ReviewState::Team,
        // From the inbox, where only a person accepts.
        AuthorKind::Agent | AuthorKind::Person if verb == "accept" => ReviewState::Seen,
        AuthorKind::Person if BY_A_PERSON.contains(&verb) => ReviewState::Seen,
        AuthorKind::Person if CARRIED.contains(&verb) => ReviewState::Carried,
        AuthorKind::Person | AuthorKind::Agent | AuthorKind::Import | AuthorKind::Foreign => {
            ReviewState::Unseen
        }
    }
}

/// What a person has looked at: for each key the contents.
#[derive(Debug)]
pub(crate) struct Approved {
    path: PathBuf,
    contents: BTreeMap<EntryKey, BTreeSet<String>>,
}

impl Approved {
    pub(crate) fn load_approved(path: PathBuf) -> Self {
        let (contents, _) = state_file::read(&path);
        Self { path, contents }
    }

    pub(crate) fn has_approved(&self, key: &EntryKey, sha256: Sha256) -> bool {
        let contents = self.contents.get(key);
        contents.is_some_and(|contents| contents.contains(&sha256.to_string()))
    }

    /// Written once, however many there are: the file has all that was ever approved.
    pub(crate) fn add_approved<'k>(
        &mut self,
        approved: impl IntoIterator<Item = (&'k EntryKey, Sha256)>,
    ) -> Result<(), StateError> {
        let mut is_new = false;
        for (key, sha256) in approved {
            let contents = self.contents.entry(key.clone()).or_default();
            is_new |= contents.insert(sha256.to_string());
        }
        if !is_new {
            return Ok(());
        }
        let contents = &self.contents;
        let change = |old: &mut BTreeMap<EntryKey, BTreeSet<String>>| old.clone_from(contents);
        state_file::update(&self.path, change).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use mem_core::Scope;
    use mem_core::sealing::StateCipher;

    use super::*;

    #[test]
    fn an_index_that_no_history_records_waits_as_a_whole() {
        let unseen = UnreviewedTexts {
            notes: HashMap::new(),
            stands: HashMap::new(),
            past: HashMap::new(),
            history: None,
            tier: ScopeDir(Scope::Team),
            state: SyncState::default(),
            approved: Approved::load_approved(PathBuf::new()),
            sent: SentIndexes::load_file(PathBuf::new(), StateCipher::default()),
        };
        let index = EntryKey::parse("MEMORY.md").unwrap();
        let sha256 = Sha256::digest(b"- [Ann](ann.md)\n");
        let sendable = unseen.sendable_index(&index, sha256, None);
        assert_eq!(sendable, SendableText::Unknown);
    }
}
