//! Where the memories of one user of a host are.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::target::recorded_roots;
use crate::dirs::Dirs;
use crate::store::{Store, Tiers};

/// The folder of the memory tool's users, in the state of a project or where a host wanted it.
const USERS: &str = "users";
/// A user's records, and their files of the memory tool, each below the user's folder.
const RECORDS: &str = "memory";
const FILES: &str = "memories";

/// The folders that are a user's, as far as they are there or something is remembered of them.
pub(super) fn folders(records: &Path, dirs: &Dirs) -> Vec<PathBuf> {
    let name = records.file_name().unwrap_or_default();
    let states = fs::read_dir(dirs.stores()).into_iter().flatten().flatten();
    let in_projects = states.map(|state| state.path().join(USERS).join(name));
    let roots = recorded_roots(dirs).into_iter();
    let elsewhere = roots.filter_map(|root| {
        let folder = root.parent()?;
        let is_theirs = root.file_name() == Some(OsStr::new(FILES))
            && folder.file_name() == Some(name)
            && folder.parent()?.file_name() == Some(OsStr::new(USERS));
        is_theirs.then(|| folder.to_owned())
    });
    let found = in_projects.filter(|folder| folder.is_dir());
    let mut folders: Vec<PathBuf> = found.chain(elsewhere).collect();
    folders.push(records.to_owned());
    folders.sort();
    folders.dedup();
    folders
}

/// Their memory directories, each once however it is reached.
pub(super) fn stores(folders: &[PathBuf], dirs: &Dirs) -> Vec<Store> {
    let mut stores = BTreeMap::new();
    for folder in folders {
        for (name, tiers) in [(RECORDS, Tiers::Project), (FILES, Tiers::Global)] {
            let store = Store::new(&folder.join(name), tiers, dirs);
            if store.places().root.is_dir() || store.places().state.is_dir() {
                stores.insert(store.places().root.clone(), store);
            }
        }
    }
    stores.into_values().collect()
}

/// Folders in `mem`'s own state, which nobody else keeps anything in.
pub(super) fn own(folders: &[PathBuf], dirs: &Dirs) -> Vec<PathBuf> {
    let own = folders.iter();
    let own = own.filter(|folder| folder.starts_with(&dirs.state) && folder.exists());
    own.cloned().collect()
}

/// Takes the others away where nothing else is in them.
pub(super) fn leave(folders: &[PathBuf]) {
    for folder in folders {
        // Refused where a host keeps something of its own there.
        let _ = fs::remove_dir(folder);
    }
}
