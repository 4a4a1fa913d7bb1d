//! Deletions of an agent that were not made, because somebody else changed or moved the memory meanwhile: noted when
//! what the server has is taken over, and told once. Without it the agent goes on as if they had been.

use mem_core::Now;
use serde::{Deserialize, Serialize};

use super::copy::{LockedCopy, OfflineCopy};
use super::error::CopyError;
use super::remote::RemoteMemory;
use crate::StorePath;

/// They are remembered until an agent is told, so many of them.
const SKIPPED_DELETIONS_MAX: usize = 50;

/// A deletion that was not made: somebody else changed or moved the memory meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedDeletion {
    /// Where it was deleted.
    pub path: String,
    /// Where it stands.
    pub to: String,
}

impl SkippedDeletion {
    /// In words, for a store that is found there.
    pub fn describe_for_mount(&self, mount: &str) -> String {
        let Self { path, to } = self;
        match path == to {
            true => format!("{mount}{path} was not deleted: somebody else changed it meanwhile"),
            false => format!(
                "{mount}{path} was not deleted: somebody else moved it to {mount}{to} meanwhile"
            ),
        }
    }
}

/// What was deleted here and not sent yet is still there, in another state or at another place: nobody deleted that.
///
/// # Errors
/// The system refuses.
pub(super) fn note_skipped_deletion(
    locked: &mut LockedCopy<'_>,
    old: &StorePath,
    there: Option<&RemoteMemory>,
) -> Result<(), CopyError> {
    let Some(there) = there else {
        return Ok(());
    };
    let waits = locked.unsent.paths.contains(old.as_str());
    if !waits || locked.read(old)?.is_some() {
        return Ok(());
    }
    let is_as_deleted = locked
        .last_synced(old)
        .is_some_and(|known| known.sha256 == there.known.sha256);
    if there.path == old.as_str() && is_as_deleted {
        return Ok(());
    }
    // A path that is none is told by itself.
    if StorePath::parse(&there.path).is_ok() {
        let skipped = &mut locked.status.undone;
        skipped.push(SkippedDeletion {
            path: old.as_str().to_owned(),
            to: there.path.clone(),
        });
        let old = skipped.len().saturating_sub(SKIPPED_DELETIONS_MAX);
        skipped.drain(..old);
    }
    Ok(())
}

impl OfflineCopy {
    /// The deletions that were not made, as far as they are wanted; told once.
    ///
    /// # Errors
    /// The system has something against it.
    pub fn take_skipped_deletions(
        &self,
        now: Now,
        is_wanted: impl Fn(&SkippedDeletion) -> bool,
    ) -> Result<Vec<SkippedDeletion>, CopyError> {
        if self.read_status().undone.is_empty() {
            return Ok(Vec::new());
        }
        let mut locked = self.lock_copy(now)?;
        let all = std::mem::take(&mut locked.status.undone);
        let (taken, left) = all.into_iter().partition(is_wanted);
        locked.status.undone = left;
        locked.finish_changes()?;
        Ok(taken)
    }
}
