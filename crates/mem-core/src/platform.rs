//! What differs between operating systems, in one place.

use std::io;
use std::path::Path;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, OpenOptions};

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
        Ok(rustix::fs::syncfs(std::fs::File::open(path)?)?)
    }
    #[cfg(not(target_os = "linux"))]
    {
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                sync_tree(&entry.path())?;
            } else {
                std::fs::File::open(entry.path())?.sync_all()?;
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

/// Read, without following a link, and without waiting for the other end of a pipe.
pub(crate) fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        options.custom_flags(i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0));
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

/// An id of the running boot, where the system has one: what was written but not synced before
/// another boot may be gone.
pub(crate) fn boot_id() -> Option<String> {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}

/// The process that holds the lock on a file, where the system tells.
pub(crate) fn lock_holder(file: &std::fs::File) -> Option<u32> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt as _;
        // Lines such as `3: FLOCK  ADVISORY  WRITE 711 08:01:1311 0 EOF`.
        let inode = format!(":{}", file.metadata().ok()?.ino());
        let locks = std::fs::read_to_string("/proc/locks").ok()?;
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
