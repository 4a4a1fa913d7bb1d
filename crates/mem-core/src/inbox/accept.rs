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
//! | removed | `new`: the text is not lost by that |
//!
//! Tests: `inbox::what_was_edited_since_is_merged_or_told_and_never_lost`,
//! `inbox::one_conflict_does_not_keep_the_others_waiting`.

use super::entry::{File, InboxEntry};
use super::error::InboxError;
use super::{EntryContent, Inbox};
use crate::index;
use crate::store::{
    ChangeMetadata, LocalStore, Lock, WriteGate, WriteOutcome, WriteTransaction, merge_text,
};

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
        let written = self.write(order, gate, |draft| {
            // What a rename moves is gone from its old place afterwards.
            let (moved, rest): (Vec<_>, Vec<_>) = entry
                .files
                .iter()
                .partition(|file| file.renamed_from.is_some());
            let mut files = moved.into_iter().chain(rest);
            files.try_for_each(|file| carry_out(draft, entry, file))
        })?;
        // After the change and not before it: a crash in between leaves an entry that says nothing new, and the other
        // order would lose what was accepted.
        Inbox::for_paths(self.places()).remove(&entry.id)?;
        Ok(written)
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
    let wanted = match (&now, &base, &new) {
        (now, base, _) if now == base => new,
        (Some(now), base, Some(new)) if file.is_list() => {
            Some(index::merge(base.as_deref().unwrap_or_default(), now, new))
        }
        (Some(now), Some(base), Some(new)) => {
            Some(merge_text(base, now, new).ok_or_else(|| overtaken(file, Some(now), Some(new)))?)
        }
        // Somebody removed meanwhile what was to be changed: the text is not lost by that.
        (None, _, Some(new)) => Some(new.clone()),
        (now, _, new) => return Err(overtaken(file, now.as_ref(), new.as_ref())),
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
    let Some(from) = &file.renamed_from else {
        return Ok(bytes(file.old.as_ref()));
    };
    if draft.exists(from) {
        draft.rename(from, &file.path)?;
    }
    let source = entry.files.iter().find(|one| one.path == *from);
    Ok(source.and_then(|one| bytes(one.old.as_ref())))
}

fn bytes(content: Option<&EntryContent>) -> Option<Vec<u8>> {
    content.map(|content| content.0.clone())
}

fn overtaken(file: &File, now: Option<&Vec<u8>>, wanted: Option<&Vec<u8>>) -> InboxError {
    let bytes = |side: Option<&Vec<u8>>| side.cloned().unwrap_or_default();
    InboxError::Overtaken {
        path: file.path.clone(),
        now: bytes(now),
        wanted: bytes(wanted),
    }
}
