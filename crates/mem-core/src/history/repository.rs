//! The bare repository itself: open, read, record.

use std::path::{Path, PathBuf};

use git2::{Commit, Oid, Repository, RepositoryInitOptions};

use super::change::Change;
use super::error::HistoryError;
use super::form::{self, Form};
use super::objects::{self, Contents, Sent};
use super::place::{beside, put_in_place, remove_tree};
use super::torn;
use crate::MemoryPath;
use crate::sealing::Seal;

/// The one reference, holding the newest change.
pub(super) const HEAD_REF: &str = "refs/heads/main";

/// A memory directory's history.
pub struct History {
    pub(super) repo: Repository,
    path: PathBuf,
    pub(super) seal: Seal,
    /// How often a commit was opened.
    #[cfg(test)]
    pub(crate) opened: std::cell::Cell<usize>,
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("History").field("path", &self.path).finish()
    }
}

impl History {
    /// Opens an existing history; `None` where there is none. What is sealed in it is opened by `seal`, and so is
    /// sealed what a sealed history gains, or one that begins.
    ///
    /// # Errors
    /// What stands at `path` is not a bare repository, or cannot be read.
    pub fn open(path: &Path, seal: &Seal) -> Result<Option<Self>, HistoryError> {
        if !path.join("HEAD").exists() {
            return Ok(None);
        }
        crate::libgit2::prepare();
        let repo = Repository::open_bare(path)?;
        Ok(Some(Self {
            repo,
            path: path.to_owned(),
            seal: seal.clone(),
            #[cfg(test)]
            opened: std::cell::Cell::default(),
        }))
    }

    /// Opens the history, making an empty one first where there is none.
    ///
    /// # Errors
    /// The place cannot be written, or something else stands there.
    pub fn open_or_init(path: &Path, seal: &Seal) -> Result<Self, HistoryError> {
        if let Some(history) = Self::open(path, seal)? {
            return Ok(history);
        }
        if path.symlink_metadata().is_ok() {
            return Err(HistoryError::NotAHistory(path.to_owned()));
        }
        let beside = beside(path);
        drop(Self::init(&beside, seal)?);
        put_in_place(&beside, path)?;
        Self::open(path, seal)?.ok_or_else(|| HistoryError::Gone(path.to_owned()))
    }

    /// Removes what a killed rewrite left: half of the new history, or all of the old one.
    pub(crate) fn sweep(path: &Path) -> Result<(), HistoryError> {
        remove_tree(&beside(path))
    }

    /// Makes an empty history, readable by its owner alone.
    pub(super) fn init(path: &Path, seal: &Seal) -> Result<Self, HistoryError> {
        crate::libgit2::prepare();
        let mut options = RepositoryInitOptions::new();
        options
            .bare(true)
            .external_template(false)
            .initial_head("main")
            .mkpath(true);
        let repo = Repository::init_opts(path, &options)?;
        crate::platform::make_private(path).map_err(HistoryError::io("protect", path))?;
        let mut config = git2::Config::open(&path.join("config"))?;
        // A reflog would keep what a redaction removes.
        config.set_bool("core.logAllRefUpdates", false)?;
        config.set_i32("core.looseCompression", 1)?;
        // Nothing is ever checked out: names that trouble other systems may be recorded.
        config.set_bool("core.protectNTFS", false)?;
        config.set_bool("core.protectHFS", false)?;
        // Where one call cannot sync a whole tree, every object is synced as it is written.
        if !crate::platform::CAN_SYNC_TREE {
            config.set_bool("core.fsyncObjectFiles", true)?;
        }
        drop(config);
        drop(repo);
        Ok(Self {
            repo: Repository::open_bare(path)?,
            path: path.to_owned(),
            seal: seal.clone(),
            #[cfg(test)]
            opened: std::cell::Cell::default(),
        })
    }

    /// The folder of the repository.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The newest commit, `None` before the first change.
    ///
    /// # Errors
    /// The reference cannot be read.
    pub fn head(&self) -> Result<Option<Oid>, HistoryError> {
        match self.repo.refname_to_id(HEAD_REF) {
            Ok(oid) => Ok(Some(oid)),
            Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Points the history at a commit (or at nothing).
    pub(crate) fn set_head(&self, commit: Option<Oid>) -> Result<(), HistoryError> {
        match commit {
            Some(oid) => match self.repo.reference(HEAD_REF, oid, true, "") {
                // Ours is the only hand here: whoever left the lock was killed.
                Err(error) if error.code() == git2::ErrorCode::Locked => {
                    let _ = std::fs::remove_file(self.path.join(HEAD_REF).with_extension("lock"));
                    drop(self.repo.reference(HEAD_REF, oid, true, "")?);
                }
                set => drop(set?),
            },
            None => {
                if let Ok(mut reference) = self.repo.find_reference(HEAD_REF) {
                    reference.delete()?;
                }
            }
        }
        Ok(())
    }

    /// Removes a reference that a power failure left unreadable.
    pub(crate) fn drop_broken_head(&self) {
        if self.head().is_err() {
            // Still unreadable where this fails, and then said by whoever reads it next.
            let _ = std::fs::remove_file(self.path.join(HEAD_REF));
        }
    }

    /// Writes the objects of a change on top of `parents` and returns the commit. No reference
    /// moves: until [`History::set_head`] the change has not happened.
    ///
    /// Many files (`as_pack`) go into one pack instead of one file an object.
    pub(crate) fn prepare(
        &self,
        change: &Change,
        contents: &[Contents<'_>],
        parents: &[Oid],
        as_pack: bool,
    ) -> Result<Oid, HistoryError> {
        if as_pack {
            let contents: Vec<Sent<'_>> = contents.iter().map(|one| (*one, None)).collect();
            return self.prepare_pack(change, &contents, parents);
        }
        let form = self.form_after(parents.first().copied())?;
        objects::write_change(&self.repo, &form, change, contents, parents)
    }

    /// The same as one pack, of which some objects may have been packed before.
    pub(crate) fn prepare_pack(
        &self,
        change: &Change,
        contents: &[Sent<'_>],
        parents: &[Oid],
    ) -> Result<Oid, HistoryError> {
        let form = self.form_after(parents.first().copied())?;
        let packs = self.path.join("objects").join("pack");
        let commit = objects::pack_change(&self.repo, &form, &packs, change, contents, parents)?;
        self.repo.odb()?.refresh()?;
        Ok(commit)
    }

    /// How what follows a commit is written: as that commit is, by the key of today; without one as the place of the
    /// history wants it.
    pub(super) fn form_after(&self, commit: Option<Oid>) -> Result<Form, HistoryError> {
        let Some(commit) = commit else {
            return Ok(Form(self.seal.key()?));
        };
        let commit = self.repo.find_commit(commit)?;
        if !form::is_sealed(&commit) {
            return Ok(Form(None));
        }
        // Nothing is put on top of what cannot be opened: the key that is gone may come back.
        let before = form::key_of(&commit, &self.seal)?;
        Ok(Form(Some(self.seal.key()?.unwrap_or(before))))
    }

    /// Whether a commit and everything it names can be read.
    pub(crate) fn is_whole(&self, commit: Oid) -> bool {
        let Ok(commit) = self.repo.find_commit(commit) else {
            return false;
        };
        let Ok(tree) = commit.tree() else {
            return false;
        };
        let mut whole = true;
        let walked = tree.walk(git2::TreeWalkMode::PreOrder, |_, entry| {
            whole = torn::require_whole(&self.repo, entry.id()).is_ok()
                && entry.to_object(&self.repo).is_ok();
            if whole {
                git2::TreeWalkResult::Ok
            } else {
                git2::TreeWalkResult::Abort
            }
        });
        walked.is_ok() && whole
    }

    /// Removes loose objects that a power failure left unreadable, so that they can be written
    /// again.
    pub(crate) fn drop_broken_objects(&self) -> Result<usize, HistoryError> {
        let odb = self.repo.odb()?;
        let mut ids = Vec::new();
        odb.foreach(|oid| {
            ids.push(*oid);
            true
        })?;
        let mut dropped = 0;
        let is_broken =
            |&oid: &Oid| torn::require_whole(&self.repo, oid).is_err() || odb.read(oid).is_err();
        for oid in ids.into_iter().filter(is_broken) {
            let hex = oid.to_string();
            let loose = self.path.join("objects").join(&hex[..2]).join(&hex[2..]);
            dropped += usize::from(std::fs::remove_file(loose).is_ok());
        }
        Ok(dropped)
    }

    /// The change that a commit records.
    ///
    /// # Errors
    /// The commit is missing, damaged, or not `mem`'s.
    pub fn change(&self, commit: Oid) -> Result<Change, HistoryError> {
        form::change_of(&self.commit(commit)?, &self.seal)
    }

    /// The first parent of a commit.
    ///
    /// # Errors
    /// The commit is missing or damaged.
    pub fn parent(&self, commit: Oid) -> Result<Option<Oid>, HistoryError> {
        Ok(self.commit(commit)?.parent_ids().next())
    }

    /// The bytes of a file as of a commit, `None` where it did not exist then.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    pub fn content(&self, commit: Oid, path: &MemoryPath) -> Result<Option<Vec<u8>>, HistoryError> {
        self.at(commit)?.content(path)
    }

    /// The blob at a path as of a commit.
    pub(crate) fn blob_id(
        &self,
        commit: Oid,
        path: &MemoryPath,
    ) -> Result<Option<Oid>, HistoryError> {
        self.at(commit)?.blob_id(path)
    }

    /// An open commit. That of a change of many files is large.
    pub(super) fn commit(&self, commit: Oid) -> Result<Commit<'_>, HistoryError> {
        #[cfg(test)]
        self.opened.set(self.opened.get() + 1);
        Ok(self.repo.find_commit(commit)?)
    }
}
