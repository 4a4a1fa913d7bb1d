//! A `.git` file: the mark of linked worktrees, submodules and separate git directories, and the
//! place to plant a claim to another repository's memory.

use std::path::{Path, PathBuf};

use super::{Project, git_dir};

/// Follows the `.git` file of `dir` as far as it can be believed.
pub(super) fn follow(cwd: &Path, dir: &Path, dot_git: &Path) -> Project {
    let Some(target) = target(dir, dot_git) else {
        let why = format!("`{}` is not a git link", dot_git.display());
        return refused(cwd, dir, None, &why);
    };
    let Some(git_dir) = target
        .canonicalize()
        .ok()
        .filter(|path| git_dir::is_valid(path))
    else {
        let why = format!(
            "`{}` points to `{}`, which is not a repository",
            dot_git.display(),
            target.display()
        );
        return refused(cwd, dir, None, &why);
    };
    match git_dir::common_dir(&git_dir) {
        None => own(cwd, dir, dot_git, &git_dir),
        Some(common) if git_dir::is_linked(&git_dir, &common) && points_back(&git_dir, dot_git) => {
            worktree(cwd, dir, &git_dir, &common)
        }
        Some(_) => {
            let why = format!(
                "`{}` points to `{}`, which does not point back (after a move, `git worktree \
                 repair` mends that)",
                dot_git.display(),
                git_dir.display()
            );
            refused(cwd, dir, Some(git_dir), &why)
        }
    }
}

/// The path in a `.git` file, not yet resolved.
pub(super) fn target(dir: &Path, dot_git: &Path) -> Option<PathBuf> {
    let text = git_dir::read_pointer(dot_git)?;
    let path = text.strip_prefix("gitdir: ")?;
    (!path.is_empty()).then(|| dir.join(path))
}

/// A worktree whose repository knows it: it shares the memory of the main checkout.
fn worktree(cwd: &Path, dir: &Path, git_dir: &Path, common: &Path) -> Project {
    Project {
        workdir: dir.to_owned(),
        ..Project::from_checkout(cwd, &git_dir::main_root(common), git_dir, common)
    }
}

/// A whole repository elsewhere (a submodule, `--separate-git-dir`). Nothing there need point
/// back, so the folder is its own root and borrows nothing; one that says it belongs to another
/// folder is not believed at all. The one exception is a bare repository inside the folder, whose
/// worktrees all know it by its own directory.
fn own(cwd: &Path, dir: &Path, dot_git: &Path, git_dir: &Path) -> Project {
    let hides_bare = git_dir.starts_with(dir) && git_dir::is_bare(git_dir);
    if !hides_bare && let Some(owner) = git_dir::belongs_elsewhere(git_dir, dir) {
        return someone_elses(cwd, dir, dot_git, git_dir, &owner);
    }
    let root = if hides_bare { git_dir } else { dir };
    Project {
        workdir: dir.to_owned(),
        ..Project::from_checkout(cwd, root, git_dir, git_dir)
    }
}

/// A `.git` that leads into a repository of another folder.
fn someone_elses(cwd: &Path, dir: &Path, dot_git: &Path, git_dir: &Path, owner: &Path) -> Project {
    let why = format!(
        "`{}` points to `{}`, which belongs to `{}`",
        dot_git.display(),
        git_dir.display(),
        owner.display()
    );
    refused(cwd, dir, Some(git_dir.to_owned()), &why)
}

/// The folder stands for itself, and the person is told why.
fn refused(cwd: &Path, dir: &Path, claimed: Option<PathBuf>, why: &str) -> Project {
    Project {
        claimed_git_dir: claimed,
        refused: true,
        warnings: vec![format!(
            "{why}: the folder is taken as a project of its own"
        )],
        ..Project::plain(cwd, dir)
    }
}

/// Whether the worktree's `gitdir` file, absolute or relative, names this `.git` file.
fn points_back(git_dir: &Path, dot_git: &Path) -> bool {
    back_link(git_dir).is_some_and(|back| back == dot_git)
}

/// The `.git` file that a linked worktree's directory names, free of symbolic links.
pub(super) fn back_link(git_dir: &Path) -> Option<PathBuf> {
    let back = git_dir.join(git_dir::read_pointer(&git_dir.join("gitdir"))?);
    let folder = back.parent()?.canonicalize().ok()?;
    Some(folder.join(back.file_name()?))
}
