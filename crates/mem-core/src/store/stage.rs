//! New contents on their way: temporary files beside their targets.
//!
//! They stand in the folder of the target and not in a folder of their own, since a rename is one step only within a file
//! system. The name begins with `TEMPORARY_PREFIX`, by which walks pass them over and writers know them.
//! **Invariant:** whoever drops a `StagedFile` removes the file under its temporary name, unless it was moved to its
//! target. A kill leaves it, and the next writer sweeps it (`store::crash::leftovers_of_a_killed_write_are_swept`).

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use cap_std::fs::{Dir, Metadata, OpenOptions, Permissions};

use super::error::StoreError;
use super::folders::{BatchFolders, OpenFolder};
use super::replaced_files;
use super::tree::Tree;
use super::walk::{Stat, TEMPORARY_PREFIX};
use crate::MemoryPath;
use crate::history::Sha256;

/// The digest and the size in bytes of a content; none where there is no file.
pub(super) type Content = Option<(Sha256, usize)>;

/// A temporary file with its target; removed when dropped unless it was moved.
#[derive(Debug)]
pub(super) struct StagedFile {
    /// The folder of both.
    pub(super) folder: Arc<Dir>,
    /// The temporary name.
    pub(super) temporary: String,
    /// The name under which both are exchanged, and the old one stays while another program has it open.
    pub(super) retired: Option<String>,
    /// The digest of the new content.
    pub(super) digest: Option<Sha256>,
    /// The stat of the new content.
    pub(super) stat: Stat,
    /// Whether nothing stands under the temporary name any more.
    is_gone: AtomicBool,
}

impl StagedFile {
    /// Writes new content beside its target, which has to be new as well (nothing was `before`) or keeps its mode.
    pub(super) fn write(
        tree: &Tree,
        folders: &BatchFolders,
        path: &MemoryPath,
        bytes: &[u8],
        (before, after): (Content, Content),
        sync: bool,
    ) -> Result<Self, StoreError> {
        let is_new = before.is_none();
        let Some(OpenFolder {
            dir: folder,
            is_new: is_new_folder,
        }) = folders.of(path).cloned()
        else {
            return Err(StoreError::NotFound(path.clone()));
        };
        // What somebody puts into a new folder meanwhile is found when the file is put into its place.
        let old = match is_new_folder && is_new {
            true => None,
            false => folder.symlink_metadata(path.file_name()).ok(),
        };
        if let (Some(old), true) = (&old, is_new) {
            return Err(match old.file_type() {
                kind if kind.is_symlink() => StoreError::Symlink(path.clone()),
                kind if kind.is_file() => StoreError::Conflict(path.clone()),
                _ => StoreError::NotAFile(path.clone()),
            });
        }
        let retired = before
            .is_some()
            .then(|| replaced_files::name_of(path, before, after));
        let mut staged = Self {
            folder,
            temporary: temporary_name(),
            retired,
            digest: after.map(|(digest, _)| digest),
            stat: Stat::default(),
            is_gone: AtomicBool::new(false),
        };
        let mode = old.filter(Metadata::is_file).map(|old| old.permissions());
        let written = staged.fill(mode, bytes, sync);
        staged.stat = written.map_err(|error| match error.kind() {
            // Two names that are one here.
            io::ErrorKind::AlreadyExists => StoreError::Conflict(path.clone()),
            _ => StoreError::io("write", &tree.absolute(path))(error),
        })?;
        Ok(staged)
    }

    fn fill(&self, mode: Option<Permissions>, bytes: &[u8], sync: bool) -> io::Result<Stat> {
        let mut options = OpenOptions::new();
        // `create_new` follows no link and overwrites nothing, whatever a repository put under the name.
        options.write(true).create_new(true);
        let mut file = self.folder.open_with(&self.temporary, &options)?;
        // Before the content: the text of a private file is at no time readable by others.
        if let Some(mode) = mode {
            file.set_permissions(mode)?;
        }
        file.write_all(bytes)?;
        if sync {
            file.sync_all()?;
        }
        Ok(Stat::from_meta(&file.metadata()?))
    }

    /// Notes whether something stands under the temporary name.
    pub(super) fn stands(&self, stands: bool) {
        self.is_gone.store(!stands, Ordering::Relaxed);
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.is_gone.load(Ordering::Relaxed) {
            // What a crash leaves is swept by the next writer.
            let _ = self.folder.remove_file(&self.temporary);
        }
    }
}

/// A name that no other thread or process uses.
pub(super) fn temporary_name() -> String {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!("{TEMPORARY_PREFIX}{}-{count}", std::process::id())
}
