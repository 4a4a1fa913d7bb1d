//! Choosing memories with a model: it is shown the manifest and the prompt, and names files.

mod answer;
mod choice;
mod manifest;

pub use answer::parse_selection;
pub use choice::selected_labels;
pub use manifest::{ManifestEntry, manifest_text};

use mem_core::delimiters::escape;

use crate::model::{Model, ModelError, ModelQuestion};
use crate::template::fill_template;

/// Memories that a model may choose.
pub const SELECTED_MAX: usize = 5;
/// Of a prompt, so much is shown to a selecting model.
pub const PROMPT_CHARS_MAX: usize = 20_000;

/// Why a model's choice cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// There is no answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The answer names nothing that is in the manifest.
    #[error("the model's answer names no memory of the manifest")]
    Unfit,
}

/// Asks a model which of `entries` will help with `prompt`: at most [`SELECTED_MAX`] of their
/// files, in the model's order. An empty list is a choice too.
///
/// # Errors
/// There is no answer, or none that can be used.
pub fn select_memories(
    model: &Model,
    entries: &[ManifestEntry<'_>],
    prompt: &str,
) -> Result<Vec<String>, SelectError> {
    let answer = model.ask_model(ModelQuestion::Select, &selection_question(entries, prompt))?;
    parse_selection(&answer, entries).ok_or(SelectError::Unfit)
}

/// What the model is asked.
pub fn selection_question(entries: &[ManifestEntry<'_>], prompt: &str) -> String {
    let shown: String = prompt.chars().take(PROMPT_CHARS_MAX).collect();
    let values = [
        ("limit", SELECTED_MAX.to_string()),
        ("manifest", manifest_text(entries)),
        ("prompt", escape(&shown).into_owned()),
    ];
    fill_template(TEMPLATE, &values)
}

const TEMPLATE: &str = mem_templates::PROMPT_SELECT;
