//! What can be wrong with the settings.

use std::io;
use std::path::PathBuf;

use crate::error::{Diagnose, ErrorKind};
use crate::state_file::StateError;

/// Why settings could not be read or changed.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ConfigError {
    /// The file is there but cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    #[diagnose(Io, hint = "make it a readable text file, or move it away")]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not TOML.
    #[error("`{}` line {line} is not valid TOML: {message}", path.display())]
    #[diagnose(Invalid, hint = "`mem config edit` opens the file")]
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
    #[diagnose(
        kind = value_kind(place),
        hint = (place != super::COMMAND_LINE).then_some("give it such a value, or take it out")
    )]
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
    #[diagnose(Usage, hint = nearest_hint(*nearest))]
    UnknownKey {
        /// As given.
        key: String,
        /// What was probably meant.
        nearest: Option<&'static str>,
    },
    /// Two settings that exclude each other.
    #[error("`memory.mode = \"log\"` ({mode}) and `team.remote` ({remote}) exclude each other")]
    #[diagnose(Invalid, hint = "take one of them out with `mem config unset`")]
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

/// What a wrong value is: of the command line it is a usage error.
fn value_kind(place: &str) -> ErrorKind {
    match place == super::COMMAND_LINE {
        true => ErrorKind::Usage,
        false => ErrorKind::Invalid,
    }
}

fn nearest_hint(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "`mem config list` shows every setting".to_owned(),
    }
}
