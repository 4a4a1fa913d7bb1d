//! Entries on their way into the inbox, and to those that were rejected: many of them at the price of few.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::entry::InboxEntry;
use super::error::InboxError;
use super::{Inbox, belonging, entry_files, file_of, remove_file};
use crate::MemoryPath;
use crate::history::AuthorKind;
use crate::limits::{
    INBOX_ENTRIES_MAX, INBOX_ENTRY_BYTES_MAX, INBOX_REJECTED_MAX, INBOX_TEAM_ENTRIES_MAX,
};
use crate::state_file;

/// What waits, by the file that it is about, as more comes.
struct PendingByFile {
    by_path: HashMap<Option<MemoryPath>, Vec<InboxEntry>>,
    /// How many wait of colleagues, and of others.
    counts: [usize; 2],
}

impl Inbox {
    /// Takes an entry in. The same write again is the entry that is there; an earlier write of the
    /// same session to the same files is replaced.
    ///
    /// # Errors
    /// The inbox is full, the entry too large, or the system refuses.
    pub(crate) fn put(&self, entry: InboxEntry) -> Result<InboxEntry, InboxError> {
        let mut results = self.put_all(vec![entry])?;
        results
            .pop()
            .unwrap_or(Err(InboxError::Full(INBOX_ENTRIES_MAX)))
    }

    /// Takes in one after the other, each as [`Inbox::put`] would, with one look at what waits and one wait for the
    /// disk. Says of each in turn what became of it.
    ///
    /// # Errors
    /// The system refuses.
    pub(crate) fn put_all(
        &self,
        entries: Vec<InboxEntry>,
    ) -> Result<Vec<Result<InboxEntry, InboxError>>, InboxError> {
        let mut shelf = PendingByFile::from_entries(self.waiting().entries);
        let (mut files, mut replaced) = (Vec::new(), Vec::new());
        let mut results = Vec::with_capacity(entries.len());
        for entry in entries {
            let mut gone = Vec::new();
            let taken = shelf.take(entry, &mut gone);
            let put = taken.and_then(|(entry, is_new)| {
                if is_new {
                    let bytes = self.stored(&entry)?;
                    files.push((file_of(&self.folder, &entry.id), bytes));
                }
                // One that cannot be stored takes the place of no other.
                replaced.append(&mut gone);
                Ok(entry)
            });
            results.push(put);
        }
        // New entries are on the disk before those that they replace are set aside: a crash leaves one too many.
        state_file::write_all(&files)?;
        self.replace(replaced)?;
        Ok(results)
    }

    /// Turns entries down: they are kept for a while among the rejected.
    ///
    /// # Errors
    /// The system refuses.
    pub fn reject(&self, entries: &[InboxEntry]) -> Result<(), InboxError> {
        self.set_aside(entries)
    }

    /// Keeps replaced entries among the rejected: something later took their place.
    ///
    /// # Errors
    /// The system refuses.
    pub fn replace(&self, entries: Vec<InboxEntry>) -> Result<(), InboxError> {
        let replaced = entries.into_iter().map(|entry| InboxEntry {
            is_replaced: true,
            ..entry
        });
        self.set_aside(&replaced.collect::<Vec<_>>())
    }

    /// Moves entries to the rejected ones, of which the oldest go.
    fn set_aside(&self, entries: &[InboxEntry]) -> Result<(), InboxError> {
        if entries.is_empty() {
            return Ok(());
        }
        let folder = self.rejected_folder();
        let stored = |entry: &InboxEntry| Ok((file_of(&folder, &entry.id), self.stored(entry)?));
        let files: Result<Vec<_>, InboxError> = entries.iter().map(stored).collect();
        // Written to the one folder, then removed from the other: a crash leaves an entry in both and none in neither.
        state_file::write_all(&files?)?;
        for entry in entries {
            remove_file(&file_of(&self.folder, &entry.id))?;
        }
        forget_the_oldest(&folder)
    }

    pub(super) fn write(&self, folder: &Path, entry: &InboxEntry) -> Result<(), InboxError> {
        let bytes = self.stored(entry)?;
        Ok(state_file::write(&file_of(folder, &entry.id), &bytes)?)
    }

    /// An entry as it stands on the disk.
    fn stored(&self, entry: &InboxEntry) -> Result<Vec<u8>, InboxError> {
        let mut bytes = serde_json::to_vec_pretty(entry).map_err(InboxError::Shape)?;
        bytes.push(b'\n');
        if bytes.len() > INBOX_ENTRY_BYTES_MAX {
            return Err(InboxError::TooLarge(bytes.len()));
        }
        let sealed = self.seal.closed(bytes, &belonging(entry.id.as_str()))?;
        Ok(sealed.into_owned())
    }
}

fn forget_the_oldest(folder: &Path) -> Result<(), InboxError> {
    let mut kept = entry_files(folder);
    let surplus = kept.len().saturating_sub(INBOX_REJECTED_MAX);
    if surplus > 0 {
        let modified = |path: &PathBuf| path.metadata().and_then(|meta| meta.modified()).ok();
        kept.sort_by_cached_key(modified);
    }
    for path in kept.iter().take(surplus) {
        remove_file(path)?;
    }
    Ok(())
}

impl PendingByFile {
    fn from_entries(waiting: Vec<InboxEntry>) -> Self {
        let mut shelf = Self {
            by_path: HashMap::new(),
            counts: [0, 0],
        };
        for entry in waiting {
            shelf.counts[kind_of(&entry).0] += 1;
            let path = subject(&entry);
            shelf.by_path.entry(path).or_default().push(entry);
        }
        shelf
    }

    /// Takes an entry on the shelf, and what it replaces from it. Says whether it was not there before.
    fn take(
        &mut self,
        mut entry: InboxEntry,
        replaced: &mut Vec<InboxEntry>,
    ) -> Result<(InboxEntry, bool), InboxError> {
        let (kind, most) = kind_of(&entry);
        let beside = self.by_path.entry(subject(&entry)).or_default();
        if let Some(same) = beside.iter().find(|one| one.says_the_same(&entry)) {
            return Ok((same.clone(), false));
        }
        let goes = beside.iter().filter(|one| entry.replaces(one));
        entry.replaces = goes.map(|one| one.id.clone()).collect();
        if self.counts[kind].saturating_sub(entry.replaces.len()) >= most {
            return Err(InboxError::Full(most));
        }
        let gone = beside.extract_if(.., |one| entry.replaces.contains(&one.id));
        for one in gone {
            let other = kind_of(&one).0;
            self.counts[other] = self.counts[other].saturating_sub(1);
            replaced.push(one);
        }
        self.counts[kind] += 1;
        beside.push(entry.clone());
        Ok((entry, true))
    }
}

/// Whose it is, and how many of these may wait: an agent that runs wild is stopped early, a team's memory fits whole.
fn kind_of(entry: &InboxEntry) -> (usize, usize) {
    match entry.author.actor {
        AuthorKind::Team => (0, INBOX_TEAM_ENTRIES_MAX),
        _ => (1, INBOX_ENTRIES_MAX),
    }
}

/// The first file that it is about: the same for what says the same, and for what replaces it.
fn subject(entry: &InboxEntry) -> Option<MemoryPath> {
    entry.notes().next().map(|file| file.path.clone())
}
