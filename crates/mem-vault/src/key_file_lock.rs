//! Held while a file of master keys is made, replaced or ended: what is read from it then is what is replaced. The
//! lock is a file beside it, since the file itself becomes another one, and goes with the one who held it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use mem_core::{atomic, regular_file};

use crate::VaultError;
use crate::key_file::io_error_at;

/// Nobody else changes the keys until it is dropped.
pub(crate) struct KeyFileLock {
    lock: PathBuf,
    _file: File,
}

impl KeyFileLock {
    /// Waits for it.
    ///
    /// # Errors
    /// The file of the lock cannot be made or locked.
    pub(crate) fn acquire(keys: &Path) -> Result<Self, VaultError> {
        if let Some(folder) = keys.parent() {
            atomic::create_dirs(folder).map_err(io_error_at("make the folder of", keys))?;
        }
        let mut name = keys.as_os_str().to_owned();
        name.push(".lock");
        let lock = PathBuf::from(name);
        loop {
            let file = regular_file::open_lock(&lock).map_err(io_error_at("make", &lock))?;
            file.lock().map_err(io_error_at("lock", &lock))?;
            // Whoever held it took it away: somebody else may hold a new one by now.
            if is_there(&file, &lock) {
                return Ok(Self { lock, _file: file });
            }
        }
    }
}

impl Drop for KeyFileLock {
    fn drop(&mut self) {
        // Removed while it is still locked: a process that waits on this very file finds with `is_there` that another one
        // stands in its place by now, and waits on that.
        // Left where the system refuses: an empty file is no harm.
        let _ = fs::remove_file(&self.lock);
    }
}

#[cfg(unix)]
fn is_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let name = |meta: fs::Metadata| (meta.dev(), meta.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(file), Ok(path)) => name(file) == name(path),
        _ => false,
    }
}

/// A file that is open stays where it is.
#[cfg(not(unix))]
fn is_there(_file: &File, _path: &Path) -> bool {
    true
}
