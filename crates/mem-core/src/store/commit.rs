//! From a draft to a change: gates, temporary files, pending change, exchange, mark, catalog.
//!
//! ```text
//!  gates -> stage -> | record pending, synced | -> exchange -> sync folders -> mark -> catalog
//!                    |                        |
//!  crash here: old   |                        |  crash here: new state; the recovery makes the exchanges that
//!  state; temporary  |  old or new, by what   |  are missing, sets the mark and rebuilds the catalog
//!  files are swept   |  SQLite has committed  |
//! ```
//!
//! **Invariant:** a commit exchanges a file only while the history holds its new content in a synced pending change. So a
//! recovery never needs the temporary files, and a failure before the record leaves nothing to undo. (An append is not a
//! commit: see `store::append`.)
//!
//! **Cost:** the draft's bytes once for hashing, once for staging and once for the history; syncs as in
//! `SINGLE_SYNCS_MAX`. The size of the directory does not count here, only in the walk before it.
//!
//! Tests: `durability::a_kill_at_any_moment_leaves_the_old_or_the_new_state`,
//! `durability::a_full_disk_is_a_clear_error_and_nothing_is_changed`,
//! `store::write::a_refused_file_stops_the_whole_change`, `store::write::a_hundred_files_are_one_change_and_all_there`.

use std::sync::Arc;

use super::apply::{self, FileStep};
use super::apply_marker;
use super::change_metadata::ChangeMetadata;
use super::error::StoreError;
use super::file_limit;
use super::folders::BatchFolders;
use super::gate::{GatedFile, ProposedChange, ProposedFile, WriteGate};
use super::locked_store::LockedStore;
use super::stage::StagedFile;
use super::tree::Tree;
use super::versions::{self, FileDelta, Identities};
use super::walk::Stat;
use super::write_transaction::{FileWrite, WriteTransaction};
use crate::MemoryPath;
use crate::history::{Brought, Change, FileChange, Head};
use crate::limits::HISTORY_FILE_BYTES_MAX;
use crate::notes::{self, LOGS_FOLDER, TEAM_FOLDER};
use crate::parallel::{map_chunks, map_parallel};
use crate::platform::{CAN_SYNC_TREE, sync_tree};

/// Up to this many files are synced one by one; more with one call for the whole disk.
const SINGLE_SYNCS_MAX: usize = 8;

/// What a draft became.
#[derive(Debug, Default)]
pub(super) struct Committed {
    /// The change; `None` where the draft changed nothing.
    pub(super) change: Option<Change>,
    /// What the gates had to say.
    pub(super) warnings: Vec<String>,
}

/// The wishes and identities of a draft, free of its borrows.
pub(super) type Intent = (Vec<(MemoryPath, FileWrite)>, Identities);

/// Takes out of a draft what really changes something.
pub(super) fn intent_of(draft: WriteTransaction<'_>) -> Intent {
    let mut wishes: Vec<(MemoryPath, FileWrite)> = draft.wishes.into_iter().collect();
    let digests = map_chunks(&wishes, |share| {
        let digests = share.iter().map(|(_, wish)| wish.digest());
        digests.collect::<Vec<_>>()
    });
    for ((_, wish), after) in wishes.iter_mut().zip(digests.into_iter().flatten()) {
        wish.after = after;
    }
    wishes.retain(|(_, wish)| wish.before != wish.after);
    (wishes, draft.identities)
}

impl LockedStore<'_> {
    /// Carries an intent out, whole or not at all.
    pub(super) fn commit(
        &mut self,
        intent: Intent,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<Committed, StoreError> {
        let (mut wishes, identities) = intent;
        if wishes.is_empty() {
            return Ok(Committed::default());
        }
        // Every question comes before the first byte is written: a rejection leaves nothing to clean up. Consent
        // comes last of them, because a person should not be asked about a change that a scan rejects anyway.
        self.check_file_limit(file_limit::new_and_gone(&wishes))?;
        let warnings = self.ask(gate, &wishes, order)?;
        self.ask_for_consent(gate, &wishes, &identities, order)?;
        self.ask_what_is_cited(gate, &mut wishes, order);
        let deltas: Vec<FileDelta> = wishes.iter().map(delta_of).collect();
        let key = &self.store.places.key;
        let change = versions::change_of(order, &deltas, &identities, &self.catalog, key);
        let steps = self.carry_out(&change, &wishes, identities.brought.as_ref())?;
        if order.clears_folders {
            let gone = steps.iter().filter(|step| step.staged.is_none());
            let gone = gone.map(|step| &step.path);
            self.tree.clear_folders(gone, &[LOGS_FOLDER, TEAM_FOLDER]);
        }
        // The stat is the one of the staged file, which a rename keeps. Taking it from the target now would bless an
        // edit that another program saves in this moment: the next command would not read the file again.
        for step in &steps {
            let stat = step.stat();
            self.catalog.set_stat(&step.path, stat);
            match step.staged {
                Some(_) => drop(self.walk.files.insert(step.path.clone(), stat)),
                None => drop(self.walk.files.remove(&step.path)),
            }
        }
        self.catalog.save(&self.store.places.catalog())?;
        Ok(Committed {
            change: Some(change),
            warnings,
        })
    }

    fn ask(
        &self,
        gate: &dyn WriteGate,
        wishes: &[(MemoryPath, FileWrite)],
        order: &ChangeMetadata,
    ) -> Result<Vec<String>, StoreError> {
        let mut warnings = Vec::new();
        // Memories are checked before indexes: an index entry repeats the memory's name, and the rejection should
        // name the memory.
        let (indexes, notes): (Vec<_>, Vec<_>) =
            wishes.iter().partition(|(path, _)| notes::is_index(path));
        for (path, wish) in notes.into_iter().chain(indexes) {
            let Some(bytes) = &wish.bytes else { continue };
            let size = bytes.len() as u64;
            if size > HISTORY_FILE_BYTES_MAX {
                let (path, limit_bytes) = (path.clone(), HISTORY_FILE_BYTES_MAX);
                return Err(StoreError::TooLarge {
                    path,
                    bytes: size,
                    limit_bytes,
                });
            }
            let scope = self.store.tiers.scope_of(path);
            let old = wish.old.as_deref();
            let author = &order.author;
            warnings.extend(gate.check(&GatedFile {
                scope,
                path,
                bytes,
                old,
                author,
            })?);
        }
        Ok(warnings)
    }

    fn ask_for_consent(
        &self,
        gate: &dyn WriteGate,
        wishes: &[(MemoryPath, FileWrite)],
        identities: &Identities,
        order: &ChangeMetadata,
    ) -> Result<(), StoreError> {
        let files = wishes.iter().map(|(path, wish)| ProposedFile {
            scope: self.store.tiers.scope_of(path),
            path,
            renamed_from: identities.renamed_from.get(path),
            old: wish.old.as_deref(),
            new: wish.bytes.as_deref().map(Vec::as_slice),
            by: wish.by.as_deref(),
        });
        Ok(gate.consent(&ProposedChange {
            order,
            places: &self.store.places,
            files: files.collect(),
            brings_history: identities.brought.is_some(),
        })?)
    }

    /// Asks what new contents rest on. One that is older than this change rests on what it did then.
    fn ask_what_is_cited(
        &self,
        gate: &dyn WriteGate,
        wishes: &mut [(MemoryPath, FileWrite)],
        order: &ChangeMetadata,
    ) {
        for (path, wish) in wishes {
            if let (Some(bytes), None, None) = (&wish.bytes, &wish.cited, wish.content_time) {
                wish.cited = Some(gate.cited(&GatedFile {
                    scope: self.store.tiers.scope_of(path),
                    path,
                    bytes,
                    old: wish.old.as_deref(),
                    author: &order.author,
                }));
            }
        }
    }

    /// Temporary files, the pending change, exchange, folders, the mark: in this order.
    fn carry_out(
        &mut self,
        change: &Change,
        wishes: &[(MemoryPath, FileWrite)],
        brought: Option<&Brought>,
    ) -> Result<Vec<FileStep>, StoreError> {
        // Staged before the record: a full disk is found before the history grows.
        let (steps, folders) = stage(&self.tree, wishes)?;
        let head = match self.record_and_apply(change, wishes, brought, &steps) {
            Ok(head) => head,
            Err(error) => {
                drop(steps);
                folders.remove_new(&self.tree);
                return Err(error);
            }
        };
        // The change is made. Where the mark cannot be written the next command finds the change pending, and
        // every file of it in place.
        if self.history.mark_done(head.sequence).is_ok() {
            self.end_applying();
        }
        self.catalog.apply(change, head);
        Ok(steps)
    }

    fn record_and_apply(
        &self,
        change: &Change,
        wishes: &[(MemoryPath, FileWrite)],
        brought: Option<&Brought>,
        steps: &[FileStep],
    ) -> Result<Head, StoreError> {
        let head = self.record_pending(change, wishes, brought)?;
        // `apply` has put every exchanged file back before it returns an error, so the pending change has to go
        // too: a later recovery would make a change that the caller was told has failed.
        if let Err(error) = apply::apply(&self.tree, steps) {
            self.history.take_back(head.sequence)?;
            self.end_applying();
            return Err(error);
        }
        // The renames are durable before the mark is: after a power failure a change that is marked as done is not
        // looked at again, and a rename that was lost would be recorded as an external edit back to the old text.
        apply::sync_folders(&self.tree, steps)?;
        Ok(head)
    }

    fn record_pending(
        &self,
        change: &Change,
        wishes: &[(MemoryPath, FileWrite)],
        brought: Option<&Brought>,
    ) -> Result<Head, StoreError> {
        // Before the record and not after it: between the two, a kill would leave a pending change that no reader
        // looks for.
        apply_marker::begin(&self.store.places)?;
        let files: Vec<FileChange<'_>> = wishes.iter().map(file_change).collect();
        let recorded = self.history.record_pending(change, &files, brought);
        Ok(recorded.inspect_err(|_| self.end_applying())?)
    }
}

/// Writes new contents beside their targets, and syncs them: a few one by one, many with one call for the whole disk.
fn stage(
    tree: &Tree,
    wishes: &[(MemoryPath, FileWrite)],
) -> Result<(Vec<FileStep>, BatchFolders), StoreError> {
    let mut folders = BatchFolders::default();
    for (path, _) in wishes.iter().filter(|(_, wish)| wish.bytes.is_some()) {
        if let Err(error) = folders.open(tree, path) {
            folders.remove_new(tree);
            return Err(error);
        }
    }
    let syncs_each = wishes.len() <= SINGLE_SYNCS_MAX || !CAN_SYNC_TREE;
    let steps = map_parallel(wishes, |(path, wish)| {
        let length = wish.old.as_ref().map_or(0, Vec::len);
        let before = wish.before.map(|digest| (digest, length));
        let stage = |bytes: &Arc<Vec<u8>>| {
            let after = wish.after.map(|digest| (digest, bytes.len()));
            StagedFile::write(tree, &folders, path, bytes, (before, after), syncs_each)
        };
        let staged = wish.bytes.as_ref().map(stage).transpose()?;
        Ok(FileStep {
            path: path.clone(),
            before: wish.before,
            before_bytes: length,
            staged,
        })
    });
    let synced = steps.and_then(|steps| match syncs_each {
        true => Ok(steps),
        false => {
            sync_tree(tree.path()).map_err(StoreError::io("sync", tree.path()))?;
            Ok(steps)
        }
    });
    match synced {
        Ok(steps) => Ok((steps, folders)),
        Err(error) => {
            folders.remove_new(tree);
            Err(error)
        }
    }
}

/// A wish as the history takes it.
fn file_change((path, wish): &(MemoryPath, FileWrite)) -> FileChange<'_> {
    FileChange {
        path,
        before: wish.before,
        bytes: wish.bytes.as_deref().map(Vec::as_slice),
        after: wish.after,
        is_lost: false,
    }
}

fn delta_of((path, wish): &(MemoryPath, FileWrite)) -> FileDelta {
    let size = wish.bytes.as_ref().map(|bytes| bytes.len() as u64);
    FileDelta {
        path: path.clone(),
        before: wish.before,
        after: wish.after.zip(size),
        // Of what is yet to be written.
        stat: Stat::default(),
        content_time: wish.content_time,
        cited: wish.cited.clone().unwrap_or_default(),
        by: wish.by.clone(),
    }
}
