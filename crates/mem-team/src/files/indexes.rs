//! Indexes of a share as the protocol sees them: without the entries of memories that may not leave, in `mem sync` and
//! in `mem team sync`, and with `team.push = "review"` without the lines that wait.
//!
//! An entry says title and description of its memory. One that is held back (it is about a person, it holds a secret)
//! would leave with its entry, and other machines would get a pointer to a file that they never see.
//!
//! ```text
//! file    A  B  w        w waits, or its memory is held back
//! shown   A  B           what the protocol compares, sends and merges
//! comes   A  C           what it wants to write instead of `shown`
//! file    A  C  w        merged three-way: base `shown`, ours the file, theirs `comes`
//! ```
//!
//! INVARIANT: after such a write the protocol is shown exactly the text that it wrote, so that a merge is sent as it
//! was decided about and a text of the remote is not sent back. `team_index_lines` enforces it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use mem_core::MemoryPath;
use mem_core::history::Sha256;
use mem_core::index::{self, IndexChange, MemoryIndex};
use mem_core::store::StoreError;
use mem_sync::EntryKey;
use mem_sync::base::SyncState;
use mem_sync::decide::KnownKey;
use mem_sync::files::{BatchFile, FilesError};
use mem_sync::plan::inspect_outgoing;

use super::StoreFiles;
use crate::index_lines::SendableText;
use crate::outbound_scan::TeamOutboundScan;
use crate::sent_indexes::SentIndexes;
use crate::settings::TeamShare;
use crate::unreviewed::UnreviewedTexts;

/// What of a share stays here during one run; files and scan have it together.
pub(crate) type SharedReview = Rc<RefCell<PushReview>>;

/// What of a share stays here during one run: the contents that wait for a person, and of the indexes the lines that do,
/// with the entries of memories that may not leave.
#[derive(Debug)]
pub(crate) struct PushReview {
    share: TeamShare,
    /// Whether contents and lines wait for a person (`team.push = "review"`).
    is_review: bool,
    /// What no memory may leave with.
    scan: TeamOutboundScan,
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
    /// Whether lines of it wait for a person.
    has_lines_in_review: bool,
}

impl PushReview {
    /// The review of a share, of which `state` is remembered.
    pub(crate) fn share_review(
        share: &TeamShare,
        state: &SyncState,
        scan: &TeamOutboundScan,
        is_review: bool,
    ) -> SharedReview {
        let indexes = state.rows().filter_map(|(name, _)| {
            let key = EntryKey::parse(name).ok().filter(EntryKey::is_index)?;
            Some((key.clone(), state.base(&key)?))
        });
        Rc::new(RefCell::new(Self {
            share: share.clone(),
            is_review,
            scan: scan.without_review(),
            unseen: None,
            bases: indexes.collect(),
            shown: BTreeMap::new(),
            written: BTreeMap::new(),
            sent: SentIndexes::load_texts(&share.place),
        }))
    }

    /// Whether a content of a key waits for a person.
    pub(crate) fn holds_content(&mut self, key: &EntryKey, sha256: Sha256) -> bool {
        if !self.is_review {
            return false;
        }
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

    /// The indexes of which lines wait for a person.
    pub(crate) fn waiting(&self) -> Vec<EntryKey> {
        let shown = self
            .shown
            .iter()
            .filter(|(_, shown)| shown.has_lines_in_review);
        shown.map(|(key, _)| key.clone()).collect()
    }

    /// What of a text of an index may leave: of memories that may not, the entries as the remote has them, or none.
    /// `listed` is in the order of the names.
    fn leaving_text(
        &self,
        key: &EntryKey,
        text: &[u8],
        listed: &[(String, Sha256)],
        state: &SyncState,
        files: &StoreFiles,
    ) -> Result<SendableText, FilesError> {
        let mut held = BTreeSet::new();
        for (_, entry) in MemoryIndex::parse(text).entries() {
            let memory = key.linked(entry.file());
            let Some(memory) = memory.filter(|memory| !memory.is_index()) else {
                continue;
            };
            let at = listed.binary_search_by(|(name, _)| name.as_str().cmp(memory.as_str()));
            if at.is_ok_and(|at| state.base(&memory) == Some(KnownKey::At(listed[at].1))) {
                continue;
            }
            // An entry may link to a file that is not in this scope.
            let Ok(path) = files.key_path(&memory) else {
                continue;
            };
            let bytes = match files.store.read(&path) {
                Ok(Some(bytes)) => bytes,
                Ok(None) => continue,
                // What cannot be read cannot be looked at, and is not sent either.
                Err(_) => {
                    held.insert(memory);
                    continue;
                }
            };
            // Where the scan cannot run nothing leaves, the index neither.
            if matches!(inspect_outgoing(&memory, bytes, &self.scan), Ok(Err(_))) {
                held.insert(memory);
            }
        }
        if held.is_empty() {
            return Ok(SendableText::Whole);
        }
        let base = match state.base(key) {
            Some(KnownKey::At(sha256)) => {
                let sent = self.sent.text_of(key, sha256).map(Into::into);
                sent.or_else(|| files.recorded_text(key, sha256))
            }
            Some(KnownKey::Gone(_)) | None => None,
        };
        // Where the entry of the remote is not known any more, ours stays in its place: none would take it from everybody.
        let is_unknown = base.is_none();
        let is_replaced =
            |of: &EntryKey| is_unknown && matches!(state.remote_of(of), Some(KnownKey::At(_)));
        let made = index::select(&base.unwrap_or_default(), text, |change| match change {
            IndexChange::Entry { file, .. } => key
                .linked(file)
                .is_none_or(|of| !held.contains(&of) || is_replaced(&of)),
            IndexChange::NoEntry { .. } | IndexChange::Text(_) | IndexChange::NoText(_) => true,
        });
        let is_there = matches!(state.remote_of(key), Some(KnownKey::At(_)));
        Ok(match made.bytes {
            left if left.trim_ascii().is_empty() && !is_there => SendableText::Nothing,
            left => SendableText::Part(left),
        })
    }

    /// Shows the indexes of a list without the lines that wait.
    fn show_indexes(
        &mut self,
        listed: &mut Vec<(String, Sha256)>,
        files: &StoreFiles,
    ) -> Result<(), FilesError> {
        listed.sort_unstable();
        let mut state = None;
        let is_review = self.is_review;
        self.unseen = None;
        self.shown.clear();
        let mut nothing = Vec::new();
        for at in 0..listed.len() {
            let (name, real) = (&listed[at].0, listed[at].1);
            let Some(key) = EntryKey::parse(name).ok().filter(EntryKey::is_index) else {
                continue;
            };
            let shown = match self.bases.get(&key) == Some(&KnownKey::At(real)) {
                true => IndexView {
                    real,
                    sendable: SendableText::Whole,
                    has_lines_in_review: false,
                },
                false => {
                    let state = state.get_or_insert_with(|| self.share.place.state_file().load().0);
                    self.index_view(&key, real, listed, state, files)?
                }
            };
            match &shown.sendable {
                SendableText::Whole if is_review => self.sent.set_last(&key, real),
                SendableText::Whole => self.sent.remove_last(&key),
                SendableText::Part(text) => {
                    listed[at].1 = Sha256::digest(text);
                    self.sent.keep_text(&key, text);
                    self.sent.set_last(&key, listed[at].1);
                }
                SendableText::Nothing => nothing.push(listed[at].0.clone()),
                SendableText::Unknown => {}
            }
            self.shown.insert(key, shown);
        }
        listed.retain(|(name, _)| !nothing.contains(name));
        Ok(())
    }

    /// How an index that the remote does not have is shown: without the lines that wait, then without those that no review
    /// lets go.
    fn index_view(
        &mut self,
        key: &EntryKey,
        real: Sha256,
        listed: &[(String, Sha256)],
        state: &SyncState,
        files: &StoreFiles,
    ) -> Result<IndexView, FilesError> {
        let file = match files.read_real(&files.key_path(key)?) {
            // What cannot be read is not sent either.
            Err(StoreError::Io { .. }) => None,
            read => read?,
        };
        let reviewed = match self.is_review {
            true => {
                let share = &self.share;
                let unseen = self
                    .unseen
                    .get_or_insert_with(|| UnreviewedTexts::for_share(share));
                let base = self.written.get(key).map(Vec::as_slice);
                unseen.sendable_index(key, real, base)
            }
            false => SendableText::Whole,
        };
        let leaving = |text: &[u8]| self.leaving_text(key, text, listed, state, files);
        let all = file.as_deref().map(leaving).transpose()?;
        let sendable = match reviewed {
            SendableText::Whole => all.clone().unwrap_or(SendableText::Whole),
            SendableText::Part(text) => match leaving(&text)? {
                SendableText::Whole => SendableText::Part(text),
                part => part,
            },
            other @ (SendableText::Nothing | SendableText::Unknown) => other,
        };
        // A line that no review lets go is no reason to ask for one.
        let is_part = matches!(sendable, SendableText::Part(_) | SendableText::Nothing);
        Ok(IndexView {
            real,
            has_lines_in_review: is_part && all.as_ref() != Some(&sendable),
            sendable,
        })
    }

    /// Notes what an index is shown as once a change of it was made.
    fn mark_written(&mut self, key: &EntryKey, new: Option<&[u8]>, real: Option<Sha256>) {
        self.written.remove(key);
        let before = self.shown.remove(key);
        let Some(real) = real else { return };
        let sendable = match new {
            Some(new) if Sha256::digest(new) == real => SendableText::Whole,
            Some(new) => SendableText::Part(new.to_vec()),
            None => SendableText::Nothing,
        };
        self.written
            .insert(key.clone(), new.unwrap_or_default().to_vec());
        let shown = IndexView {
            real,
            has_lines_in_review: before.is_some_and(|before| before.has_lines_in_review),
            sendable,
        };
        self.shown.insert(key.clone(), shown);
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
            review.show_indexes(&mut listed, self)?;
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

    /// A text of a key that stood here.
    fn recorded_text(&self, key: &EntryKey, sha256: Sha256) -> Option<Vec<u8>> {
        let at = (self.key_path(key).ok()?, sha256);
        let sequence = *self.versions()?.get(&at)?;
        self.history()?.content(sequence, &at.0).ok().flatten()
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
            let Some(IndexView { real, sendable, .. }) = review.shown.get(key) else {
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
            if let Some(new) = new.filter(|_| review.is_review) {
                review.sent.set_last(&wanted.key, Sha256::digest(new));
            }
            review.mark_written(&wanted.key, new, bytes(made).map(Sha256::digest));
        }
        review.save_texts()
    }

    /// A file as it is.
    pub(super) fn read_real(&self, path: &MemoryPath) -> Result<Option<Vec<u8>>, StoreError> {
        match self.store.read(path) {
            Ok(bytes) => Ok(bytes),
            // It was a file a moment ago: somebody is at work here, and the next round looks again.
            Err(error) if super::failed_path(&error, &[]).is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
