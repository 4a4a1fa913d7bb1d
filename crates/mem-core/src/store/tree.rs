//! The files of a memory directory, reached through a directory handle.
//!
//! No symbolic link is followed below the root: neither one that leads out of it, nor one that
//! is swapped in between a check and its use.
//!
//! ```text
//!  by path      check a/b is no link ... repository swaps a for a link ... open a/b/c   leads out
//!  by handle    root -> open a, no follow -> open b, no follow -> open c of that b      fails or is inside
//! ```
//!
//! **Invariant:** no call below joins the root's path with a memory's path to open it; paths are for messages only.
//! **Cost:** one open per folder of a path; batches keep them (`store::folders`). Test:
//! `hostile_files::links_swapped_in_during_the_call_lead_nowhere`.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use cap_fs_ext::DirExt as _;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};

use super::error::StoreError;
use super::walk::Stat;
use crate::MemoryPath;
use crate::limits::HISTORY_FILE_BYTES_MAX;
use crate::platform::reading;
use crate::regular_file::if_there;

/// An open memory directory.
#[derive(Debug)]
pub(super) struct Tree {
    dir: Dir,
    path: PathBuf,
    /// Whether files stay that came out of an exchange and that other programs have open.
    pub(super) retired: AtomicBool,
}

impl Tree {
    /// Opens the directory; `None` where it does not exist.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        let dir = if_there(Dir::open_ambient_dir(path, ambient_authority()));
        let dir = dir.map_err(StoreError::io("open", path))?;
        Ok(dir.map(|dir| Self {
            dir,
            path: path.to_owned(),
            retired: AtomicBool::new(false),
        }))
    }

    /// Removes the folders that some files stood in where they are empty by now, with those above that have nothing
    /// else. Those `kept` stay.
    pub(super) fn clear_folders<'p>(
        &self,
        files: impl Iterator<Item = &'p MemoryPath>,
        kept: &[&str],
    ) {
        for file in files {
            let mut folder = file.parent();
            while let Some(name) = folder.filter(|name| !kept.contains(name)) {
                // Refused where anything is in it, and where somebody put a link there.
                if self.dir.remove_dir(name).is_err() {
                    break;
                }
                folder = name.rsplit_once('/').map(|(above, _)| above);
            }
        }
    }

    /// The root handle.
    pub(super) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// The root as a path, for messages.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The absolute path of a file, for messages.
    pub(super) fn absolute(&self, path: &MemoryPath) -> PathBuf {
        self.path.join(path.as_str())
    }

    /// The folder that a file stands in; `None` where a part of it does not exist.
    pub(super) fn folder(&self, path: &MemoryPath) -> Result<Option<Dir>, StoreError> {
        let fail = |error| self.explain("open", path, error);
        let mut dir = self.dir.try_clone().map_err(fail)?;
        for segment in path
            .parent()
            .into_iter()
            .flat_map(|parent| parent.split('/'))
        {
            let Some(next) = if_there(dir.open_dir_nofollow(segment)).map_err(fail)? else {
                return Ok(None);
            };
            dir = next;
        }
        Ok(Some(dir))
    }

    /// A folder by its name, which stands there; the root for none.
    pub(super) fn open_folder(&self, name: Option<&str>) -> Result<Dir, StoreError> {
        let fail = |error| StoreError::io("open", &self.path.join(name.unwrap_or_default()))(error);
        let mut dir = self.dir.try_clone().map_err(fail)?;
        for segment in name.into_iter().flat_map(|name| name.split('/')) {
            dir = dir.open_dir_nofollow(segment).map_err(fail)?;
        }
        Ok(dir)
    }

    /// Removes what a killed write left: a file, or a folder with its files.
    pub(super) fn remove_leftover(&self, name: &str) -> io::Result<()> {
        match self.dir.symlink_metadata(name)?.is_dir() {
            true => self.dir.remove_dir_all(name),
            false => self.dir.remove_file(name),
        }
    }

    /// Makes the entries of a folder durable. One that was moved away meanwhile is somebody
    /// else's business. Windows offers no such call and needs none.
    pub(super) fn sync_folder(&self, folder: Option<&str>) -> Result<(), StoreError> {
        if cfg!(windows) {
            return Ok(());
        }
        let opened = self.dir.open_with(folder.unwrap_or("."), &reading());
        let synced = match opened {
            Err(_) if folder.is_some_and(|name| !self.is_folder(name)) => return Ok(()),
            Err(error) => Err(error),
            Ok(folder) => folder.sync_all(),
        };
        synced.map_err(StoreError::io(
            "sync",
            &self.path.join(folder.unwrap_or_default()),
        ))
    }

    fn is_folder(&self, name: &str) -> bool {
        self.dir
            .symlink_metadata(name)
            .is_ok_and(|meta| meta.is_dir())
    }

    /// Opens a regular file for reading; `None` where there is none.
    pub(super) fn open_file(&self, path: &MemoryPath) -> Result<Option<(File, Stat)>, StoreError> {
        let Some(folder) = self.folder_for_reading(path)? else {
            return Ok(None);
        };
        let dir = folder.as_ref().unwrap_or(&self.dir);
        let fail = |error| self.explain("read", path, error);
        let opened = if_there(dir.open_with(path.file_name(), &reading()));
        let Some(file) = opened.map_err(fail)? else {
            return Ok(None);
        };
        let meta = file.metadata().map_err(fail)?;
        match meta.is_file() {
            true => Ok(Some((file, Stat::from_meta(&meta)))),
            false => Err(StoreError::NotAFile(path.clone())),
        }
    }

    /// The bytes of a regular file with its stat; `None` where there is none. A file over
    /// [`HISTORY_FILE_BYTES_MAX`] is an error and is not read.
    pub(super) fn read(&self, path: &MemoryPath) -> Result<Option<(Vec<u8>, Stat)>, StoreError> {
        let Some((file, stat)) = self.open_file(path)? else {
            return Ok(None);
        };
        let oversized = |bytes| {
            let (path, limit_bytes) = (path.clone(), HISTORY_FILE_BYTES_MAX);
            Err(StoreError::Oversized {
                path,
                bytes,
                limit_bytes,
            })
        };
        if stat.size > HISTORY_FILE_BYTES_MAX {
            return oversized(stat.size);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0) + 1);
        // It may grow while it is read.
        let mut file = file.take(HISTORY_FILE_BYTES_MAX + 1);
        let read = file.read_to_end(&mut bytes);
        read.map_err(|error| self.explain("read", path, error))?;
        match bytes.len() as u64 {
            size if size > HISTORY_FILE_BYTES_MAX => oversized(size),
            _ => Ok(Some((bytes, stat))),
        }
    }

    /// The folder of a file, `Some(None)` standing for the root itself (no handle to clone).
    fn folder_for_reading(&self, path: &MemoryPath) -> Result<Option<Option<Dir>>, StoreError> {
        match path.parent() {
            None => Ok(Some(None)),
            Some(_) => Ok(self.folder(path)?.map(Some)),
        }
    }

    /// Gives an error of the system its meaning here.
    pub(super) fn explain(
        &self,
        action: &'static str,
        path: &MemoryPath,
        error: io::Error,
    ) -> StoreError {
        // Looked at afterwards, for the message alone: the systems name a refused link differently (ELOOP, ENOTDIR).
        if self.is_behind_link(path) {
            return StoreError::Symlink(path.clone());
        }
        StoreError::io(action, &self.absolute(path))(error)
    }

    /// Whether the path or a folder of it is a symbolic link.
    fn is_behind_link(&self, path: &MemoryPath) -> bool {
        let text = path.as_str();
        let ends = text
            .match_indices('/')
            .map(|(at, _)| at)
            .chain([text.len()]);
        ends.map(|end| &text[..end]).any(|part| {
            self.dir
                .symlink_metadata(part)
                .is_ok_and(|meta| meta.file_type().is_symlink())
        })
    }
}
