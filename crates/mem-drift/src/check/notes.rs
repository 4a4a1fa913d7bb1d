//! Answers about other notes: by any of their names.

use std::collections::BTreeSet;

use mem_core::MemoryType;

use crate::finding::CitationAnswer;
use crate::report::CitationStatus;

/// All names by which notes are known, folded.
pub(crate) struct NoteNames(Option<BTreeSet<String>>);

impl NoteNames {
    /// Names as callers have them: titles, stems, paths with or without `.md`.
    pub(crate) fn from_names(names: Option<&BTreeSet<String>>) -> Self {
        Self(names.map(|names| names.iter().map(|name| folded(name)).collect()))
    }
}

/// Whether a note of that name is known.
pub(crate) fn note_answer(names: &NoteNames, name: &str) -> CitationAnswer {
    match &names.0 {
        None => CitationAnswer::from_status(CitationStatus::Unknown),
        Some(names) if names.contains(&folded(name)) => {
            CitationAnswer::from_status(CitationStatus::Present)
        }
        Some(_) => CitationAnswer::new(CitationStatus::Never, "no note has that name"),
    }
}

/// Whether a bare file name that the repository does not have is that of a note, or of the index that lists them.
pub(crate) fn is_note_file(names: &NoteNames, text: &str) -> bool {
    let is_known = |names: &BTreeSet<String>| {
        text == mem_core::notes::INDEX_FILE || names.contains(&folded(text))
    };
    let is_bare = text.ends_with(".md") && !text.contains('/');
    is_bare && names.0.as_ref().is_some_and(is_known)
}

/// Links do not tell case, blanks, dashes and underscores apart, and leave out the type that a file's name starts with.
fn folded(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_suffix(".md").unwrap_or(name);
    let plain = name.to_lowercase().replace([' ', '_'], "-");
    let untyped = MemoryType::ALL.iter().find_map(|memory_type| {
        let rest = plain.strip_prefix(memory_type.as_str())?;
        rest.strip_prefix('-').filter(|rest| !rest.is_empty())
    });
    untyped.map_or_else(|| plain.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded() {
        let names = BTreeSet::from(["deploy_notes.md".to_owned()]);
        let known = NoteNames::from_names(Some(&names));
        assert_eq!(
            note_answer(&known, "Deploy notes").status,
            CitationStatus::Present
        );
        let names = BTreeSet::from(["feedback_small_steps.md".to_owned()]);
        let typed = NoteNames::from_names(Some(&names));
        for link in ["small-steps", "feedback_small_steps", "Small steps"] {
            assert_eq!(
                note_answer(&typed, link).status,
                CitationStatus::Present,
                "{link}"
            );
        }
        assert_eq!(note_answer(&typed, "steps").status, CitationStatus::Never);
        assert_eq!(note_answer(&known, "other").status, CitationStatus::Never);
        assert_eq!(
            note_answer(&NoteNames::from_names(None), "other").status,
            CitationStatus::Unknown
        );
    }
}
