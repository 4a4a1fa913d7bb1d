//! What differs between operating systems, in one place.

use std::io;
use std::path::Path;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, OpenOptions};

use crate::regular_file;
/// Whether one call can sync every file of a tree (Linux: `syncfs`).
pub(crate) const CAN_SYNC_TREE: bool = cfg!(target_os = "linux");

/// Takes all access from everybody but the owner.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Syncs everything below a folder, with one call where the system has one.
pub(crate) fn sync_tree(path: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        Ok(rustix::fs::syncfs(regular_file::open_directory(path)?)?)
    }
    #[cfg(not(target_os = "linux"))]
    {
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                sync_tree(&entry.path())?;
            } else {
                regular_file::open(&entry.path())?.sync_all()?;
            }
        }
        crate::atomic::sync_dir(path)
    }
}

/// Syncs everything below some folders; where the system has one call for a whole disk, once for each disk.
pub(crate) fn sync_trees(paths: &[&Path]) -> io::Result<()> {
    let mut disks = Vec::new();
    for path in paths {
        let disk = disk_of(path)?;
        if disk.is_none_or(|disk| !disks.contains(&disk)) {
            sync_tree(path)?;
        }
        disks.extend(disk);
    }
    Ok(())
}

/// The number of the disk that a folder is on, where one call syncs it.
fn disk_of(path: &Path) -> io::Result<Option<u64>> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt as _;
        Ok(Some(std::fs::metadata(path)?.dev()))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        Ok(None)
    }
}

/// Exchanges two paths in one step where the system can, else puts `new` in `old`'s place with
/// the old one set aside for a moment.
pub(crate) fn swap(new: &Path, old: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok(()),
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {}
            Err(error) => return Err(error.into()),
        }
    }
    swap_in_steps(new, old)
}

/// The same in three renames, for file systems that cannot exchange.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the fallback under the durable swap"
)]
fn swap_in_steps(new: &Path, old: &Path) -> io::Result<()> {
    let aside = old.with_extension("aside");
    std::fs::rename(old, &aside)?;
    std::fs::rename(new, old)?;
    std::fs::rename(&aside, new)
}

/// The flags with which opening a pipe does not wait for its other end.
#[cfg(unix)]
pub(crate) const NO_WAIT: i32 = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();

/// The flags with which a link at the end of a path is not followed; 0 where the system has none.
#[cfg(unix)]
pub(crate) const NO_FOLLOW: i32 = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
#[cfg(not(unix))]
pub(crate) const NO_FOLLOW: i32 = 0;

/// The flags with which only a directory is opened.
#[cfg(unix)]
pub(crate) const DIRECTORY: i32 = rustix::fs::OFlags::DIRECTORY.bits().cast_signed();
/// Windows opens one only as a backup program does (`FILE_FLAG_BACKUP_SEMANTICS`), which nothing here needs.
#[cfg(not(unix))]
pub(crate) const DIRECTORY: i32 = 0;

/// Read, without following a link, and without waiting for the other end of a pipe.
pub(crate) fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        options.custom_flags(NO_WAIT);
    }
    options
}

/// Renames unless the new name is taken.
pub(crate) fn rename_without_replacing(
    from: &Dir,
    name: &str,
    to: &Dir,
    new_name: &str,
) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        match renameat_with(from, name, to, new_name, RenameFlags::NOREPLACE) {
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {}
            result => return Ok(result?),
        }
    }
    if from.symlink_metadata(name)?.is_dir() {
        // The one that was asked for: a folder is replaced only by a folder, and only an empty one.
        return match to.symlink_metadata(new_name) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => from.rename(name, to, new_name),
        };
    }
    // A hard link fails where the new name is taken; then the old name goes.
    from.hard_link(name, to, new_name)?;
    from.remove_file(name)
}

/// Whether other programs have a file open for writing, as far as the system tells. While it lives, one that opens the
/// file waits for it and is noticed.
pub(crate) struct OpenWriters<'f> {
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "no leases there")
    )]
    file: &'f std::fs::File,
    are_some: bool,
    is_leased: bool,
}

impl<'f> OpenWriters<'f> {
    /// Asks for a file that is open for reading (Linux: a read lease, which is refused where there is a writer).
    #[cfg(target_os = "linux")]
    pub(crate) fn check_file(file: &'f std::fs::File) -> Self {
        // A lease that is ended sends SIGIO, which kills; SIGURG does nothing.
        let asked = lease(file, F_SETSIG, libc::SIGURG)
            .and_then(|_| lease(file, libc::F_SETLEASE, libc::F_RDLCK));
        let refused = |error: &io::Error| error.kind() == io::ErrorKind::WouldBlock;
        Self {
            file,
            are_some: asked.as_ref().is_err_and(refused),
            is_leased: asked.is_ok(),
        }
    }

    /// Nothing is told.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn check_file(file: &'f std::fs::File) -> Self {
        Self {
            file,
            are_some: false,
            is_leased: false,
        }
    }

    /// Whether there are any.
    pub(crate) fn are_some(&self) -> bool {
        self.are_some
    }

    /// Whether one has come since.
    pub(crate) fn came(&self) -> bool {
        #[cfg(target_os = "linux")]
        if self.is_leased {
            let held = lease(self.file, libc::F_GETLEASE, 0);
            return !held.is_ok_and(|held| held == libc::F_RDLCK);
        }
        self.is_leased
    }
}

#[cfg(target_os = "linux")]
impl Drop for OpenWriters<'_> {
    fn drop(&mut self) {
        if self.is_leased {
            // Closing the file does the same.
            let _ = lease(self.file, libc::F_SETLEASE, libc::F_UNLCK);
        }
    }
}

/// Which signal says that a lease ends, of fcntl(2); `libc` lacks the number.
#[cfg(target_os = "linux")]
const F_SETSIG: libc::c_int = 10;

/// One of the calls about leases, with its answer.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "rustix has no leases")]
fn lease(file: &std::fs::File, call: libc::c_int, value: libc::c_int) -> io::Result<libc::c_int> {
    use std::os::fd::AsRawFd as _;
    // SAFETY: the descriptor is open as long as the borrow lasts, and these calls take one integer.
    match unsafe { libc::fcntl(file.as_raw_fd(), call, value) } {
        -1 => Err(io::Error::last_os_error()),
        answer => Ok(answer),
    }
}

/// The process that holds the lock on a file, where the system tells.
pub(crate) fn lock_holder(file: &std::fs::File) -> Option<u32> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt as _;
        // Lines such as `3: FLOCK  ADVISORY  WRITE 711 08:01:1311 0 EOF`.
        let inode = format!(":{}", file.metadata().ok()?.ino());
        let locks = regular_file::read_text("/proc/locks").ok()?;
        let mut lines = locks
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>());
        let found = lines.find(|words| words.get(5).is_some_and(|id| id.ends_with(&inode)))?;
        found.get(4)?.parse().ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = file;
        None
    }
}

/// Whether a folder is on another machine's disk, or behind a program. Where the system does not tell, it is not.
pub(crate) fn is_network(path: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        /// By their numbers in `linux/magic.h`: NFS, SMB (three), 9P, AFS, Ceph, FUSE, and Lustre and GPFS by their
        /// own.
        const NETWORKS: [u64; 10] = [
            0x6969,
            0x517b,
            0xff53_4d42,
            0xfe53_4d42,
            0x0102_1997,
            0x5346_414f,
            0x00c3_6400,
            0x6573_5546,
            0x0bd0_0bd0,
            0x4750_4653,
        ];
        // The type of the number differs between processors.
        let is_one = |stat: rustix::fs::StatFs| {
            let kind = stat.f_type as u64 & 0xffff_ffff;
            NETWORKS.contains(&kind)
        };
        rustix::fs::statfs(path).is_ok_and(is_one)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        false
    }
}
