//! The few files of a repository's directory that say what it is and where it belongs.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::limits::GIT_POINTER_BYTES_MAX;
use crate::regular_file;

/// Reads a one-line file without its line end; `None` when absent, too large or not Unicode.
pub(super) fn read_pointer(path: &Path) -> Option<String> {
    let mut text = String::new();
    let read = regular_file::open(path)
        .ok()?
        .take(GIT_POINTER_BYTES_MAX)
        .read_to_string(&mut text)
        .ok()?;
    let complete = u64::try_from(read).is_ok_and(|read| read < GIT_POINTER_BYTES_MAX);
    complete.then(|| text.trim_end_matches(['\n', '\r']).to_owned())
}

/// Whether git would take the directory for a repository: a `HEAD` that reads like one, `objects`
/// and `refs`, the latter two possibly in the common directory.
pub(super) fn is_valid(dir: &Path) -> bool {
    let Some(head) = head(dir) else {
        return false;
    };
    let is_name = head
        .strip_prefix("ref:")
        .is_some_and(|name| name.trim_start().starts_with("refs/"));
    let is_id = head.len() >= 40 && head.bytes().take(40).all(|byte| byte.is_ascii_hexdigit());
    if !is_name && !is_id {
        return false;
    }
    let shared = common_dir(dir);
    let shared = shared.as_deref().unwrap_or(dir);
    shared.join("objects").is_dir() && shared.join("refs").is_dir()
}

/// The content of `HEAD`; old repositories have a symbolic link into `refs/` instead.
pub(super) fn head(dir: &Path) -> Option<String> {
    let path = dir.join("HEAD");
    if let Some(text) = read_pointer(&path) {
        return Some(text);
    }
    let target = fs::read_link(&path).ok()?;
    Some(format!("ref: {}", target.to_str()?))
}

/// Where the `commondir` file points, free of symbolic links; `None` when there is no such file.
pub(super) fn common_dir(git_dir: &Path) -> Option<PathBuf> {
    let pointer = read_pointer(&git_dir.join("commondir"))?;
    let path = git_dir.join(pointer);
    Some(path.canonicalize().unwrap_or(path))
}

/// Whether `git_dir` really lies where `common` keeps the directories of its linked worktrees.
/// Only who can write into the repository can put one there.
pub(super) fn is_linked(git_dir: &Path, common: &Path) -> bool {
    git_dir.parent() == Some(&common.join("worktrees"))
}

/// The main checkout of a repository, or its own directory where there is none.
///
/// A directory called `.git` belongs to the folder around it, also when it is bare (the layout
/// with every checkout a worktree beside it). Another name (a submodule's, a bare repository's)
/// names its checkout in `core.worktree`, believed only if that checkout points back.
pub(super) fn main_root(common: &Path) -> PathBuf {
    if common.file_name().is_some_and(|name| name == ".git")
        && let Some(parent) = common.parent()
    {
        return parent.to_owned();
    }
    configured_worktree(common)
        .filter(|checkout| points_at(checkout, common))
        .unwrap_or_else(|| common.to_owned())
}

/// The folder or bare repository that a repository's directory belongs to, where that is not
/// `dir`. `None` also for one that says nothing about it (`--separate-git-dir`).
pub(super) fn belongs_elsewhere(git_dir: &Path, dir: &Path) -> Option<PathBuf> {
    let owner = if git_dir.file_name().is_some_and(|name| name == ".git") {
        git_dir.parent().map(Path::to_owned)
    } else if is_bare(git_dir) {
        Some(git_dir.to_owned())
    } else {
        configured_worktree(git_dir)
    };
    owner.filter(|owner| owner != dir)
}

/// `core.worktree`, relative to the repository's directory.
pub(super) fn configured_worktree(common: &Path) -> Option<PathBuf> {
    let path = setting(common, |config| config.get_string("core.worktree").ok())?;
    common.join(path).canonicalize().ok()
}

/// `core.bare`.
pub(super) fn is_bare(common: &Path) -> bool {
    setting(common, |config| config.get_bool("core.bare").ok()).unwrap_or(false)
}

/// One setting of the repository; with `extensions.worktreeConfig` it stands in a file of its own.
fn setting<T>(common: &Path, get: impl Fn(&git2::Config) -> Option<T>) -> Option<T> {
    ["config.worktree", "config"]
        .iter()
        .map(|name| common.join(name))
        .filter(|path| path.is_file())
        .find_map(|path| get(&git2::Config::open(&path).ok()?))
}

/// Whether a checkout's `.git` leads to this repository.
fn points_at(checkout: &Path, git_dir: &Path) -> bool {
    let dot_git = checkout.join(".git");
    let target = match read_pointer(&dot_git) {
        Some(text) => text
            .strip_prefix("gitdir: ")
            .map(|path| checkout.join(path)),
        None => Some(dot_git),
    };
    target.and_then(|path| path.canonicalize().ok()).as_deref() == Some(git_dir)
}
