//! Creating, replacing, moving and removing. What fails leaves nothing behind.

use std::io::{self, Write as _};
use std::path::Path;

use cap_fs_ext::DirExt as _;
use cap_std::fs::{Dir, DirBuilder, OpenOptions};

use super::read::names_in;
use super::{PathEnd, PlainError, PlainRoot, SpotKind};
use crate::platform;

/// How the temporary files of a write begin; those of killed writes are swept by the next one.
const TEMPORARY_PREFIX: &str = ".mem-tmp-";

impl PlainRoot {
    /// Creates a file where nothing stands, with mode 0600, and the missing folders on its way, with
    /// mode 0700. It is there whole or not at all.
    ///
    /// # Errors
    /// Something stands there by now; the system refuses.
    pub fn create(&self, spot: &PathEnd, bytes: &[u8]) -> Result<(), PlainError> {
        let shown = spot.path();
        let mut made = make_folders(spot)?;
        let temporary = TemporaryContent::write(&made.last, &shown, bytes)?;
        match platform::rename_without_replacing(
            &made.last,
            &temporary.name,
            &made.last,
            spot.name(),
        ) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(PlainError::Exists(shown));
            }
            Err(error) => return Err(PlainError::io("create", Path::new(&shown))(error)),
        }
        made.is_kept = true;
        sync(&made.last, &shown)
    }

    /// Replaces a file, or the link at its place, in one step; the new one has mode 0600.
    ///
    /// # Errors
    /// The system refuses; then the old one is as it was.
    pub fn replace(&self, spot: &PathEnd, bytes: &[u8]) -> Result<(), PlainError> {
        let shown = spot.path();
        let temporary = TemporaryContent::write(&spot.folder, &shown, bytes)?;
        let renamed = spot
            .folder
            .rename(&temporary.name, &spot.folder, spot.name());
        renamed.map_err(PlainError::io("replace", Path::new(&shown)))?;
        sync(&spot.folder, &shown)
    }

    /// Removes a file, a link, or a folder with all that is in it.
    ///
    /// # Errors
    /// It is gone, or the system refuses.
    pub fn remove(&self, spot: &PathEnd) -> Result<(), PlainError> {
        let shown = spot.path();
        let removed = match spot.kind {
            SpotKind::Folder => spot.folder.remove_dir_all(spot.name()),
            SpotKind::Missing => Err(io::ErrorKind::NotFound.into()),
            SpotKind::File | SpotKind::Link | SpotKind::Special => {
                spot.folder.remove_file(spot.name())
            }
        };
        match removed {
            Ok(()) => sync(&spot.folder, &shown),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(PlainError::Gone(shown)),
            Err(error) => Err(PlainError::io("remove", Path::new(&shown))(error)),
        }
    }

    /// Moves what stands at one spot to another where nothing stands, and makes the missing folders
    /// on its way.
    ///
    /// # Errors
    /// The one is gone, the other is taken, the system refuses; then no new folder is left.
    pub fn rename(&self, from: &PathEnd, to: &PathEnd) -> Result<(), PlainError> {
        let mut made = make_folders(to)?;
        let renamed =
            platform::rename_without_replacing(&from.folder, from.name(), &made.last, to.name());
        match renamed {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(PlainError::Exists(to.path()));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(PlainError::Gone(from.path()));
            }
            Err(error) => return Err(PlainError::io("rename", Path::new(&from.path()))(error)),
        }
        made.is_kept = true;
        sync(&made.last, &to.path())?;
        sync(&from.folder, &from.path())
    }

    /// Removes a folder and the folders in it as far as they are empty.
    pub fn prune(&self, spot: &PathEnd) {
        if spot.kind == SpotKind::Folder
            && !spot.is_root()
            && let Ok(folder) = spot.open_folder()
        {
            prune(&folder);
            // Not empty: then it stays.
            let _ = spot.folder.remove_dir(spot.name());
        }
    }
}

fn prune(folder: &Dir) {
    for name in names_in(folder) {
        if let Ok(inner) = folder.open_dir_nofollow(&name) {
            prune(&inner);
            let _ = folder.remove_dir(&name);
        }
    }
}

/// Folders that were made; they go again unless they are kept.
struct CreatedFolders {
    last: Dir,
    new: Vec<(Dir, String)>,
    is_kept: bool,
}

impl Drop for CreatedFolders {
    fn drop(&mut self) {
        if !self.is_kept {
            for (parent, name) in self.new.iter().rev() {
                let _ = parent.remove_dir(name);
            }
        }
    }
}

/// Makes the missing folders on the way to a spot.
pub(super) fn make_folders_of(spot: &PathEnd) -> Result<Dir, PlainError> {
    let mut made = make_folders(spot)?;
    made.is_kept = true;
    made.last
        .try_clone()
        .map_err(PlainError::io("open", Path::new(&spot.path())))
}

fn make_folders(spot: &PathEnd) -> Result<CreatedFolders, PlainError> {
    let shown = spot.path();
    let fail = |error| PlainError::io("create", Path::new(&shown))(error);
    let mut made = CreatedFolders {
        last: spot.folder.try_clone().map_err(fail)?,
        new: Vec::new(),
        is_kept: false,
    };
    let (_, folders) = spot.below.split_last().unwrap_or((&shown, &[]));
    for name in folders {
        match made.last.create_dir_with(name, &private_folder()) {
            Ok(()) => {
                let parent = made.last.try_clone().map_err(fail)?;
                made.new.push((parent, name.clone()));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(fail(error)),
        }
        made.last = made.last.open_dir_nofollow(name).map_err(fail)?;
    }
    Ok(made)
}

fn private_folder() -> DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    cap_std::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// A new content beside its target; gone when dropped, unless it was moved.
struct TemporaryContent<'d> {
    folder: &'d Dir,
    name: String,
}

impl<'d> TemporaryContent<'d> {
    fn write(folder: &'d Dir, shown: &str, bytes: &[u8]) -> Result<Self, PlainError> {
        // Under the lock nobody else has any.
        for left in names_in(folder) {
            if left.starts_with(TEMPORARY_PREFIX) {
                let _ = folder.remove_file(left);
            }
        }
        let name = format!("{TEMPORARY_PREFIX}{}", std::process::id());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let temporary = Self { folder, name };
        let written = folder
            .open_with(&temporary.name, &options)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
        written.map_err(PlainError::io("write", Path::new(shown)))?;
        Ok(temporary)
    }
}

impl Drop for TemporaryContent<'_> {
    fn drop(&mut self) {
        // Gone already in the ordinary case.
        let _ = self.folder.remove_file(&self.name);
    }
}

/// Makes the entries of a folder durable. Windows offers no such call and needs none.
fn sync(folder: &Dir, shown: &str) -> Result<(), PlainError> {
    if cfg!(windows) {
        return Ok(());
    }
    let synced = folder
        .open_with(".", &platform::reading())
        .and_then(|folder| folder.sync_all());
    synced.map_err(PlainError::io("sync", Path::new(shown)))
}
