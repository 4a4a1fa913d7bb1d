//! The name that the SDKs' own sync keeps for its file: a memory of that name would be taken for it, or be
//! overwritten by it, so `mem` makes none.

use mem_stores::StorePath;

use super::error::StoreCommandError;

/// Refuses a path that is theirs.
///
/// # Errors
/// It is.
pub(crate) fn require_free(path: &StorePath) -> Result<(), StoreCommandError> {
    match path.is_reserved() {
        true => Err(StoreCommandError::Reserved(path.as_str().to_owned())),
        false => Ok(()),
    }
}
