//! Removing content for good.
//!
//! The files come first, by an ordinary change, and the history after them. In the other order the next command would
//! find the text in the files and record it again. A kill in between leaves clean files and an old history; the command
//! is run again, and finds what is left.
//!
//! **Invariant:** a redaction that reports success has searched all that it wrote; what cannot be searched (histories that
//! were set aside, caches) is removed. **Cost:** that of `history::rewrite`, and a scan of the result.
//! Tests: `store::redaction::a_text_is_gone_from_every_byte_and_the_record_stays`,
//! `store::damage::a_redaction_reaches_what_was_set_aside_and_what_a_kill_left`,
//! `kills::a_redaction_that_was_killed_can_be_finished_and_nothing_comes_back`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::catalog::Catalog;
use super::change_metadata::ChangeMetadata;
use super::erase::{
    MARK, MARK_OF_VALUE, clear_folders_named, index_without, is_index, name_without, renamed,
    spellings, text_without, without_text,
};
use super::error::StoreError;
use super::gate::OpenGate;
use super::local_store::{LocalStore, WriteOutcome};
use super::locked_store::LockedStore;
use super::memory_paths::MemoryPaths;
use super::ownership::Redactable;
use super::preview::Planned;
use super::redact_names::{named, relinked};
use super::write_transaction::WriteTransaction;
use crate::history::{
    Change, CitationSnapshot, History, HistoryRewrite, NoteId, Proof, Sha256, Version,
};
use crate::inbox::{self, Inbox};
use crate::limits::REDACTED_TEXT_BYTES_MIN;
use crate::regular_file::if_there;
use crate::spellings::TextSpellings;
use crate::{MemoryPath, Now, regular_file};

/// What to remove from the history.
#[derive(Clone, Debug)]
pub enum Redaction {
    /// Everything a note ever said, and what the index said of it.
    Note(NoteId),
    /// What waits in the inbox, or was rejected there, under a path that no note ever had.
    Waiting(MemoryPath),
    /// Every occurrence of a text, whichever file it stands in.
    Text(String),
    /// The same where the directory may hold anything: files that are not the store's own stay as they are, and only
    /// their versions lose the text.
    OwnText(String),
}

/// What a redaction changes in a store.
#[derive(Debug)]
pub struct RedactionPlan {
    /// What [`LocalStore::redact_files`] writes.
    pub files: Vec<Planned>,
    /// The writes in the inbox that [`LocalStore::redact_history`] cleans or takes out.
    pub waiting: inbox::RedactedEntries,
    /// Files of others that hold the text and stay as they are. One that cannot be read counts only by its name.
    pub left: Vec<MemoryPath>,
    prepared: PreparedRedaction,
}

impl RedactionPlan {
    /// What [`LocalStore::redact_history`] makes of a content at a path; `None` where it is clean.
    pub fn clean_content(&self, path: &MemoryPath, bytes: &[u8]) -> Option<Vec<u8>> {
        self.prepared.clean(path.as_str(), bytes)
    }
}

/// Words that stand in every memory's frontmatter, in names of its files, or in what the history says of a change:
/// without them nothing could be read.
const FORMAT_WORDS: &str = "MEMORY.md appended author before checkpoint commit created deleted description \
                            feedback header length localhost metadata modified operation person project \
                            reference renamed_from session versions notes name type time";

impl LocalStore {
    /// Removes content from every change of the history; the files are the caller's business and
    /// must be clean already. Ends with a scan of the whole history and the catalog.
    ///
    /// # Errors
    /// The rewrite failed (the old history is untouched), or the scan still finds the text.
    pub fn redact_history(&self, what: &Redaction, now: Now) -> Result<Proof, StoreError> {
        let mut locked = LockedStore::begin(self, now)?;
        locked.discard_replaced()?;
        let plan = PreparedRedaction::prepare(what, locked.history(), &[])?;
        // The inbox before the history: an entry that is accepted afterwards must not bring the text back, and one that
        // cannot be read stops the redaction while the history is as it was.
        Inbox::for_paths(&self.places).redact(|entry| plan.redacted(entry), false)?;
        plan.erase_recalled(&self.places)?;
        let mut proof = locked.rewrite(&plan)?;
        // Nobody can prove that these are clean.
        super::history_repair::remove_damaged(&self.places)?;
        super::purge::remove_index(self)?;
        if let Some(text) = &plan.text {
            self.prove(text, &plan)?;
        } else if let Some(history) = self.open_history()? {
            // A note's contents that are still there, because another file says just the same.
            let digests: BTreeSet<Sha256> = plan.contents.iter().map(|one| one.1).collect();
            proof.hits = history.count_contents(digests)?;
        }
        Ok(proof)
    }

    /// Removes content from the files: a text wherever it stands; a note's file, and the lines
    /// of the indexes that name it.
    ///
    /// # Errors
    /// A file cannot be read or written; then none is.
    pub fn redact_files(
        &self,
        order: &ChangeMetadata,
        what: &Redaction,
    ) -> Result<WriteOutcome<()>, StoreError> {
        let written = self.write(order, &OpenGate, |draft| {
            clean_files(draft, what, &self.places).map(drop)
        })?;
        if let Redaction::Text(text) = what {
            self.clear_named(&spellings(text), order.now)?;
        }
        Ok(written)
    }

    /// Removes empty folders whose names hold a text: nothing of them is a file, and nobody else would.
    fn clear_named(&self, text: &TextSpellings, now: Now) -> Result<(), StoreError> {
        let locked = LockedStore::begin(self, now)?;
        clear_folders_named(locked.tree.dir(), text);
        Ok(())
    }

    /// What a redaction would change, and what it would leave.
    ///
    /// # Errors
    /// The directory, a file, or something in the inbox, cannot be read.
    pub fn plan_redaction(&self, now: Now, what: &Redaction) -> Result<RedactionPlan, StoreError> {
        let ((waiting, left, prepared), files) =
            self.preview(now, |draft| clean_files(draft, what, &self.places))?;
        Ok(RedactionPlan {
            files,
            waiting,
            left,
            prepared,
        })
    }

    /// Whether a text can be replaced by the mark: neither the mark itself nor a word of our formats may contain it.
    pub fn is_redactable(text: &str) -> bool {
        let words = FORMAT_WORDS.split_whitespace();
        let mut ours = words.chain([MARK, MARK_OF_VALUE]);
        text.len() >= REDACTED_TEXT_BYTES_MIN && !ours.any(|word| word.contains(text))
    }

    /// Looks for a text, and for the names that held it, in every part of the history and in the catalog.
    fn prove(&self, text: &TextSpellings, plan: &PreparedRedaction) -> Result<(), StoreError> {
        let mut hits = 0;
        if let Some(history) = self.open_history()? {
            history.each_part(&mut |_, bytes| {
                let is_in = text.is_in(bytes) || relinked(bytes, &plan.names).is_some();
                hits += usize::from(is_in);
            })?;
        }
        // The catalog lists what stands in the directory, files of others too, whose names stay.
        let is_left = plan.leaves_others && {
            let catalog = Catalog::load(&self.places.catalog());
            catalog
                .iter()
                .any(|(path, _)| text.is_in_path(path.as_str()))
        };
        hits += usize::from(!is_left && file_contains(&self.places.catalog(), text)?);
        match hits {
            0 => Ok(()),
            hits => Err(crate::history::HistoryError::NotErased(hits).into()),
        }
    }
}

/// The files of a directory, divided into those that a redaction may change and those of others.
fn divided(
    draft: &mut WriteTransaction<'_>,
    what: &Redaction,
) -> Result<(Vec<MemoryPath>, Vec<MemoryPath>), StoreError> {
    let files = draft.files();
    if !matches!(what, Redaction::OwnText(_)) {
        return Ok((files, Vec::new()));
    }
    let redactable = Redactable::from_history(draft.history())?;
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for path in files {
        let is_own = match draft.read(&path) {
            Ok(bytes) => redactable.has(&path, &bytes.unwrap_or_default()),
            Err(error) if redactable.has(&path, b"") => return Err(error),
            Err(_) => false,
        };
        if is_own { &mut own } else { &mut others }.push(path);
    }
    Ok((own, others))
}

/// Cleans the files of a draft. Says what becomes of the inbox, which files of others hold the text and stay, and how.
fn clean_files(
    draft: &mut WriteTransaction<'_>,
    what: &Redaction,
    places: &MemoryPaths,
) -> Result<(inbox::RedactedEntries, Vec<MemoryPath>, PreparedRedaction), StoreError> {
    draft.require_readable()?;
    let plan = PreparedRedaction::prepare(what, draft.history(), &draft.files())?;
    // What waits is not in the way afterwards, when the files are changed already.
    let waiting = Inbox::for_paths(places).redact(|entry| plan.redacted(entry), true)?;
    let (own, mut others) = divided(draft, what)?;
    for path in own {
        let Some(bytes) = draft.read(&path)? else {
            continue;
        };
        if matches!(what, Redaction::Note(note) if draft.note_id(&path) == *note) {
            draft.remove(&path)?;
            continue;
        }
        let clean = plan.clean(path.as_str(), &bytes);
        let renamed = plan.path(&path).filter(|to| !draft.exists(to));
        if let Some(to) = &renamed {
            draft.rename(&path, to)?;
        }
        if let Some(clean) = clean {
            draft.put(renamed.as_ref().unwrap_or(&path), clean)?;
        }
    }
    others.retain(|path| {
        let bytes = draft.read(path).ok().flatten();
        plan.text.as_ref().is_some_and(|text| {
            text.is_in_path(path.as_str()) || bytes.is_some_and(|bytes| text.is_in(&bytes))
        })
    });
    Ok((waiting, others, plan))
}

impl LockedStore<'_> {
    /// Rewrites the history and brings the catalog after it.
    pub(super) fn rewrite(mut self, plan: &dyn HistoryRewrite) -> Result<Proof, StoreError> {
        let (history, proof) = self.history.rewrite(plan)?;
        let head = history.head()?;
        self.catalog
            .rename_graves(&|path| renamed(path, &|name| plan.name(name)));
        self.catalog.forget_cited(|recorded| plan.forgets(recorded));
        self.catalog.head = head;
        self.catalog.save(&self.store.places.catalog())?;
        Ok(proof)
    }
}

fn file_contains(path: &Path, text: &TextSpellings) -> Result<bool, StoreError> {
    let read = if_there(regular_file::read_whole(path)).map_err(StoreError::io("read", path))?;
    Ok(read.is_some_and(|bytes| text.is_in(&bytes)))
}

/// A redaction, ready to be applied to every change.
#[derive(Debug, Default)]
pub(super) struct PreparedRedaction {
    /// Every content that belongs to the note: where it stood, and the digest of what is stored of it.
    contents: BTreeSet<(String, Sha256)>,
    /// Every path that the note ever had.
    pub(super) paths: BTreeSet<String>,
    pub(super) text: Option<TextSpellings>,
    /// The new names of files and folders that hold the text, by the old ones.
    names: BTreeMap<String, String>,
    /// Whether files that are not the store's own stay as they are.
    leaves_others: bool,
}

impl PreparedRedaction {
    fn prepare(
        what: &Redaction,
        history: &History,
        files: &[MemoryPath],
    ) -> Result<Self, StoreError> {
        let mut plan = Self {
            leaves_others: matches!(what, Redaction::OwnText(_)),
            ..Self::default()
        };
        match what {
            Redaction::Text(text) | Redaction::OwnText(text) => {
                let text = spellings(text);
                plan.names = named(&text, history, files)?;
                plan.text = Some(text);
            }
            Redaction::Waiting(path) => drop(plan.paths.insert(path.as_str().to_owned())),
            Redaction::Note(note) => {
                for (entry, version) in history.of_note(note)? {
                    let path = version.path.as_str().to_owned();
                    let moment = history.at(entry.sequence)?;
                    if let Some(digest) = moment.stored_digest(&version.path)? {
                        plan.contents.insert((path.clone(), digest));
                    }
                    plan.paths.insert(path);
                }
            }
        }
        Ok(plan)
    }
}

impl PreparedRedaction {
    /// Removes the records of what was recalled that name a file by the text; they are no more than a
    /// convenience.
    fn erase_recalled(&self, places: &MemoryPaths) -> Result<(), StoreError> {
        let Some(text) = &self.text else {
            return Ok(());
        };
        let folders = [places.recalled(), places.recalled().join("sessions")];
        let files = folders
            .iter()
            .filter_map(|folder| std::fs::read_dir(folder).ok());
        for file in files.flatten().flatten().map(|entry| entry.path()) {
            if file.is_file() && file_contains(&file, text)? {
                std::fs::remove_file(&file).map_err(StoreError::io("remove", &file))?;
            }
        }
        Ok(())
    }

    /// A file other than the note's own, cleaned; `None` where it is clean.
    pub(super) fn clean(&self, path: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        match &self.text {
            Some(text) => {
                let linked = relinked(bytes, &self.names);
                without_text(linked.as_deref().unwrap_or(bytes), text).or(linked)
            }
            None if is_index(path) => {
                index_without(path, bytes, self.paths.iter().map(String::as_str))
            }
            None => None,
        }
    }

    /// The path of a file whose name holds the text, without it.
    pub(super) fn path(&self, path: &MemoryPath) -> Option<MemoryPath> {
        renamed(path, &|name| self.name(name))
    }

    /// Takes the text out of what a version says of its paths.
    fn clean_paths(&self, version: &mut Version) {
        if let Some(path) = self.path(&version.path) {
            version.path = path;
        }
        if let Some(from) = &mut version.renamed_from
            && let Some(path) = self.path(from)
        {
            *from = path;
        }
        version.renamed_from.take_if(|from| *from == version.path);
    }
}

impl HistoryRewrite for PreparedRedaction {
    fn name(&self, name: &str) -> Option<String> {
        let named = self.names.get(name).cloned();
        named.or_else(|| name_without(name, self.text.as_ref()?))
    }

    fn forgets(&self, recorded: &str) -> bool {
        self.text
            .as_ref()
            .is_some_and(|text| text.is_in_path(recorded))
    }

    fn content(&self, path: &str, digest: &Sha256, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.contents.contains(&(path.to_owned(), *digest)) {
            return Some(format!("{MARK}\n").into_bytes());
        }
        self.clean(path, bytes)
    }

    fn record(&self, change: &mut Change, touched: &dyn Fn(&str) -> bool) {
        for version in change
            .versions
            .iter_mut()
            .filter(|one| touched(one.path.as_str()))
        {
            version.redacted = true;
            version.sha256 = None;
            version.size = None;
            version.cited = CitationSnapshot::default();
        }
        for version in &mut change.versions {
            self.clean_paths(version);
            version.cited.forget(|recorded| self.forgets(recorded));
        }
        if let (Some(text), Some(reason)) = (&self.text, &mut change.reason) {
            *reason = text_without(reason, text);
        }
    }
}
