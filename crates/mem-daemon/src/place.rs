//! Where the daemon of one repository is found: a socket and two lock files in the runtime directory.

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use mem_core::{Diagnose, regular_file};

/// A path of a socket has to fit into the system's structure, its end included.
const SOCKET_BYTES_MAX: usize = 103;

/// How long a daemon tries to have its place. Who only asks whether somebody has it has it too, for a moment.
const LOCK_TIME_MAX: Duration = Duration::from_millis(50);

/// The files of one daemon. Nothing is touched by naming them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DaemonFiles {
    folder: PathBuf,
    name: String,
}

/// A place cannot be used.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum PlaceError {
    /// The path is longer than the system allows for a socket.
    #[error("`{}` is too long for a socket", .0.display())]
    #[diagnose(Invalid, hint = "set XDG_RUNTIME_DIR to a shorter path")]
    TooLong(PathBuf),
    /// Another daemon has it.
    #[error("a daemon for this repository runs already")]
    #[diagnose(Conflict, hint = "see `mem daemon status`")]
    Taken,
    /// Something that is no socket stands in its place.
    #[error("`{}` is in the way of the socket", .0.display())]
    #[diagnose(
        Refused,
        hint = "move it away; `mem` does not remove what it did not make"
    )]
    InTheWay(PathBuf),
    /// The directory is not this user's alone.
    #[error("`{}` is open to other users", .0.display())]
    #[diagnose(Refused, hint = "make it yours alone (mode 0700)")]
    Open(PathBuf),
    /// The system's reason.
    #[error("cannot {step} `{}`: {source}", path.display())]
    #[diagnose(Io, hint = "check who owns the directory and its permissions")]
    Io {
        /// What was tried.
        step: &'static str,
        /// Where.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// That a daemon runs, for as long as it is kept.
#[derive(Debug)]
pub struct RunningLock {
    file: File,
}

impl DaemonFiles {
    /// The place of the daemon with this name, a short one, in a directory of this user's alone.
    pub fn new(folder: PathBuf, name: &str) -> Self {
        let name = name.to_owned();
        Self { folder, name }
    }

    /// The socket.
    pub fn socket(&self) -> PathBuf {
        self.file("sock")
    }

    /// The file that a running daemon holds locked. It is never removed: a lock on a file that is gone
    /// keeps nobody away.
    pub fn pid_file(&self) -> PathBuf {
        self.file("pid")
    }

    /// The directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    /// Makes the directory, and makes sure that it is this user's alone.
    ///
    /// # Errors
    /// It cannot be made, or is somebody else's too.
    pub fn prepare(&self) -> Result<(), PlaceError> {
        let socket = self.socket();
        if socket.as_os_str().len() > SOCKET_BYTES_MAX {
            return Err(PlaceError::TooLong(socket));
        }
        mem_core::atomic::create_dirs(&self.folder).map_err(failed("create", &self.folder))?;
        self.check()
    }

    /// Whether the directory is this user's alone.
    ///
    /// # Errors
    /// It is not, or cannot be looked at.
    pub fn check(&self) -> Result<(), PlaceError> {
        let meta =
            std::fs::symlink_metadata(&self.folder).map_err(failed("look at", &self.folder))?;
        if meta.is_dir() && is_private(&meta) {
            Ok(())
        } else {
            Err(PlaceError::Open(self.folder.clone()))
        }
    }

    /// Claims the place for a daemon.
    ///
    /// # Errors
    /// Another one has it.
    pub fn claim(&self, content: &str) -> Result<RunningLock, PlaceError> {
        self.prepare()?;
        let path = self.pid_file();
        let mut file = regular_file::open_lock(&path).map_err(failed("open", &path))?;
        regular_file::lock_within(&file, LOCK_TIME_MAX).map_err(|error| match error {
            TryLockError::WouldBlock => PlaceError::Taken,
            TryLockError::Error(error) => failed("lock", &path)(error),
        })?;
        // Under the lock, and only then the socket: of two that start at once the second fails at the lock and touches
        // neither. Without a lock the second would remove the socket that the first has just bound.
        file.set_len(0).map_err(failed("write", &path))?;
        file.write_all(content.as_bytes())
            .map_err(failed("write", &path))?;
        self.clear_socket()?;
        Ok(RunningLock { file })
    }

    /// Whether a daemon holds the place.
    pub fn is_taken(&self) -> bool {
        let Ok(file) = regular_file::open(&self.pid_file()) else {
            return false;
        };
        // Shared, so that two who ask do not take each other for a daemon.
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// One start at a time: waits until nobody else is starting a daemon here.
    ///
    /// # Errors
    /// The lock cannot be had.
    pub fn starting(&self) -> Result<File, PlaceError> {
        self.prepare()?;
        let path = self.file("start");
        let file = regular_file::open_lock(&path).and_then(|file| file.lock().map(|()| file));
        file.map_err(failed("lock", &path))
    }

    /// Removes a socket that nobody listens on: whoever has the place asks for it.
    fn clear_socket(&self) -> Result<(), PlaceError> {
        let path = self.socket();
        let Ok(meta) = std::fs::symlink_metadata(&path) else {
            return Ok(());
        };
        if !is_socket(&meta) {
            return Err(PlaceError::InTheWay(path));
        }
        std::fs::remove_file(&path).map_err(failed("remove", &path))
    }
}

impl RunningLock {
    /// Leaves the place: the socket goes, then the lock.
    pub fn leave(self, place: &DaemonFiles) {
        // One that is already gone is as good.
        let _ = std::fs::remove_file(place.socket());
        // Whoever reads it without looking at the lock should not find the number of a dead process.
        let _ = self.file.set_len(0);
    }

    /// Leaves the place as the last thing that a process does: the socket goes now, the lock with the
    /// process. Whoever waits for the lock then finds no process either, and no job of it that goes on.
    pub fn leave_at_exit(self, place: &DaemonFiles) {
        // As in `leave`.
        let _ = std::fs::remove_file(place.socket());
        let _ = self.file.set_len(0);
        // Closing it would unlock it.
        let _ = std::mem::ManuallyDrop::new(self.file);
    }
}

/// Whether a file is this user's alone.
#[cfg(unix)]
pub fn is_private(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o077 == 0
}

/// A home directory is its user's alone.
#[cfg(not(unix))]
pub fn is_private(_meta: &std::fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn is_socket(meta: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_socket(&meta.file_type())
}

#[cfg(not(unix))]
fn is_socket(_meta: &std::fs::Metadata) -> bool {
    false
}

/// What a failed step comes to.
fn failed(step: &'static str, path: &Path) -> impl FnOnce(io::Error) -> PlaceError {
    let path = path.to_owned();
    move |source| PlaceError::Io { step, path, source }
}
