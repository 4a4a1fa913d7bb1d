//! The entries of an inbox that a distillation took in: they became memories, and wait no longer.

use std::collections::BTreeSet;

use crate::dream::DistillPlan;
use mem_core::inbox::{Inbox, InboxError};
use mem_core::store::MemoryPaths;

use super::sources::{DistillSources, source_of};

/// The ids of those that a plan takes in. What it leaves waits on.
pub(super) fn distilled_entries(plan: &DistillPlan, sources: &DistillSources) -> Vec<String> {
    let handled: BTreeSet<&String> = plan.handled.iter().collect();
    let left: BTreeSet<&str> = plan
        .left
        .iter()
        .map(|one| one.source.file.as_str())
        .collect();
    let entries = sources.entries.iter().filter(|(mark, entry)| {
        handled.contains(mark) && !left.contains(source_of(entry).as_str())
    });
    entries.map(|(_, entry)| entry.id.to_string()).collect()
}

/// Moves them to what was rejected, where they are kept for a while. Those that are gone were decided on.
///
/// # Errors
/// The system refuses.
pub(super) fn move_to_rejected(places: &MemoryPaths, ids: &[String]) -> Result<(), InboxError> {
    if ids.is_empty() {
        return Ok(());
    }
    let ids: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    let inbox = Inbox::for_paths(places);
    let mut waiting = inbox.waiting().entries;
    waiting.retain(|entry| ids.contains(entry.id.as_str()));
    inbox.reject(&waiting)
}
