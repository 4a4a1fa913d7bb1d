//! Carrying out what was accepted.
//!
//! An entry waited, and the files went on. With `old` as the base of the entry, `new` as what it wants and `now` as what
//! stands there:
//!
//! | now | becomes |
//! |---|---|
//! | `new` | stays: accepted before, and a crash kept the entry |
//! | `old` | `new` |
//! | another, of an index | both, entry by entry |
//! | another, of a memory | the merge by lines, or an error and nothing is written |
//! | removed, an index | the entries that `new` adds |
//! | removed, a memory | an error and nothing is written: it would come back without its index entry |
//!
//! Tests: `inbox::what_was_edited_since_is_merged_or_told_and_never_lost`,
//! `inbox::one_conflict_does_not_keep_the_others_waiting`,
//! `inbox::an_edit_does_not_bring_a_removed_or_renamed_memory_back`.

use super::entry::{File, InboxEntry};
use super::error::InboxError;
use super::{EntryContent, Inbox};
use crate::store::{
    ChangeMetadata, LocalStore, Lock, WriteGate, WriteOutcome, WriteTransaction, merge_text,
};
use crate::{Now, index};

impl LocalStore {
    /// Makes a change that waited, as a change of its author, and takes it out of the inbox. What
    /// was edited since in other lines stays; lists are merged line by line.
    ///
    /// # Errors
    /// A file was changed since in the same lines, a gate refuses, or the system does; the entry
    /// stays.
    pub fn accept(
        &self,
        entry: &InboxEntry,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<WriteOutcome<()>, InboxError> {
        let written = self.write(order, gate, |draft| plan(draft, entry))?;
        // After the change and not before it: a crash in between leaves an entry that says nothing new, and the other
        // order would lose what was accepted.
        Inbox::for_paths(self.places()).remove(&entry.id)?;
        Ok(written)
    }

    /// Whether [`LocalStore::accept`] could make the change now; writes nothing of it and asks no gate.
    ///
    /// # Errors
    /// As [`LocalStore::accept`], without a gate's.
    pub fn check_acceptance(&self, entry: &InboxEntry, now: Now) -> Result<(), InboxError> {
        let planned = self.preview(now, |draft| plan(draft, entry));
        planned.map(drop)
    }
}

impl LocalStore {
    /// Writes what a person made of an entry, which waits on under its id.
    ///
    /// # Errors
    /// It does not wait as it was read, it is too large, or the system refuses.
    pub fn amend(&self, read: &InboxEntry, amended: &InboxEntry) -> Result<(), InboxError> {
        let _lock = Lock::acquire(self.places())?;
        Inbox::for_paths(self.places()).amend(read, amended)
    }

    /// Makes changes that waited, of what is each about files of its own, as one change that names the author of each
    /// file, and takes them out of the inbox.
    ///
    /// # Errors
    /// As [`LocalStore::accept`], of one of them; all stay then.
    pub fn accept_all(
        &self,
        entries: &[&InboxEntry],
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<WriteOutcome<()>, InboxError> {
        let written = self.write(order, gate, |draft| {
            for (entry, file) in entries
                .iter()
                .flat_map(|entry| entry.files.iter().map(move |file| (entry, file)))
            {
                carry_out(draft, entry, file)?;
                if let Some(name) = &entry.author.name {
                    draft.written_by(&file.path, name);
                }
            }
            Ok::<_, InboxError>(())
        })?;
        let inbox = Inbox::for_paths(self.places());
        entries
            .iter()
            .try_for_each(|entry| inbox.remove(&entry.id))?;
        Ok(written)
    }
}

/// Puts into the draft what an entry wants.
fn plan(draft: &mut WriteTransaction<'_>, entry: &InboxEntry) -> Result<(), InboxError> {
    // What a rename moves is gone from its old place afterwards.
    let (moved, rest): (Vec<_>, Vec<_>) = entry
        .files
        .iter()
        .partition(|file| file.renamed_from.is_some());
    let mut files = moved.into_iter().chain(rest);
    files.try_for_each(|file| carry_out(draft, entry, file))
}

/// Puts into the draft what an entry wants of one file.
fn carry_out(
    draft: &mut WriteTransaction<'_>,
    entry: &InboxEntry,
    file: &File,
) -> Result<(), InboxError> {
    let base = move_first(draft, entry, file)?;
    let now = draft.read(&file.path)?;
    let new = bytes(file.new.as_ref());
    if now == new {
        return Ok(());
    }
    let overtaken = |now: &[u8], wanted: Option<&Vec<u8>>| InboxError::Overtaken {
        id: entry.id.clone(),
        path: file.path.clone(),
        now: now.to_vec(),
        wanted: wanted.cloned(),
    };
    let wanted = match (&now, &base, &new) {
        (now, base, _) if now == base => new,
        (now, base, Some(new)) if file.is_list() => {
            let (base, now) = (base.as_deref(), now.as_deref());
            let (base, now) = (base.unwrap_or_default(), now.unwrap_or_default());
            Some(index::merge(base, now, new))
        }
        (Some(now), Some(base), Some(new)) => {
            Some(merge_text(base, now, new).ok_or_else(|| overtaken(now, Some(new)))?)
        }
        (Some(now), _, new) => return Err(overtaken(now, new.as_ref())),
        (None, ..) => {
            return Err(InboxError::Gone {
                id: entry.id.clone(),
                path: file.path.clone(),
            });
        }
    };
    match wanted {
        Some(bytes) => draft.put(&file.path, bytes)?,
        None => draft.remove(&file.path)?,
    }
    Ok(())
}

/// Moves a file that is to be renamed; returns what the entry was based on.
fn move_first(
    draft: &mut WriteTransaction<'_>,
    entry: &InboxEntry,
    file: &File,
) -> Result<Option<Vec<u8>>, InboxError> {
    if let Some(from) = &file.renamed_from
        && draft.exists(from)
    {
        if draft.exists(&file.path) {
            return Err(InboxError::Exists {
                id: entry.id.clone(),
                path: file.path.clone(),
            });
        }
        draft.rename(from, &file.path)?;
    }
    Ok(bytes(entry.base(file)))
}

fn bytes(content: Option<&EntryContent>) -> Option<Vec<u8>> {
    content.map(|content| content.0.clone())
}
