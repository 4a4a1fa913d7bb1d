//! What `mem` put into other programs' places, so that it can be taken out again.
//!
//! Whatever installs something (a completion script, a hook, an entry in a host's settings)
//! records it here first; `mem uninstall` works from this list alone.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::dirs::Dirs;
use crate::history::Sha256;
use crate::regular_file;
use crate::state_file::{self, StateError};

/// One thing that was installed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Installed {
    /// What it is, for a person: `bash completions`.
    pub what: String,
    /// How it is taken out.
    pub kind: InstalledKind,
    /// The file that it is, or that it is in.
    pub path: PathBuf,
    /// The sha256 of the file as it was installed: for a file that is ours as a whole, and for one
    /// whose copy from before may be put back while nobody else has changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Sha256>,
}

impl Installed {
    /// Whether two entries are of the same thing.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.what, self.kind, &self.path) == (&other.what, other.kind, &other.path)
    }
}

/// How a thing is taken out. Newer versions know more kinds than older ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InstalledKind {
    /// The file is ours as a whole.
    File,
    /// Hooks in the settings file of a host; the program takes them out.
    Hooks,
    /// The entry of a server in the settings file of a client; the program takes it out.
    Server,
    /// A kind of another version of `mem`.
    #[serde(other)]
    Unknown,
}

/// What became of an installed thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemovalOutcome {
    /// It is taken out.
    Removed,
    /// It was gone already.
    Gone,
    /// Somebody changed it since: it is left alone.
    Changed,
    /// This version does not know how to take it out.
    Unknown,
}

impl RemovalOutcome {
    /// The stable word for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Gone => "gone",
            Self::Changed => "changed",
            Self::Unknown => "unknown",
        }
    }
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct InstalledList {
    installed: Vec<Installed>,
}

fn manifest(dirs: &Dirs) -> PathBuf {
    dirs.state.join("installed.json")
}

/// Whether a file of the state is the list of what is installed, or its lock.
pub(crate) fn is_list(dirs: &Dirs, path: &Path) -> bool {
    let list = manifest(dirs);
    path == list || path == list.with_extension("lock")
}

/// Everything that is installed; the second value warns of a damaged list.
pub fn list(dirs: &Dirs) -> (Vec<Installed>, Option<String>) {
    let (manifest, warning) = state_file::read::<InstalledList>(&manifest(dirs));
    (manifest.installed, warning)
}

/// Writes a file that is ours as a whole and records it, in the order that loses neither.
///
/// # Errors
/// The list or the file cannot be written.
pub fn install_file(dirs: &Dirs, what: &str, path: &Path, bytes: &[u8]) -> Result<(), StateError> {
    let entry = Installed {
        what: what.to_owned(),
        kind: InstalledKind::File,
        path: path.to_owned(),
        sha256: Some(Sha256::digest(bytes)),
    };
    state_file::update(&manifest(dirs), |manifest: &mut InstalledList| {
        manifest.installed.retain(|one| one.path != path);
        manifest.installed.push(entry);
    })?;
    state_file::write(path, bytes)
}

/// Records a thing that is about to be put into a file which is not ours as a whole.
///
/// # Errors
/// The list cannot be written.
pub fn record(dirs: &Dirs, entry: Installed) -> Result<(), StateError> {
    state_file::update(&manifest(dirs), |manifest: &mut InstalledList| {
        manifest.installed.retain(|one| !one.is_same(&entry));
        manifest.installed.push(entry);
    })?;
    Ok(())
}

/// Forgets a thing that was taken out. Where there is no list, none is made.
///
/// # Errors
/// The list cannot be written.
pub fn forget(dirs: &Dirs, entry: &Installed) -> Result<(), StateError> {
    if !list(dirs).0.iter().any(|one| one.is_same(entry)) {
        return Ok(());
    }
    state_file::update(&manifest(dirs), |manifest: &mut InstalledList| {
        manifest.installed.retain(|one| !one.is_same(entry));
    })?;
    Ok(())
}

/// What [`remove`] would do with a thing.
pub fn outcome(entry: &Installed) -> RemovalOutcome {
    match (entry.kind, regular_file::read_whole(&entry.path)) {
        (InstalledKind::Hooks | InstalledKind::Server | InstalledKind::Unknown, _) => {
            RemovalOutcome::Unknown
        }
        (InstalledKind::File, Err(_)) => RemovalOutcome::Gone,
        (InstalledKind::File, Ok(bytes)) if entry.sha256 == Some(Sha256::digest(&bytes)) => {
            RemovalOutcome::Removed
        }
        (InstalledKind::File, Ok(_)) => RemovalOutcome::Changed,
    }
}

/// Takes one thing out. What was changed since, and what this version does not know, stays
/// where it is and on the list.
///
/// # Errors
/// The file cannot be removed or the list not be written.
pub fn remove(dirs: &Dirs, entry: &Installed) -> Result<RemovalOutcome, StateError> {
    let outcome = outcome(entry);
    if outcome == RemovalOutcome::Removed {
        std::fs::remove_file(&entry.path).map_err(|source| StateError::Access {
            step: "remove",
            path: entry.path.clone(),
            source,
        })?;
    }
    if matches!(outcome, RemovalOutcome::Removed | RemovalOutcome::Gone) {
        state_file::update(&manifest(dirs), |manifest: &mut InstalledList| {
            manifest.installed.retain(|one| one != entry);
        })?;
    }
    Ok(outcome)
}
