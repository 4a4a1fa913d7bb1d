//! Opening files that somebody else may have put there.
//!
//! A repository, an archive or another program decides what stands at a path: a named pipe would make a plain `open`
//! wait for ever, a link to a device makes a plain `read` take all memory, and a link to a file elsewhere gets that
//! file quoted. So a file is opened once, without waiting, then asked what it is, and read to a limit:
//!
//! - [`read_whole`], [`read_text`] and [`open`] for files of our own and of the system, [`read`] for paths that a
//!   person gave: links are followed;
//! - [`read_inside`] for files of a repository that people do link within it: not out of the folder;
//! - [`read_unlinked`] and [`read_below`] where a link is not followed at all.
//!
//! What is written in place (locks, logs, what grows) is opened by the others, which do not wait either. The standard
//! library's own ways are banned in `clippy.toml`.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::limits::OWN_FILE_BYTES_MAX;
use crate::{MemoryPath, platform};

/// The longest pause between two tries at a lock.
const LOCK_PAUSE_MAX: Duration = Duration::from_millis(20);

/// Opens a regular file for reading; never waits.
///
/// # Errors
/// The system's, or that it is a directory, a pipe or a device.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, 0)
}

fn open_with(path: &Path, flags: i32) -> io::Result<File> {
    let file = with_flags(flags).read(true).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(not_regular()),
    }
}

/// Makes or empties a file of our own, that only its owner reads.
///
/// # Errors
/// The system's.
pub fn create(path: &Path) -> io::Result<File> {
    writing().create(true).truncate(true).open(path)
}

/// The same of a file that is not there yet.
///
/// # Errors
/// The system's; [`io::ErrorKind::AlreadyExists`].
pub fn create_new(path: &Path) -> io::Result<File> {
    writing().create_new(true).open(path)
}

/// Opens a file of our own at its end, and makes it where it is absent.
///
/// # Errors
/// The system's.
pub fn append(path: &Path) -> io::Result<File> {
    writing().append(true).create(true).open(path)
}

/// Opens a file of our own to be written over, as far as that goes.
///
/// # Errors
/// The system's; it is not made.
pub fn overwrite(path: &Path) -> io::Result<File> {
    writing().open(path)
}

/// Opens a file that is there to be locked, and makes it where it is absent; its bytes stay.
///
/// # Errors
/// The system's.
pub fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = writing();
    options.read(true).create(true).truncate(false).open(path)
}

/// Locks a file as soon as nobody else has it, within a time. Polled, because a blocking lock has no time limit. Most
/// holders are done within milliseconds, so the first pauses are short; the cap keeps a waiter from sleeping past many
/// moments in which the lock is free.
///
/// # Errors
/// [`TryLockError::WouldBlock`] where the time is over; what the system has against locking it.
pub fn lock_within(file: &File, time: Duration) -> Result<(), TryLockError> {
    let begin = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begin.elapsed() < time => thread::sleep(pause),
            locked => return locked,
        }
        pause = (pause * 2).min(LOCK_PAUSE_MAX);
    }
}

pub(crate) fn writing() -> OpenOptions {
    let mut options = with_flags(0);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true);
    options
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the module that the others go through"
)]
fn with_flags(flags: i32) -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "it is set on Unix alone"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, platform::NO_WAIT | flags);
    #[cfg(not(unix))]
    let _ = flags;
    options
}

/// Opens a directory, to sync or lock it.
///
/// # Errors
/// The system's, or that it is no directory.
pub fn open_directory(path: &Path) -> io::Result<File> {
    let file = with_flags(platform::DIRECTORY).read(true).open(path)?;
    match file.metadata()?.is_dir() {
        true => Ok(file),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

fn not_regular() -> io::Error {
    io::Error::other("not a regular file")
}

/// What came of reading, listing or removing something that need not be there: `None` where it is not.
///
/// # Errors
/// The system's own, but for [`io::ErrorKind::NotFound`].
pub fn if_there<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// Reads a regular file of at most so many bytes.
///
/// # Errors
/// The system's, that it is no regular file, or that it is larger.
pub fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    bounded(open(path)?, bytes_max)
}

/// Reads a file of our own, or of the system, whole.
///
/// # Errors
/// Those of [`read`], with [`OWN_FILE_BYTES_MAX`].
pub fn read_whole(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    read(path.as_ref(), OWN_FILE_BYTES_MAX)
}

/// The same of a file that is text.
///
/// # Errors
/// Those of [`read_whole`], or that it is no UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(read_whole(path)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// The same as [`read`] of a path whose last part is not followed where it is a symbolic link.
///
/// # Errors
/// Those of [`read`], or that a link stands there.
pub fn read_unlinked(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let file = open_with(path, platform::NO_FOLLOW)?;
    // Where the system cannot be asked not to follow, it is asked first.
    if platform::NO_FOLLOW == 0 && path.symlink_metadata()?.is_symlink() {
        return Err(io::Error::other("it is a symbolic link"));
    }
    bounded(file, bytes_max)
}

/// The same of a file below a folder, with symbolic links followed as long as they stay below it.
///
/// # Errors
/// Those of [`read`], or that a link leads out of the folder.
pub fn read_inside(top: &Path, file: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let folder = Dir::open_ambient_dir(top, ambient_authority())?;
    let file = folder.open_with(file, platform::reading().follow(FollowSymlinks::Yes))?;
    match file.metadata()?.is_file() {
        true => bounded(file, bytes_max),
        false => Err(not_regular()),
    }
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
    let file = folder.open_with(name, &platform::reading());
    let file = file.map_err(|error| of_link(&folder, name, error))?;
    match file.metadata()?.is_file() {
        true => bounded(file, bytes_max),
        false => Err(not_regular()),
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
