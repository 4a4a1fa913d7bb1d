//! Moving files aside: out of the directory, but not away.

use std::io;
use std::path::{Path, PathBuf};

use super::write::make_folders_of;
use super::{Links, PathEnd, PlainError, PlainRoot};
use crate::platform;

/// So many names are tried where one is taken.
const NAMES_MAX: usize = 100;

impl PlainRoot {
    /// Moves a file into `<beside the root>/<folder>`, under the way that it had, and returns where it
    /// is now. Where that name is taken a number is put behind it.
    ///
    /// # Errors
    /// The system refuses; then it is where it was.
    pub fn put_aside(&self, spot: &PathEnd, folder: &str) -> Result<PathBuf, PlainError> {
        let shown = spot.path();
        let beside = self.path.parent().unwrap_or(&self.path).join(folder);
        let trash = Self::make(&beside)?;
        let place = trash.reach(&spot.names, Links::Keep)?;
        let last = make_folders_of(&place)?;
        for number in 0..NAMES_MAX {
            let name = match number {
                0 => place.name().to_owned(),
                number => format!("{}.{number}", place.name()),
            };
            match platform::rename_without_replacing(&spot.folder, spot.name(), &last, &name) {
                Ok(()) => {
                    let parent = beside.join(&shown);
                    return Ok(parent.with_file_name(name));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(PlainError::io("move", Path::new(&shown))(error)),
            }
        }
        Err(PlainError::Exists(shown))
    }
}
