//! The directories that everything else is placed in, as found by the caller.

use std::path::PathBuf;

use crate::sealing::{StateCipher, StateKeys};

/// Absolute directories of the running user. Nothing here needs to exist yet.
#[derive(Clone, Debug)]
pub struct Dirs {
    /// The home directory; `None` where the environment has none (some commands then fail).
    pub home: Option<PathBuf>,
    /// Claude Code's configuration directory: `CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub base: PathBuf,
    /// `mem`'s own settings (`config.toml`).
    pub config: PathBuf,
    /// `mem`'s own state: histories, catalogs, locks, the registry of repositories.
    pub state: PathBuf,
    /// What can be rebuilt at any time.
    pub cache: PathBuf,
    /// Where an administrator's `managed-settings.json` stands (`/etc/claude-code` on Linux).
    pub managed: PathBuf,
    /// The keys that state and caches are sealed with, where a person has that.
    pub seals: StateKeys,
}

impl Dirs {
    /// The file of the user's own settings.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// How state and caches are sealed that belong to no one memory directory.
    pub fn seal(&self) -> StateCipher {
        self.seals.of(&self.state)
    }

    /// `<base>/projects`, the parent of every project's directory.
    pub fn projects(&self) -> PathBuf {
        self.base.join("projects")
    }

    /// `<base>/memory`, the tier of one's own notes across repositories.
    pub fn global_memory(&self) -> PathBuf {
        self.base.join("memory")
    }

    /// Where the indexes of recall are, one file a memory directory.
    pub fn recall_indexes(&self) -> PathBuf {
        self.cache.join("recall")
    }

    /// The larger encoder of recall, where a person has installed one.
    pub fn recall_model(&self) -> PathBuf {
        self.state.join("models").join("recall.model")
    }

    /// Where each memory directory's history, catalog and lock live, one folder a directory.
    pub fn stores(&self) -> PathBuf {
        self.state.join("stores")
    }
}
