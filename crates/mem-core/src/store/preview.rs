//! What a plan would do: [`LocalStore::preview`], for dry runs.

use std::sync::Arc;

use super::change_metadata::ChangeMetadata;
use super::commit;
use super::error::StoreError;
use super::gate::{GatedFile, WriteGate};
use super::local_store::LocalStore;
use super::locked_store::LockedStore;
use super::write_transaction::WriteTransaction;
use crate::{MemoryPath, Now};

/// One file that a plan would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The file.
    pub path: MemoryPath,
    /// What stands there, `None` for nothing.
    pub old: Option<Vec<u8>>,
    /// What would stand there, `None` for nothing.
    pub new: Option<Vec<u8>>,
}

impl LocalStore {
    /// Runs a plan and returns what it returns and what it would write, in path order; writes
    /// nothing of it. No gate is asked. What others changed is recorded as before every write.
    ///
    /// # Errors
    /// The plan's own; whatever the system has against reading.
    pub fn preview<T, E: From<StoreError>>(
        &self,
        now: Now,
        plan: impl FnOnce(&mut WriteTransaction<'_>) -> Result<T, E>,
    ) -> Result<(T, Vec<Planned>), E> {
        let locked = LockedStore::begin(self, now)?;
        let mut draft = locked.draft();
        let value = plan(&mut draft)?;
        let (wishes, _) = commit::intent_of(draft);
        let planned = wishes.into_iter().map(|(path, wish)| Planned {
            path,
            old: wish.old,
            new: wish.bytes.map(Arc::unwrap_or_clone),
        });
        Ok((value, planned.collect()))
    }

    /// Asks a gate about what a plan would write; returns what it has to say.
    ///
    /// # Errors
    /// It refuses.
    pub fn ask(
        &self,
        plans: &[Planned],
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<Vec<String>, StoreError> {
        let mut warnings = Vec::new();
        for plan in plans {
            let Some(bytes) = &plan.new else { continue };
            warnings.extend(gate.check(&GatedFile {
                scope: self.tiers().scope_of(&plan.path),
                path: &plan.path,
                bytes,
                old: plan.old.as_deref(),
                author: &order.author,
            })?);
        }
        Ok(warnings)
    }
}
