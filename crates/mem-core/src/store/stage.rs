//! New contents on their way: temporary files beside their targets.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cap_std::fs::{Dir, OpenOptions};

use super::error::StoreError;
use super::tree::Tree;
use super::walk::{Stat, TEMPORARY_PREFIX};
use crate::MemoryPath;

/// The folders of a batch, each opened once.
#[derive(Debug, Default)]
pub(super) struct Folders(BTreeMap<String, Arc<Dir>>);

impl Folders {
    /// The folder of a file, made where it is missing.
    fn of(&mut self, tree: &Tree, path: &MemoryPath) -> Result<Arc<Dir>, StoreError> {
        let name = path.parent().unwrap_or_default();
        if let Some(open) = self.0.get(name) {
            return Ok(Arc::clone(open));
        }
        let folder = Arc::new(tree.make_folder(path)?);
        self.0.insert(name.to_owned(), Arc::clone(&folder));
        Ok(folder)
    }
}

/// A temporary file with its target; removed when dropped unless it was moved.
#[derive(Debug)]
pub(super) struct Staged {
    /// The folder of both; files of one folder have one handle, because a process may not have many.
    pub(super) folder: Arc<Dir>,
    /// The temporary name.
    pub(super) temporary: String,
    /// The stat of the new content.
    pub(super) stat: Stat,
}

impl Staged {
    /// Writes new content beside its target. The target's mode is kept.
    pub(super) fn write(
        tree: &Tree,
        folders: &mut Folders,
        path: &MemoryPath,
        bytes: &[u8],
        sync: bool,
    ) -> Result<Self, StoreError> {
        let folder = folders.of(tree, path)?;
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
