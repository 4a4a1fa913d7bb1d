//! New contents on their way: temporary files beside their targets.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU32, Ordering};

use cap_std::fs::{Dir, OpenOptions};

use super::error::StoreError;
use super::tree::Tree;
use super::walk::{Stat, TEMPORARY_PREFIX};
use crate::MemoryPath;

/// A temporary file with its target; removed when dropped unless it was moved.
#[derive(Debug)]
pub(super) struct Staged {
    /// The folder of both.
    pub(super) folder: Dir,
    /// The temporary name.
    pub(super) temporary: String,
    /// The stat of the new content.
    pub(super) stat: Stat,
}

impl Staged {
    /// Writes new content beside its target. The target's mode is kept.
    pub(super) fn write(
        tree: &Tree,
        path: &MemoryPath,
        bytes: &[u8],
        sync: bool,
    ) -> Result<Self, StoreError> {
        let folder = tree.make_folder(path)?;
        let temporary = temporary_name();
        let mut staged = Self {
            folder,
            temporary,
            stat: Stat::default(),
        };
        let written = staged.fill(path, bytes, sync);
        staged.stat = written.map_err(StoreError::io("write", &tree.absolute(path)))?;
        Ok(staged)
    }

    fn fill(&self, path: &MemoryPath, bytes: &[u8], sync: bool) -> io::Result<Stat> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut file = self.folder.open_with(&self.temporary, &options)?;
        if let Ok(old) = self.folder.symlink_metadata(path.file_name())
            && old.is_file()
        {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(bytes)?;
        if sync {
            file.sync_all()?;
        }
        Ok(Stat::of(&file.metadata()?))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Gone already in the ordinary case; what a crash leaves is swept by the next writer.
        let _ = self.folder.remove_file(&self.temporary);
    }
}

/// A name that no other thread or process uses.
pub(super) fn temporary_name() -> String {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!("{TEMPORARY_PREFIX}{}-{count}", std::process::id())
}
