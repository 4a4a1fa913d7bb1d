//! What Claude Code's settings files say about memory.
//!
//! Read leniently: a file that cannot be read or parsed is a warning and says nothing. Strongest
//! first: managed, local, project, user (its documentation, settings). Files inside the repository
//! are read from the checkout at hand and from the main checkout.

mod compact;
mod file;
mod repository_variables;
mod tracked;
mod untrusted;

use std::path::{Path, PathBuf};

use crate::dirs::Dirs;
use crate::project::Project;

pub use compact::is_auto_compacting;
pub use file::HostSettingsFile;
pub use repository_variables::variables_of_repositories;
pub use tracked::is_tracked;
pub use untrusted::UntrustedVariables;

/// Whose file it is; strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingsLevel {
    /// The administrator's.
    Managed,
    /// The person's own for this checkout (`.claude/settings.local.json`).
    Local,
    /// The repository's (`.claude/settings.json`).
    Project,
    /// The person's own for everything (`<base>/settings.json`).
    User,
}

impl SettingsLevel {
    /// The stable words for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed settings",
            Self::Local => "local settings",
            Self::Project => "project settings",
            Self::User => "user settings",
        }
    }
}

/// All settings files that are there, strongest first.
#[derive(Clone, Debug, Default)]
pub struct HostSettings {
    /// The files, strongest first.
    pub files: Vec<HostSettingsFile>,
    /// What could not be read.
    pub warnings: Vec<String>,
}

/// Reads every settings file that counts for the project.
pub fn read(dirs: &Dirs, project: &Project) -> HostSettings {
    let mut found = HostSettings::default();
    for (tier, path) in paths(dirs, project) {
        match file::read(tier, &path) {
            Ok(Some(settings)) => found.files.push(settings),
            Ok(None) => {}
            Err(warning) => found.warnings.push(warning),
        }
    }
    found
}

/// Where settings files may stand, strongest first.
fn paths(dirs: &Dirs, project: &Project) -> Vec<(SettingsLevel, PathBuf)> {
    let user = dirs.base.join("settings.json");
    let mut paths = managed(&dirs.managed);
    let mut checkouts: Vec<&Path> = vec![&project.workdir];
    if project.root != project.workdir {
        checkouts.push(&project.root);
    }
    for (tier, name) in [
        (SettingsLevel::Local, ".claude/settings.local.json"),
        (SettingsLevel::Project, ".claude/settings.json"),
    ] {
        let inside = checkouts.iter().map(|checkout| checkout.join(name));
        // With the home directory as a repository, the project's file is the user's own.
        paths.extend(inside.filter(|path| *path != user).map(|path| (tier, path)));
    }
    paths.push((SettingsLevel::User, user));
    paths
}

/// The administrator's files; later drop-ins are stronger than earlier ones and than the main one.
fn managed(dir: &Path) -> Vec<(SettingsLevel, PathBuf)> {
    let drop_ins = std::fs::read_dir(dir.join("managed-settings.d"));
    let mut paths: Vec<PathBuf> = drop_ins
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort_unstable();
    paths.reverse();
    paths.push(dir.join("managed-settings.json"));
    paths
        .into_iter()
        .map(|path| (SettingsLevel::Managed, path))
        .collect()
}
