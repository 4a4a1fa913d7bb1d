//! `GIT_DIR` and `GIT_WORK_TREE`: the person, or git running a hook, names the repository.

use std::path::{Path, PathBuf};

use super::{Project, git_dir, link};
use crate::environment::Environment;

/// Lets the variables overrule what was discovered.
///
/// A `GIT_DIR` that only repeats what the `.git` found here points at adds nothing: git exports
/// it to hooks, and a refused claim must stay refused there.
pub(super) fn overrule(mut found: Project, environment: &Environment) -> Project {
    let work_tree = environment
        .get("GIT_WORK_TREE")
        .and_then(|path| found.cwd.join(path).canonicalize().ok());
    let Some(given) = environment.get("GIT_DIR") else {
        return with_work_tree(found, work_tree);
    };
    let Some(git_dir) = resolve(&found.cwd, given) else {
        found.warnings.push(format!(
            "GIT_DIR names `{given}`, which is not a repository: ignored"
        ));
        return found;
    };
    if found.claimed_git_dir.as_ref() == Some(&git_dir) {
        return with_work_tree(found, work_tree);
    }
    named_repository(&found.cwd, &git_dir, work_tree, environment)
}

fn with_work_tree(mut project: Project, work_tree: Option<PathBuf>) -> Project {
    if let Some(work_tree) = work_tree {
        project.workdir = work_tree;
    }
    project
}

/// The repository that `GIT_DIR` names, directly or through a `.git` file.
fn resolve(cwd: &Path, given: &str) -> Option<PathBuf> {
    let path = cwd.join(given);
    let path = if path.is_file() {
        link::target(path.parent()?, &path)?
    } else {
        path
    };
    path.canonicalize()
        .ok()
        .filter(|path| git_dir::is_valid(path))
}

/// The project of a repository that was named from outside.
fn named_repository(
    cwd: &Path,
    git_dir: &Path,
    work_tree: Option<PathBuf>,
    environment: &Environment,
) -> Project {
    let linked = environment
        .get("GIT_COMMON_DIR")
        .and_then(|path| cwd.join(path).canonicalize().ok())
        .or_else(|| git_dir::common_dir(git_dir))
        .filter(|common| git_dir::is_linked(git_dir, common));
    let Some(common) = linked else {
        let root = main_checkout(git_dir, work_tree.as_deref());
        let project = Project::from_checkout(cwd, &root, git_dir, git_dir);
        return with_work_tree(project, work_tree);
    };
    let mut project = Project::from_checkout(cwd, &git_dir::main_root(&common), git_dir, &common);
    if let Some(checkout) = link::back_link(git_dir).as_deref().and_then(Path::parent) {
        project.workdir = checkout.to_owned();
    }
    with_work_tree(project, work_tree)
}

/// The folder around a `.git`; for a repository of another name the checkout it was given.
fn main_checkout(git_dir: &Path, work_tree: Option<&Path>) -> PathBuf {
    let root = git_dir::main_root(git_dir);
    if root != git_dir {
        return root;
    }
    work_tree
        .map(Path::to_owned)
        .or_else(|| git_dir::configured_worktree(git_dir))
        .unwrap_or(root)
}
