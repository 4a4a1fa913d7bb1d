//! [`UntrustedVariables`]: variables that a repository has a host set, and settings that an agent names.
//!
//! They would move settings, state and keys of `mem`, have it run a program, or trust another's certificates. A home
//! directory that is named so is the account's instead.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::repository_variables::{settings_of_repositories, variables_of_repositories};
use crate::environment::Environment;

/// What decides on where `mem` keeps things, whom it asks and whom it trusts.
const NAMES: [&str; 8] = [
    "ANTHROPIC_API_KEY",
    "CLAUDE_CODE_REMOTE_MEMORY_DIR",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
    "HOME",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "USERPROFILE",
];
/// What says where settings are, on Linux.
const SETTINGS: &str = "XDG_CONFIG_HOME";
const PREFIXES: [&str; 2] = ["MEM_", "XDG_"];

/// What a repository has a host set.
#[derive(Debug, Default)]
pub struct UntrustedVariables {
    /// Those that are set, with the settings that name them.
    pub set: BTreeMap<String, PathBuf>,
    /// Whether the home directory is the account's.
    pub is_home: bool,
    /// The person's settings, where the environment of an agent names others.
    pub own_settings: Option<PathBuf>,
}

impl UntrustedVariables {
    /// Looks around where a run begins and where it is sent. Without a host around, a variable is withheld only where
    /// it has the very value that a repository names. The names are those of all variables, for their values may be no
    /// text.
    pub fn look_around(
        names: impl Iterator<Item = String>,
        cwd: Option<PathBuf>,
        directories: &[OsString],
        is_of_host: bool,
        env: &Environment,
    ) -> Self {
        let set: Vec<String> = names.filter(|name| is_ours(name)).collect();
        let mut names: Vec<&str> = set.iter().map(String::as_str).collect();
        names.push("HOME");
        let folders = host_folders(cwd, env, directories);
        let found = match is_of_host {
            true => variables_of_repositories(&folders, &names, env),
            false => settings_of_repositories(&folders, &names, env),
        };
        let is_home = found.contains_key("HOME");
        let found = found
            .into_iter()
            .map(|(name, file)| (name.to_owned(), file));
        Self {
            set: found.filter(|(name, _)| set.contains(name)).collect(),
            is_home,
            own_settings: own_settings(env),
        }
    }

    /// The names of what counts as unset though it is set.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let settings = self.own_settings.as_ref().map(|_| SETTINGS);
        self.set.keys().map(String::as_str).chain(settings)
    }
}

/// The settings of the person where they are by default, if an agent is to read others: its settings would say where
/// memory goes and what waits for a look. Without a file there, the person keeps their settings where the variable
/// says.
fn own_settings(env: &Environment) -> Option<PathBuf> {
    if !cfg!(target_os = "linux") || !env.is_of_agent() {
        return None;
    }
    let (named, home) = (env.get(SETTINGS)?, env.get("HOME")?);
    let own = Path::new(home).join(".config");
    let file = own.join("mem/config.toml");
    (Path::new(named) != own && file.symlink_metadata().is_ok()).then_some(file)
}

fn is_ours(name: &str) -> bool {
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Where the host stands, where its project is, and where this run is sent.
fn host_folders(cwd: Option<PathBuf>, env: &Environment, directories: &[OsString]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = cwd.into_iter().collect();
    let mut sent = folders.first().cloned().unwrap_or_default();
    for directory in directories {
        sent.push(directory);
        folders.push(sent.clone());
    }
    folders.extend(env.get("CLAUDE_PROJECT_DIR").map(PathBuf::from));
    folders.retain(|folder| folder.is_absolute());
    folders.dedup();
    folders
}
