//! Variables that a repository has a host set, and settings that an agent names: `mem` runs as though they were not
//! set.
//!
//! They would move its settings, its state and its key, have it run a program, or trust another's certificates.
//! Not only this process is to do without them, but all that it starts: it begins again, without them. A
//! home directory that is named so is the account's instead.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use mem_core::Environment;
use mem_core::host_settings::{named_by_repositories, set_by_repositories};

use crate::commands::hook::is_of_host;

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
pub(crate) struct UntrustedVariables {
    /// Those that are set, with the settings that name them.
    pub(crate) set: BTreeMap<String, PathBuf>,
    /// Whether the home directory is the account's.
    pub(crate) is_home: bool,
    /// The person's settings, where the environment of an agent names others.
    pub(crate) own_settings: Option<PathBuf>,
}

impl UntrustedVariables {
    /// Looks around where a run begins and where it is sent. Without a host around, a variable is withheld only where
    /// it has the very value that a repository names.
    pub(crate) fn look_around(env: &Environment, directories: &[OsString]) -> Self {
        let args: Vec<_> = std::env::args_os().collect();
        let is_of_host = env.is_of_host() || is_of_host(&args) || is_mcp(&args);
        // Their values may be no text.
        let set: Vec<String> = std::env::vars_os()
            .filter_map(|(name, _)| name.into_string().ok())
            .filter(|name| is_ours(name))
            .collect();
        let mut names: Vec<&str> = set.iter().map(String::as_str).collect();
        names.push("HOME");
        let folders = host_folders(env, directories);
        let found = match is_of_host {
            true => named_by_repositories(&folders, &names, env),
            false => set_by_repositories(&folders, &names, env),
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

    /// Whether anything counts as unset that is set.
    pub(crate) fn has_any(&self) -> bool {
        !self.set.is_empty() || self.own_settings.is_some()
    }

    /// Begins again without them; returns only where that fails.
    pub(crate) fn begin_again(&self) -> io::Error {
        let mut command = match std::env::current_exe() {
            Ok(program) => Command::new(program),
            Err(error) => return error,
        };
        command.args(std::env::args_os().skip(1));
        for name in self.set.keys() {
            command.env_remove(name);
        }
        if self.own_settings.is_some() {
            command.env_remove(SETTINGS);
        }
        replace_process(command)
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

/// An MCP server is started by a host, whose marks it need not have.
fn is_mcp(args: &[OsString]) -> bool {
    args.iter().skip(1).any(|word| word == "mcp")
}

fn is_ours(name: &str) -> bool {
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Where the host stands, where its project is, and where this run is sent.
fn host_folders(env: &Environment, directories: &[OsString]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = std::env::current_dir().into_iter().collect();
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

#[cfg(unix)]
fn replace_process(mut command: Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(&mut command)
}

/// Elsewhere no process takes another's place: this one waits.
#[cfg(not(unix))]
fn replace_process(mut command: Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
