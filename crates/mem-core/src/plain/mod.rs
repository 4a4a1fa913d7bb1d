//! A plain directory of files that nothing leads out of: what a memory tool keeps for a host that
//! has no project, and how it looks into one that has.
//!
//! # Layout
//! - [`PlainRoot::reach`] walks a list of names through directory handles and says what stands at
//!   its end, a [`PathEnd`]. Symbolic links are read and walked by hand, so that one that leads out is
//!   told from one that stays inside; every handle is opened without following a link, so that
//!   none can be swapped in between a check and its use.
//! - `read` reads and lists, `write` creates, replaces, moves and removes, `trash` moves aside.
//!
//! Memory of projects is written through [`store`](crate::store) alone; here it is only read.

mod error;
mod path_walk;
mod read;
mod trash;
mod write;

use std::fs::File;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::regular_file;
pub use error::PlainError;
pub use path_walk::{Links, PathEnd, SpotKind};
pub use read::{DirListing, ListedFile};

/// An open directory.
#[derive(Debug)]
pub struct PlainRoot {
    dir: Dir,
    /// Absolute and without symbolic links, to tell where absolute links lead.
    path: PathBuf,
}

impl PlainRoot {
    /// Opens the directory; makes it and its missing parents first, each with mode 0700.
    ///
    /// # Errors
    /// The system refuses.
    pub fn make(path: &Path) -> Result<Self, PlainError> {
        crate::atomic::create_dirs(path).map_err(PlainError::io("create", path))?;
        let real = path.canonicalize();
        let real = real.map_err(PlainError::io("open", path))?;
        let dir = Dir::open_ambient_dir(&real, ambient_authority());
        Ok(Self {
            dir: dir.map_err(PlainError::io("open", path))?,
            path: real,
        })
    }

    /// Where it is, without symbolic links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until no other `mem` changes this directory; the lock is free again when it is dropped.
    /// `None` where the file system cannot lock directories.
    pub fn lock(&self) -> Option<File> {
        let directory = regular_file::open_directory(&self.path).ok()?;
        directory.lock().ok()?;
        Some(directory)
    }
}

#[cfg(test)]
mod tests;
