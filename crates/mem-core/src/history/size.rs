//! How much of the disk the history takes, and how many changes are young.

use std::path::Path;

use jiff::Timestamp;

use super::error::HistoryError;
use super::repository::History;

/// Loose objects of one folder of 256.
const LOOSE_SAMPLE_MAX: usize = 27;

impl History {
    /// The bytes of all its files.
    ///
    /// # Errors
    /// A folder of it cannot be listed.
    pub fn size_bytes(&self) -> Result<u64, HistoryError> {
        size_of(self.path()).map_err(HistoryError::io("read", self.path()))
    }

    /// Whether it is time to pack: more than about 6,700 objects have a file of their own, as git
    /// counts them (by one of the 256 folders).
    ///
    /// Looks at one folder and opens nothing: cheap enough for every write.
    pub fn is_due_for_packing(history: &Path) -> bool {
        let sample = std::fs::read_dir(history.join("objects/17"));
        sample.is_ok_and(|entries| entries.count() > LOOSE_SAMPLE_MAX)
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
