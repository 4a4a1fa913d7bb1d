//! After a crash: a change that was begun is finished.
//!
//! A pending change is rolled forward and never back: its new contents are in the history, synced, while the old ones
//! may be gone from the disk already. Per file, by what stands there now:
//!
//! | the file holds | it is | because |
//! |---|---|---|
//! | what the plan had read (`before`) | replaced | the kill came before its exchange |
//! | the new content | left | the kill came after its exchange |
//! | anything else, or nothing | left | another program wrote or removed it since; that becomes an external edit |
//!
//! **Invariant:** after `recover` no change is pending, and the catalog belongs to the newest change. The
//! step may be killed and run again, because every file is decided by its content and not by how far a run came.
//!
//! **Cost:** without a crash a few queries by index; else the files of one change. A catalog that belongs to another
//! change is rebuilt from all changes of the directory, contents excluded.
//!
//! Tests: `store::crash::a_pending_change_whose_files_were_not_in_place_yet_rolls_forward`,
//! `store::crash::rolling_forward_leaves_later_foreign_writes_alone`,
//! `store::crash::a_lost_catalog_is_made_again_from_the_history`.

use super::apply::{self, FileStep};
use super::error::StoreError;
use super::folders::BatchFolders;
use super::locked_store::LockedStore;
use crate::history::{Pending, Sha256};

impl LockedStore<'_> {
    /// Brings history, files and catalog in step.
    pub(super) fn recover(&mut self) -> Result<(), StoreError> {
        if let Some(pending) = self.history.pending()? {
            self.roll_forward(&pending)?;
            self.history.mark_done(pending.sequence)?;
        }
        // Before the catalog is rebuilt: only the old catalog shows that later changes were lost with the log.
        self.note_lost_log()?;
        if self.catalog.head != self.history.head()? {
            self.rebuild_catalog()?;
        }
        Ok(())
    }

    /// Puts into place what is not there yet. What someone wrote since then is left as it is:
    /// it becomes a foreign change.
    fn roll_forward(&self, pending: &Pending) -> Result<(), StoreError> {
        let mut steps = Vec::new();
        let mut folders = BatchFolders::default();
        for file in &pending.files {
            let old = self.tree.read(&file.path)?.map(|(old, _)| old);
            let digest = old.as_deref().map(Sha256::digest);
            let after = file.bytes.as_deref().map(Sha256::digest);
            // Content decides, not the stat: a kill leaves no record of which exchanges were made.
            if digest != file.before || file.before == after {
                continue;
            }
            let (old, new) = (old.as_deref(), file.bytes.as_deref());
            steps.push(FileStep::prepare(
                &self.tree,
                &mut folders,
                &file.path,
                old,
                new,
            )?);
        }
        apply::apply(&self.tree, &steps)?;
        apply::sync_folders(&self.tree, &steps)
    }

    /// Makes the catalog again from the changes of this directory, oldest first.
    fn rebuild_catalog(&mut self) -> Result<(), StoreError> {
        // Oldest first, because ids depend on how many memories of a path were deleted before (`Catalog::bury`).
        let entries: Vec<_> = self.history.own_entries().collect::<Result<_, _>>()?;
        self.catalog = super::catalog::Catalog::default();
        for entry in entries.iter().rev() {
            let head = self.history.head_at(entry.sequence);
            self.catalog.apply(&entry.change, head);
        }
        // Saved now: readers without the lock tell ids by it.
        self.catalog.save(&self.store.places.catalog())
    }
}
