//! What the model of the settings makes of a session, with what is kept already before its eyes.

use mem_agent::extract::{Found, Setting, propose};
use mem_core::Scope;
use mem_core::location::Place;
use mem_core::memory::Memory;

use crate::model;

/// Memories that a model is shown.
const SHOWN_MAX: usize = 300;

/// Has the model look, where one is set; says why its answer was not taken.
pub(super) fn look(
    found: &mut Found,
    setting: &Setting<'_>,
    memory: &Memory,
    place: &Place,
) -> Option<String> {
    let model = model::configured(&place.config)?;
    propose(found, &manifest(memory), setting, &model).err()
}

/// One line a memory. That they cannot be listed keeps nobody from asking.
fn manifest(memory: &Memory) -> String {
    let Ok(listing) = memory.list(&Scope::ALL) else {
        return String::new();
    };
    let lines = listing.notes.iter().take(SHOWN_MAX).map(|note| {
        let text = note.topic.description.as_deref();
        format!(
            "- {}: {}",
            note.label(),
            text.unwrap_or_else(|| note.title())
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}
