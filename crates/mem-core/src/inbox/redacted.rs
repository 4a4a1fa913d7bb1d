//! What a redaction leaves in an inbox: of a write that waits only what is to go goes, and the write waits on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::entry::InboxEntry;
use super::error::InboxError;
use super::{Inbox, entry_files, file_of, remove_file};
use crate::error::{Diagnose as _, ErrorKind};
use crate::history::ProposalId;
use crate::store::StoreError;

/// What becomes of an entry.
#[derive(Debug)]
pub(crate) enum EntryRedaction {
    /// It holds nothing of what is to go.
    Stays,
    /// It is replaced by this.
    Cleaned(Box<InboxEntry>),
    /// Nothing can be left of it.
    Goes,
}

/// How many entries a redaction meets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RedactedEntries {
    /// Those that wait on, or are kept, without what is to go.
    pub cleaned: usize,
    /// Those that go as a whole.
    pub removed: usize,
}

/// An entry that is not to stay as it is.
struct ChangedEntry {
    path: PathBuf,
    id: ProposalId,
    cleaned: Option<Box<InboxEntry>>,
}

impl Inbox {
    /// What [`Inbox::redact`] would do.
    ///
    /// # Errors
    /// An entry cannot be read: nobody knows what is in it.
    pub(crate) fn redactable(
        &self,
        fate: impl Fn(&InboxEntry) -> EntryRedaction,
    ) -> Result<RedactedEntries, StoreError> {
        let mut count = RedactedEntries::default();
        for one in self.meant(fate)?.1 {
            count.add(one.cleaned.is_some());
        }
        Ok(count)
    }

    /// Takes out of every entry what must not be kept at all, and out of the inbox those of which nothing is left. The
    /// id of an entry is made of its content: a cleaned one gets another.
    ///
    /// # Errors
    /// One cannot be read, and then none is touched; the system refuses.
    pub(crate) fn redact(
        &self,
        fate: impl Fn(&InboxEntry) -> EntryRedaction,
    ) -> Result<RedactedEntries, StoreError> {
        let (others, meant) = self.meant(fate)?;
        let ids = meant.iter().map(|one| {
            let new = one.cleaned.as_ref().map(|entry| entry.id.clone());
            (one.id.clone(), new)
        });
        let ids: BTreeMap<ProposalId, Option<ProposalId>> = ids.collect();
        let mut count = RedactedEntries::default();
        for ChangedEntry { path, cleaned, .. } in meant {
            let is_kept = match cleaned {
                Some(entry) => self.rewrite(&path, &renamed(&entry, &ids).unwrap_or(*entry))?,
                None => remove_file(&path).map(|()| false)?,
            };
            count.add(is_kept);
        }
        for (path, entry) in others {
            if let Some(entry) = renamed(&entry, &ids) {
                self.rewrite(&path, &entry)?;
            }
        }
        Ok(count)
    }

    /// The entries that are to stay, and the others, among what waits and what was turned down.
    #[expect(
        clippy::type_complexity,
        reason = "two lists that nobody else asks for"
    )]
    fn meant(
        &self,
        fate: impl Fn(&InboxEntry) -> EntryRedaction,
    ) -> Result<(Vec<(PathBuf, InboxEntry)>, Vec<ChangedEntry>), StoreError> {
        let (mut others, mut meant) = (Vec::new(), Vec::new());
        let folders = [self.folder.clone(), self.rejected_folder()];
        for path in folders.iter().flat_map(|folder| entry_files(folder)) {
            let entry = match self.read(&path) {
                Ok(entry) => entry,
                // Somebody else decided on it meanwhile.
                Err(_) if !path.exists() => continue,
                Err(error) => return Err(unknown(path, error)),
            };
            let id = entry.id.clone();
            let cleaned = match fate(&entry) {
                EntryRedaction::Stays => {
                    others.push((path, entry));
                    continue;
                }
                EntryRedaction::Cleaned(entry) => Some(entry),
                EntryRedaction::Goes => None,
            };
            meant.push(ChangedEntry { path, id, cleaned });
        }
        Ok((others, meant))
    }

    /// Puts an entry in the place of another. One that has become too large by it cannot be kept: `false`.
    fn rewrite(&self, path: &Path, entry: &InboxEntry) -> Result<bool, StoreError> {
        let Some(folder) = path.parent() else {
            return Ok(false);
        };
        let is_kept = match self.write(folder, entry) {
            Ok(()) => true,
            Err(InboxError::TooLarge(_)) => false,
            Err(error) => return Err(unknown(path.to_owned(), error)),
        };
        if !is_kept || file_of(folder, &entry.id) != path {
            remove_file(path)?;
        }
        Ok(is_kept)
    }
}

impl RedactedEntries {
    fn add(&mut self, is_kept: bool) {
        match is_kept {
            true => self.cleaned += 1,
            false => self.removed += 1,
        }
    }

    /// All of them.
    #[must_use]
    pub fn total(self) -> usize {
        self.cleaned + self.removed
    }
}

/// The entry with the ids by which others are known now; `None` where it names none of them.
fn renamed(
    entry: &InboxEntry,
    ids: &BTreeMap<ProposalId, Option<ProposalId>>,
) -> Option<InboxEntry> {
    let is_named = |id: &ProposalId| ids.contains_key(id);
    entry.replaces.iter().any(is_named).then(|| {
        let now = |id: &ProposalId| ids.get(id).map_or_else(|| Some(id.clone()), Clone::clone);
        InboxEntry {
            replaces: entry.replaces.iter().filter_map(now).collect(),
            ..entry.clone()
        }
    })
}

fn unknown(path: PathBuf, error: InboxError) -> StoreError {
    match error {
        InboxError::Sealed(error) if error.kind() != ErrorKind::Corrupt => error.into(),
        error => StoreError::Waiting {
            path,
            cause: error.to_string(),
        },
    }
}
