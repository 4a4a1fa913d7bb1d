//! Why there is no memory directory to speak of.

use crate::config::ConfigError;
use crate::error::Diagnose;
use crate::project::ProjectError;

/// Why the memory directory could not be determined.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum LocationError {
    /// The working directory cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The settings are broken.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// `MEM_DIR` is relative.
    #[error("MEM_DIR is `{value}`, which is not an absolute path")]
    #[diagnose(
        Invalid,
        hint = "give the whole path, from `/` or `~/`, or unset MEM_DIR"
    )]
    Relative {
        /// As given.
        value: String,
    },
    /// `MEM_DIR` names a directory that cannot be a memory.
    #[error("MEM_DIR is `{value}`, which cannot be a memory: {reason}")]
    #[diagnose(
        Refused,
        hint = "name a directory of its own for memory, or unset MEM_DIR"
    )]
    Refused {
        /// As given.
        value: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}
