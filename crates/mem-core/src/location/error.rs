//! Why there is no memory directory to speak of.

use crate::config::ConfigError;
use crate::error::{Diagnose, ErrorKind};
use crate::project::ProjectError;

/// Why the memory directory could not be determined.
#[derive(Debug, thiserror::Error)]
pub enum LocationError {
    /// The working directory cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The settings are broken.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// `MEM_DIR` is relative.
    #[error("MEM_DIR is `{value}`, which is not an absolute path")]
    Relative {
        /// As given.
        value: String,
    },
    /// `MEM_DIR` names a directory that cannot be a memory.
    #[error("MEM_DIR is `{value}`, which cannot be a memory: {reason}")]
    Refused {
        /// As given.
        value: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl Diagnose for LocationError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Project(error) => error.kind(),
            Self::Config(error) => error.kind(),
            Self::Relative { .. } => ErrorKind::Invalid,
            Self::Refused { .. } => ErrorKind::Refused,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Project(error) => error.hint(),
            Self::Config(error) => error.hint(),
            Self::Relative { .. } => {
                Some("give the whole path, from `/` or `~/`, or unset MEM_DIR".to_owned())
            }
            Self::Refused { .. } => {
                Some("name a directory of its own for memory, or unset MEM_DIR".to_owned())
            }
        }
    }
}
