//! Answers about other notes: by any of their names, those that they had before included.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use mem_core::MemoryType;
use mem_core::notes::INDEX_FILE;

use crate::finding::CitationAnswer;
use crate::note::{DriftRequest, EarlierName, EarlierNames};
use crate::report::CitationStatus;

/// All names by which notes are known, folded.
pub(crate) struct NoteNames<'a> {
    known: Option<BTreeSet<String>>,
    history: Option<&'a dyn EarlierNames>,
    /// The file that a note of an earlier name has now. Read when the first name is not known.
    earlier: OnceCell<BTreeMap<String, Option<String>>>,
}

impl<'a> NoteNames<'a> {
    /// The names of a request: titles, stems, paths with or without `.md`.
    pub(crate) fn for_request(request: &DriftRequest<'a>) -> Self {
        let known = request.known_notes;
        Self {
            known: known.map(|names| names.iter().map(|name| folded(name)).collect()),
            history: request.earlier_notes,
            earlier: OnceCell::new(),
        }
    }

    /// What became of the notes that had a name, which is folded; `None` where none had it.
    fn earlier_answer(&self, name: &str) -> Option<CitationAnswer> {
        let history = self.history?;
        let earlier = self
            .earlier
            .get_or_init(|| files_by_name(history.earlier_names()));
        Some(match earlier.get(name)? {
            Some(file) => CitationAnswer::new(CitationStatus::Moved, format!("it is `{file}` now")),
            None => CitationAnswer::new(CitationStatus::Gone, "it was removed"),
        })
    }
}

/// The names, folded; of notes that had one name the one that had it last counts, which comes first.
fn files_by_name(names: Vec<EarlierName>) -> BTreeMap<String, Option<String>> {
    let mut found = BTreeMap::new();
    for EarlierName { name, file } in names {
        found.entry(folded(&name)).or_insert(file);
    }
    found
}

/// Whether a note of that name is known.
pub(crate) fn note_answer(names: &NoteNames<'_>, name: &str) -> CitationAnswer {
    let Some(known) = &names.known else {
        return CitationAnswer::from_status(CitationStatus::Unknown);
    };
    // The index that lists the notes is named exactly: a note may have that name in lower case.
    let is_index = INDEX_FILE.strip_suffix(".md") == Some(name);
    let name = folded(name);
    if is_index || known.contains(&name) {
        return CitationAnswer::from_status(CitationStatus::Present);
    }
    let never = || CitationAnswer::new(CitationStatus::Never, "no note has that name");
    names.earlier_answer(&name).unwrap_or_else(never)
}

/// Whether a bare file name that the repository does not have is that of a note, or of the index that lists them.
pub(crate) fn is_note_file(names: &NoteNames<'_>, text: &str) -> bool {
    let is_known = |names: &BTreeSet<String>| text == INDEX_FILE || names.contains(&folded(text));
    is_bare_file(text) && names.known.as_ref().is_some_and(is_known)
}

/// What became of the note that had a bare file name, which no note has now; `None` where none had it.
pub(crate) fn earlier_file_answer(names: &NoteNames<'_>, text: &str) -> Option<CitationAnswer> {
    let is_asked = is_bare_file(text) && names.known.is_some();
    is_asked.then(|| names.earlier_answer(&folded(text)))?
}

fn is_bare_file(text: &str) -> bool {
    text.ends_with(".md") && !text.contains('/')
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

    fn of_names(names: Option<&[&str]>) -> NoteNames<'static> {
        NoteNames {
            known: names.map(|names| names.iter().map(|name| folded(name)).collect()),
            history: None,
            earlier: OnceCell::new(),
        }
    }

    #[test]
    fn names_are_folded() {
        let known = of_names(Some(&["deploy_notes.md"]));
        assert_eq!(
            note_answer(&known, "Deploy notes").status,
            CitationStatus::Present
        );
        let typed = of_names(Some(&["feedback_small_steps.md"]));
        for link in ["small-steps", "feedback_small_steps", "Small steps"] {
            assert_eq!(
                note_answer(&typed, link).status,
                CitationStatus::Present,
                "{link}"
            );
        }
        assert_eq!(note_answer(&typed, "steps").status, CitationStatus::Never);
        assert_eq!(
            note_answer(&known, "MEMORY").status,
            CitationStatus::Present
        );
        for link in ["memory", "project_memory"] {
            assert_eq!(
                note_answer(&known, link).status,
                CitationStatus::Never,
                "{link}"
            );
        }
        assert!(is_note_file(&known, "MEMORY.md") && !is_note_file(&known, "memory.md"));
        assert_eq!(note_answer(&known, "other").status, CitationStatus::Never);
        assert_eq!(
            note_answer(&of_names(None), "other").status,
            CitationStatus::Unknown
        );
    }

    #[test]
    fn a_name_that_a_note_had_leads_to_what_became_of_it() {
        let earlier = |name: &str, file: Option<&str>| EarlierName {
            name: name.to_owned(),
            file: file.map(str::to_owned),
        };
        let found = files_by_name(vec![
            earlier("Old", Some("project_new.md")),
            earlier("project_old", None),
            earlier("project_removed", None),
        ]);
        assert_eq!(found.get("old"), Some(&Some("project_new.md".to_owned())));
        assert_eq!(found.get("removed"), Some(&None));
        assert_eq!(found.get("other"), None);
    }
}
