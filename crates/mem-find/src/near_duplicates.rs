//! Memories that say much the same as others, told by `check` and on saving.

use mem_core::check::{CheckCode, CheckFinding};
use mem_core::location::ProjectContext;
use mem_core::memory::{Inspection, ProjectMemory, SaveRequest};
use mem_core::{Diagnose, ErrorKind, RunContext};

use crate::settings;
use crate::similar::{self, PAIRED_NOTES_MAX};

/// Another memory says much the same, and that was not wanted.
#[derive(Debug, thiserror::Error)]
#[error("`{label}` says much the same (likeness {score:.2})")]
pub struct DuplicateRefused {
    label: String,
    score: f32,
}

impl Diagnose for DuplicateRefused {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Refused
    }

    fn hint(&self) -> Option<String> {
        Some(remedy_text(&self.label))
    }
}

/// A memory that says what a new one will say.
#[derive(Clone, Debug)]
pub struct NearDuplicate {
    /// How one names it.
    pub label: String,
    /// How alike both are.
    pub score: f32,
}

impl NearDuplicate {
    /// The warning of a save.
    pub fn warning(&self) -> String {
        let Self { label, score } = self;
        format!(
            "`{label}` says much the same (likeness {score:.2}): {}",
            remedy_text(label)
        )
    }
}

fn remedy_text(label: &str) -> String {
    format!("update that one instead, with `mem edit {label}` or `mem save --update`")
}

/// The memories that say what a new one will say. That they cannot be told keeps nobody from saving.
pub fn of_new(memory: &ProjectMemory, request: &SaveRequest) -> Vec<NearDuplicate> {
    if request.update {
        return Vec::new();
    }
    let found = similar::same_as_new(memory, request.scope, &request.topic);
    let same = found
        .unwrap_or_default()
        .into_iter()
        .map(|one| NearDuplicate {
            label: one.note.label(),
            score: one.score,
        });
    same.collect()
}

/// Refuses where there is one.
///
/// # Errors
/// There is one.
pub fn refuse_duplicates(same: &[NearDuplicate]) -> Result<(), DuplicateRefused> {
    match same.first() {
        Some(NearDuplicate { label, score }) => Err(DuplicateRefused {
            label: label.clone(),
            score: *score,
        }),
        None => Ok(()),
    }
}

/// Adds memories that say much the same as an older one to the findings of their tiers.
pub fn add_duplicates(
    inspections: &mut [Inspection],
    memory: &ProjectMemory,
    place: &ProjectContext,
    run: &RunContext,
) {
    let duplicates = match similar::duplicate_notes(memory, settings::storing_mode(&place.config)) {
        Ok(Some(duplicates)) => duplicates,
        Ok(None) => {
            let text = format_args!(
                "memories are not compared with each other: there are more than {PAIRED_NOTES_MAX}"
            );
            return run.print_warning(text);
        }
        Err(error) => {
            let text = format_args!("memories were not compared with each other: {error}");
            return run.print_warning(text);
        }
    };
    for duplicate in duplicates {
        let scope = duplicate.note.scope;
        let Some(inspection) = inspections.iter_mut().find(|one| one.scope == scope) else {
            continue;
        };
        let last = duplicate.older.len().saturating_sub(1);
        let named = duplicate.older.iter().enumerate();
        inspection
            .findings
            .extend(named.map(|(at, (older, score))| {
                let remedy = match duplicate.more {
                    more if more > 0 && at == last => {
                        format!(", and as {more} more: make one of all")
                    }
                    _ => ": make one memory of both".to_owned(),
                };
                CheckFinding::new(
                    CheckCode::NearDuplicate,
                    &duplicate.note.file,
                    None,
                    format!("says much the same as `{older}` (likeness {score:.2}){remedy}"),
                )
            }));
    }
}
