//! The files and directories of `mem`'s own, outside of memory directories, that go with everything.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dirs::Dirs;
use crate::installed;

/// Those that exist, but for some histories. While something is installed, the list of it stays too.
pub(super) fn list(dirs: &Dirs, histories_that_stay: &[PathBuf]) -> Vec<PathBuf> {
    let mut paths = vec![dirs.config_file(), dirs.cache.clone()];
    let has_installed = !installed::list(dirs).0.is_empty();
    if has_installed || !histories_that_stay.is_empty() {
        paths.extend(entries(&dirs.state));
        paths.retain(|path| !(has_installed && installed::is_list(dirs, path)));
    } else {
        paths.push(dirs.state.clone());
    }
    if !histories_that_stay.is_empty() {
        paths.retain(|path| *path != dirs.stores());
        paths.extend(entries(&dirs.stores()));
        paths.retain(|path| !histories_that_stay.contains(path));
    }
    paths.retain(|path| path.exists());
    paths.sort();
    paths
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}
