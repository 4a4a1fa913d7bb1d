//! How long the notes may be.

use std::fmt::Write as _;

use super::notes::SessionNotes;
use crate::tokens::estimate_tokens;

/// All notes of a session.
pub const NOTES_TOKENS_MAX: usize = 12_000;
/// One section.
pub const SECTION_TOKENS_MAX: usize = 2_000;

/// The notes measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesSize {
    /// All of them.
    pub tokens: usize,
    /// Titles and tokens of the sections that are over their budget.
    pub over: Vec<(String, usize)>,
}

impl NotesSize {
    /// Measures notes.
    pub fn from_notes(notes: &SessionNotes) -> Self {
        let each = notes.sections.iter();
        let sizes = each.map(|section| (section.title.clone(), estimate_tokens(&section.body)));
        Self {
            tokens: estimate_tokens(&notes.to_string()),
            over: sizes
                .filter(|(_, tokens)| *tokens > SECTION_TOKENS_MAX)
                .collect(),
        }
    }

    /// Whether both budgets hold.
    pub fn is_within(&self) -> bool {
        self.tokens <= NOTES_TOKENS_MAX && self.over.is_empty()
    }

    /// What an update is told about it; nothing where the budgets hold.
    pub fn budget_warning(&self) -> Option<String> {
        if self.is_within() {
            return None;
        }
        let mut text = String::from("\nCRITICAL: the notes are too long.");
        if self.tokens > NOTES_TOKENS_MAX {
            let _ = write!(
                text,
                " They are about {} tokens, and {NOTES_TOKENS_MAX} is the most they may be: condense \
                 them until they fit.",
                self.tokens
            );
        }
        for (title, tokens) in &self.over {
            let _ = write!(
                text,
                " The section `{title}` is about {tokens} tokens of at most {SECTION_TOKENS_MAX}."
            );
        }
        text.push_str(
            " Take out the less important, put together what belongs together, and sum up what is \
             old. Keep Current State and Errors & Corrections accurate and detailed.\n",
        );
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_over_their_budget_are_named_with_the_figure() {
        let long = "word ".repeat(2_500);
        let notes = SessionNotes::parse(&format!("# A\n_g_\n{long}\n# B\n_g_\nfine\n"));
        let size = NotesSize::from_notes(&notes);
        assert_eq!(size.over.len(), 1);
        let warning = size.budget_warning().expect("over");
        assert!(warning.contains("`A` is about 25"), "{warning}");
        assert!(
            !warning.contains("`B`") && !warning.contains("12000"),
            "{warning}"
        );
        assert!(warning.contains("Current State and Errors & Corrections"));
        assert_eq!(
            NotesSize::from_notes(&SessionNotes::parse("# A\n_g_\nfine\n")).budget_warning(),
            None
        );
    }

    #[test]
    fn too_many_sections_are_over_the_whole_budget() {
        let section = format!("# S\n_g_\n{}\n", "word ".repeat(1_900));
        let size = NotesSize::from_notes(&SessionNotes::parse(&section.repeat(7)));
        assert!(size.over.is_empty() && !size.is_within());
        assert!(size.budget_warning().expect("over").contains("12000"));
    }
}
