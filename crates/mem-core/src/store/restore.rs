//! Bringing a version of a note back, with its id, its age and its line in the index.

use super::change_metadata::ChangeMetadata;
use super::error::StoreError;
use super::gate::WriteGate;
use super::local_store::{LocalStore, WriteOutcome};
use super::pointer;
use super::preview::Planned;
use super::revision::{Revision, RevisionError};
use super::write_transaction::WriteTransaction;
use crate::error::Diagnose;
use crate::history::{HistoryError, NoteId};
use crate::{MemoryPath, Now};

/// A version that came back.
#[derive(Clone, Debug)]
pub struct Restored {
    /// Where it stands now.
    pub path: MemoryPath,
    /// The note that has it now.
    pub note: NoteId,
    /// What it was.
    pub revision: Revision,
    /// The index that got its line back.
    pub pointer: Option<MemoryPath>,
}

/// Why a version did not come back. Nothing was written.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum RestoreError {
    /// There is no such version.
    #[error(transparent)]
    Revision(#[from] RevisionError),
    /// Another note stands where it stood.
    #[error("another note stands at `{0}` now")]
    #[diagnose(Conflict, hint = "`mem rename {0} NEW` moves it out of the way")]
    Taken(MemoryPath),
    /// The note stands under another name, and would be written over there.
    #[error("`{}` is `{path}` now", crate::memory_path::printable(name))]
    #[diagnose(
        Conflict,
        hint = "`mem restore {path}` brings an older version of it back"
    )]
    Renamed {
        /// The name that was asked for.
        name: String,
        /// Where the note stands.
        path: MemoryPath,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<HistoryError> for RestoreError {
    fn from(error: HistoryError) -> Self {
        Self::Store(error.into())
    }
}

impl LocalStore {
    /// Puts a version of a note back: `revision` as for
    /// [`History::revision`](crate::history::History::revision). A note that still stands keeps
    /// its place and its id, also with a version of an earlier note there; one that is gone returns to where the
    /// version stood, and to the index.
    ///
    /// # Errors
    /// There is no such version; another note took its place; whatever the system has against it.
    pub fn restore(
        &self,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
        note: &NoteId,
        revision: Option<&str>,
    ) -> Result<WriteOutcome<Restored>, RestoreError> {
        self.write(order, gate, |draft| plan(draft, note, revision))
    }

    /// What [`LocalStore::restore`] would do.
    ///
    /// # Errors
    /// As for [`LocalStore::restore`].
    pub fn preview_restore(
        &self,
        now: Now,
        note: &NoteId,
        revision: Option<&str>,
    ) -> Result<(Restored, Vec<Planned>), RestoreError> {
        self.preview(now, |draft| plan(draft, note, revision))
    }
}

fn plan(
    draft: &mut WriteTransaction<'_>,
    note: &NoteId,
    revision: Option<&str>,
) -> Result<Restored, RestoreError> {
    let stands = draft.catalog().path_of(note);
    let current = stands.as_ref().and_then(|path| draft.catalog().get(path));
    let current = current.map(|entry| entry.sha256);
    let revision = draft.history().revision(note, revision, current)?;
    let is_gone = stands.is_none();
    let path = stands.unwrap_or_else(|| revision.version.path.clone());
    if is_gone && draft.exists(&path) {
        return Err(RestoreError::Taken(path));
    }
    let made = revision.entry.change.time;
    let time = revision.version.content_time.unwrap_or(made);
    draft.put_dated(&path, revision.bytes.clone(), time)?;
    draft.cites(&path, revision.version.cited.clone());
    draft.adopt_id(&path, note.clone());
    let pointer = if is_gone {
        pointer::ensure(draft, &path)?
    } else {
        None
    };
    Ok(Restored {
        path,
        note: note.clone(),
        revision,
        pointer,
    })
}
