//! [`LocalStore`] and its one door.

use std::path::Path;

use super::change_metadata::ChangeMetadata;
use super::commit;
use super::error::StoreError;
use super::gate::WriteGate;
use super::locked_store::LockedStore;
use super::memory_paths::{MemoryPaths, Tiers};
use super::write_transaction::WriteTransaction;
use crate::history::Change;
use crate::limits::FILES_MAX;
use crate::{Dirs, Now};

/// How often a plan is run when others keep writing in between.
const PLAN_RUNS_MAX: usize = 5;

/// One memory directory.
#[derive(Clone, Debug)]
pub struct LocalStore {
    pub(super) places: MemoryPaths,
    pub(super) tiers: Tiers,
    /// Files that writes may bring the directory to; tests lower it.
    pub(super) files_max: usize,
}

/// What a write did.
#[derive(Debug)]
pub struct WriteOutcome<T> {
    /// What the plan returned.
    pub value: T,
    /// The change; `None` where the plan changed nothing.
    pub change: Option<Change>,
    /// What others had changed before, recorded by the way.
    pub external_change: Option<Change>,
    /// What the gates had to say.
    pub warnings: Vec<String>,
}

impl LocalStore {
    /// The store of the memory directory at `root`. Nothing is touched yet.
    pub fn new(root: &Path, tiers: Tiers, dirs: &Dirs) -> Self {
        Self {
            places: MemoryPaths::from_root(root, dirs),
            tiers,
            files_max: FILES_MAX,
        }
    }

    /// Where its files are.
    pub fn places(&self) -> &MemoryPaths {
        &self.places
    }

    /// Which tiers it holds.
    pub fn tiers(&self) -> Tiers {
        self.tiers
    }

    /// Runs a plan and makes what it wants happen, whole or not at all.
    ///
    /// The plan runs again, on what then stands there, when something else wrote one of its
    /// files in the meantime; it must build on what it reads from the draft.
    ///
    /// # Errors
    /// The plan's own; a gate's refusal; whatever the system has against it. Nothing is written
    /// then.
    pub fn write<T, E: From<StoreError>>(
        &self,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
        mut plan: impl FnMut(&mut WriteTransaction<'_>) -> Result<T, E>,
    ) -> Result<WriteOutcome<T>, E> {
        let mut locked = LockedStore::begin(self, order.now)?;
        let mut runs = 0;
        loop {
            runs += 1;
            let mut draft = locked.draft();
            let value = plan(&mut draft)?;
            let intent = commit::intent_of(draft);
            match locked.commit(intent, order, gate) {
                Ok(committed) => {
                    let external_change = locked.external_change.take();
                    let (change, warnings) =
                        (committed.change, locked.with_repaired(committed.warnings));
                    return Ok(WriteOutcome {
                        value,
                        change,
                        external_change,
                        warnings,
                    });
                }
                // The lock is kept between two runs: a waiting writer would start from the same new state, and
                // progress would depend on who is faster. The limit is for an editor that saves without end.
                Err(StoreError::Conflict(_)) if runs < PLAN_RUNS_MAX => {
                    locked.look_again(order.now)?;
                }
                Err(StoreError::History(damage)) if locked.can_repair(&damage) => {
                    locked.repair(&damage)?;
                    locked.recover_and_record(order.now)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Takes the lock, finishes what a crash interrupted and records what others changed.
    /// `None` where there is neither a directory nor a history.
    ///
    /// # Errors
    /// Whatever the system has against it.
    pub fn observe(&self, now: Now) -> Result<Option<LockedStore<'_>>, StoreError> {
        if self.is_nowhere() {
            return Ok(None);
        }
        LockedStore::begin(self, now).map(Some)
    }

    /// Whether there is neither a memory nor a history of one.
    pub(super) fn is_nowhere(&self) -> bool {
        !self.places.root.exists()
            && !self.places.history().exists()
            && !self.places.git_history().exists()
    }
}
