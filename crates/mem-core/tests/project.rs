//! Discovery beside the real git, for every layout that git itself makes.

use std::fs;
use std::path::{Path, PathBuf};

use mem_core::project::{self, Project};

use crate::bed::{Bed, environment};

/// Finds the project and compares with what git says about the same directory.
fn find(bed: &Bed, dir: &Path, variables: &[(&str, &str)]) -> Project {
    let found = project::find(dir, &environment(variables)).unwrap();
    for (flag, ours) in [
        ("--git-common-dir", &found.git_common_dir),
        ("--absolute-git-dir", &found.git_dir),
    ] {
        let arguments = ["rev-parse", "--path-format=absolute", flag];
        let theirs = bed.git_with(dir, &arguments, variables).map(PathBuf::from);
        assert_eq!(ours, &theirs, "{flag} in {}", dir.display());
    }
    found
}

fn assert_root(bed: &Bed, dir: &Path, root: &Path) -> Project {
    let found = find(bed, dir, &[]);
    assert_eq!(found.root, root, "root of {}", dir.display());
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
    if let Some(top) = bed.git_with(dir, &["rev-parse", "--show-toplevel"], &[]) {
        assert_eq!(found.workdir, Path::new(&top), "top of {}", dir.display());
    }
    found
}

#[test]
fn main_checkout_and_subdirectory() {
    let bed = Bed::new();
    let r = bed.repository("my_repo.x");
    let sub = bed.dir("my_repo.x/sub/dir");
    assert!(!assert_root(&bed, &r, &r).is_worktree);
    assert_root(&bed, &sub, &r);
}

#[test]
fn linked_worktrees_share_the_main_root() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.git(&r, &["worktree", "add", "-q", "../wt"]);
    bed.git(&r, &["worktree", "add", "-q", ".worktrees/inner"]);
    for dir in [
        bed.path("wt"),
        bed.dir("wt/sub"),
        r.join(".worktrees/inner"),
    ] {
        assert!(assert_root(&bed, &dir, &r).is_worktree);
    }
    bed.git(&r, &["worktree", "move", "../wt", "../moved"]);
    assert_root(&bed, &bed.path("moved"), &r);
    assert_eq!(
        project::linked_worktrees(&r.join(".git")),
        [bed.path("moved"), r.join(".worktrees/inner")]
    );
}

#[test]
fn worktrees_with_relative_paths() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.git(&r, &["worktree", "add", "-q", "../wt"]);
    bed.file("wt/.git", "gitdir: ../r/.git/worktrees/wt\n");
    bed.file("r/.git/worktrees/wt/gitdir", "../../../../wt/.git\n");
    assert!(assert_root(&bed, &bed.path("wt"), &r).is_worktree);
}

#[test]
fn bare_repository_and_its_worktrees() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.git(&r, &["clone", "-q", "--bare", ".", "../b.git"]);
    let bare = bed.path("b.git");
    bed.git(&bare, &["worktree", "add", "-q", "../wt", "main"]);
    for dir in [
        &bare,
        &bare.join("refs/heads"),
        &bed.path("wt"),
        &bed.dir("wt/x"),
    ] {
        assert_root(&bed, dir, &bare);
    }
}

#[test]
fn a_hidden_bare_repository_is_one_project_with_its_worktrees() {
    let bed = Bed::new();
    let r = bed.repository("r");
    for (folder, name) in [("p", ".bare"), ("q", ".git")] {
        bed.dir(folder);
        let bare = bed.path(folder).join(name);
        bed.git(&r, &["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
        bed.git(&bare, &["worktree", "add", "-q", "../main", "main"]);
    }
    bed.file("p/.git", "gitdir: ./.bare\n");
    for dir in ["p", "p/main"] {
        let found = find(&bed, &bed.path(dir), &[]);
        assert_eq!(found.root, bed.path("p/.bare"), "{dir}");
    }
    for dir in ["q", "q/main"] {
        assert_eq!(find(&bed, &bed.path(dir), &[]).root, bed.path("q"), "{dir}");
    }
}

#[test]
fn symbolic_links_do_not_matter() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.dir("r/sub");
    std::os::unix::fs::symlink(&r, bed.path("link")).unwrap();
    std::os::unix::fs::symlink(r.join("sub"), bed.path("inner")).unwrap();
    assert_root(&bed, &bed.path("link/sub"), &r);
    assert_root(&bed, &bed.path("inner"), &r);
}

#[test]
fn a_symbolic_link_called_dot_git_belongs_to_its_folder() {
    let bed = Bed::new();
    let r = bed.repository("r");
    let w = bed.dir("w");
    std::os::unix::fs::symlink(r.join(".git"), w.join(".git")).unwrap();
    assert_root(&bed, &w, &w);
}

#[test]
fn submodules_nested_repositories_and_their_worktrees() {
    let bed = Bed::new();
    let inner = bed.repository("inner");
    let outer = bed.repository("outer");
    bed.git(
        &outer,
        &[
            "submodule",
            "--quiet",
            "add",
            inner.to_str().unwrap(),
            "sub",
        ],
    );
    bed.git(&outer, &["commit", "-q", "-m", "sub"]);
    let nested = bed.repository("outer/nested");
    assert_root(&bed, &outer.join("sub"), &outer.join("sub"));
    assert_root(&bed, &nested, &nested);
    bed.git(
        &outer.join("sub"),
        &["worktree", "add", "-q", "../../sub-wt"],
    );
    assert_root(&bed, &bed.path("sub-wt"), &outer.join("sub"));
    bed.git(&outer, &["worktree", "add", "-q", "../outer-wt"]);
    let deep = bed.path("outer-wt");
    bed.git(&deep, &["submodule", "--quiet", "update", "--init"]);
    assert_root(&bed, &deep.join("sub"), &deep.join("sub"));
    assert_root(&bed, &deep, &outer);
}

#[test]
fn a_separate_git_directory() {
    let bed = Bed::new();
    let w = bed.dir("w");
    bed.git(&w, &["init", "-q", "--separate-git-dir", "../data"]);
    assert_root(&bed, &w, &w);
}

#[test]
fn core_worktree_does_not_move_the_root() {
    let bed = Bed::new();
    let r = bed.repository("r");
    let elsewhere = bed.dir("elsewhere");
    bed.git(
        &r,
        &["config", "core.worktree", elsewhere.to_str().unwrap()],
    );
    assert_eq!(find(&bed, &r, &[]).root, r);
}

#[test]
fn a_home_that_is_a_repository() {
    let bed = Bed::new();
    let home = bed.repository("home");
    let dir = bed.dir("home/projects/x");
    assert_root(&bed, &dir, &home);
}

#[test]
fn detached_head_unborn_branch_and_inside_the_git_directory() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.git(&r, &["checkout", "-q", "--detach"]);
    assert_root(&bed, &r, &r);
    assert_eq!(find(&bed, &r.join(".git/objects"), &[]).root, r);
    bed.git(&r, &["worktree", "add", "-q", "../wt"]);
    let inside = find(&bed, &r.join(".git/worktrees/wt"), &[]);
    assert_eq!((inside.root, inside.is_worktree), (r, true));
    let unborn = bed.dir("unborn");
    bed.git(&unborn, &["init", "-q"]);
    assert_root(&bed, &unborn, &unborn);
}

#[test]
fn other_formats_of_repositories() {
    let bed = Bed::new();
    for format in ["--ref-format=reftable", "--object-format=sha256"] {
        let name = format.rsplit('=').next().unwrap();
        let dir = bed.dir(name);
        if bed.git_with(&dir, &["init", "-q", format], &[]).is_none() {
            continue; // An older git.
        }
        bed.git(&dir, &["commit", "-q", "--allow-empty", "-m", "x"]);
        bed.git(
            &dir,
            &["remote", "add", "origin", "https://example.org/a/b"],
        );
        bed.git(&dir, &["config", "extensions.worktreeConfig", "true"]);
        let worktree = format!("../{name}-wt");
        bed.git(&dir, &["worktree", "add", "-q", &worktree]);
        assert_root(&bed, &dir, &dir);
        assert_root(&bed, &bed.path(&format!("{name}-wt")), &dir);
        let found = project::find(&dir, &environment(&[])).unwrap();
        assert_eq!(project::identity(&found).remotes, ["example.org/a/b"]);
    }
}

#[test]
fn no_repository_at_all() {
    let bed = Bed::new();
    let dir = bed.dir("plain/sub");
    assert_root(&bed, &dir, &dir);
    bed.dir("plain/.git");
    assert_root(&bed, &dir, &dir);
}

#[test]
fn ceilings_are_not_searched() {
    let bed = Bed::new();
    let r = bed.repository("r");
    let sub = bed.dir("r/a/b");
    let ceiling = |path: &Path| path.to_str().unwrap().to_owned();
    for (stop, root) in [
        (&r, &sub),
        (&r.join("a"), &sub),
        (&bed.path("."), &r),
        (&sub, &r),
    ] {
        let found = find(&bed, &sub, &[("GIT_CEILING_DIRECTORIES", &ceiling(stop))]);
        assert_eq!(&found.root, root, "ceiling {}", stop.display());
    }
}

#[test]
fn git_dir_and_git_work_tree() {
    let bed = Bed::new();
    let (r, other) = (bed.repository("r"), bed.repository("other"));
    let plain = bed.dir("plain");
    let git_dir = r.join(".git");
    let git_dir = git_dir.to_str().unwrap();
    for dir in [&plain, &other, &r] {
        assert_eq!(find(&bed, dir, &[("GIT_DIR", git_dir)]).root, r);
    }
    assert_eq!(find(&bed, &r, &[("GIT_DIR", ".git")]).root, r);
    let work_tree = plain.to_str().unwrap();
    let found = find(
        &bed,
        &plain,
        &[("GIT_DIR", git_dir), ("GIT_WORK_TREE", work_tree)],
    );
    assert_eq!((found.root, found.workdir), (r.clone(), plain.clone()));
    bed.git(&r, &["worktree", "add", "-q", "../wt"]);
    let linked = r.join(".git/worktrees/wt");
    let found = find(&bed, &plain, &[("GIT_DIR", linked.to_str().unwrap())]);
    assert_eq!((found.root, found.workdir), (r.clone(), bed.path("wt")));
    bed.git(&r, &["clone", "-q", "--bare", ".", "../dotfiles"]);
    let dotfiles = bed.path("dotfiles");
    let dotfiles = dotfiles.to_str().unwrap();
    let found = find(
        &bed,
        &plain,
        &[("GIT_DIR", dotfiles), ("GIT_WORK_TREE", work_tree)],
    );
    assert_eq!(found.root, plain);
}

#[test]
fn a_directory_that_is_gone_is_an_error() {
    use mem_core::{Diagnose as _, ErrorKind};
    let bed = Bed::new();
    let gone = bed.path("gone");
    let error = project::find(&gone, &environment(&[])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("does not exist"), "{error}");
    let file = bed.file("file", "");
    assert!(project::find(&file, &environment(&[])).is_err());
}

#[test]
fn a_repository_of_another_user() {
    let bed = Bed::new();
    let r = bed.repository("r");
    let chown = |path: &Path| std::os::unix::fs::chown(path, Some(54_321), Some(54_321)).is_ok();
    let _ = fs::remove_dir_all(r.join(".git/hooks"));
    if ![r.join(".git/config"), r.join(".git"), r.clone()]
        .iter()
        .all(|path| chown(path))
    {
        return; // Only root may give files away.
    }
    assert_eq!(
        bed.git_with(&r, &["rev-parse", "--git-dir"], &[]),
        None,
        "git guards this"
    );
    let found = project::find(&r, &environment(&[])).unwrap();
    assert_eq!(
        (found.git_common_dir.clone(), found.warnings.len()),
        (Some(r.join(".git")), 0)
    );
    assert_eq!(project::identity(&found).root_commits.len(), 1);
}
