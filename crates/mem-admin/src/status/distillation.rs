//! How the last distillation went.

use mem_agent::distillation::nightly;
use mem_agent::distillation::state::{ChangingRun, DistillState, LastRun};
use mem_core::Scope;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use serde_json::{Value, json};

/// What a status tells of it.
#[derive(Debug, Default)]
pub struct DistillationStatus {
    /// Whether it runs at night.
    pub is_nightly: bool,
    /// Whether the host distils in the place of a nightly run that a person wants.
    pub is_of_host: bool,
    /// The last one.
    pub last: Option<LastRun>,
    /// The last one that changed something, where somebody undid that.
    pub undone: Option<ChangingRun>,
}

impl DistillationStatus {
    /// Looks at what is remembered.
    pub fn for_memory(memory: &ProjectMemory, place: &ProjectContext) -> Self {
        let store = memory.store(Scope::Private);
        let remembered = DistillState::for_paths(store.places()).with_settled_run(store);
        Self {
            is_nightly: place.distils_at_night(),
            is_of_host: nightly::is_wanted(place) && place.location.is_distilled_by_host,
            undone: remembered.undone_run(store).cloned(),
            last: remembered.last,
        }
    }

    /// The stable shape; null where nothing was ever distilled, and nothing will be.
    pub fn to_json(&self) -> Value {
        if self.last.is_none() && !self.is_nightly && !self.is_of_host {
            return Value::Null;
        }
        let last = self.last.as_ref();
        json!({
            "nightly": self.is_nightly,
            "by_host": self.is_of_host,
            "time": last.map(|last| last.time.to_string()),
            "summary": last.map(|last| &last.summary),
            "change": last.and_then(|last| last.change.as_ref()),
            "waiting": last.map_or(0, |last| last.waiting),
            "undone": self.undone.is_some(),
            "trouble": last.and_then(|last| last.trouble.as_ref()),
            "warnings": last.map_or(&[][..], |last| &last.warnings),
        })
    }
}
