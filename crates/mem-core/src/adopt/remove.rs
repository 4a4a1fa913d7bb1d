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
    // Read before the comparison and compared again under the lock: a memory that is written or edited in between is in
    // the source and not in the target, and stops the removal.
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
    source.clear_folders(verified.iter().map(|(path, _)| path))?;
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
