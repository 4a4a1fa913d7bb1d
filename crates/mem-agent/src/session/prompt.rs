//! What a model is asked when it rewrites the notes.

use std::path::Path;

use mem_core::delimiters::escape;

use super::budget::{NotesSize, SECTION_TOKENS_MAX};
use super::notes::SessionNotes;
use crate::template::fill_template;

/// The default prompt.
pub const PROMPT: &str = mem_templates::PROMPT_SESSION;

/// The prompt for `notes` as they stand in the file at `path`, by the user's own template or the
/// default one. Where the notes are over budget it says so, wherever a template wants it, else at
/// the end.
pub fn update_prompt(template: Option<&str>, notes: &SessionNotes, path: &Path) -> String {
    let template = template.unwrap_or(PROMPT);
    let warning = NotesSize::from_notes(notes)
        .budget_warning()
        .unwrap_or_default();
    let (notes, path) = (notes.to_string(), path.display().to_string());
    let values = [
        ("currentNotes", escape(&notes)),
        ("notesPath", escape(&path)),
        ("sectionTokens", SECTION_TOKENS_MAX.to_string().into()),
        ("budgetWarning", warning.as_str().into()),
    ];
    let mut prompt = fill_template(template, &values);
    if !template.contains("{{budgetWarning}}") {
        prompt.push_str(&warning);
    }
    prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_what_they_hold_is_left_alone() {
        let notes = SessionNotes::parse("# A\n_g_\n{{notesPath}} {{currentNotes}}\n");
        let prompt = update_prompt(
            Some("{{currentNotes}}|{{notesPath}}|{{x}}"),
            &notes,
            Path::new("/n.md"),
        );
        assert_eq!(
            prompt,
            "# A\n_g_\n{{notesPath}} {{currentNotes}}\n|/n.md|{{x}}"
        );
    }

    #[test]
    fn a_template_without_a_place_for_the_warning_still_carries_it() {
        let notes = SessionNotes::parse(&format!("# A\n_g_\n{}\n", "word ".repeat(2_500)));
        for template in [None, Some("{{currentNotes}}")] {
            let prompt = update_prompt(template, &notes, Path::new("/n.md"));
            assert_eq!(prompt.matches("CRITICAL").count(), 1);
        }
    }
}
