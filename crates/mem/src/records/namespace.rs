//! Where the records of a user are: `<state>/records/<name>/memory`, with an index, a history and an
//! audit trail of their own. So no list, count or query of one user ever comes near another's.

use std::path::PathBuf;

use mem_core::Dirs;
use mem_core::memory::Memory;

use crate::tool::user_name;

/// A user of a host, by whatever id it has for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct User(String);

/// No id.
#[derive(Debug, thiserror::Error)]
#[error("a user's id is empty")]
pub(crate) struct NoUser;

impl std::str::FromStr for User {
    type Err = NoUser;

    fn from_str(text: &str) -> Result<Self, NoUser> {
        // A host whose variable is not set must not have all its users share one memory.
        match text.trim().is_empty() {
            true => Err(NoUser),
            false => Ok(Self(text.to_owned())),
        }
    }
}

impl User {
    /// The id that the host has for them.
    #[cfg(feature = "server")]
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder of a user.
    pub(crate) fn folder(&self, dirs: &Dirs) -> PathBuf {
        dirs.state.join("records").join(self.name())
    }

    /// A name that no other user has, of plain letters.
    pub(super) fn name(&self) -> String {
        user_name(self.0.as_ref())
    }

    /// Their memory: one directory, and nobody's notes across repositories beside it.
    pub(crate) fn memory(&self, dirs: &Dirs) -> Memory {
        let base = self.folder(dirs);
        let memory = base.join("memory");
        Memory::at(
            &memory,
            &Dirs {
                base,
                ..dirs.clone()
            },
        )
    }
}
