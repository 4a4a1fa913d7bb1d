//! Emptying a source whose memories are all in the target.

use super::error::AdoptError;
use super::preview_adoption;
use crate::MemoryPath;
use crate::history::{Change, Sha256};
use crate::store::{ChangeMetadata, LocalStore, OpenGate};

/// Removes the files of `source`, every one of which must be in `target`, as one change of the
/// source's own history: `mem undo` there brings them back. Returns `None` where it was empty.
///
/// What is no regular file, and what is hidden, stays; so do the directory and the host's files
/// beside it.
///
/// # Errors
/// A file is not in the target; something writes to the source right now. Nothing is removed.
pub fn remove_source(
    target: &LocalStore,
    source: &LocalStore,
    order: &ChangeMetadata,
) -> Result<Option<Change>, AdoptError> {
    let unbrought = |files| AdoptError::NotBrought {
        directory: source.places().root.clone(),
        files,
    };
    let verified = source_digests(source)?;
    let adoption = preview_adoption(target, source)?;
    if !adoption.is_settled() {
        return Err(unbrought(adoption.fresh_count()));
    }
    let written = source.write(order, &OpenGate, |draft| {
        let mut strangers = 0;
        for path in draft.files() {
            let digest = draft.read(&path)?.as_deref().map(Sha256::digest);
            let is_verified = verified
                .iter()
                .any(|(known, sha)| *known == path && digest == Some(*sha));
            match is_verified {
                true => draft.remove(&path)?,
                false => strangers += 1,
            }
        }
        match strangers {
            0 => Ok(()),
            files => Err(unbrought(files)),
        }
    })?;
    let removed = verified.iter().map(|(path, _)| path);
    remove_empty_folders(source, removed);
    Ok(written.change)
}

/// The files as they are before the target is compared with them.
fn source_digests(source: &LocalStore) -> Result<Vec<(MemoryPath, Sha256)>, AdoptError> {
    let taken = super::plan::read_source(source)?;
    let pairs = taken.into_iter().map(|file| {
        let digest = Sha256::digest(&file.bytes);
        (file.path, digest)
    });
    Ok(pairs.collect())
}

/// Removes the folders that the files stood in, where they are empty now; the memory directory itself stays, and so
/// does every folder that had none of the files, such as one of git's.
fn remove_empty_folders<'p>(source: &LocalStore, removed: impl Iterator<Item = &'p MemoryPath>) {
    let mut folders = std::collections::BTreeSet::new();
    for path in removed {
        let ancestors = std::path::Path::new(path.as_str()).ancestors().skip(1);
        folders.extend(ancestors.filter(|folder| !folder.as_os_str().is_empty()));
    }
    // The deepest first. Refused for a folder that is not empty, which is what is wanted.
    for folder in folders.into_iter().rev() {
        let _ = std::fs::remove_dir(source.places().root.join(folder));
    }
}
