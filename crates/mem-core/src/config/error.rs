//! What can be wrong with the settings.

use std::io;
use std::path::PathBuf;

use crate::error::{Diagnose, ErrorKind};
use crate::state_file::StateError;

/// Why settings could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is there but cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not TOML.
    #[error("`{}` line {line} is not valid TOML: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// The parser's words.
        message: String,
    },
    /// A value of the wrong type, or not among those allowed.
    #[error("{place}: `{key}` takes {expected}, not {found}")]
    WrongValue {
        /// File and line, the variable, or the command line.
        place: String,
        /// The key.
        key: &'static str,
        /// What was found.
        found: String,
        /// What the key takes.
        expected: String,
    },
    /// No such key.
    #[error("`{key}` is not a setting")]
    UnknownKey {
        /// As given.
        key: String,
        /// What was probably meant.
        nearest: Option<&'static str>,
    },
    /// Two settings that exclude each other.
    #[error("`memory.mode = \"log\"` ({mode}) and `team.remote` ({remote}) exclude each other")]
    LogModeWithTeam {
        /// Where the mode is set.
        mode: String,
        /// Where the remote is set.
        remote: String,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] StateError),
}

impl Diagnose for ConfigError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Read { .. } => ErrorKind::Io,
            Self::Write(error) => error.kind(),
            Self::UnknownKey { .. } => ErrorKind::NotFound,
            Self::Syntax { .. } | Self::WrongValue { .. } | Self::LogModeWithTeam { .. } => {
                ErrorKind::Invalid
            }
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownKey {
                nearest: Some(nearest),
                ..
            } => Some(format!("did you mean `{nearest}`?")),
            Self::UnknownKey { nearest: None, .. } => {
                Some("`mem config list` shows every setting".to_owned())
            }
            Self::Syntax { .. } => Some("`mem config edit` opens the file".to_owned()),
            Self::LogModeWithTeam { .. } => {
                Some("take one of them out with `mem config unset`".to_owned())
            }
            Self::Write(error) => error.hint(),
            Self::WrongValue { place, .. } if place == super::COMMAND_LINE => None,
            Self::WrongValue { .. } => Some("give it such a value, or take it out".to_owned()),
            Self::Read { .. } => Some("make it a readable text file, or move it away".to_owned()),
        }
    }
}
