//! Where the records of a user are: `<state>/records/<name>/memory`, with an index, a history and an
//! audit trail of their own. So no list, count or query of one user ever comes near another's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mem_core::audit::shell_word;
use mem_core::memory::ProjectMemory;
use mem_core::regular_file::if_there;
use mem_core::store::{LocalStore, Tiers};
use mem_core::{Dirs, Scope};

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
    pub(crate) fn user_folder(&self, dirs: &Dirs) -> PathBuf {
        users_folder(dirs).join(self.name())
    }

    /// A name that no other user has, of plain letters.
    pub(super) fn name(&self) -> String {
        user_name(self.0.as_ref())
    }

    /// Their memory: one directory, and nobody's notes across repositories beside it.
    pub(crate) fn user_memory(&self, dirs: &Dirs) -> ProjectMemory {
        let base = self.user_folder(dirs);
        ProjectMemory::at(&base.join(MEMORY), &dirs_below(&base, dirs))
    }

    /// Their memory, as one store.
    pub(crate) fn user_store(&self, dirs: &Dirs) -> LocalStore {
        store_at(&self.user_folder(dirs), dirs)
    }

    /// What is put behind a command, so that it is about them: ` --user alice`.
    pub(crate) fn flag(&self) -> String {
        format!(" --user {}", shell_word(&self.0))
    }

    /// The stores of every user of this machine.
    ///
    /// # Errors
    /// The folder of them cannot be listed.
    pub(crate) fn user_stores(dirs: &Dirs) -> io::Result<Vec<LocalStore>> {
        let mut folders = Vec::new();
        let listed = if_there(fs::read_dir(users_folder(dirs)))?;
        for entry in listed.into_iter().flatten() {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            }
        }
        folders.sort_unstable();
        Ok(folders.iter().map(|base| store_at(base, dirs)).collect())
    }
}

/// The command that takes back what was done to a tier, of a user or one's own.
pub(crate) fn undo_command(user: Option<&User>, scope: Scope) -> String {
    let whose = match user {
        Some(user) => user.flag(),
        None if scope == Scope::Global => " --global".to_owned(),
        None => String::new(),
    };
    format!("`mem undo{whose}`")
}

/// In the folder of a user.
const MEMORY: &str = "memory";

fn users_folder(dirs: &Dirs) -> PathBuf {
    dirs.state.join("records")
}

fn dirs_below(base: &Path, dirs: &Dirs) -> Dirs {
    Dirs {
        base: base.to_owned(),
        ..dirs.clone()
    }
}

fn store_at(base: &Path, dirs: &Dirs) -> LocalStore {
    LocalStore::new(&base.join(MEMORY), Tiers::Project, &dirs_below(base, dirs))
}
