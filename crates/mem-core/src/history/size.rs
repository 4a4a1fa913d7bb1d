//! How much of the disk the history takes, and how many changes are young.

use std::path::Path;

use jiff::Timestamp;

use super::error::HistoryError;
use super::repository::History;

impl History {
    /// The bytes of all its files.
    ///
    /// # Errors
    /// A folder of it cannot be listed.
    pub fn size_bytes(&self) -> Result<u64, HistoryError> {
        size_of(self.path()).map_err(HistoryError::io("read", self.path()))
    }

    /// How many of the newest changes were made at or after an instant.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    pub fn changes_since(&self, instant: Timestamp) -> Result<usize, HistoryError> {
        let entries = self.entries()?;
        let last = entries.iter().rposition(|one| one.change.time >= instant);
        Ok(last.map_or(0, |last| last + 1))
    }
}

fn size_of(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() {
            size_of(&entry.path())?
        } else {
            entry.metadata()?.len()
        };
    }
    Ok(bytes)
}
