//! Choosing memories with a model: it is shown the manifest and the prompt, and names files.

mod answer;
mod choice;
mod manifest;

use answer::parse_selection;
pub use choice::selected_labels;
pub use manifest::{ManifestEntry, manifest_text};

use mem_core::delimiters::escape;

use crate::template::fill_template;

/// Memories that a model may choose.
pub const SELECTED_MAX: usize = 5;
/// Of a prompt, so much is shown to a selecting model.
pub const PROMPT_CHARS_MAX: usize = 20_000;

/// What the model is asked: which of `entries` will help with `prompt`, at most [`SELECTED_MAX`] of their files.
fn selection_question(entries: &[ManifestEntry<'_>], prompt: &str) -> String {
    let shown: String = prompt.chars().take(PROMPT_CHARS_MAX).collect();
    let values = [
        ("limit", SELECTED_MAX.to_string()),
        ("manifest", manifest_text(entries)),
        ("prompt", escape(&shown).into_owned()),
    ];
    fill_template(TEMPLATE, &values)
}

const TEMPLATE: &str = mem_templates::PROMPT_SELECT;
