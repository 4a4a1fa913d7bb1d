//! From the name of a note, standing or gone, to its id: the one place that resolves it.

use mem_core::history::{History, NoteId};
use mem_core::store::{RevisionError, Store};
use mem_core::{Diagnose, ErrorKind, MemoryPath};

/// Several notes answer to a name.
#[derive(Debug, thiserror::Error)]
#[error("`{name}` could be {}", listed(candidates))]
pub(crate) struct Ambiguous {
    name: String,
    candidates: Vec<MemoryPath>,
}

impl Diagnose for Ambiguous {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Invalid
    }

    fn hint(&self) -> Option<String> {
        Some("give the whole path".to_owned())
    }
}

fn listed(paths: &[MemoryPath]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(" or ")
}

/// A note that a name means.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// Its id.
    pub note: NoteId,
    /// Where it stands, or last stood.
    pub path: MemoryPath,
}

/// Finds the note that is called `name`: its path, file name or stem, with or without `.md`, or
/// its id. Notes that stand come first; then those that are gone, the latest first.
///
/// # Errors
/// None or several notes answer to it; the history is damaged.
pub(crate) fn find(store: &Store, history: &History, name: &str) -> anyhow::Result<Named> {
    let snapshot = store.snapshot()?;
    let standing: Vec<Named> = snapshot
        .catalog()
        .iter()
        .filter(|(path, entry)| is_called(path, name) || entry.note.as_str() == name)
        .map(|(path, entry)| Named {
            note: entry.note.clone(),
            path: path.clone(),
        })
        .collect();
    let exact = standing.iter().find(|one| is_path(&one.path, name));
    match (exact, standing.as_slice()) {
        (Some(named), _) | (None, [named]) => Ok(named.clone()),
        (None, []) => gone(history, name),
        (None, several) => Err(Ambiguous {
            name: name.to_owned(),
            candidates: several.iter().map(|one| one.path.clone()).collect(),
        }
        .into()),
    }
}

/// The note that was last called `name`.
fn gone(history: &History, name: &str) -> anyhow::Result<Named> {
    let versions = history
        .entries()?
        .into_iter()
        .flat_map(|entry| entry.change.versions);
    let mut called = versions.filter(|one| is_called(&one.path, name) || one.note.as_str() == name);
    let found = called.next().map(|version| Named {
        note: version.note,
        path: version.path,
    });
    Ok(found.ok_or_else(|| RevisionError::NeverSeen(name.to_owned()))?)
}

fn is_path(path: &MemoryPath, name: &str) -> bool {
    path.as_str() == name || path.as_str().strip_suffix(".md") == Some(name)
}

fn is_called(path: &MemoryPath, name: &str) -> bool {
    is_path(path, name) || path.file_name() == name || path.stem() == name
}
