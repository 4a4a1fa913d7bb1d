//! Opening files that somebody else may have put there.
//!
//! A named pipe in the place of a settings file would make a plain `open` wait for ever.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

use cap_fs_ext::DirExt as _;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::MemoryPath;
use crate::platform::reading;

/// Opens a regular file for reading; never waits.
///
/// # Errors
/// The system's, or that it is a directory, a pipe or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK.bits();
        options.custom_flags(flags.cast_signed());
    }
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a regular file")),
    }
}

/// Reads a regular file of at most so many bytes.
///
/// # Errors
/// The system's, that it is no regular file, or that it is larger.
pub fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    bounded(open(path)?, bytes_max)
}

/// The same of a file below a folder, without following a symbolic link on the way there or at its end.
///
/// # Errors
/// The system's, that a link stands there, that it is no regular file, or that it is larger.
pub fn read_below(top: &Path, file: &MemoryPath, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut folder = Dir::open_ambient_dir(top, ambient_authority())?;
    for name in file
        .parent()
        .into_iter()
        .flat_map(|parent| parent.split('/'))
    {
        folder = match folder.open_dir_nofollow(name) {
            Ok(next) => next,
            Err(error) => return Err(of_link(&folder, name, error)),
        };
    }
    let name = file.file_name();
    let file = folder.open_with(name, &reading());
    let file = file.map_err(|error| of_link(&folder, name, error))?;
    match file.metadata()?.is_file() {
        true => bounded(file, bytes_max),
        false => Err(io::Error::other("not a regular file")),
    }
}

/// Says what the system's number for a link does not.
fn of_link(folder: &Dir, name: &str, error: io::Error) -> io::Error {
    match folder.symlink_metadata(name) {
        Ok(meta) if meta.is_symlink() => io::Error::other("it is reached through a symbolic link"),
        _ => error,
    }
}

fn bounded(file: impl io::Read, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = file.take(bytes_max + 1).read_to_end(&mut bytes)?;
    match u64::try_from(read).is_ok_and(|read| read <= bytes_max) {
        true => Ok(bytes),
        false => Err(io::Error::other(format!(
            "larger than {} KiB",
            bytes_max / 1024
        ))),
    }
}
