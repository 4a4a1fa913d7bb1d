//! Opening a repository to read its objects. `unsafe` is libgit2's way to set options; nothing of
//! the repository is ever run.

use std::path::{Path, PathBuf};
use std::sync::Once;

use git2::Repository;
use mem_core::project::Project;
use mem_core::{Diagnose, Environment, ErrorKind};

/// Where a repository's objects and references are.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    /// The directory of this checkout.
    dir: PathBuf,
    /// `GIT_INDEX_FILE`: git commits some changes from an index of their own.
    index: Option<PathBuf>,
    /// `GIT_OBJECT_DIRECTORY`, where git keeps new objects while it commits.
    objects: Option<PathBuf>,
}

/// Git objects cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitError {
    /// No repository.
    #[error("`{}` is in no git repository", .0.display())]
    None(PathBuf),
    /// libgit2's words.
    #[error("cannot read the repository: {0}")]
    Git(#[from] git2::Error),
    /// Objects are named by SHA-256, which libgit2 does not know.
    #[error("the repository names its objects by SHA-256, which is not read here")]
    Sha256,
    /// git itself was to print what commits add.
    #[error("git cannot print the commits: {0}")]
    Print(std::io::Error),
    /// A revision or a range that names nothing.
    #[error("`{0}` names no commits")]
    Range(String),
    /// The index of the checkout.
    #[error("cannot read the index: {0}")]
    Index(git2::Error),
}

impl Diagnose for GitError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::None(_) | Self::Range(_) => ErrorKind::NotFound,
            Self::Sha256 => ErrorKind::Invalid,
            Self::Git(_) | Self::Index(_) | Self::Print(_) => ErrorKind::Io,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::None(_) => "run it in a repository, or name one with -C",
            Self::Range(_) => "give a range as git does, such as main..HEAD",
            Self::Sha256 => "`mem scan` and `mem scan --history` look into it nevertheless",
            Self::Git(_) | Self::Index(_) | Self::Print(_) => {
                "`git fsck` says what is wrong with it"
            }
        };
        Some(hint.to_owned())
    }
}

impl Git {
    /// The repository of a project.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn of(project: &Project, env: &Environment) -> Result<Self, GitError> {
        let dir = project.git_dir.clone();
        let absolute = |name| env.get(name).map(|path| project.cwd.join(path));
        Ok(Self {
            dir: dir.ok_or_else(|| GitError::None(project.cwd.clone()))?,
            index: absolute("GIT_INDEX_FILE"),
            objects: absolute("GIT_OBJECT_DIRECTORY"),
        })
    }

    /// The directory of this checkout's own state.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Opens it; each thread needs its own.
    ///
    /// # Errors
    /// It is damaged, or of a kind that libgit2 does not know.
    pub(crate) fn open(&self) -> Result<Repository, GitError> {
        set_options();
        let repo = Repository::open(&self.dir).map_err(|error| {
            match error.message().contains("object format 'sha256'") {
                true => GitError::Sha256,
                false => GitError::Git(error),
            }
        })?;
        if let Some(objects) = self.objects.as_deref().and_then(Path::to_str) {
            repo.odb()?.add_disk_alternate(objects)?;
        }
        Ok(repo)
    }

    /// The index that is about to be committed.
    ///
    /// # Errors
    /// It is damaged.
    pub(crate) fn index(&self, repo: &Repository) -> Result<git2::Index, GitError> {
        match &self.index {
            Some(path) => git2::Index::open(path).map_err(GitError::Index),
            None => repo.index().map_err(GitError::Index),
        }
    }
}

/// Whether objects may be missing because the remote keeps them: a partial clone.
pub(crate) fn is_partial(repo: &Repository) -> bool {
    let Ok(config) = repo.config() else {
        return false;
    };
    let mut promised = config.get_string("extensions.partialclone").is_ok();
    if let Ok(mut entries) = config.entries(Some(r"^remote\..*\.promisor$")) {
        promised |= entries.next().is_some();
    }
    promised
}

fn set_options() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // A failure leaves the defaults, which refuse more repositories; opening one then says so.
        let _ = allow_more();
        // As git itself reads objects; to hash each again took as long as to scan it. What does
        // not unpack is an error still, and `git fsck` finds the rest.
        git2::opts::strict_hash_verification(false);
    });
}

/// Lets libgit2 open what it can read but would refuse: repositories of other users, of which
/// nothing is run, and partial clones.
#[expect(
    unsafe_code,
    reason = "libgit2's options are global; set once, before any repository is open"
)]
fn allow_more() -> Result<(), git2::Error> {
    // SAFETY: called once, under `Once`, before this process opens a repository through `Git`.
    unsafe {
        git2::opts::set_verify_owner_validation(false)?;
        git2::opts::set_extensions(&["partialclone", "refstorage"])
    }
}
