//! The copy: a bare repository of our own, which holds what the ref reaches and nothing else.
//!
//! All of it is at the remote too, so that a damaged copy is simply made anew. One process at a time has
//! it; a `git` that outlives its process goes on holding the lock.
//!
//! The lock stands beside the folder and not in it, since a damaged copy is removed whole under it. Two files say how far
//! a copy came, for whoever finds it after a kill: `mem-copy` (made by us, may be removed) is the first thing written,
//! `mem.whole` in its configuration the last. Tests: `git::rules::a_copy_that_is_damaged_or_half_made_is_rebuilt`,
//! `git::rules::what_is_no_copy_is_not_removed`.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::{ErrorCode, Oid, Repository, RepositoryInitOptions};
use mem_core::{atomic, regular_file};

use super::GitRemoteError;

/// Says that a folder is a copy, and may be removed.
const MARK: &str = "mem-copy";
/// Says that a copy may hold what its ref does not reach any more.
const UNFINISHED: &str = "mem-unfinished";
/// More packs than this are made one.
const PACKS_MAX: usize = 40;

/// Whether a run was ended before it removed from a copy what the remote does not have any more.
pub fn is_unfinished(copy: &Path) -> bool {
    copy.join(UNFINISHED).exists()
}

/// The copy's place.
#[derive(Clone, Debug)]
pub(super) struct RefMirror {
    path: PathBuf,
}

/// The copy, locked.
pub(super) struct LockedMirror {
    pub(super) repository: Repository,
    pub(super) lock: File,
    path: PathBuf,
}

impl RefMirror {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Waits for the copy, and makes it where there is none.
    pub(super) fn lock_mirror(&self, patience: Duration) -> Result<LockedMirror, GitRemoteError> {
        let lock = self.wait_for_lock(patience)?;
        let repository = match open_repository(&self.path) {
            Some(repository) => repository,
            None => self.create_repository()?,
        };
        let path = self.path.clone();
        sweep_leftovers(&path);
        Ok(LockedMirror {
            repository,
            lock,
            path,
        })
    }

    fn wait_for_lock(&self, patience: Duration) -> Result<File, GitRemoteError> {
        if let Some(parent) = self.path.parent() {
            atomic::create_dirs(parent)?;
        }
        let mut name = self.path.clone().into_os_string();
        name.push(".lock");
        let file = regular_file::open_lock(Path::new(&name))?;
        match regular_file::lock_within(&file, patience) {
            Ok(()) => Ok(file),
            Err(TryLockError::Error(error)) => Err(error.into()),
            Err(TryLockError::WouldBlock) => Err(GitRemoteError::Busy),
        }
    }

    /// Removes what is there, if it is a copy, and makes an empty one.
    fn create_repository(&self) -> Result<Repository, GitRemoteError> {
        let is_empty = fs::read_dir(&self.path).map_or(true, |mut all| all.next().is_none());
        if !is_empty {
            if !self.path.join(MARK).exists() {
                return Err(GitRemoteError::NotAStore(self.path.display().to_string()));
            }
            fs::remove_dir_all(&self.path)?;
        }
        atomic::create_dirs(&self.path)?;
        atomic::replace_file(&self.path.join(MARK), b"")
            .map_err(|error| GitRemoteError::Store(error.to_string()))?;
        init_repository(&self.path)
            .map_err(|error| GitRemoteError::Store(error.message().to_owned()))?;
        open_repository(&self.path)
            .ok_or_else(|| GitRemoteError::NotAStore(self.path.display().to_string()))
    }
}

impl LockedMirror {
    /// Forgets everything, so that it is fetched again.
    pub(super) fn discard_mirror(self, store: &RefMirror) -> Result<(), GitRemoteError> {
        drop(self.repository);
        store.create_repository().map(drop)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// To be said before the ref moves to where it may not reach what it reaches now.
    pub(super) fn begin_to_remove(&self) -> Result<(), GitRemoteError> {
        regular_file::create(&self.path.join(UNFINISHED))?;
        Ok(())
    }

    /// Nothing is to be removed any more.
    pub(super) fn end_to_remove(&self) {
        // Where it stays, the next run looks once more.
        let _ = fs::remove_file(self.path.join(UNFINISHED));
    }

    pub(super) fn packs_folder(&self) -> PathBuf {
        self.path.join("objects").join("pack")
    }

    /// Whether this can be a state: nothing, or a commit.
    pub(super) fn is_state(&self, id: Option<Oid>) -> bool {
        id.is_none_or(|id| self.repository.find_commit(id).is_ok())
    }

    /// Where the ref was when it was last fetched or pushed.
    pub(super) fn ref_head(&self, reference: &str) -> Result<Option<Oid>, GitRemoteError> {
        match self.repository.refname_to_id(reference) {
            Ok(id) => Ok(Some(id)),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn set_head(&self, reference: &str, to: Option<Oid>) -> Result<(), GitRemoteError> {
        let set = match to {
            Some(id) => self.repository.reference(reference, id, true, "").map(drop),
            None => match self.repository.find_reference(reference) {
                Ok(mut found) => found.delete(),
                Err(_) => Ok(()),
            },
        };
        Ok(set?)
    }

    /// Whether it is worth while to tidy up.
    pub(super) fn is_untidy(&self) -> bool {
        let count = |folder: PathBuf| fs::read_dir(folder).map_or(0, Iterator::count);
        // As git does: one of 256 folders of loose objects stands for all.
        count(self.packs_folder()) > 2 * PACKS_MAX
            || count(self.path.join("objects").join("17")) > 27
    }
}

/// Opens a copy that was made to its end.
fn open_repository(path: &Path) -> Option<Repository> {
    if !path.join(MARK).exists() {
        return None;
    }
    mem_core::libgit2::prepare();
    let repository = Repository::open_bare(path).ok()?;
    let config = repository
        .config()
        .and_then(|config| config.get_bool("mem.whole"));
    config.unwrap_or_default().then_some(repository)
}

fn init_repository(path: &Path) -> Result<(), git2::Error> {
    mem_core::libgit2::prepare();
    let mut options = RepositoryInitOptions::new();
    options
        .bare(true)
        .external_template(false)
        .initial_head("main");
    Repository::init_opts(path, &options)?;
    let mut config = git2::Config::open(&path.join("config"))?;
    // A reflog would keep what a redaction removes.
    config.set_bool("core.logAllRefUpdates", false)?;
    // The copy has no worktree, so names that NTFS or HFS+ reject do no harm here. libgit2 would refuse them otherwise.
    config.set_bool("core.protectNTFS", false)?;
    config.set_bool("core.protectHFS", false)?;
    config.set_bool("mem.whole", true)
}

/// Removes what a killed git left. Nobody else has the copy now.
fn sweep_leftovers(path: &Path) {
    let is_left = |name: &str| {
        let name = Path::new(name);
        name.extension().is_some_and(|end| end == "lock")
    };
    for folder in ["", "refs/mem", "refs/mem/own"] {
        remove_leftovers(&path.join(folder), is_left);
    }
    remove_leftovers(&path.join("objects/pack"), |name| {
        name.starts_with("tmp_") || name.starts_with(".tmp")
    });
    let _ = fs::remove_file(path.join("gc.pid"));
}

fn remove_leftovers(folder: &Path, is_left: impl Fn(&str) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(&is_left) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
