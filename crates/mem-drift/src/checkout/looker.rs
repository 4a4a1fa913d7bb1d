//! The state of many files: a folder is opened once, so that the system need not walk the whole
//! path for each of its files.

use super::Disk;

/// Everything that changes when a file, or the list of a folder, does.
type State = [i64; 6];

#[cfg(unix)]
pub(crate) use opened::Looker;
#[cfg(not(unix))]
pub(crate) use plain::Looker;

#[cfg(unix)]
mod opened {
    use rustix::fd::OwnedFd;
    use rustix::fs::{AtFlags, Mode, OFlags, open, statat};

    use super::{Disk, State};

    /// Looks at files, and keeps the last folder open.
    pub(crate) struct Looker<'d> {
        disk: &'d Disk,
        folder: Vec<u8>,
        opened: Option<OwnedFd>,
    }

    impl<'d> Looker<'d> {
        pub(crate) fn new(disk: &'d Disk) -> Self {
            Self {
                opened: open_folder(disk, b""),
                folder: Vec::new(),
                disk,
            }
        }

        /// The state of a path; symbolic links stand for themselves.
        pub(crate) fn state(&mut self, path: &[u8]) -> Option<State> {
            let split = path.iter().rposition(|&byte| byte == b'/');
            let folder = split.map_or(&b""[..], |at| &path[..at]);
            if folder != self.folder {
                self.opened = open_folder(self.disk, folder);
                self.folder = folder.to_vec();
            }
            let name = split.map_or(path, |at| &path[at + 1..]);
            let stat = statat(self.opened.as_ref()?, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            #[expect(
                clippy::cast_possible_wrap,
                clippy::unnecessary_cast,
                clippy::useless_conversion,
                reason = "only equality counts, and the types differ between systems"
            )]
            Some([
                stat.st_ino as i64,
                stat.st_size as i64,
                stat.st_mtime as i64,
                stat.st_mtime_nsec as i64,
                stat.st_ctime as i64,
                stat.st_ctime_nsec as i64,
            ])
        }
    }

    fn open_folder(disk: &Disk, folder: &[u8]) -> Option<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        open(disk.place(folder)?, flags, Mode::empty()).ok()
    }
}

#[cfg(not(unix))]
mod plain {
    use std::time::UNIX_EPOCH;

    use super::{Disk, State};

    /// Looks at files.
    pub(crate) struct Looker<'d> {
        disk: &'d Disk,
    }

    impl<'d> Looker<'d> {
        pub(crate) fn new(disk: &'d Disk) -> Self {
            Self { disk }
        }

        /// The state of a path; symbolic links stand for themselves.
        pub(crate) fn state(&mut self, path: &[u8]) -> Option<State> {
            let metadata = std::fs::symlink_metadata(self.disk.place(path)?).ok()?;
            let modified = metadata.modified().ok()?;
            let since = modified.duration_since(UNIX_EPOCH).ok()?;
            let nanoseconds = i64::try_from(since.as_nanos()).ok()?;
            let size = i64::try_from(metadata.len()).ok()?;
            Some([size, nanoseconds, 0, 0, 0, 0])
        }
    }
}
