//! The users of a host, each with a directory of their own, whatever their id.
//!
//! The records of one are in `<state>/records/<name>/memory`, with an index, a history and an audit trail of their own.
//! So no list, count or query of one user ever comes near another's.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::audit::shell_word;
use crate::memory::ProjectMemory;
use crate::regular_file::if_there;
use crate::store::{LocalStore, Tiers};
use crate::{Diagnose, Dirs, ErrorKind, Scope};

/// A user of a host, by whatever id it has for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostUser(String);

/// No id.
#[derive(Debug, thiserror::Error)]
#[error("a user's id is empty")]
pub struct NoUser;

impl std::str::FromStr for HostUser {
    type Err = NoUser;

    fn from_str(text: &str) -> Result<Self, NoUser> {
        // A host whose variable is not set must not have all its users share one memory.
        match text.trim().is_empty() {
            true => Err(NoUser),
            false => Ok(Self(text.to_owned())),
        }
    }
}

/// Commands that take `--user`.
const COMMANDS: [&str; 3] = ["`mem history", "`mem undo", "`mem restore"];

/// An error of what is asked about the records of one user: the commands that its hint names are about them too.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct UserRecordsError {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
}

impl UserRecordsError {
    /// The same error, of a question about a user.
    pub fn about_user(user: &HostUser, error: &impl Diagnose) -> Self {
        let flag = user.flag();
        let hint = error.hint().map(|hint| {
            let about =
                |hint: String, command: &&str| hint.replace(*command, &format!("{command}{flag}"));
            COMMANDS.iter().fold(hint, about)
        });
        Self {
            kind: error.kind(),
            message: error.to_string(),
            hint,
        }
    }
}

impl Diagnose for UserRecordsError {
    fn kind(&self) -> ErrorKind {
        self.kind
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}

impl HostUser {
    /// The id that the host has for them.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder of a user.
    pub fn user_folder(&self, dirs: &Dirs) -> PathBuf {
        users_folder(dirs).join(self.name())
    }

    /// A name that no other user has, of plain letters.
    pub fn name(&self) -> String {
        user_name(self.0.as_ref())
    }

    /// Their memory: one directory, and nobody's notes across repositories beside it.
    pub fn user_memory(&self, dirs: &Dirs) -> ProjectMemory {
        let base = self.user_folder(dirs);
        ProjectMemory::at(&base.join(MEMORY), &dirs_below(&base, dirs))
    }

    /// Their memory, as one store.
    pub fn user_store(&self, dirs: &Dirs) -> LocalStore {
        store_at(&self.user_folder(dirs), dirs)
    }

    /// What is put behind a command, so that it is about them: ` --user alice`.
    pub fn flag(&self) -> String {
        format!(" --user {}", shell_word(&self.0))
    }

    /// The stores of every user of this machine.
    ///
    /// # Errors
    /// The folder of them cannot be listed.
    pub fn user_stores(dirs: &Dirs) -> io::Result<Vec<LocalStore>> {
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

/// The command that takes back what was done to a tier, of a user or of the person who runs this.
pub fn undo_command(user: Option<&HostUser>, scope: Scope) -> String {
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

/// An id that is longer, or has other characters than these, is known by its hash.
const NAME_BYTES_MAX: usize = 64;

/// A name that no other id has, also on file systems that do not tell case: `u-` and the id where it
/// is plain, else `h-` and its hash.
pub fn user_name(user: &OsStr) -> String {
    let bytes = user.as_encoded_bytes();
    let is_plain = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    if let Some(plain) = user.to_str()
        && (1..=NAME_BYTES_MAX).contains(&bytes.len())
        && bytes.iter().all(is_plain)
    {
        return format!("u-{plain}");
    }
    let mut name = "h-".to_owned();
    for byte in Sha256::digest(bytes) {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_a_plain_name_of_its_own() {
        let long = "a".repeat(300);
        let ids = [
            "alice", "Alice", "h-alice", "../bob", "..", ".", "", "a/b", "a\\b", "con", "\u{e9}",
            "e\u{301}", "a b", "a\nb", &long, "u-alice", "CON",
        ];
        let names: std::collections::BTreeSet<String> =
            ids.iter().map(|id| user_name(OsStr::new(id))).collect();
        assert_eq!(names.len(), ids.len());
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        for name in names {
            assert!(name.chars().all(is_plain) && name.len() <= 66, "{name}");
        }
    }
}
