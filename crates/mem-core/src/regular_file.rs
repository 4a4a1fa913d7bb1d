//! Opening files that somebody else may have put there.
//!
//! A named pipe in the place of a settings file would make a plain `open` wait for ever.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

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
    let mut bytes = Vec::new();
    let read = open(path)?.take(bytes_max + 1).read_to_end(&mut bytes)?;
    match u64::try_from(read).is_ok_and(|read| read <= bytes_max) {
        true => Ok(bytes),
        false => Err(io::Error::other(format!(
            "larger than {} KiB",
            bytes_max / 1024
        ))),
    }
}
