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

/// Files that a configuration includes, and they again, as far as they are looked at.
const INCLUDES_MAX: usize = 64;
/// Folders below `objects` and `refs`.
const FOLDERS_DEPTH_MAX: usize = 16;

/// The files of a repository's directory that git and libgit2 open, whoever put them there.
const OPENED: [&str; 14] = [
    "config",
    "config.worktree",
    "index",
    "packed-refs",
    "shallow",
    "commondir",
    "gitdir",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
    "objects/info/commit-graph",
    "objects/pack/multi-pack-index",
];

/// The first of these files that is a pipe or a device, or a link to one: git and libgit2 would wait for it, or read it
/// without end.
pub(super) fn special_file(git_dir: &Path, common: &Path) -> Option<PathBuf> {
    let branch = head(git_dir).unwrap_or_default();
    let branch = branch.strip_prefix("ref:").map(str::trim_start);
    let branch = branch.filter(|name| name.starts_with("refs/") && !name.contains(".."));
    let names = || OPENED.iter().copied().chain(branch);
    let own = (git_dir != common).then_some(git_dir).into_iter();
    let files = own
        .chain([common])
        .flat_map(|dir| names().map(|name| dir.join(name)));
    let includes = included(&common.join("config"));
    files.chain(includes).find(|path| is_special(path))
}

/// The files that a configuration includes, and those that they do, whatever the condition.
fn included(config: &Path) -> Vec<PathBuf> {
    let (mut files, mut read) = (vec![config.to_owned()], 0);
    while read < files.len().min(INCLUDES_MAX) {
        let bytes = regular_file::read(&files[read], GIT_POINTER_BYTES_MAX).unwrap_or_default();
        let folder = files[read].parent().unwrap_or(config).to_owned();
        for line in String::from_utf8_lossy(&bytes).lines() {
            let Some((key, value)) = line.split_once('=') else {
                continue;
            };
            // A section may begin in the same line.
            let key = key.rsplit(']').next().unwrap_or_default().trim();
            let path = folder.join(value.trim().trim_matches('"'));
            if key.eq_ignore_ascii_case("path") && !files.contains(&path) {
                files.push(path);
            }
        }
        read += 1;
    }
    files
}

/// Whether git would wait for what is at a path, or read it without end.
pub(super) fn is_special(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|meta| !meta.is_file() && !meta.is_dir())
}

/// The first entry among the objects and the references that is a pipe or a device, or a link to one. It takes a
/// listing of all their folders: some milliseconds for thousands of loose objects.
pub(super) fn special_object(common: &Path) -> Option<PathBuf> {
    let objects = common.join("objects");
    let alternates = regular_file::read_text(objects.join("info/alternates")).unwrap_or_default();
    let others = alternates.lines().map(|line| objects.join(line));
    let mut folders: Vec<(PathBuf, usize)> = others
        .chain([objects.clone(), common.join("refs")])
        .map(|folder| (folder, FOLDERS_DEPTH_MAX))
        .collect();
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let kind = entry.file_type().ok()?;
            match (kind.is_file(), kind.is_dir()) {
                (true, _) => {}
                (_, true) if depth > 0 => folders.push((entry.path(), depth - 1)),
                (_, true) => {}
                _ if is_special(&entry.path()) => return Some(entry.path()),
                _ => {}
            }
        }
    }
    None
}

/// Where the `info/exclude` of a checkout is, by its `.git`: a directory, or a file that names one.
pub fn exclude_file(dot_git: &Path) -> PathBuf {
    let linked = read_pointer(dot_git);
    let linked = linked
        .as_deref()
        .and_then(|text| text.strip_prefix("gitdir: "));
    let git_dir = match (linked, dot_git.parent()) {
        (Some(path), Some(folder)) => folder.join(path),
        _ => dot_git.to_owned(),
    };
    let common = common_dir(&git_dir).unwrap_or(git_dir);
    common.join("info/exclude")
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
