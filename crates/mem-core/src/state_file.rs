//! Small JSON files of `mem`'s own state: read leniently, changed under a lock, replaced atomically.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::atomic::{self, ReplaceError};
use crate::error::Diagnose;
use crate::limits::DAMAGED_COPIES_MAX;
use crate::regular_file;
use crate::regular_file::if_there;
use crate::sealing::SealError;

/// The state could not be changed.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum StateError {
    /// The lock could not be had, or a file not be read.
    #[error("cannot {step} `{}`: {source}", path.display())]
    #[diagnose(
        Io,
        hint = match source.kind() { io::ErrorKind::PermissionDenied => { Some("check who owns the directory and its permissions".to_owned()) } io::ErrorKind::ReadOnlyFilesystem => { Some("the file system is mounted read-only".to_owned()) } _ => Some("`mem doctor` looks at mem's own directories".to_owned())}
    )]
    Access {
        /// What was tried.
        step: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is sealed, and cannot be opened or written.
    #[error(transparent)]
    Sealed(#[from] SealError),
    /// The file could not be written.
    #[error(transparent)]
    #[diagnose(Io, hint = _0.hint())]
    Replace(#[from] ReplaceError),
}

/// Waits for the lock that the file at `path` stands for; it is released when dropped, and by the
/// system when the process ends.
///
/// # Errors
/// The file cannot be created or locked.
pub fn lock(path: &Path) -> Result<File, StateError> {
    let file = open_lock(path)?;
    file.lock().map_err(refused("lock", path))?;
    Ok(file)
}

/// The same without waiting; `None` where somebody else has it.
///
/// # Errors
/// The file cannot be created or locked.
pub fn try_lock(path: &Path) -> Result<Option<File>, StateError> {
    let file = open_lock(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(refused("lock", path)(source)),
    }
}

pub(crate) fn refused(step: &'static str, path: &Path) -> impl Fn(io::Error) -> StateError {
    move |source| StateError::Access {
        step,
        path: path.to_owned(),
        source,
    }
}

/// Opens what is locked, for who waits with a bound.
pub(crate) fn open_lock(path: &Path) -> Result<File, StateError> {
    let fail = refused("lock", path);
    if let Some(parent) = path.parent() {
        atomic::create_dirs(parent).map_err(&fail)?;
    }
    regular_file::open_lock(path).map_err(fail)
}

/// Writes a file of state or settings atomically.
///
/// # Errors
/// See [`atomic::replace_file`].
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), StateError> {
    Ok(atomic::replace_file(path, bytes)?)
}

/// Writes several, each atomically, and waits for the disk once.
///
/// # Errors
/// See [`atomic::replace_all`].
pub(crate) fn write_all(files: &[(PathBuf, Vec<u8>)]) -> Result<(), StateError> {
    Ok(atomic::replace_all(files)?)
}

/// Reads a state file. A missing one is empty; a damaged one is empty with a warning, and is left
/// where it is until the next change sets it aside.
pub fn read<T: DeserializeOwned + Default>(path: &Path) -> (T, Option<String>) {
    let shown = path.display();
    let why = match if_there(regular_file::read_whole(path)) {
        Ok(None) => return (T::default(), None),
        Ok(Some(bytes)) => match serde_json::from_slice(&bytes) {
            Ok(value) => return (value, None),
            Err(error) => format!("`{shown}` is damaged ({error}): not used"),
        },
        Err(error) => format!("cannot read `{shown}`: {error}"),
    };
    (T::default(), Some(why))
}

/// Changes a state file under its lock. Nothing is written when nothing changed. A damaged file
/// is set aside first; the warning names the copy.
///
/// # Errors
/// The lock, the reading or the writing failed; the file is as it was.
pub fn update<T, R>(
    path: &Path,
    change: impl FnOnce(&mut T) -> R,
) -> Result<(R, Option<String>), StateError>
where
    T: DeserializeOwned + Serialize + Default,
{
    let _lock = lock(&path.with_extension("lock"))?;
    let old = if_there(regular_file::read_whole(path)).map_err(refused("read", path))?;
    let mut warning = None;
    let mut value = match old.as_deref().map(serde_json::from_slice) {
        Some(Ok(value)) => value,
        Some(Err(_)) => {
            warning = Some(set_aside(path)?);
            T::default()
        }
        None => T::default(),
    };
    let result = change(&mut value);
    let mut new = serde_json::to_vec_pretty(&value).unwrap_or_default();
    new.push(b'\n');
    if old.as_ref() != Some(&new) {
        write(path, &new)?;
    }
    Ok((result, warning))
}

/// Replaces a state file under its lock, whatever it held; nothing is written where it holds the same. One
/// that is no JSON is set aside first.
///
/// # Errors
/// As [`update`].
pub fn put<T: Serialize>(path: &Path, value: &T) -> Result<(), StateError> {
    put_by(path, value, atomic::replace_file)
}

/// The same without waiting for the disk, for what is only told ([`atomic::replace_soon`]).
///
/// # Errors
/// As [`update`].
pub fn put_soon<T: Serialize>(path: &Path, value: &T) -> Result<(), StateError> {
    put_by(path, value, atomic::replace_soon)
}

fn put_by<T: Serialize>(
    path: &Path,
    value: &T,
    replace: fn(&Path, &[u8]) -> Result<(), ReplaceError>,
) -> Result<(), StateError> {
    let _lock = lock(&path.with_extension("lock"))?;
    let mut new = serde_json::to_vec(value).unwrap_or_default();
    new.push(b'\n');
    match if_there(regular_file::read_whole(path)).map_err(refused("read", path))? {
        Some(old) if old == new => return Ok(()),
        // It is not read into values: thousands of them would be made only to be dropped.
        Some(old) if serde_json::from_slice::<IgnoredAny>(&old).is_err() => {
            set_aside(path)?;
        }
        _ => {}
    }
    Ok(replace(path, &new)?)
}

/// Moves a damaged file out of the way, under a name that is free. Returns what is to be told of it.
///
/// # Errors
/// It cannot be moved.
pub fn set_aside(path: &Path) -> Result<String, StateError> {
    let copy = (1..DAMAGED_COPIES_MAX)
        .map(|number| path.with_extension(format!("damaged-{number}")))
        .find(|copy| !copy.exists())
        .unwrap_or_else(|| path.with_extension(format!("damaged-{DAMAGED_COPIES_MAX}")));
    #[expect(
        clippy::disallowed_methods,
        reason = "moves a damaged file aside; nothing is replaced by it"
    )]
    fs::rename(path, &copy).map_err(|source| StateError::Access {
        step: "set aside",
        path: path.to_owned(),
        source,
    })?;
    Ok(format!(
        "`{}` was damaged: set aside as `{}`",
        path.display(),
        copy.display()
    ))
}
