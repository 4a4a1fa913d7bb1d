//! What the daemon pruned last.

use mem_core::memory::ProjectMemory;
use mem_core::{Now, Scope};
use serde_json::{Value, json};

use crate::age::age_text;
use crate::sanitize::one_line;
use crate::style::{HINT, WARNING};
use mem_core::counted::format_count;
use mem_tools::records::prune::{LastPruning, Pruned};

/// What a status tells of it.
#[derive(Debug, Default)]
pub(super) struct PruningStatus {
    last: Option<LastPruning>,
    is_undone: bool,
}

impl PruningStatus {
    /// Looks at what is remembered.
    pub(super) fn for_memory(memory: &ProjectMemory) -> Self {
        let store = memory.store(Scope::Private);
        let last = Pruned::for_paths(store.places()).last;
        let change = last.as_ref().and_then(|last| last.change.as_deref());
        // A history that cannot be read says nothing of it.
        let is_undone = change.is_some_and(|id| store.is_taken_back(id).unwrap_or(false));
        Self { last, is_undone }
    }

    /// The change that is told here.
    pub(super) fn change_id(&self) -> Option<&str> {
        self.last.as_ref()?.change.as_deref()
    }

    /// The lines for people; none where nothing was ever pruned.
    pub(super) fn status_lines(&self, now: Now) -> Vec<String> {
        let Some(last) = &self.last else {
            return Vec::new();
        };
        let age = age_text(now, last.time);
        let ago = if age.contains(' ') { " ago" } else { "" };
        let what = format!(
            "{} ({})",
            format_count(last.count, "memory", "memories"),
            one_line(&last.reason)
        );
        match (&last.trouble, &last.change) {
            (Some(trouble), _) => vec![format!(
                "  {WARNING}not pruned{WARNING:#} {age}{ago}, {what}: {}",
                one_line(trouble)
            )],
            (None, Some(change)) if !self.is_undone => vec![
                format!("  pruned {age}{ago}: {what}"),
                format!(
                    "    {HINT}hint{HINT:#}: `mem undo {}` brings them back, for good",
                    one_line(change)
                ),
            ],
            _ => vec![format!(
                "  pruned {age}{ago}: {what}, and brought back since"
            )],
        }
    }

    /// The stable shape; null where nothing was ever pruned.
    pub(super) fn to_json(&self) -> Value {
        self.last.as_ref().map_or(Value::Null, |last| {
            json!({
                "time": last.time.to_string(), "count": last.count, "reason": last.reason,
                "change": last.change, "undone": self.is_undone, "trouble": last.trouble,
            })
        })
    }
}
