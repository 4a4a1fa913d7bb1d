//! From a working directory to the project it belongs to: the canonical git root.
//!
//! Discovery reads git's own files instead of asking git or libgit2: it must cost microseconds,
//! work without a `git` binary, work in a repository that another user owns (owner checks guard
//! hooks and settings, neither of which is run here), and must not follow a `.git` file that was
//! planted to borrow another repository's memory, which both git and libgit2 do.

mod discover;
mod git_dir;
mod git_variables;
mod identity;
mod link;
mod object_db;
mod remote;
mod worktrees;

use std::io;
use std::path::{Path, PathBuf};

use crate::environment::Environment;
use crate::error::Diagnose;

pub use git_dir::exclude_file;
pub use identity::{Identity, identity, is_other_repository, remotes};
pub use remote::normalise as normalise_remote;
pub use worktrees::linked_worktrees;

/// What a directory belongs to. All paths are absolute and free of symbolic links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Where the caller stands.
    pub cwd: PathBuf,
    /// What memory is keyed by: the main checkout, whatever worktree or subdirectory the caller
    /// stands in; of a bare repository its own directory; without git the working directory.
    pub root: PathBuf,
    /// The top of the checkout that the caller stands in; `root` where there is none.
    pub workdir: PathBuf,
    /// The repository's directory for this checkout (`git rev-parse --git-dir`), if trusted.
    pub git_dir: Option<PathBuf>,
    /// The repository's shared directory (`git rev-parse --git-common-dir`), if trusted.
    pub git_common_dir: Option<PathBuf>,
    /// Whether the checkout is a linked worktree.
    pub is_worktree: bool,
    /// What was refused or looks wrong, for the person to read.
    pub warnings: Vec<String>,
    /// What the `.git` found on the way up points at, followed or refused.
    claimed_git_dir: Option<PathBuf>,
    refused: bool,
    /// A file of the repository that git would wait for.
    special_file: Option<PathBuf>,
}

impl Project {
    /// A folder that stands for itself.
    fn plain(cwd: &Path, root: &Path) -> Self {
        Self {
            cwd: cwd.to_owned(),
            root: root.to_owned(),
            workdir: root.to_owned(),
            git_dir: None,
            git_common_dir: None,
            is_worktree: false,
            warnings: Vec::new(),
            claimed_git_dir: None,
            refused: false,
            special_file: None,
        }
    }

    /// A checkout of a repository that may be believed.
    fn from_checkout(cwd: &Path, root: &Path, git_dir: &Path, common: &Path) -> Self {
        Self {
            git_dir: Some(git_dir.to_owned()),
            git_common_dir: Some(common.to_owned()),
            is_worktree: git_dir != common,
            claimed_git_dir: Some(git_dir.to_owned()),
            ..Self::plain(cwd, root)
        }
    }

    /// The project as if it had no repository, with a warning, where git would wait for a file of that for ever.
    fn without_special_files(mut self) -> Self {
        let (Some(git_dir), Some(common)) = (&self.git_dir, &self.git_common_dir) else {
            return self;
        };
        if let Some(file) = git_dir::special_file(git_dir, common) {
            self.warnings.push(format!(
                "`{}` is not a regular file, so git is not asked about this repository",
                file.display()
            ));
            (self.git_dir, self.git_common_dir) = (None, None);
            self.refused = true;
            self.special_file = Some(file);
        }
        self
    }

    /// Whether a `.git` was found here that is not followed; what it says about tracked files
    /// cannot be believed either.
    pub fn is_refused(&self) -> bool {
        self.refused
    }
}

/// Why there is no project to speak of.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ProjectError {
    /// The working directory was deleted under the caller, or `-C` names nothing.
    #[error("the directory `{}` does not exist", path.display())]
    #[diagnose(
        NotFound,
        hint = "change to a directory that exists, or name one with -C"
    )]
    Gone {
        /// The directory.
        path: PathBuf,
    },
    /// The working directory is not one, or cannot be read.
    #[error("cannot use `{}` as a directory: {source}", path.display())]
    #[diagnose(Io, hint = "name a readable directory with -C")]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// The first file of the repository around a folder that git would wait for, or read without end: to be asked before
/// git is run there.
pub fn special_git_file(folder: &Path) -> Option<PathBuf> {
    // Without a `HEAD` that can be read it is no repository to us, and git looks at it all the same.
    let mut heads = folder.ancestors().map(|above| above.join(".git/HEAD"));
    let head = heads.find(|head| git_dir::is_special(head));
    head.or_else(|| find(folder, &Environment::default()).ok()?.special_file)
}

/// The first object or reference of a repository that git and libgit2 would wait for, or read without end: to be asked
/// before objects are read. `common` is the directory that all its worktrees share.
pub fn special_object(common: &Path) -> Option<PathBuf> {
    git_dir::special_object(common)
}

/// Finds the project that `cwd` belongs to, as git would, minus what is not to be trusted.
///
/// Heeds `GIT_DIR`, `GIT_WORK_TREE`, `GIT_COMMON_DIR`, `GIT_CEILING_DIRECTORIES` and
/// `GIT_DISCOVERY_ACROSS_FILESYSTEM`. No process is started and nothing is written.
///
/// # Errors
/// The directory is gone, is no directory or cannot be resolved.
pub fn find(cwd: &Path, environment: &Environment) -> Result<Project, ProjectError> {
    let unusable = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => ProjectError::Gone {
            path: cwd.to_owned(),
        },
        _ => ProjectError::Unusable {
            path: cwd.to_owned(),
            source,
        },
    };
    let real = cwd.canonicalize().map_err(unusable)?;
    if !real.is_dir() {
        return Err(unusable(io::ErrorKind::NotADirectory.into()));
    }
    let found = discover::upwards(&real, environment);
    Ok(git_variables::overrule(found, environment).without_special_files())
}
