//! From the name of a note, standing or gone, to its id: the one place that resolves it.

use mem_core::history::{History, HistoryError, NoteId};
use mem_core::location::Place;
use mem_core::memory::Memory;
use mem_core::store::{RevisionError, Store, Tiers};
use mem_core::{Diagnose, ErrorKind, MemoryPath, Scope};

use crate::context::Context;

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

impl Context {
    /// Finds the note of a store that is called `name`: its path, file name, stem or id, first
    /// among the notes that stand, then among those that are gone, the latest first; else the
    /// title, or an unambiguous beginning, of one that stands.
    ///
    /// A beginning comes last, because what is gone must not be mistaken for what is still there.
    ///
    /// # Errors
    /// None or several notes answer to it; the history is damaged.
    pub(crate) fn named(
        &self,
        place: &Place,
        store: &Store,
        history: &History,
        name: &str,
    ) -> anyhow::Result<Named> {
        let snapshot = store.snapshot()?;
        let standing = snapshot
            .catalog()
            .iter()
            .filter(|(path, entry)| is_called(path, name) || entry.note.as_str() == name)
            .map(|(path, entry)| Named {
                note: entry.note.clone(),
                path: path.clone(),
            });
        let standing: Vec<Named> = standing.collect();
        if let Some(exact) = standing.iter().find(|one| is_path(&one.path, name)) {
            return Ok(exact.clone());
        }
        if let Some(found) = only(standing, name)? {
            return Ok(found);
        }
        if let Some(found) = gone(history, name)? {
            return Ok(found);
        }
        let memory = Memory::new(&place.location, self.dirs()?);
        let global = store.tiers() == Tiers::Global;
        let mut described = memory.candidates(name, None)?.0;
        described.retain(|note| (note.scope == Scope::Global) == global);
        let described = described.into_iter().map(|note| Named {
            note: note.id,
            path: note.path,
        });
        let found = only(described.collect(), name)?;
        Ok(found.ok_or_else(|| RevisionError::NeverSeen(name.to_owned()))?)
    }
}

/// The one that was found, if there is just one.
fn only(mut found: Vec<Named>, name: &str) -> Result<Option<Named>, Ambiguous> {
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => Err(Ambiguous {
            name: name.to_owned(),
            candidates: found.into_iter().map(|one| one.path).collect(),
        }),
    }
}

/// The note that was last called `name`.
fn gone(history: &History, name: &str) -> Result<Option<Named>, HistoryError> {
    let versions = history
        .entries()?
        .into_iter()
        .flat_map(|entry| entry.change.versions);
    let mut called = versions.filter(|one| is_called(&one.path, name) || one.note.as_str() == name);
    Ok(called.next().map(|version| Named {
        note: version.note,
        path: version.path,
    }))
}

fn is_path(path: &MemoryPath, name: &str) -> bool {
    path.as_str() == name || path.as_str().strip_suffix(".md") == Some(name)
}

fn is_called(path: &MemoryPath, name: &str) -> bool {
    is_path(path, name) || path.file_name() == name || path.stem() == name
}
