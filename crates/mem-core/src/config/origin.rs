//! Where a setting's value comes from.

use std::fmt;
use std::path::PathBuf;

/// A layer of the settings, weakest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// The embedded default file.
    Default,
    /// The user's `config.toml`, outside any repository's table.
    File {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
    },
    /// The repository's table in `config.toml`.
    Repository {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
    },
    /// An environment variable, by name.
    Environment(String),
    /// A flag of the command.
    Flag,
}

impl SettingOrigin {
    /// The stable word for the layer.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File { .. } => "config file",
            Self::Repository { .. } => "repository table",
            Self::Environment(_) => "environment",
            Self::Flag => "flag",
        }
    }
}

/// The exact place: `path:line`, the variable's name, or the layer's word.
impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line } | Self::Repository { path, line } => {
                write!(f, "{}:{line}", path.display())
            }
            Self::Environment(variable) => f.write_str(variable),
            Self::Default | Self::Flag => f.write_str(self.as_str()),
        }
    }
}
