//! What a redaction leaves in an inbox: of a write that waits only what is to go goes, and the write waits on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::entry::InboxEntry;
use super::error::InboxError;
use super::{Inbox, entry_files, file_of, remove_file};
use crate::error::{Diagnose as _, ErrorKind};
use crate::history::ProposalId;
use crate::store::StoreError;

/// How many entries a redaction meets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RedactedEntries {
    /// Those that wait on, or are kept, without what is to go.
    pub cleaned: usize,
    /// Those that go as a whole.
    pub removed: usize,
}

impl Inbox {
    /// Puts in the place of every entry, of what waits and of what was rejected, what `redacted` makes of it, and
    /// removes those of which it leaves nothing; only counts them where `is_dry`. The id of an entry is made of its
    /// content: a cleaned one gets another, and the others that name it are written anew.
    ///
    /// # Errors
    /// One cannot be read: nobody knows what is in it, and none is touched. The system refuses.
    pub(crate) fn redact(
        &self,
        redacted: impl Fn(&InboxEntry) -> Option<InboxEntry>,
        is_dry: bool,
    ) -> Result<RedactedEntries, StoreError> {
        let (mut entries, mut ids) = (Vec::new(), BTreeMap::new());
        let folders = [self.folder.clone(), self.rejected_folder()];
        for path in folders.iter().flat_map(|folder| entry_files(folder)) {
            let old = match self.read(&path) {
                Ok(entry) => entry,
                // Somebody else decided on it meanwhile.
                Err(_) if !path.exists() => continue,
                Err(error) => return Err(unknown(path, error)),
            };
            let new = redacted(&old);
            let is_meant = new.as_ref() != Some(&old);
            if is_meant {
                ids.insert(old.id.clone(), new.as_ref().map(|new| new.id.clone()));
            }
            entries.push((path, old, new, is_meant));
        }
        // Only now, with every entry read, is the first one changed. An entry that names another by its id can be written
        // only when all new ids are known.
        let mut count = RedactedEntries::default();
        for (path, old, new, is_meant) in entries {
            let is_kept = match new.map(|new| renamed(new, &ids)) {
                new if is_dry => new.is_some(),
                None => remove_file(&path).map(|()| false)?,
                Some(new) => new == old || self.rewrite(&path, &new)?,
            };
            match is_kept {
                _ if !is_meant => {}
                true => count.cleaned += 1,
                false => count.removed += 1,
            }
        }
        Ok(count)
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
    /// All of them.
    #[must_use]
    pub fn total(self) -> usize {
        self.cleaned + self.removed
    }
}

/// The entry with the ids by which others are known now, and without those that are gone.
fn renamed(mut entry: InboxEntry, ids: &BTreeMap<ProposalId, Option<ProposalId>>) -> InboxEntry {
    let named = std::mem::take(&mut entry.replaces).into_iter();
    let known = named.filter_map(|id| ids.get(&id).cloned().unwrap_or(Some(id)));
    entry.replaces = known.collect();
    entry
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
