//! Which paths exclude each other: in a store that people named by their bytes, in a repository's by what file
//! systems take for the same.

use mem_sync::Key;

use super::Refusal;
use crate::storage::load;

/// Whose paths they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// Of a store that people named.
    Plain,
    /// Of a repository's store: what is stored has to be a key of team memory.
    Team,
}

impl Rules {
    /// The form that all paths have which exclude this one.
    ///
    /// # Errors
    /// The path cannot be one here.
    pub(super) fn folded(self, path: &str) -> Result<String, Refusal> {
        if self == Self::Plain {
            return Ok(path.to_owned());
        }
        let name = path.strip_prefix('/').unwrap_or(path);
        match Key::parse(name) {
            Ok(key) => Ok(load::folded(&key)),
            Err(error) => Err(Refusal::TeamPath(error.to_string())),
        }
    }
}
