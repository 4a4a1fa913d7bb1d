//! What waits to be sent: noted before it is made, told, and never lost by a change of the attachment.

use mem_core::state_file;
use mem_sync::client::Direction;

use super::attachment_file::{Attachment, AttachmentFile, StoreAccess};
use super::copy::OfflineCopy;
use super::error::{AttachError, CopyError};
use super::round::{AttachedStore, Effort, RoundOutcome};
use super::state::UnsentChanges;
use crate::StorePath;

impl OfflineCopy {
    /// Whether something waits that the server has not rejected.
    pub fn has_unsent(&self) -> bool {
        let held = self.read_status().held;
        let waiting = self.unsent_changes().paths;
        waiting.iter().any(|path| !held.contains_key(path))
    }

    /// Why the server does not have yet what was just changed here at one of these paths; `None` where it does,
    /// or does not take it.
    pub fn unsent_reason(&self, paths: &[StorePath]) -> Option<String> {
        let (status, waiting) = (self.read_status(), self.unsent_changes().paths);
        let waits = |path: &str| waiting.contains(path) && !status.held.contains_key(path);
        if !paths.iter().any(|path| waits(path.as_str())) {
            return None;
        }
        let why = status.trouble;
        let why = why.unwrap_or_else(|| "somebody else is talking to the server".to_owned());
        Some(format!("it is kept here and waits to be sent: {why}"))
    }

    /// Notes that memories are about to change here, so that they are sent whatever happens next. Whoever calls
    /// this holds the lock of the copy's files.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn mark_unsent(&self, paths: &[StorePath]) -> Result<(), CopyError> {
        state_file::update(&self.state.unsent_file(), |waiting: &mut UnsentChanges| {
            let paths = paths.iter().map(|path| path.as_str().to_owned());
            waiting.paths.extend(paths);
        })?;
        Ok(())
    }

    /// Refuses to have the copy removed while something stands only here, and says what can be done about it.
    ///
    /// # Errors
    /// Changes are not sent yet, or texts that gave way are kept.
    pub fn require_settled(
        &self,
        attachment: &Attachment,
        list: &AttachmentFile,
    ) -> Result<(), AttachError> {
        let (count, status) = (self.unsent_changes().paths.len(), self.read_status());
        if count == 0 {
            return match status.aside.len() {
                0 => Ok(()),
                texts => Err(AttachError::GaveWay(texts)),
            };
        }
        let why = if attachment.access == StoreAccess::ReadOnly {
            "nothing is sent to a store that is read only"
        } else if status.is_archived {
            "the store is archived"
        } else if status.is_turned_away {
            "it has no such store, or not for this key"
        } else if !self.has_unsent() {
            "does not take it"
        } else {
            return Err(AttachError::Unsent(count));
        };
        let folder = list.view_folder().join(&attachment.slug);
        let folder = folder.to_string_lossy().into_owned();
        Err(AttachError::Stuck { count, why, folder })
    }
}

impl AttachedStore<'_> {
    /// Makes sure that nothing is stuck, and nothing sent that was not written to be sent, before what agents may do
    /// with the store changes.
    ///
    /// # Errors
    /// Something waits that would never be sent; the state cannot be read or written.
    pub fn prepare_access(&self, access: StoreAccess) -> Result<RoundOutcome, CopyError> {
        match (self.attachment.access, access) {
            (StoreAccess::ReadWrite, StoreAccess::ReadOnly) => {
                self.note_modified_files()?;
                if self.copy.has_unsent() {
                    let count = self.copy.unsent_changes().paths.len();
                    let slug = self.attachment.slug.clone();
                    return Err(AttachError::Waits(count, slug).into());
                }
                Ok(RoundOutcome::default())
            }
            // While nothing may be sent: what somebody wrote into its files is put aside.
            (StoreAccess::ReadOnly, StoreAccess::ReadWrite) => {
                self.sync_with_server(Direction::Pull, Effort::without_limit(), &|_| {})
            }
            _ => Ok(RoundOutcome::default()),
        }
    }
}
