//! Refilling a source that an adoption emptied, when that adoption is undone: else its files would stand nowhere.

use std::path::{Path, PathBuf};

use super::error::AdoptError;
use super::source::AdoptionSource;
use crate::dirs::Dirs;
use crate::history::{Change, FileOperation};
use crate::store::{ADOPT, ChangeMetadata, OpenGate, Undo, UndoError, undoable};

/// How the reason of an adoption begins, before the path of its source.
const FROM: &str = "from ";

/// The reason that the history keeps of an adoption.
pub fn adoption_reason(source: &Path) -> String {
    format!("{FROM}{}", source.display())
}

/// Restores the files of the source of an adoption, where the adoption emptied it. Returns the source and what was
/// restored, `None` where the source was left as it was.
///
/// # Errors
/// The files cannot be restored. None of them was written.
pub fn restore_source(
    adoption: &Change,
    order: &ChangeMetadata,
    dirs: &Dirs,
) -> Result<Option<(PathBuf, Change)>, AdoptError> {
    let source = adoption
        .reason
        .as_deref()
        .and_then(|reason| reason.strip_prefix(FROM));
    let Some(source) = source.filter(|_| adoption.verb == ADOPT) else {
        return Ok(None);
    };
    let source = AdoptionSource::from_memory_dir(Path::new(source), dirs);
    // A kill may have come while the source was emptied: until that is finished the history does not tell of it, and
    // the files would stand nowhere once the adoption is undone.
    source.store.finish_interrupted()?;
    let Some(history) = source.store.open_history()? else {
        return Ok(None);
    };
    let mut removal = None;
    for entry in undoable(&history, false) {
        let change = entry?.change;
        let mut versions = change.versions.iter();
        if change.verb == ADOPT && versions.all(|one| one.operation == FileOperation::Deleted) {
            removal = Some(change.id);
            break;
        }
    }
    drop(history);
    let Some(removal) = removal else {
        return Ok(None);
    };
    let undo = Undo::Change(removal.to_string());
    let written = source.store.undo(order, &OpenGate, &undo);
    let written = written.map_err(|error| match error {
        UndoError::Store(error) => AdoptError::Store(error),
        error => AdoptError::NotRestored {
            directory: source.memory_dir.clone(),
            why: error.to_string(),
        },
    })?;
    Ok(written.change.map(|change| (source.memory_dir, change)))
}
