//! Indexes as the protocol sees them with `team.push = "review"`: without the lines that wait.
//!
//! ```text
//! file    A  B  w        w waits
//! shown   A  B           what the protocol compares, sends and merges
//! comes   A  C           what it wants to write instead of `shown`
//! file    A  C  w        merged three-way: base `shown`, ours the file, theirs `comes`
//! ```
//!
//! INVARIANT: after such a write the protocol is shown exactly the text that it wrote, so that a merge is sent as it
//! was decided about and a text of the remote is not sent back. `team_index_lines` enforces it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use mem_core::MemoryPath;
use mem_core::history::Sha256;
use mem_core::index;
use mem_sync::EntryKey;
use mem_sync::base::SyncState;
use mem_sync::decide::KnownKey;
use mem_sync::files::{BatchFile, FilesError};

use super::StoreFiles;
use crate::index_lines::SendableText;
use crate::sent_indexes::SentIndexes;
use crate::settings::TeamShare;
use crate::unreviewed::UnreviewedTexts;

/// What waits of a share during one run; files and screen share it.
pub(crate) type SharedReview = Rc<RefCell<PushReview>>;

/// What waits of a share during one run.
#[derive(Debug)]
pub(crate) struct PushReview {
    share: TeamShare,
    /// Read when something is to leave, again for each list.
    unseen: Option<UnreviewedTexts>,
    /// What each index had in common with the remote when the run began.
    bases: BTreeMap<EntryKey, KnownKey>,
    /// What each index is shown as, by its key.
    shown: BTreeMap<EntryKey, IndexView>,
    /// The texts that this run wrote.
    written: BTreeMap<EntryKey, Vec<u8>>,
    sent: SentIndexes,
}

/// How an index is shown.
#[derive(Clone, Debug)]
struct IndexView {
    /// The content of the file.
    real: Sha256,
    sendable: SendableText,
}

impl PushReview {
    /// The review of a share, of which `state` is remembered.
    pub(crate) fn share_review(share: &TeamShare, state: &SyncState) -> SharedReview {
        let indexes = state.rows().filter_map(|(name, _)| {
            let key = EntryKey::parse(name).ok().filter(EntryKey::is_index)?;
            Some((key.clone(), state.base(&key)?))
        });
        Rc::new(RefCell::new(Self {
            share: share.clone(),
            unseen: None,
            bases: indexes.collect(),
            shown: BTreeMap::new(),
            written: BTreeMap::new(),
            sent: SentIndexes::load_texts(&share.place),
        }))
    }

    /// Whether a content of a key waits for a person.
    pub(crate) fn holds_content(&mut self, key: &EntryKey, sha256: Sha256) -> bool {
        match self.shown.get(key).map(|shown| &shown.sendable) {
            Some(SendableText::Whole) => return false,
            Some(SendableText::Part(text)) if Sha256::digest(text) == sha256 => return false,
            _ => {}
        }
        let share = &self.share;
        let unseen = self
            .unseen
            .get_or_insert_with(|| UnreviewedTexts::for_share(share));
        unseen.holds_content(key, sha256)
    }

    /// The indexes of which lines wait.
    pub(crate) fn waiting(&self) -> Vec<EntryKey> {
        let waits = |shown: &IndexView| {
            matches!(
                shown.sendable,
                SendableText::Part(_) | SendableText::Nothing
            )
        };
        let shown = self.shown.iter().filter(|(_, shown)| waits(shown));
        shown.map(|(key, _)| key.clone()).collect()
    }

    /// Shows the indexes of a list without the lines that wait.
    fn show_indexes(&mut self, listed: &mut Vec<(String, Sha256)>) {
        self.unseen = None;
        self.shown.clear();
        let mut nothing = Vec::new();
        for (name, sha256) in listed.iter_mut() {
            let Some(key) = EntryKey::parse(name).ok().filter(EntryKey::is_index) else {
                continue;
            };
            let real = *sha256;
            let sendable = match self.bases.get(&key) == Some(&KnownKey::At(real)) {
                true => SendableText::Whole,
                false => {
                    let share = &self.share;
                    let unseen = self
                        .unseen
                        .get_or_insert_with(|| UnreviewedTexts::for_share(share));
                    let base = self.written.get(&key).map(Vec::as_slice);
                    unseen.sendable_index(&key, real, base)
                }
            };
            match &sendable {
                SendableText::Whole => self.sent.set_last(&key, real),
                SendableText::Part(text) => {
                    *sha256 = Sha256::digest(text);
                    self.sent.keep_text(&key, text);
                    self.sent.set_last(&key, *sha256);
                }
                SendableText::Nothing => nothing.push(name.clone()),
                SendableText::Unknown => {}
            }
            self.shown.insert(key, IndexView { real, sendable });
        }
        listed.retain(|(name, _)| !nothing.contains(name));
    }

    /// Notes what an index is shown as once a change of it was made.
    fn mark_written(&mut self, key: &EntryKey, new: Option<&[u8]>, real: Option<Sha256>) {
        self.written.remove(key);
        self.shown.remove(key);
        let Some(real) = real else { return };
        let sendable = match new {
            Some(new) if Sha256::digest(new) == real => SendableText::Whole,
            Some(new) => SendableText::Part(new.to_vec()),
            None => SendableText::Nothing,
        };
        self.written
            .insert(key.clone(), new.unwrap_or_default().to_vec());
        self.shown.insert(key.clone(), IndexView { real, sendable });
    }

    /// Forgets the texts that nothing refers to any more.
    ///
    /// # Errors
    /// The rest cannot be written.
    pub(crate) fn finish_round(&mut self, state: &SyncState) -> Result<(), FilesError> {
        self.sent.prune_texts(state, true);
        self.save_texts()
    }

    fn save_texts(&mut self) -> Result<(), FilesError> {
        Ok(self.sent.save()?)
    }
}

impl StoreFiles {
    /// The list as the protocol is to see it. What is sent of an index is on the disk before it can leave.
    pub(super) fn shown_files(
        &self,
        mut listed: Vec<(String, Sha256)>,
    ) -> Result<Vec<(String, Sha256)>, FilesError> {
        if let Some(review) = &self.push_review {
            let mut review = review.borrow_mut();
            review.show_indexes(&mut listed);
            if !self.is_dry {
                review.save_texts()?;
            }
        }
        Ok(listed)
    }

    /// The text that an index is shown as, where that is not the file's.
    pub(super) fn shown_text(&self, key: &EntryKey, real: Option<&[u8]>) -> Option<Vec<u8>> {
        let review = self.push_review.as_ref()?.borrow();
        let shown = review.shown.get(key)?;
        match &shown.sendable {
            SendableText::Part(text) if real.map(Sha256::digest) == Some(shown.real) => {
                Some(text.clone())
            }
            _ => None,
        }
    }

    /// A text of an index that was sent and never stood here.
    pub(super) fn sent_text(&self, key: &EntryKey, sha256: Sha256) -> Option<Vec<u8>> {
        if let Some(review) = &self.push_review {
            let review = review.borrow();
            return review.sent.text_of(key, sha256).map(Into::into);
        }
        let sent = self.sent.as_ref()?;
        sent.text_of(key, sha256).map(Into::into)
    }

    /// The changes as they are to be made to the files: of an index of which lines wait, these stay.
    pub(super) fn with_waiting_lines<'c>(
        &self,
        changes: &'c [BatchFile],
    ) -> Result<Cow<'c, [BatchFile]>, FilesError> {
        let Some(review) = self.push_review.as_ref() else {
            return Ok(Cow::Borrowed(changes));
        };
        let mut made = Cow::Borrowed(changes);
        let mut review = review.borrow_mut();
        for (at, change) in changes.iter().enumerate() {
            let key = &change.key;
            if !key.is_index() {
                continue;
            }
            if let Some(new) = &change.new {
                review.sent.keep_text(key, new);
            }
            let Some(IndexView { real, sendable }) = review.shown.get(key) else {
                continue;
            };
            let shown = match sendable {
                SendableText::Part(text) => text.as_slice(),
                SendableText::Nothing => &b""[..],
                SendableText::Whole | SendableText::Unknown => continue,
            };
            let file = self.store.read(&self.key_path(key)?)?.unwrap_or_default();
            let comes = change.new.as_ref().map_or(&[][..], |new| new.as_slice());
            let merged = index::merge(shown, &file, comes);
            let is_left = change.new.is_some() || !merged.trim_ascii().is_empty();
            // Where the file is another one by now, the change is not made.
            let one = &mut made.to_mut()[at];
            one.expected = Some(*real);
            one.new = is_left.then(|| Arc::new(merged));
        }
        if !self.is_dry {
            review.save_texts()?;
        }
        Ok(made)
    }

    /// Notes what was written of the indexes, as the protocol wanted it and as the files are.
    pub(super) fn note_written<'c>(
        &self,
        written: impl Iterator<Item = (&'c BatchFile, &'c BatchFile)>,
    ) -> Result<(), FilesError> {
        let Some(review) = self.push_review.as_ref().filter(|_| !self.is_dry) else {
            return Ok(());
        };
        let mut review = review.borrow_mut();
        let mut written = written.peekable();
        // A merge that this run wrote is judged by a history that has it; it is unknown to the one read before.
        if written.peek().is_some() {
            review.unseen = None;
        }
        for (wanted, made) in written.filter(|(wanted, _)| wanted.key.is_index()) {
            let bytes = |change: &'c BatchFile| change.new.as_ref().map(|new| new.as_slice());
            let new = bytes(wanted);
            if let Some(new) = new {
                review.sent.set_last(&wanted.key, Sha256::digest(new));
            }
            review.mark_written(&wanted.key, new, bytes(made).map(Sha256::digest));
        }
        review.save_texts()
    }

    /// A file as it is.
    pub(super) fn read_real(&self, path: &MemoryPath) -> Result<Option<Vec<u8>>, FilesError> {
        match self.store.read(path) {
            Ok(bytes) => Ok(bytes),
            // It was a file a moment ago: somebody is at work here, and the next round looks again.
            Err(error) if super::failed_path(&error, &[]).is_some() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
