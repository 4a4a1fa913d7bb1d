//! The state of many files: a folder is opened once, so that the system need not walk the whole
//! path for each of its files.

use super::Disk;

/// Everything that changes when a file, or the list of a folder, does: its number, its size, when
/// it was modified and when it changed, each in seconds and nanoseconds.
pub(crate) type State = [i64; 6];

#[cfg(unix)]
pub(crate) use opened::FileReader;
#[cfg(not(unix))]
pub(crate) use plain::FileReader;

#[cfg(unix)]
mod opened {
    use rustix::fd::OwnedFd;
    use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, open, openat, statat};

    use super::{Disk, State};
    use crate::limits::SCAN_FILE_BYTES_MAX;

    /// Looks at files, and keeps the last folder open.
    pub(crate) struct FileReader<'d> {
        disk: &'d Disk,
        folder: Vec<u8>,
        opened: Option<OwnedFd>,
    }

    impl<'d> FileReader<'d> {
        pub(crate) fn new(disk: &'d Disk) -> Self {
            Self {
                opened: open_folder(disk, b""),
                folder: Vec::new(),
                disk,
            }
        }

        /// Opens the folder of a path, unless it is still open; returns the rest of the path.
        fn enter_folder<'p>(&mut self, path: &'p [u8]) -> &'p [u8] {
            let split = path.iter().rposition(|&byte| byte == b'/');
            let folder = split.map_or(&b""[..], |at| &path[..at]);
            if folder != self.folder {
                self.opened = open_folder(self.disk, folder);
                self.folder = folder.to_vec();
            }
            split.map_or(path, |at| &path[at + 1..])
        }

        /// Reads an ordinary file into a buffer, as far as files are searched. Whether it did.
        pub(crate) fn read(&mut self, path: &[u8], buffer: &mut Vec<u8>) -> bool {
            buffer.clear();
            let name = self.enter_folder(path);
            let Some(folder) = &self.opened else {
                return false;
            };
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let Ok(file) = openat(folder, name, flags, Mode::empty()) else {
                return false;
            };
            let Ok(stat) = fstat(&file) else { return false };
            let is_file = FileType::from_raw_mode(stat.st_mode).is_file();
            let size = usize::try_from(stat.st_size)
                .unwrap_or(0)
                .min(SCAN_FILE_BYTES_MAX);
            is_file && fill_buffer(&file, size, buffer)
        }

        /// The state of a path; symbolic links stand for themselves.
        pub(crate) fn read_state(&mut self, path: &[u8]) -> Option<State> {
            let name = self.enter_folder(path);
            let stat = statat(self.opened.as_ref()?, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            #[expect(clippy::cast_possible_wrap, reason = "only equality counts")]
            Some([
                stat.st_ino as i64,
                stat.st_size,
                stat.st_mtime,
                stat.st_mtime_nsec as i64,
                stat.st_ctime,
                stat.st_ctime_nsec as i64,
            ])
        }
    }

    /// Reads so many bytes, or up to the end.
    fn fill_buffer(file: &OwnedFd, size: usize, buffer: &mut Vec<u8>) -> bool {
        buffer.resize(size, 0);
        let mut filled = 0;
        while filled < size {
            match rustix::io::read(file, &mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return false,
            }
        }
        buffer.truncate(filled);
        true
    }

    fn open_folder(disk: &Disk, folder: &[u8]) -> Option<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        open(disk.absolute_path(folder)?, flags, Mode::empty()).ok()
    }
}

#[cfg(not(unix))]
mod plain {
    use std::time::UNIX_EPOCH;

    use super::{Disk, State};

    /// Looks at files.
    pub(crate) struct FileReader<'d> {
        disk: &'d Disk,
    }

    impl<'d> FileReader<'d> {
        pub(crate) fn new(disk: &'d Disk) -> Self {
            Self { disk }
        }

        /// Reads an ordinary file into a buffer, as far as files are searched. Whether it did.
        pub(crate) fn read(&mut self, path: &[u8], buffer: &mut Vec<u8>) -> bool {
            self.disk.read(path, buffer)
        }

        /// The state of a path; symbolic links stand for themselves.
        pub(crate) fn read_state(&mut self, path: &[u8]) -> Option<State> {
            let metadata = std::fs::symlink_metadata(self.disk.absolute_path(path)?).ok()?;
            let modified = metadata.modified().ok()?;
            let since = modified.duration_since(UNIX_EPOCH).ok()?;
            let nanoseconds = i64::try_from(since.as_nanos()).ok()?;
            let size = i64::try_from(metadata.len()).ok()?;
            Some([
                0,
                size,
                nanoseconds / 1_000_000_000,
                nanoseconds % 1_000_000_000,
                0,
                0,
            ])
        }
    }
}
