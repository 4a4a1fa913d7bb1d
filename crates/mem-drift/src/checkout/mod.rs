//! The repository as it stands: where it is, what it tracks, what is on disk. Read through
//! libgit2 and plain system calls only: no hook, filter or helper of the repository ever runs.

mod disk;
mod file_reader;
mod folders;
mod index_file;
mod listing;
mod tree;
mod untracked;

use std::path::{Path, PathBuf};

use git2::{Oid, Repository, RepositoryOpenFlags};

pub(crate) use disk::{Disk, SeenKind};
pub(crate) use file_reader::{FileReader, State};
pub(crate) use listing::{TrackedFile, TrackedFiles, ends_with_parts, last_segment};
pub(crate) use tree::{MODE_FOLDER, MODE_LINK, MODE_SUBMODULE, walk_tree_files as walk_tree};
pub(crate) use untracked::{Untracked, find_untracked, ignores_path, read_ignore_rules};

use crate::error::DriftError;

/// Where a repository and its checkout are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckoutPaths {
    /// The directory of git for this checkout; `None` without git.
    pub git_dir: Option<PathBuf>,
    /// The top of the checkout; `None` in a bare repository.
    pub workdir: Option<PathBuf>,
}

impl CheckoutPaths {
    /// The place of a project that was found.
    pub fn for_project(project: &mem_core::project::Project) -> Self {
        let is_inside = |git_dir: &PathBuf| project.workdir.starts_with(git_dir);
        let is_bare = project.git_dir.as_ref().is_some_and(is_inside);
        Self {
            git_dir: project.git_dir.clone(),
            workdir: (!is_bare).then(|| project.workdir.clone()),
        }
    }
}

/// An opened place.
pub(crate) struct Checkout {
    pub(crate) repository: Option<Repository>,
    pub(crate) disk: Option<Disk>,
    /// The commit that is checked out; `None` on an unborn branch.
    pub(crate) head: Option<Oid>,
    pub(crate) is_shallow: bool,
    /// Whether there is a commit that is checked out, and it cannot be read.
    pub(crate) is_damaged: bool,
}

impl Checkout {
    /// Opens a place.
    ///
    /// # Errors
    /// There is a repository that libgit2 cannot read.
    pub(crate) fn open(place: &CheckoutPaths) -> Result<Self, DriftError> {
        let repository = place.git_dir.as_deref().map(open_repository).transpose()?;
        let head = repository.as_ref().and_then(head_of);
        let names_one = |repository: &Repository| repository.head().is_ok();
        Ok(Self {
            is_damaged: head.is_none() && repository.as_ref().is_some_and(names_one),
            is_shallow: repository.as_ref().is_some_and(Repository::is_shallow),
            disk: place.workdir.as_deref().map(Disk::new),
            repository,
            head,
        })
    }

    /// What is tracked: the index, or the tree of `HEAD` where there is none to read.
    pub(crate) fn list_tracked(&self) -> TrackedFiles {
        let Some(repository) = &self.repository else {
            return TrackedFiles::default();
        };
        let index = self
            .disk
            .as_ref()
            .and_then(|_| TrackedFiles::of_index(repository));
        index.unwrap_or_else(|| self.head_listing())
    }

    /// Whether the listing is what the commit that is checked out holds, for all that is known.
    pub(crate) fn is_head(&self, listing: &TrackedFiles) -> bool {
        let repository = self.repository.as_ref();
        let tree = repository
            .and_then(|repository| Some(repository.find_commit(self.head?).ok()?.tree_id()));
        tree.is_some() && tree == listing.tree
    }

    /// What the commit that is checked out holds.
    pub(crate) fn head_listing(&self) -> TrackedFiles {
        let tree = self.repository.as_ref().and_then(|repository| {
            let commit = repository.find_commit(self.head?).ok()?;
            Some((repository, commit.tree_id()))
        });
        tree.map_or_else(TrackedFiles::default, |(repository, id)| {
            TrackedFiles::of_tree(repository, id)
        })
    }

    /// The content of a blob, unless it is absent or too large.
    pub(crate) fn read_blob(&self, id: Oid, bytes_max: usize) -> Option<Vec<u8>> {
        let repository = self.repository.as_ref()?;
        let blob = repository.find_blob(id).ok()?;
        (blob.size() <= bytes_max).then(|| blob.content().to_vec())
    }
}

/// Opens exactly this directory: no search, and no environment.
pub(crate) fn open_repository(git_dir: &Path) -> Result<Repository, DriftError> {
    let flags = RepositoryOpenFlags::NO_SEARCH | RepositoryOpenFlags::NO_DOTGIT;
    let none: [&std::ffi::OsStr; 0] = [];
    let repository =
        Repository::open_ext(git_dir, flags, none).map_err(|cause| DriftError::Open {
            path: git_dir.to_owned(),
            cause,
        })?;
    match mem_core::project::special_object(repository.commondir()) {
        Some(path) => Err(DriftError::Special(path)),
        None => Ok(repository),
    }
}

fn head_of(repository: &Repository) -> Option<Oid> {
    let commit = repository.head().ok()?.peel_to_commit().ok()?;
    Some(commit.id())
}
