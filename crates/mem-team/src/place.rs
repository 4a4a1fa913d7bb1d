//! Where what is remembered of a remote is kept: in the state of the memory that is shared, so that two
//! clones have each their own, and what erases a memory's state erases it too.

use std::fs;
use std::path::PathBuf;

use mem_core::history::Sha256;
use mem_core::sealing::StateCipher;
use mem_core::store::LocalStore;
use mem_sync::base::StateFile;

/// How the name of the file ends that keeps texts of shared indexes.
pub const SENT_INDEXES: &str = "indexes.texts";

/// The files of one shared tier.
#[derive(Clone, Debug)]
pub struct SharePlace {
    folder: PathBuf,
    kind: &'static str,
    name: String,
    seal: StateCipher,
}

impl SharePlace {
    /// The place for one tier (`kind` is a word for it) at one remote.
    pub fn new(store: &LocalStore, kind: &'static str, remote: &str, repository: &str) -> Self {
        let folder = store.places().state.join(kind);
        let digest = Sha256::digest(format!("{remote}\0{repository}").as_bytes()).to_string();
        let name = digest[..16].to_owned();
        let seal = store.places().person_seal.clone();
        Self {
            folder,
            kind,
            name,
            seal,
        }
    }

    /// The folder of everything that is kept about this kind of sharing.
    pub fn share_folder(store: &LocalStore, kind: &str) -> PathBuf {
        store.places().state.join(kind)
    }

    /// The word for what is shared.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// What the protocol remembers.
    pub fn state(&self) -> PathBuf {
        self.folder.join(format!("{}.state", self.name))
    }

    /// The same as a file that is read and written.
    pub fn state_file(&self) -> StateFile {
        StateFile::at(self.state()).sealed_by(&self.seal)
    }

    /// Copies of it that were set aside because they were damaged. Texts that gave way may stand in them.
    pub fn damaged(&self) -> Vec<PathBuf> {
        let begins = format!("{}.damaged-", self.name);
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_copy = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with(&begins)
        };
        let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_copy).collect();
        found.sort_unstable();
        found
    }

    /// What the last run came to.
    pub fn outcome(&self) -> PathBuf {
        self.folder.join(format!("{}-outcome.json", self.name))
    }

    /// What a person has looked at.
    pub fn approved(&self) -> PathBuf {
        self.folder.join(format!("{}-approved.json", self.name))
    }

    /// Texts of shared indexes that stand in no version here.
    pub fn sent_indexes(&self) -> PathBuf {
        self.folder.join(format!("{}-{SENT_INDEXES}", self.name))
    }

    /// How texts are sealed that are kept here.
    pub fn seal(&self) -> &StateCipher {
        &self.seal
    }

    /// Our own bare repository, for a git remote.
    pub fn git(&self) -> PathBuf {
        self.folder.join(format!("{}.git", self.name))
    }

    /// Held by whoever is at it.
    pub fn lock(&self) -> PathBuf {
        self.folder.join(format!("{}-sync.lock", self.name))
    }
}
