//! Where the running user's directories are: the platform's conventions, and Claude Code's.

use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use mem_core::sealing::StateKeys;
use mem_core::{Dirs, Environment};

/// Finds the directories; `None` without a home directory of an absolute path.
///
/// `mem`'s own places are those of the `directories` crate, which honours `XDG_CONFIG_HOME`,
/// `XDG_STATE_HOME` and `XDG_CACHE_HOME` on Linux.
///
/// The password database is asked only where HOME was withheld; another process without HOME is meant to have none.
pub(crate) fn find_dirs(env: &Environment, is_home_withheld: bool) -> Option<Dirs> {
    if cfg!(unix)
        && !is_home_withheld
        && !env
            .get("HOME")
            .is_some_and(|home| Path::new(home).is_absolute())
    {
        return None;
    }
    let own = ProjectDirs::from("", "", "mem")?;
    let home = directories::BaseDirs::new()?.home_dir().to_owned();
    let base = match env.get("CLAUDE_CONFIG_DIR") {
        Some(set) => std::path::absolute(set).ok()?,
        None => home.join(".claude"),
    };
    Some(Dirs {
        base,
        config: own.config_dir().to_owned(),
        state: own
            .state_dir()
            .map_or_else(|| own.data_local_dir().join("state"), PathBuf::from),
        cache: own.cache_dir().to_owned(),
        managed: PathBuf::from(MANAGED),
        seals: StateKeys::default(),
        home: Some(home),
    })
}

/// Where a server keeps what it is given, unless it is told: `~/.local/share/mem/server` on Linux. It is no
/// state of `mem`'s own that can be done without, so it stands apart.
#[cfg(feature = "server")]
pub(crate) fn server_data() -> Option<PathBuf> {
    let own = ProjectDirs::from("", "", "mem")?;
    Some(own.data_local_dir().join("server"))
}

/// Where Claude Code's documentation puts `managed-settings.json`.
const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode"
} else if cfg!(windows) {
    r"C:\Program Files\ClaudeCode"
} else {
    "/etc/claude-code"
};
