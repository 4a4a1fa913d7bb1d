//! Opening a repository to read its objects. `unsafe` is libgit2's way to set options; nothing of
//! the repository is ever run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;

use git2::Repository;
use mem_core::project::{self, Project};
use mem_core::{Diagnose, Environment};

use super::library::Library;
use super::object::ObjectError;
use super::program::GitProgram;
use super::source::ObjectSource;

/// What holds for every git that is started: it fetches, asks and refreshes nothing.
const GIT_SETTINGS: [&str; 3] = [
    "core.fsmonitor=false",
    "protocol.allow=never",
    "diff.renameLimit=1000",
];

/// Where a repository's objects and references are.
#[derive(Clone, Debug)]
pub struct GitObjects {
    /// The directory of this checkout.
    dir: PathBuf,
    /// `GIT_INDEX_FILE`: git commits some changes from an index of their own.
    index: Option<PathBuf>,
    /// `GIT_OBJECT_DIRECTORY`, where git keeps new objects while it commits.
    objects: Option<PathBuf>,
}

/// Git objects cannot be read at all.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum GitObjectError {
    /// No repository.
    #[error("`{}` is in no git repository", .0.display())]
    #[diagnose(NotFound, hint = "run it in a repository, or name one with -C")]
    None(PathBuf),
    /// An object or a reference that git would wait for.
    #[error("`{}` is not a regular file, so the repository is not read", .0.display())]
    #[diagnose(Io, hint = "git would wait for it as well: look what put it there")]
    Special(PathBuf),
    /// libgit2's words.
    #[error("cannot read the repository: {0}")]
    #[diagnose(Io, hint = "`git fsck` says what is wrong with it")]
    Git(#[from] git2::Error),
    /// git itself was to read a repository that libgit2 does not know.
    #[error("git cannot read the repository: {0}")]
    #[diagnose(Io, hint = "`git fsck` says what is wrong with it")]
    Program(std::io::Error),
    /// A revision or a range that names nothing.
    #[error("`{0}` names no commits")]
    #[diagnose(NotFound, hint = "give a range as git does, such as main..HEAD")]
    Range(String),
    /// The index of the checkout.
    #[error("cannot read the index: {0}")]
    #[diagnose(Io, hint = "`git fsck` says what is wrong with it")]
    Index(ObjectError),
}

impl GitObjects {
    /// The repository of a project.
    ///
    /// # Errors
    /// There is none.
    pub fn for_project(project: &Project, env: &Environment) -> Result<Self, GitObjectError> {
        let dir = project.git_dir.clone();
        let common = project.git_common_dir.as_deref();
        if let Some(path) = common.and_then(project::special_object) {
            return Err(GitObjectError::Special(path));
        }
        let absolute = |name| env.get(name).map(|path| project.cwd.join(path));
        Ok(Self {
            dir: dir.ok_or_else(|| GitObjectError::None(project.cwd.clone()))?,
            index: absolute("GIT_INDEX_FILE"),
            objects: absolute("GIT_OBJECT_DIRECTORY"),
        })
    }

    /// The index that is about to be committed, where it is another than the checkout's.
    pub(super) fn index(&self) -> Option<&Path> {
        self.index.as_deref()
    }

    /// Opens its objects; each thread needs its own.
    ///
    /// # Errors
    /// It is damaged, or git is needed and not there.
    pub(crate) fn open(&self) -> Result<Box<dyn ObjectSource>, GitObjectError> {
        set_options();
        let repo = match Repository::open(&self.dir) {
            Ok(repo) => repo,
            Err(error) if is_unknown_format(&error) => {
                let program = GitProgram::new(self.clone()).map_err(GitObjectError::Program)?;
                return Ok(Box::new(program));
            }
            Err(error) => return Err(GitObjectError::Git(error)),
        };
        if let Some(objects) = self.objects.as_deref().and_then(Path::to_str) {
            repo.odb()?.add_disk_alternate(objects)?;
        }
        Ok(Box::new(Library::new(repo, self.clone())))
    }

    /// git on this repository, without standard input and errors. What the repository configures is not run, what a
    /// partial clone lacks is not fetched, and objects are those that a push would send: none is replaced. It runs away
    /// from the checkout: a `.gitattributes` there may be a pipe, and what it says hides nothing from a scan.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.dir);
        command.arg("--git-dir").arg(&self.dir);
        command.arg("--work-tree").arg(&self.dir).arg("--no-pager");
        for setting in GIT_SETTINGS {
            command.args(["-c", setting]);
        }
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        if let Some(objects) = &self.objects {
            command.env("GIT_OBJECT_DIRECTORY", objects);
        }
        command
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_GRAFT_FILE", self.dir.join("mem-no-grafts"))
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_EXTERNAL_DIFF")
            .env_remove("GIT_DIFF_OPTS")
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

/// Whether it is the format of the repository that libgit2 does not know.
fn is_unknown_format(error: &git2::Error) -> bool {
    let words = error.message();
    ["object format", "extension"]
        .iter()
        .any(|part| words.contains(part))
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
