//! Directories for sockets: the system's for this login, or one in mem's own state.

use std::path::{Path, PathBuf};

use crate::place;

use mem_core::RunContext;
use mem_core::run::HomeError;

/// A socket's path is bounded by the system; beyond this directory there is a name of 21 bytes.
const FOLDER_BYTES_MAX: usize = 103 - 22;

/// Where sockets may be, the one for new ones first. The other is looked at for what was left there.
///
/// # Errors
/// There is no home directory.
pub(crate) fn socket_folders(run: &RunContext) -> Result<Vec<PathBuf>, HomeError> {
    let own = run.dirs()?.state.join("run");
    let given = run.env.get("XDG_RUNTIME_DIR").map(PathBuf::from);
    let given = given.filter(|path| path.is_absolute());
    let of_login = given
        .map(|path| (is_private(&path), path.join("mem")))
        .filter(|(is_private, path)| *is_private && fits_socket_path(path));
    Ok(of_login
        .map(|(_, path)| path)
        .into_iter()
        .chain([own])
        .collect())
}

fn fits_socket_path(folder: &Path) -> bool {
    folder.as_os_str().len() <= FOLDER_BYTES_MAX
}

/// Whether a directory is this user's alone.
fn is_private(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir() && place::is_private(&meta))
}
