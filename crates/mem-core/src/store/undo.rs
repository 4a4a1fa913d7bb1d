//! Taking changes back, whole.
//!
//! An undo is a change like any other, at the end of the history; nothing is cut off, and so an undo can be undone. Each
//! file is decided three-way, with the state after the change as the base: what was edited since is `now`, and the state
//! before the change is what is wanted.
//!
//! | now | the undo writes | because |
//! |---|---|---|
//! | as after the change (absent, too) | the content before it, or removes the file | nobody touched it since |
//! | as before the change | nothing | it was taken back by hand |
//! | otherwise, all three exist | merge of `now` and `before` over `after` | edits of other lines stay |
//! | otherwise, an index that the change created | the index without the lines it began with | later entries stay |
//! | otherwise | nothing: `Overtaken`, for the whole undo | no rule says which text is meant |
//!
//! **Invariant:** all files of all named changes, or none: the plan fails before anything is staged.
//! **Cost:** the files of the undone changes; finding the last one walks from the newest change.
//!
//! Tests: `store::undo::undo_takes_the_last_change_back_whole_and_then_the_one_before`,
//! `store::undo::later_foreign_edits_of_other_lines_stay`, `store::undo::an_undo_can_be_undone_by_its_id`,
//! `store::undo::what_the_history_lost_is_no_reason_to_remove_what_stands_here`,
//! `kills::an_undo_of_many_files_is_whole_or_not_at_all`.

use std::collections::HashMap;

use super::change_metadata::ChangeMetadata;
use super::effective_changes::undoable;
use super::error::StoreError;
use super::gate::WriteGate;
use super::local_store::{LocalStore, WriteOutcome};
use super::merge::merge_text;
use super::preview::Planned;
use super::write_transaction::WriteTransaction;
use crate::error::Diagnose;
use crate::history::{
    Change, ChangeId, CitationSnapshot, CommitTree, FileOperation, HistoryEntry, HistoryError,
    Sha256, Version,
};
use crate::{MemoryPath, Now, index, notes};

/// Which changes to take back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The newest ones that were made through `mem`, without those of a sync.
    Last(usize),
    /// The newest ones, those made without `mem` too, without those of a sync.
    LastOfAnyone(usize),
    /// The one with this id (or its beginning), whoever made it.
    Change(String),
}

/// Why an undo did not happen. Nothing was written.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum UndoError {
    /// There is nothing to take back.
    #[error("there is nothing to undo")]
    #[diagnose(
        NotFound,
        hint = "`mem history` lists what happened; --foreign counts edits by others too, --global \
                takes your own notes; what a sync brought is undone by its id"
    )]
    Nothing,
    /// A later edit touched the same lines.
    #[error("`{path}` was changed since, in the same lines")]
    #[diagnose(
        Conflict,
        hint = "`mem restore {path} --rev ID` puts one version back regardless"
    )]
    Overtaken {
        /// The file.
        path: MemoryPath,
        /// What stands there now.
        now: Vec<u8>,
        /// What the undo would put there.
        wanted: Vec<u8>,
    },
    /// What stood there before it is not kept any more.
    #[error("`{0}` is where the kept history begins")]
    #[diagnose(NotFound, hint = "`history.keep` says how much is kept")]
    TooOld(ChangeId),
    /// It removed content for good.
    #[error("`{0}` removed content for good")]
    #[diagnose(
        NotFound,
        hint = "that stays; `mem undo ID` takes another change of `mem history` back"
    )]
    Redaction(ChangeId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<HistoryError> for UndoError {
    fn from(error: HistoryError) -> Self {
        Self::Store(error.into())
    }
}

impl LocalStore {
    /// Takes changes back as one change of its own. Later edits of other lines stay.
    ///
    /// # Errors
    /// Nothing to undo; a later edit of the same lines; a gate's refusal; whatever the system has
    /// against it.
    pub fn undo(
        &self,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
        which: &Undo,
    ) -> Result<WriteOutcome<Vec<Change>>, UndoError> {
        self.write(order, gate, |draft| plan(draft, which))
    }

    /// What [`LocalStore::undo`] would take back, and what it would write; writes nothing of it.
    ///
    /// # Errors
    /// As for [`LocalStore::undo`].
    pub fn preview_undo(
        &self,
        now: Now,
        which: &Undo,
    ) -> Result<(Vec<Change>, Vec<Planned>), UndoError> {
        self.preview(now, |draft| plan(draft, which))
    }
}

/// Takes all that is meant back in a draft, newest first.
fn plan(draft: &mut WriteTransaction<'_>, which: &Undo) -> Result<Vec<Change>, UndoError> {
    let targets = targets(draft, which)?;
    // Newest first: each one is taken back from the state that the draft has by then, which is the state after it.
    for entry in &targets {
        take_back(draft, entry)?;
        draft.takes_back(entry.change.id.clone());
    }
    Ok(targets.into_iter().map(|entry| entry.change).collect())
}

/// The changes that are meant, newest first.
fn targets(draft: &WriteTransaction<'_>, which: &Undo) -> Result<Vec<HistoryEntry>, UndoError> {
    let history = draft.history();
    let found = match which {
        Undo::Change(id) => vec![history.find(id)?],
        Undo::Last(count) => undoable(history, false)
            .take(*count)
            .collect::<Result<_, _>>()?,
        Undo::LastOfAnyone(count) => undoable(history, true)
            .take(*count)
            .collect::<Result<_, _>>()?,
    };
    for change in found.iter().map(|entry| &entry.change) {
        if change.is_base {
            return Err(UndoError::TooOld(change.id.clone()));
        }
        if change.is_redaction() {
            return Err(UndoError::Redaction(change.id.clone()));
        }
    }
    if found.is_empty() {
        Err(UndoError::Nothing)
    } else {
        Ok(found)
    }
}

/// Takes one change back. What comes back is as old as it is.
fn take_back(draft: &mut WriteTransaction<'_>, entry: &HistoryEntry) -> Result<(), UndoError> {
    let history = draft.history();
    let parent = history.parent(entry.sequence)?;
    let sides = FileSides {
        before: parent.map(|sequence| history.at(sequence)).transpose()?,
        after: history.at(entry.sequence)?,
    };
    let mut brought = HashMap::new();
    for version in &entry.change.versions {
        if let Some(digest) = take_file_back(draft, &sides, version)? {
            brought.insert(version.path.clone(), digest);
        }
    }
    let paths: Vec<MemoryPath> = brought.keys().cloned().collect();
    let mut origins = history.origins_of(entry.sequence, brought)?;
    for path in paths {
        let origin = origins.remove(&path);
        let (time, cited) =
            origin.unwrap_or_else(|| (entry.change.time, CitationSnapshot::default()));
        draft.dates(&path, time);
        draft.cites(&path, cited);
    }
    Ok(())
}

/// The files around a change.
struct FileSides<'h> {
    before: Option<CommitTree<'h>>,
    after: CommitTree<'h>,
}

/// Takes one file's part of a change back. Returns the digest of a content that comes back to where it stood.
fn take_file_back(
    draft: &mut WriteTransaction<'_>,
    sides: &FileSides<'_>,
    version: &Version,
) -> Result<Option<Sha256>, UndoError> {
    let home = version.renamed_from.as_ref().unwrap_or(&version.path);
    let before = match &sides.before {
        Some(before) => before.content(home)?,
        None => None,
    };
    let after = sides.after.content(&version.path)?;
    // A content that the history lost reads as absent, and "absent before the change" would mean: remove the file.
    require_recorded(version, home, before.as_deref(), after.as_deref())?;
    let now = draft.read(&version.path)?;
    let wanted = match (&now, &after, &before) {
        (now, after, _) if now == after => before.clone(),
        (now, _, before) if now == before => return Ok(None),
        (Some(now), Some(after), Some(before)) => Some(merge(&version.path, after, now, before)?),
        (Some(now), Some(after), None) if notes::is_index(&version.path) => {
            begun_without(after, now)
        }
        (now, _, before) => return Err(overtaken(&version.path, now.as_ref(), before.as_ref())),
    };
    match (wanted, &version.renamed_from) {
        (None, _) => draft.remove(&version.path)?,
        (Some(bytes), Some(from)) => {
            draft.rename(&version.path, from)?;
            draft.put(from, bytes)?;
        }
        (Some(bytes), None) => {
            let digest = Sha256::digest(&bytes);
            draft.put(&version.path, bytes)?;
            draft.adopt_id(&version.path, version.note.clone());
            return Ok(Some(digest));
        }
    }
    Ok(None)
}

/// Refuses where the history does not hold what the version says: what is missing there is no reason to remove what
/// stands here.
fn require_recorded(
    version: &Version,
    home: &MemoryPath,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> Result<(), HistoryError> {
    let is_it = match version.sha256 {
        Some(sha256) => after.map(Sha256::digest) == Some(sha256),
        None => version.redacted || after.is_none(),
    };
    match is_it && (before.is_some() || version.operation == FileOperation::Created) {
        true => Ok(()),
        false => Err(HistoryError::Missing(home.as_str().to_owned())),
    }
}

fn merge(path: &MemoryPath, base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Vec<u8>, UndoError> {
    if notes::is_index(path) {
        return Ok(index::merge(base, ours, theirs));
    }
    let merged = merge_text(base, ours, theirs);
    merged.ok_or_else(|| overtaken(path, Some(&ours.to_vec()), Some(&theirs.to_vec())))
}

/// An index without the pointers that it began with; `None` where no other came since.
fn begun_without(after: &[u8], now: &[u8]) -> Option<Vec<u8>> {
    let is_pointer = |line: &&[u8]| line.trim_ascii_start().starts_with(b"- [");
    let lines = after.split_inclusive(|&byte| byte == b'\n');
    let begun: Vec<u8> = lines
        .filter(|line| !is_pointer(line))
        .flatten()
        .copied()
        .collect();
    let left = index::merge(after, now, &begun);
    (left != begun).then_some(left)
}

fn overtaken(path: &MemoryPath, now: Option<&Vec<u8>>, wanted: Option<&Vec<u8>>) -> UndoError {
    UndoError::Overtaken {
        path: path.clone(),
        now: now.cloned().unwrap_or_default(),
        wanted: wanted.cloned().unwrap_or_default(),
    }
}
