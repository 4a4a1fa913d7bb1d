//! [`ScopedEntry`]: an entry of an inbox with the store that it is for.

use super::entry::{File, InboxEntry};
use super::error::InboxError;
use super::{EntryContent, Inbox};
use crate::MemoryPath;
use crate::compact_sort::CompactSort as _;
use crate::history::{AuthorKind, Sha256};
use crate::memory::ProjectMemory;
use crate::run::RunContext;
use crate::store::{ChangeMetadata, LocalStore, Snapshot, StoreError, merge_text};
use crate::unified_diff::unified_diff;

/// An entry and the store it is for.
#[derive(Debug)]
pub struct ScopedEntry {
    /// The store.
    pub store: LocalStore,
    /// The entry.
    pub entry: InboxEntry,
}

/// What a person made of the texts of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditOutcome {
    /// A text is empty: the entry is as it was.
    Emptied,
    /// Every text is the one that was offered.
    Unchanged,
    /// A text is another one.
    Changed,
}

impl ProjectMemory {
    /// What waits in every tier (or was rejected), the oldest first; says what cannot be read.
    ///
    /// # Errors
    /// An entry is sealed and its key is not there.
    pub fn inbox_entries(
        &self,
        rejected: bool,
        run: &RunContext,
    ) -> Result<Vec<ScopedEntry>, InboxError> {
        let mut found = Vec::new();
        for store in self.distinct_stores() {
            let inbox = Inbox::for_paths(store.places());
            let waiting = match rejected {
                true => inbox.rejected(),
                false => inbox.waiting(),
            };
            let (entries, warnings) = waiting.opened()?;
            run.warn_all(&warnings);
            let of_store = |entry| ScopedEntry {
                store: store.clone(),
                entry,
            };
            found.extend(entries.into_iter().map(of_store));
        }
        found.compact_sort_by_key(|one| one.entry.time);
        Ok(found)
    }

    /// The entry whose id begins so, waiting or rejected.
    ///
    /// # Errors
    /// As [`Self::inbox_entries`]; there is none, or there are several.
    pub fn inbox_entry(&self, id: &str, run: &RunContext) -> Result<ScopedEntry, InboxError> {
        let bare = |id: &str| id.strip_prefix("inb_").unwrap_or(id).to_owned();
        let wanted = bare(id);
        for rejected in [false, true] {
            let mut fitting = self.inbox_entries(rejected, run)?;
            fitting.retain(|one| {
                !wanted.is_empty() && bare(one.entry.id.as_str()).starts_with(&wanted)
            });
            if fitting.len() > 1 {
                return Err(InboxError::Ambiguous(id.to_owned()));
            }
            if let Some(found) = fitting.pop() {
                return Ok(found);
            }
        }
        Err(InboxError::Unknown(id.to_owned()))
    }

    /// The entries of these ids; all that waits where none is given.
    ///
    /// # Errors
    /// As [`Self::inbox_entry`].
    pub fn chosen_entries(
        &self,
        ids: &[String],
        run: &RunContext,
    ) -> Result<Vec<ScopedEntry>, InboxError> {
        match ids {
            [] => self.inbox_entries(false, run),
            ids => ids.iter().map(|id| self.inbox_entry(id, run)).collect(),
        }
    }
}

impl ScopedEntry {
    /// Whether another one is for the same store.
    pub fn is_beside(&self, other: &Self) -> bool {
        self.store.places().root == other.store.places().root
    }

    /// Whether another one becomes part of the same change when both are accepted: both are files of colleagues.
    pub fn is_accepted_with(&self, other: &Self) -> bool {
        let is_simple = |one: &InboxEntry| {
            let is_one = one.files.len() == 1 && one.files[0].renamed_from.is_none();
            one.author.actor == AuthorKind::Team && one.reason.is_none() && is_one
        };
        let is_same_file = |a: &InboxEntry, b: &InboxEntry| a.files[0].path == b.files[0].path;
        let (entry, next) = (&self.entry, &other.entry);
        let are_simple = is_simple(entry) && is_simple(next) && entry.verb == next.verb;
        are_simple && !is_same_file(entry, next) && self.is_beside(other)
    }

    /// What it would change.
    pub fn proposed_diff(&self) -> String {
        let one = |file: &File| {
            let bytes =
                |content: &Option<EntryContent>| content.as_ref().map(|content| content.0.clone());
            let (old, new) = (bytes(&file.old), bytes(&file.new));
            unified_diff(&self.file_label(file), old.as_deref(), new.as_deref())
        };
        self.entry.files.iter().map(one).collect()
    }

    /// A file as other commands name it.
    pub fn file_label(&self, file: &File) -> String {
        self.store.tiers().label(&file.path)
    }

    /// What a person is to edit of each memory of the entry, by its label.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn offered_texts(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let snapshot = self.store.snapshot()?;
        let mut texts = Vec::new();
        for file in self.entry.notes() {
            if let Some(new) = &file.new {
                let now = read(&snapshot, &file.path)?;
                let text = offered_text(file.old.as_ref(), now.as_deref(), &new.0);
                texts.push((self.file_label(file), text));
            }
        }
        Ok(texts)
    }

    /// Replaces what the entry wants by what `edit` makes of it, which is given each file and the text that is offered;
    /// `None` where there is no text, because the entry only removes.
    ///
    /// # Errors
    /// As `edit`; what is offered is not the content of `expected`; the memory cannot be read.
    pub fn edit<E: From<InboxError>>(
        &mut self,
        expected: Option<&str>,
        mut edit: impl FnMut(&MemoryPath, &[u8]) -> Result<Vec<u8>, E>,
    ) -> Result<Option<EditOutcome>, E> {
        let snapshot = self.store.snapshot().map_err(InboxError::from)?;
        let notes: Vec<_> = self.entry.notes().map(|file| file.path.clone()).collect();
        let mut outcome = None;
        for file in &mut self.entry.files {
            let Some(new) = file.new.as_ref().filter(|_| notes.contains(&file.path)) else {
                continue;
            };
            let now = read(&snapshot, &file.path).map_err(InboxError::from)?;
            let offered = offered_text(file.old.as_ref(), now.as_deref(), &new.0);
            let text = edit(&file.path, &offered)?;
            let digest = Sha256::digest(&offered).to_string();
            if expected.is_some_and(|read| read != digest) {
                let overtaken = InboxError::Overtaken {
                    path: file.path.clone(),
                    now: offered,
                    wanted: text,
                };
                return Err(overtaken.into());
            }
            if text.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(EditOutcome::Emptied));
            }
            if text != offered {
                outcome = Some(EditOutcome::Changed);
            }
            outcome = outcome.or(Some(EditOutcome::Unchanged));
            // What the person saw is what their text is based on.
            file.old = now.map(EntryContent);
            file.new = Some(EntryContent(text));
        }
        Ok(outcome)
    }
}

impl InboxEntry {
    /// The order of the entry's author, at the present; the reason says who agreed.
    pub fn accept_metadata(&self, run: &RunContext) -> ChangeMetadata {
        let person = run.author().name;
        let agreed = format!(
            "{}, accepted by {}",
            self.verb,
            person.as_deref().unwrap_or("a person")
        );
        let reason = match &self.reason {
            Some(reason) => format!("{reason} ({agreed})"),
            None => agreed,
        };
        let order =
            ChangeMetadata::new("accept", self.author.clone(), run.now).because(Some(reason));
        match self.author.actor {
            // What goes elsewhere goes here with its folder.
            AuthorKind::Team => order.clearing_folders(),
            _ => order,
        }
    }

    /// The order of entries of colleagues; of one of them where it is one.
    pub fn joint_metadata(entries: &[&Self], run: &RunContext) -> ChangeMetadata {
        let mut author = entries[0].author.clone();
        if entries.iter().any(|entry| entry.author.name != author.name) {
            author.name = None;
        }
        let person = run.author().name;
        let person = person.as_deref().unwrap_or("a person");
        let agreed = format!(
            "{} of {} files, accepted by {person}",
            entries[0].verb,
            entries.len()
        );
        let order = ChangeMetadata::new("accept", author, run.now).because(Some(agreed));
        order.clearing_folders()
    }
}

fn read(snapshot: &Snapshot<'_>, path: &MemoryPath) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(snapshot.read(path)?.map(|(bytes, _)| bytes))
}

/// The text for the editor: the wanted one, merged with what is there now; both, between
/// marks, where that does not merge.
fn offered_text(old: Option<&EntryContent>, now: Option<&[u8]>, new: &[u8]) -> Vec<u8> {
    let old = old.map(|old| old.0.as_slice());
    match now {
        Some(now) if Some(now) != old && now != new => {
            let base = old.unwrap_or_default();
            merge_text(base, now, new).unwrap_or_else(|| {
                let parts = [
                    b"<<<<<<< now\n",
                    now,
                    b"=======\n",
                    new,
                    b">>>>>>> wanted\n",
                ];
                parts.concat()
            })
        }
        _ => new.to_vec(),
    }
}
