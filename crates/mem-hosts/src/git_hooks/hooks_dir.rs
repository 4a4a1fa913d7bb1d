//! Where git looks for hooks. git itself is asked: worktrees, `core.hooksPath` and its includes
//! are its business.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use mem_core::{Diagnose, project};

/// The directory of a repository's hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HooksFolder {
    /// Absolute.
    pub path: PathBuf,
    /// The value of `core.hooksPath`, if it is set.
    pub configured: Option<String>,
}

/// Hooks cannot be looked at or changed.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum HookError {
    /// git said no; its own words.
    #[error("git: {0}")]
    #[diagnose(NotFound, hint = "run it in a repository, or give --global")]
    Git(String),
    /// git cannot be started.
    #[error("cannot run git: {0}")]
    #[diagnose(Io)]
    NoGit(io::Error),
    /// A file of the hooks' directory.
    #[error("cannot {step} `{}`: {cause}", path.display())]
    #[diagnose(Io)]
    File {
        /// What was tried.
        step: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// The running program's own path is unknown.
    #[error("cannot tell where `mem` is: {0}")]
    #[diagnose(Io)]
    Unknown(io::Error),
}

/// The hooks' directory for a checkout.
///
/// # Errors
/// There is no repository, or no git.
pub fn hooks_folder(cwd: &Path) -> Result<HooksFolder, HookError> {
    // A relative `core.hooksPath` starts where hooks run: at the top of the checkout.
    let top = match run_git(cwd, &["rev-parse", "--show-toplevel"]) {
        Ok(top) => PathBuf::from(top),
        Err(HookError::Git(_)) => cwd.to_owned(),
        Err(error) => return Err(error),
    };
    let path = run_git(
        &top,
        &["rev-parse", "--path-format=absolute", "--git-path", "hooks"],
    )?;
    let configured = run_git(&top, &["config", "--type=path", "--get", "core.hooksPath"]).ok();
    Ok(HooksFolder {
        path: PathBuf::from(path),
        configured,
    })
}

/// Runs git and returns its first line.
pub(super) fn run_git(cwd: &Path, args: &[&str]) -> Result<String, HookError> {
    if let Some(file) = project::special_git_file(cwd) {
        let file = file.display();
        return Err(HookError::Git(format!("`{file}` is not a regular file")));
    }
    let mut command = Command::new("git");
    let output = command
        .args(args)
        .current_dir(cwd)
        .output()
        .map_err(HookError::NoGit)?;
    if !output.status.success() {
        let talk = String::from_utf8_lossy(&output.stderr);
        let line = talk.lines().next().unwrap_or("it failed without a word");
        return Err(HookError::Git(
            line.trim_start_matches("fatal: ").to_owned(),
        ));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}
