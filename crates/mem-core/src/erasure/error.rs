//! Why something could not be erased.

use std::io;
use std::path::PathBuf;

use crate::config::ConfigError;
use crate::error::{Diagnose, ErrorKind};
use crate::history::HistoryError;
use crate::state_file::StateError;
use crate::store::StoreError;

/// Something could not be erased. What was erased before stays erased.
#[derive(Debug, thiserror::Error)]
pub enum ErasureError {
    /// A memory directory or its history.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A record about the repository.
    #[error(transparent)]
    State(#[from] StateError),
    /// The settings for the repository.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A history that traces are gathered from.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Traces cannot be looked for.
    #[error("cannot look for what is left: {0}")]
    Search(String),
    /// Somebody writes down what is said in a session that is to go, or takes memories from it.
    #[error("a session is being read on: `{}` was held for {seconds} s", lock.display())]
    Busy {
        /// The lock that was waited for.
        lock: PathBuf,
        /// How long.
        seconds: u64,
    },
    /// A file or directory of `mem`'s own.
    #[error("cannot remove `{}`: {source}", path.display())]
    Remove {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl Diagnose for ErasureError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(error) => error.kind(),
            Self::State(error) => error.kind(),
            Self::Config(error) => error.kind(),
            Self::History(error) => error.kind(),
            Self::Busy { .. } => ErrorKind::Refused,
            Self::Remove { .. } | Self::Search(_) => ErrorKind::Io,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Busy { .. } => "run it again once that is done; nothing was erased",
            _ => "mend that and run it again: what is gone already is passed over",
        };
        Some(hint.to_owned())
    }
}
