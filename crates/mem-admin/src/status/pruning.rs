//! What the daemon pruned last.

use mem_core::Scope;
use mem_core::memory::ProjectMemory;
use serde_json::{Value, json};

use mem_tools::records::prune::{LastPruning, PruningState};

/// What a status tells of it.
#[derive(Debug, Default)]
pub struct PruningStatus {
    /// The last pruning.
    pub last: Option<LastPruning>,
    /// Whether somebody undid it.
    pub is_undone: bool,
}

impl PruningStatus {
    /// Looks at what is remembered.
    pub fn for_memory(memory: &ProjectMemory) -> Self {
        let store = memory.store(Scope::Private);
        let last = PruningState::for_paths(store.places()).last;
        let change = last.as_ref().and_then(|last| last.change.as_deref());
        // A history that cannot be read says nothing of it.
        let is_undone = change.is_some_and(|id| store.is_taken_back(id).unwrap_or(false));
        Self { last, is_undone }
    }

    /// The change that this is about.
    pub fn change_id(&self) -> Option<&str> {
        self.last.as_ref()?.change.as_deref()
    }

    /// The stable shape; null where nothing was ever pruned.
    pub fn to_json(&self) -> Value {
        self.last.as_ref().map_or(Value::Null, |last| {
            json!({
                "time": last.time.to_string(), "count": last.count, "reason": last.reason,
                "change": last.change, "undone": self.is_undone, "trouble": last.trouble,
            })
        })
    }
}
