//! The walk up from a directory to the first thing that git would take for a repository.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Project, git_dir, link};
use crate::environment::Environment;

/// Walks up from `cwd`, which is free of symbolic links.
pub(super) fn upwards(cwd: &Path, environment: &Environment) -> Project {
    let ceilings = ceilings(environment);
    let crosses = environment.is_on("GIT_DISCOVERY_ACROSS_FILESYSTEM");
    let device = device(cwd);
    for dir in cwd.ancestors() {
        let above = dir != cwd;
        let stop = ceilings.iter().any(|ceiling| ceiling == dir)
            || (!crosses && above && self::device(dir) != device);
        if above && stop {
            break;
        }
        if let Some(project) = at(cwd, dir) {
            return project;
        }
    }
    Project::plain(cwd, cwd)
}

/// What stands in one directory: a `.git` of either kind, or a bare repository.
fn at(cwd: &Path, dir: &Path) -> Option<Project> {
    let dot_git = dir.join(".git");
    match fs::metadata(&dot_git) {
        Ok(metadata) if metadata.is_file() => Some(link::follow(cwd, dir, &dot_git)),
        Ok(metadata) if metadata.is_dir() && git_dir::is_valid(&dot_git) => {
            Some(checkout(cwd, dir, &dot_git))
        }
        _ => git_dir::is_valid(dir).then(|| inside(cwd, dir)),
    }
}

/// An ordinary checkout. The folder that holds the `.git` directory is the root, so that nothing
/// inside that directory can point memory elsewhere.
fn checkout(cwd: &Path, dir: &Path, dot_git: &Path) -> Project {
    let git_dir = dot_git
        .canonicalize()
        .unwrap_or_else(|_| dot_git.to_owned());
    let mut project = Project::from_checkout(cwd, dir, &git_dir, &git_dir);
    if git_dir::common_dir(&git_dir).is_some() {
        project.warnings.push(format!(
            "`{}` borrows another repository's objects through a `commondir` file, which git \
             itself never writes there",
            git_dir.display()
        ));
    }
    project
}

/// The caller stands inside a repository's own directory, bare or not.
fn inside(cwd: &Path, git_dir: &Path) -> Project {
    let common = match git_dir::common_dir(git_dir) {
        Some(common) if git_dir::is_linked(git_dir, &common) => common,
        _ => git_dir.to_owned(),
    };
    Project::from_checkout(cwd, &git_dir::main_root(&common), git_dir, &common)
}

/// `GIT_CEILING_DIRECTORIES`: not searched, nor anything above, unless the caller stands there.
fn ceilings(environment: &Environment) -> Vec<PathBuf> {
    let Some(list) = environment.get("GIT_CEILING_DIRECTORIES") else {
        return Vec::new();
    };
    std::env::split_paths(list)
        .filter(|path| path.is_absolute())
        .map(|path| path.canonicalize().unwrap_or(path))
        .collect()
}

#[cfg(unix)]
fn device(dir: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(dir).ok().map(|metadata| metadata.dev())
}

#[cfg(not(unix))]
fn device(_: &Path) -> Option<u64> {
    None
}
