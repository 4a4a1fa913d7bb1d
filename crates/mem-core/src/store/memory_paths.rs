//! Where a memory directory's lock, catalog and history are kept: outside of it.

use std::path::{Path, PathBuf};

use crate::history::Sha256;
use crate::memory::ScopeDir;
use crate::sealing::StateCipher;
use crate::{Dirs, MemoryPath, Scope};

/// Which tiers a memory directory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiers {
    /// A project's directory: private, with the team tier in `team/`.
    Project,
    /// The directory of one's own notes across repositories.
    Global,
}

impl Tiers {
    /// The tier that a path belongs to.
    pub fn scope_of(self, path: &MemoryPath) -> Scope {
        match self {
            Self::Global => Scope::Global,
            Self::Project if path.as_str().starts_with("team/") => Scope::Team,
            Self::Project => Scope::Private,
        }
    }

    /// A path of the store as one names the file: with its tier, where that is not the private one.
    pub fn label(self, path: &MemoryPath) -> String {
        let scope = self.scope_of(path);
        scope.label(ScopeDir(scope).file(path).unwrap_or(path.as_str()))
    }
}

/// The paths that belong to one memory directory.
#[derive(Clone, Debug)]
pub struct MemoryPaths {
    /// The memory directory, symbolic links resolved as far as it exists.
    pub root: PathBuf,
    /// A short stable name made from `root`.
    pub key: String,
    /// The folder under `Dirs::stores` that belongs to it.
    pub state: PathBuf,
    /// How what stands in `state` is sealed.
    pub seal: StateCipher,
    /// How the index of recall is, and what is remembered of remotes: by the person's key. An index may be there
    /// before any state of its directory is.
    pub person_seal: StateCipher,
    /// The folder of the indexes of all directories.
    indexes: PathBuf,
}

impl MemoryPaths {
    /// The places of the memory directory at `root`.
    pub fn from_root(root: &Path, dirs: &Dirs) -> Self {
        let root = resolve(root);
        let key = key(&root);
        let state = dirs.stores().join(&key);
        Self {
            seal: dirs.seals.of(&state),
            person_seal: dirs.seal(),
            state,
            indexes: dirs.recall_indexes(),
            root,
            key,
        }
    }

    /// The folder of the history.
    pub fn history(&self) -> PathBuf {
        self.state.join("history")
    }

    /// The history of an earlier format, a bare repository.
    pub(super) fn git_history(&self) -> PathBuf {
        self.state.join("history.git")
    }

    /// Its journal.
    pub(super) fn git_journal(&self) -> PathBuf {
        self.state.join("journal")
    }

    /// The catalog of what was last seen.
    pub fn catalog(&self) -> PathBuf {
        self.state.join("catalog")
    }

    /// Stands there while the files of a change are put into place.
    pub(super) fn writing(&self) -> PathBuf {
        self.state.join("writing")
    }

    /// The lock.
    pub fn lock(&self) -> PathBuf {
        self.state.join("lock")
    }

    /// The index of recall: a cache that holds the words of every note.
    pub fn recall_index(&self) -> PathBuf {
        self.indexes.join(format!("{}.index", self.key))
    }

    /// How files begin that stand beside that index while it is replaced. One stays where a process is
    /// killed at it.
    pub fn recall_index_temporary(&self) -> String {
        format!(".tmp-{}-", self.key)
    }

    /// The folder of what was recalled, and then read.
    pub fn recalled(&self) -> PathBuf {
        self.state.join("recalled")
    }

    /// The folder of writes that wait for a person.
    pub fn inbox(&self) -> PathBuf {
        self.state.join("inbox")
    }

    /// What was distilled already, and how that went.
    pub fn dreams(&self) -> PathBuf {
        self.state.join("dream.json")
    }

    /// What extractions have kept.
    pub fn extracts(&self) -> PathBuf {
        self.state.join("extracts.json")
    }

    /// What a person has looked at last.
    pub fn looked(&self) -> PathBuf {
        self.state.join("looked.json")
    }

    /// A text file that names `root`, for people and for `mem purge`.
    pub fn root_note(&self) -> PathBuf {
        self.state.join("root")
    }
}

/// The path with the symbolic links of its existing part resolved.
fn resolve(path: &Path) -> PathBuf {
    let mut missing = Vec::new();
    for ancestor in path.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            return missing
                .iter()
                .rev()
                .fold(real, |path, name| path.join(name));
        }
        missing.extend(ancestor.file_name());
    }
    path.to_owned()
}

/// The tail of the parent's name (a slug, mostly), then a hash of the whole path.
fn key(root: &Path) -> String {
    let parent = root
        .parent()
        .and_then(Path::file_name)
        .unwrap_or_default()
        .to_string_lossy();
    let mut tail: Vec<char> = parent.chars().rev().take(40).collect();
    tail.reverse();
    let tail: String = tail
        .into_iter()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes()).to_string();
    format!("{}-{}", tail.trim_matches('-'), &digest[..16])
}
