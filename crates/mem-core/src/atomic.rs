//! The one atomic replacement of a file: old bytes or new bytes, never half of either.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::{Diagnose, ErrorKind};
use crate::{platform, regular_file};

/// How the names of temporary files begin; whoever cleans up after a killed process looks for it.
pub const TEMP_PREFIX: &str = ".mem-tmp-";

/// How often a taken temporary name is stepped over before giving up.
const NAME_ATTEMPTS_MAX: u32 = 64;

/// Up to this many files each are synced by themselves.
const SINGLE_SYNCS_MAX: usize = 8;

/// How many files are open at once, less than any system's bound.
const OPEN_FILES_MAX: usize = 128;

/// The file could not be replaced; the old bytes are still there.
#[derive(Debug, thiserror::Error)]
#[error("cannot {step} `{}`: {source}", path.display())]
pub struct ReplaceError {
    step: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl Diagnose for ReplaceError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Io
    }

    fn hint(&self) -> Option<String> {
        let hint = match self.source.kind() {
            io::ErrorKind::PermissionDenied => "check who owns the directory and its permissions",
            io::ErrorKind::StorageFull => "free some space; nothing was changed",
            io::ErrorKind::ReadOnlyFilesystem => "the file system is mounted read-only",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

/// Replaces `path` by `bytes`, durably: temporary file beside it, fsync, rename, fsync of the
/// directory.
///
/// An existing file keeps its mode; a new one gets 0600, and missing parent directories 0700. A
/// symbolic link at `path` is replaced, not followed. Concurrent callers need a lock of their own:
/// the last one wins.
///
/// # Errors
/// Any I/O failure; the temporary file is removed and the old bytes stay.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), ReplaceError> {
    put_content(path, bytes, true)
}

/// The same without waiting for the disk, for what is only told: a power failure may leave the old bytes, or
/// none. The end of the process, however it comes, leaves old or new ones.
///
/// # Errors
/// As [`replace_file`].
pub fn replace_soon(path: &Path, bytes: &[u8]) -> Result<(), ReplaceError> {
    put_content(path, bytes, false)
}

/// Replaces many files as [`replace_file`] does one, and waits for the disk once for all of them where the system can.
/// Each is old or new; after a failure some may be new already.
///
/// # Errors
/// As [`replace_file`].
pub(crate) fn replace_all(files: &[(PathBuf, Vec<u8>)]) -> Result<(), ReplaceError> {
    if files.len() <= SINGLE_SYNCS_MAX || !platform::CAN_SYNC_TREE {
        return files
            .iter()
            .try_for_each(|(path, bytes)| replace_file(path, bytes));
    }
    for some in files.chunks(OPEN_FILES_MAX) {
        let staged = some
            .iter()
            .map(|(path, bytes)| StagedContent::write_beside(path, bytes, false));
        let staged: Vec<StagedContent> = staged.collect::<Result<_, _>>()?;
        let folders: BTreeSet<&Path> = some.iter().map(|(path, _)| folder_of(path)).collect();
        let folders: Vec<&Path> = folders.into_iter().collect();
        let sync = |step| {
            let path = folders.first().map(|folder| folder.to_path_buf());
            replace_error(step, path.unwrap_or_default())
        };
        platform::sync_trees(&folders).map_err(sync("write into"))?;
        for ((path, _), staged) in some.iter().zip(staged) {
            staged.move_into_place(path)?;
        }
        platform::sync_trees(&folders).map_err(sync("sync"))?;
    }
    Ok(())
}

fn put_content(path: &Path, bytes: &[u8], sync: bool) -> Result<(), ReplaceError> {
    StagedContent::write_beside(path, bytes, sync)?.move_into_place(path)?;
    match sync {
        true => sync_dir(folder_of(path))
            .map_err(replace_error("sync the directory of", path.to_owned())),
        false => Ok(()),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn replace_error(step: &'static str, path: PathBuf) -> impl FnOnce(io::Error) -> ReplaceError {
    move |source| ReplaceError { step, path, source }
}

/// New content beside its place.
struct StagedContent {
    temporary: TemporaryFile,
    /// Stays open, so that whoever sweeps sees that it is somebody's.
    _file: File,
}

impl StagedContent {
    fn write_beside(path: &Path, bytes: &[u8], sync: bool) -> Result<Self, ReplaceError> {
        let fail = |step| replace_error(step, path.to_owned());
        let directory = folder_of(path);
        create_dirs(directory).map_err(fail("create the directory of"))?;
        let created = create_temporary(directory);
        let (temporary, mut file) = created.map_err(fail("create a temporary file beside"))?;
        fill_temporary(&mut file, path, bytes, sync).map_err(fail("write"))?;
        Ok(Self {
            temporary,
            _file: file,
        })
    }

    fn move_into_place(mut self, path: &Path) -> Result<(), ReplaceError> {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the module that the others go through"
        )]
        fs::rename(&self.temporary.path, path)
            .map_err(replace_error("replace", path.to_owned()))?;
        self.temporary.renamed = true;
        Ok(())
    }
}

/// Creates a directory and its missing parents, each with mode 0700.
///
/// # Errors
/// Any I/O failure.
pub fn create_dirs(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// Checks that a directory takes entries, or the nearest folder above one that is not there yet. Looks only; the answer
/// may be outdated at once.
///
/// # Errors
/// The system does not let entries be added, or that folder is a file.
pub fn check_writable(directory: &Path) -> io::Result<()> {
    let nearest = directory.ancestors().find(|path| path.exists());
    match nearest.filter(|folder| folder.is_dir()) {
        Some(folder) => check_takes_entries(folder),
        None => Err(io::ErrorKind::NotADirectory.into()),
    }
}

#[cfg(unix)]
fn check_takes_entries(folder: &Path) -> io::Result<()> {
    use rustix::fs::Access;
    rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK).map_err(io::Error::from)
}

#[cfg(not(unix))]
fn check_takes_entries(folder: &Path) -> io::Result<()> {
    match fs::metadata(folder)?.permissions().readonly() {
        true => Err(io::ErrorKind::PermissionDenied.into()),
        false => Ok(()),
    }
}

/// Makes a directory's entries durable. Windows offers no such call and needs none.
///
/// # Errors
/// Any I/O failure.
pub fn sync_dir(directory: &Path) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    regular_file::open_directory(directory)?.sync_all()
}

/// A temporary file that is unlinked when dropped, unless it was renamed.
struct TemporaryFile {
    path: PathBuf,
    renamed: bool,
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.renamed {
            // Best effort: [`crate::leftovers`] knows what a crash leaves.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn create_temporary(directory: &Path) -> io::Result<(TemporaryFile, File)> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    for _ in 0..NAME_ATTEMPTS_MAX {
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = OsString::from(format!("{TEMP_PREFIX}{}-{count}", std::process::id()));
        let path = directory.join(name);
        match regular_file::create_new(&path) {
            Ok(file) => {
                // Says to whoever sweeps ([`crate::leftovers`]) that it is somebody's, where numbers of processes
                // do not. Windows would keep readers out.
                #[cfg(unix)]
                let _ = file.try_lock();
                let renamed = false;
                return Ok((TemporaryFile { path, renamed }, file));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn fill_temporary(file: &mut File, replaced: &Path, bytes: &[u8], sync: bool) -> io::Result<()> {
    if let Ok(metadata) = fs::symlink_metadata(replaced)
        && metadata.is_file()
    {
        file.set_permissions(metadata.permissions())?;
    }
    file.write_all(bytes)?;
    match sync {
        true => file.sync_all(),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn new_files_are_private_and_old_ones_keep_their_mode() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/file");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        replace_soon(&path, b"none").unwrap();
        assert_eq!(
            (mode(&path), fs::read(&path).unwrap()),
            (0o600, b"none".to_vec())
        );
        replace_file(&path, b"one").unwrap();
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        replace_file(&path, b"two").unwrap();
        assert_eq!(
            (mode(&path), fs::read(&path).unwrap()),
            (0o644, b"two".to_vec())
        );
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("file/inner")).unwrap();
        let error = replace_file(&dir.path().join("file"), b"x").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
