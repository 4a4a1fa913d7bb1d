//! Files of the checkout, looked at without following a last symbolic link and without waiting
//! for a pipe.

use std::fs::{File, Metadata};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::file_reader::FileReader;
use crate::limits::SCAN_FILE_BYTES_MAX;

/// The checkout's top folder.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    root: PathBuf,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeenKind {
    File,
    Folder,
    Other,
}

/// What the system says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DiskState {
    pub(crate) kind: SeenKind,
    /// Size and time of modification as an index has them.
    pub(crate) stat: (u32, i32, u32),
}

impl Disk {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The place of a tracked path.
    pub(crate) fn absolute_path(&self, path: &[u8]) -> Option<PathBuf> {
        Some(self.root.join(native_path(path)?))
    }

    /// What stands there; a symbolic link is something else, wherever it points.
    pub(crate) fn read_state(&self, path: &[u8]) -> Option<DiskState> {
        let metadata = std::fs::symlink_metadata(self.absolute_path(path)?).ok()?;
        let kind = match () {
            () if metadata.is_file() => SeenKind::File,
            () if metadata.is_dir() => SeenKind::Folder,
            () => SeenKind::Other,
        };
        Some(DiskState {
            kind,
            stat: stat_fields(&metadata),
        })
    }

    /// A way to look at many files, those of one folder after the other.
    pub(crate) fn file_looker(&self) -> FileReader<'_> {
        FileReader::new(self)
    }

    /// Reads an ordinary file into a buffer, as far as files are searched. Returns whether it did.
    pub(crate) fn read(&self, path: &[u8], buffer: &mut Vec<u8>) -> bool {
        buffer.clear();
        let file = self.absolute_path(path).and_then(|place| open_file(&place));
        let Some(file) = file.filter(|file| file.metadata().is_ok_and(|data| data.is_file()))
        else {
            return false;
        };
        file.take(SCAN_FILE_BYTES_MAX as u64)
            .read_to_end(buffer)
            .is_ok()
    }
}

#[cfg(unix)]
fn open_file(place: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    rustix::fs::open(place, flags, Mode::empty())
        .ok()
        .map(File::from)
}

#[cfg(not(unix))]
fn open_file(place: &Path) -> Option<File> {
    mem_core::regular_file::open(place).ok()
}

#[cfg(unix)]
pub(super) fn native_path(path: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(Path::new(std::ffi::OsStr::from_bytes(path)))
}

#[cfg(not(unix))]
pub(super) fn native_path(path: &[u8]) -> Option<&Path> {
    std::str::from_utf8(path).ok().map(Path::new)
}

/// Sizes are kept modulo 2^32, times as seconds and nanoseconds.
#[cfg(unix)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index truncates them too"
)]
fn stat_fields(metadata: &Metadata) -> (u32, i32, u32) {
    use std::os::unix::fs::MetadataExt as _;
    (
        metadata.size() as u32,
        metadata.mtime() as i32,
        metadata.mtime_nsec() as u32,
    )
}

#[cfg(not(unix))]
#[expect(
    clippy::cast_possible_truncation,
    reason = "an index truncates them too"
)]
fn stat_fields(metadata: &Metadata) -> (u32, i32, u32) {
    (metadata.len() as u32, 0, 0)
}
