//! What the model of the settings makes of a session, with what is kept already before its eyes.

use crate::extract::{ExtractContext, Extraction, ModelContext, propose_candidates};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::{Diagnose as _, RunContext, Scope};

use crate::model;

/// The folder of scratch memories, in the place of caches.
const SCRATCH_DIR: &str = "scratch";

/// Has the model look, where one is set; says why its answer was not taken.
pub(super) fn propose_by_model(
    found: &mut Extraction,
    setting: &ExtractContext<'_>,
    memory: &ProjectMemory,
    place: &ProjectContext,
    run: &RunContext,
) -> Option<String> {
    let model = match model::configured_model(place, run) {
        Ok(model) => model?,
        Err(error) => {
            let hint = error
                .hint()
                .map_or(String::new(), |hint| format!(": {hint}"));
            return Some(format!("{error}{hint}"));
        }
    };
    // That they cannot be listed keeps nobody from asking.
    let listing = memory.list(&Scope::ALL).unwrap_or_default();
    let shown = ModelContext {
        notes: &listing.notes,
        scratch_dir: &run.dirs().ok()?.cache.join(SCRATCH_DIR),
        now: run.now,
    };
    propose_candidates(found, &shown, setting, &model).err()
}
