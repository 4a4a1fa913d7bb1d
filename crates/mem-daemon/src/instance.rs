//! Which daemon is whose: one for each canonical root of a repository, so that its worktrees share it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::place::DaemonFiles;
use mem_core::compact_sort::CompactSort as _;
use mem_core::history::Sha256;
use mem_core::location::ProjectContext as Memory;
use mem_core::{Dirs, regular_file};

use crate::runtime;
use mem_core::RunContext;
use mem_core::run::HomeError;

/// How the name of a daemon's socket ends.
const SOCKET: &str = "sock";
/// Letters of a daemon's name.
const NAME_CHARS: usize = 16;

/// Where one daemon is.
#[derive(Clone, Debug)]
pub struct DaemonInstance {
    /// The canonical root of what it looks after.
    pub root: PathBuf,
    /// Its socket and locks.
    pub place: DaemonFiles,
    /// What it says.
    pub log: PathBuf,
    /// Its name, for files.
    pub name: String,
}

/// A daemon that was found in the runtime directory.
#[derive(Clone, Debug)]
pub struct RunningDaemon {
    /// Its socket and locks.
    pub place: DaemonFiles,
    /// As its files say; empty where they say nothing.
    pub root: String,
    /// As its files say.
    pub pid: Option<u32>,
    /// Of its program, as its files say.
    pub version: String,
}

impl DaemonInstance {
    /// The instance of a repository. Nothing is touched.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn for_memory(memory: &Memory, run: &RunContext) -> Result<Self, HomeError> {
        Self::at_root(&memory.project.root, run)
    }

    fn at_root(root: &Path, run: &RunContext) -> Result<Self, HomeError> {
        let dirs = run.dirs()?;
        let mut folders = runtime::socket_folders(run)?;
        let name = daemon_name(root, dirs);
        // A daemon that began under other circumstances is still the one.
        let there = folders
            .iter()
            .position(|folder| DaemonFiles::new(folder.clone(), &name).is_taken());
        let folder = folders.swap_remove(there.unwrap_or(0));
        Ok(Self {
            root: root.to_owned(),
            place: DaemonFiles::new(folder, &name),
            log: logs_folder(dirs).join(format!("{name}.log")),
            name,
        })
    }
}

/// Where the logs are.
pub fn logs_folder(dirs: &Dirs) -> PathBuf {
    dirs.state.join("daemon")
}

/// Every daemon of this user that has left a file, running or not.
///
/// # Errors
/// There is no home directory.
pub fn all_daemons(run: &RunContext) -> Result<Vec<RunningDaemon>, HomeError> {
    let folders = runtime::socket_folders(run)?;
    let mut found: Vec<RunningDaemon> = folders
        .iter()
        .flat_map(|folder| of_folder(folder))
        .collect();
    found.compact_sort_by(|a, b| (&a.root, a.pid).cmp(&(&b.root, b.pid)));
    Ok(found)
}

fn of_folder(folder: &Path) -> Vec<RunningDaemon> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let path = entry.path();
        let ending = path.extension()?.to_str()?;
        // What is no socket keeps a daemon from ever beginning there.
        let is_of_daemon = ending == "pid" || (ending == SOCKET && path.is_dir());
        let stem = path.file_stem()?.to_str()?.to_owned();
        is_of_daemon.then_some(stem)
    });
    let names: BTreeSet<String> = names.collect();
    names
        .into_iter()
        .map(|name| daemon_at(DaemonFiles::new(folder.to_owned(), &name)))
        .collect()
}

/// What the files of a place say.
pub fn daemon_at(place: DaemonFiles) -> RunningDaemon {
    // Its number, its version, since when, and the root.
    let text = regular_file::read_text(place.pid_file()).unwrap_or_default();
    let mut lines = text.lines();
    RunningDaemon {
        pid: lines.next().and_then(|line| line.parse().ok()),
        version: lines.next().unwrap_or_default().to_owned(),
        root: lines.nth(1).unwrap_or_default().to_owned(),
        place,
    }
}

/// Another home directory, another daemon: the settings are others.
fn daemon_name(root: &Path, dirs: &Dirs) -> String {
    let mut bytes = Vec::new();
    for path in [root, &dirs.base, &dirs.config, &dirs.state] {
        bytes.extend_from_slice(path.as_os_str().as_encoded_bytes());
        bytes.push(0);
    }
    let mut digest = Sha256::digest(&bytes).to_string();
    digest.truncate(NAME_CHARS);
    digest
}
