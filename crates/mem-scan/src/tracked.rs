//! Files that git tracks although its ignore rules name them: they are pushed like any other, so
//! a walk that heeds those rules must not lose them. git lists what it tracks; which of it is ignored is told here,
//! since git itself would wait for a `.gitignore` that is a pipe.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use mem_core::project;

/// A git that lists them while the tree is walked.
#[derive(Debug)]
pub(crate) struct Tracked(Option<Child>);

impl Tracked {
    /// Asks git, if the directory is in a repository at all.
    pub(crate) fn below(top: &Path) -> Self {
        let real = top.canonicalize().unwrap_or_else(|_| top.to_owned());
        if !real.ancestors().any(|folder| folder.join(".git").exists()) {
            return Self(None);
        }
        if project::special_git_file(&real).is_some() {
            return Self(None);
        }
        let mut git = Command::new("git");
        git.arg("-C")
            .arg(top)
            // Nothing that the repository configures is to be run.
            .args(["-c", "core.fsmonitor=false", "ls-files", "-z", "-c"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        Self(git.spawn().ok())
    }

    /// The files, relative to the directory. Without git there are none: the walk stands alone.
    pub(crate) fn files(self) -> Vec<PathBuf> {
        let output = self.0.and_then(|child| child.wait_with_output().ok());
        let names = output.map(|output| output.stdout).unwrap_or_default();
        let names = names
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty());
        names
            .map(|name| PathBuf::from(String::from_utf8_lossy(name).as_ref()))
            .collect()
    }
}
