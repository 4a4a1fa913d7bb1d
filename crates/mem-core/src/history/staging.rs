//! Where a history is built before it takes its place, and how it gets there.

use crate::regular_file::if_there;
use std::path::{Path, PathBuf};

use super::error::HistoryError;

/// `history` -> `history.new`.
pub(super) fn beside(place: &Path) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    place.with_file_name(name)
}

/// Moves a new history to where none is.
#[expect(
    clippy::disallowed_methods,
    reason = "a folder that is whole moves to a free name: there is nothing to replace"
)]
pub(super) fn put_in_place(beside: &Path, place: &Path) -> Result<(), HistoryError> {
    std::fs::rename(beside, place).map_err(HistoryError::io("create", place))
}

/// Puts a new history in the old one's place and removes the old one.
pub(super) fn swap(beside: &Path, place: &Path) -> Result<(), HistoryError> {
    // Exchanged and not renamed over: a rename does not replace a folder that holds files, and removing the old one
    // first would leave a moment without a history. The next opener sweeps what a kill leaves under `history.new`.
    crate::platform::swap(beside, place).map_err(HistoryError::io("replace", place))?;
    remove_tree(beside)
}

/// Removes a folder; its absence is fine.
pub(super) fn remove_tree(path: &Path) -> Result<(), HistoryError> {
    let removed = if_there(std::fs::remove_dir_all(path));
    removed.map(drop).map_err(HistoryError::io("remove", path))
}
