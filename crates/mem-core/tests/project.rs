//! Discovery beside the real git, for every layout that git itself makes.

use std::fs;
use std::path::{Path, PathBuf};

use mem_core::project::{self, Project};

use crate::fixture::{Fixture, environment};

/// Finds the project and compares with what git says about the same directory.
fn find(fixture: &Fixture, dir: &Path, variables: &[(&str, &str)]) -> Project {
    let found = project::find(dir, &environment(variables)).unwrap();
    for (flag, ours) in [
        ("--git-common-dir", &found.git_common_dir),
        ("--absolute-git-dir", &found.git_dir),
    ] {
        let arguments = ["rev-parse", "--path-format=absolute", flag];
        let theirs = fixture
            .git_with(dir, &arguments, variables)
            .map(PathBuf::from);
        assert_eq!(ours, &theirs, "{flag} in {}", dir.display());
    }
    found
}

fn assert_root(fixture: &Fixture, dir: &Path, root: &Path) -> Project {
    let found = find(fixture, dir, &[]);
    assert_eq!(found.root, root, "root of {}", dir.display());
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
    if let Some(top) = fixture.git_with(dir, &["rev-parse", "--show-toplevel"], &[]) {
        assert_eq!(found.workdir, Path::new(&top), "top of {}", dir.display());
    }
    found
}

#[test]
fn main_checkout_and_subdirectory() {
    let fixture = Fixture::new();
    let r = fixture.repository("my_repo.x");
    let sub = fixture.dir("my_repo.x/sub/dir");
    assert!(!assert_root(&fixture, &r, &r).is_worktree);
    assert_root(&fixture, &sub, &r);
}

#[test]
fn linked_worktrees_share_the_main_root() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    fixture.git(&r, &["worktree", "add", "-q", ".worktrees/inner"]);
    for dir in [
        fixture.path("wt"),
        fixture.dir("wt/sub"),
        r.join(".worktrees/inner"),
    ] {
        assert!(assert_root(&fixture, &dir, &r).is_worktree);
    }
    fixture.git(&r, &["worktree", "move", "../wt", "../moved"]);
    assert_root(&fixture, &fixture.path("moved"), &r);
    assert_eq!(
        project::linked_worktrees(&r.join(".git")),
        [fixture.path("moved"), r.join(".worktrees/inner")]
    );
}

#[test]
fn worktrees_with_relative_paths() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    fixture.file("wt/.git", "gitdir: ../r/.git/worktrees/wt\n");
    fixture.file("r/.git/worktrees/wt/gitdir", "../../../../wt/.git\n");
    assert!(assert_root(&fixture, &fixture.path("wt"), &r).is_worktree);
}

#[test]
fn bare_repository_and_its_worktrees() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.git(&r, &["clone", "-q", "--bare", ".", "../b.git"]);
    let bare = fixture.path("b.git");
    fixture.git(&bare, &["worktree", "add", "-q", "../wt", "main"]);
    for dir in [
        &bare,
        &bare.join("refs/heads"),
        &fixture.path("wt"),
        &fixture.dir("wt/x"),
    ] {
        assert_root(&fixture, dir, &bare);
    }
}

#[test]
fn a_hidden_bare_repository_is_one_project_with_its_worktrees() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    for (folder, name) in [("p", ".bare"), ("q", ".git")] {
        fixture.dir(folder);
        let bare = fixture.path(folder).join(name);
        fixture.git(&r, &["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
        fixture.git(&bare, &["worktree", "add", "-q", "../main", "main"]);
    }
    fixture.file("p/.git", "gitdir: ./.bare\n");
    for dir in ["p", "p/main"] {
        let found = find(&fixture, &fixture.path(dir), &[]);
        assert_eq!(found.root, fixture.path("p/.bare"), "{dir}");
    }
    for dir in ["q", "q/main"] {
        assert_eq!(
            find(&fixture, &fixture.path(dir), &[]).root,
            fixture.path("q"),
            "{dir}"
        );
    }
}

#[test]
fn symbolic_links_do_not_matter() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.dir("r/sub");
    std::os::unix::fs::symlink(&r, fixture.path("link")).unwrap();
    std::os::unix::fs::symlink(r.join("sub"), fixture.path("inner")).unwrap();
    assert_root(&fixture, &fixture.path("link/sub"), &r);
    assert_root(&fixture, &fixture.path("inner"), &r);
}

#[test]
fn a_symbolic_link_called_dot_git_belongs_to_its_folder() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    let w = fixture.dir("w");
    std::os::unix::fs::symlink(r.join(".git"), w.join(".git")).unwrap();
    assert_root(&fixture, &w, &w);
}

#[test]
fn submodules_nested_repositories_and_their_worktrees() {
    let fixture = Fixture::new();
    let inner = fixture.repository("inner");
    let outer = fixture.repository("outer");
    fixture.git(
        &outer,
        &[
            "submodule",
            "--quiet",
            "add",
            inner.to_str().unwrap(),
            "sub",
        ],
    );
    fixture.git(&outer, &["commit", "-q", "-m", "sub"]);
    let nested = fixture.repository("outer/nested");
    assert_root(&fixture, &outer.join("sub"), &outer.join("sub"));
    assert_root(&fixture, &nested, &nested);
    fixture.git(
        &outer.join("sub"),
        &["worktree", "add", "-q", "../../sub-wt"],
    );
    assert_root(&fixture, &fixture.path("sub-wt"), &outer.join("sub"));
    fixture.git(&outer, &["worktree", "add", "-q", "../outer-wt"]);
    let deep = fixture.path("outer-wt");
    fixture.git(&deep, &["submodule", "--quiet", "update", "--init"]);
    assert_root(&fixture, &deep.join("sub"), &deep.join("sub"));
    assert_root(&fixture, &deep, &outer);
}

#[test]
fn a_separate_git_directory() {
    let fixture = Fixture::new();
    let w = fixture.dir("w");
    fixture.git(&w, &["init", "-q", "--separate-git-dir", "../data"]);
    assert_root(&fixture, &w, &w);
}

#[test]
fn core_worktree_does_not_move_the_root() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    let elsewhere = fixture.dir("elsewhere");
    fixture.git(
        &r,
        &["config", "core.worktree", elsewhere.to_str().unwrap()],
    );
    assert_eq!(find(&fixture, &r, &[]).root, r);
}

#[test]
fn a_home_that_is_a_repository() {
    let fixture = Fixture::new();
    let home = fixture.repository("home");
    let dir = fixture.dir("home/projects/x");
    assert_root(&fixture, &dir, &home);
}

#[test]
fn detached_head_unborn_branch_and_inside_the_git_directory() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.git(&r, &["checkout", "-q", "--detach"]);
    assert_root(&fixture, &r, &r);
    assert_eq!(find(&fixture, &r.join(".git/objects"), &[]).root, r);
    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    let inside = find(&fixture, &r.join(".git/worktrees/wt"), &[]);
    assert_eq!((inside.root, inside.is_worktree), (r, true));
    let unborn = fixture.dir("unborn");
    fixture.git(&unborn, &["init", "-q"]);
    assert_root(&fixture, &unborn, &unborn);
}

#[test]
fn other_formats_of_repositories() {
    let fixture = Fixture::new();
    for format in ["--ref-format=reftable", "--object-format=sha256"] {
        let name = format.rsplit('=').next().unwrap();
        let dir = fixture.dir(name);
        if fixture
            .git_with(&dir, &["init", "-q", format], &[])
            .is_none()
        {
            continue; // An older git.
        }
        fixture.git(&dir, &["commit", "-q", "--allow-empty", "-m", "x"]);
        fixture.git(
            &dir,
            &["remote", "add", "origin", "https://example.org/a/b"],
        );
        fixture.git(&dir, &["config", "extensions.worktreeConfig", "true"]);
        let worktree = format!("../{name}-wt");
        fixture.git(&dir, &["worktree", "add", "-q", &worktree]);
        assert_root(&fixture, &dir, &dir);
        assert_root(&fixture, &fixture.path(&format!("{name}-wt")), &dir);
        let found = project::find(&dir, &environment(&[])).unwrap();
        assert_eq!(project::identity(&found).remotes, ["example.org/a/b"]);
    }
}

#[test]
fn no_repository_at_all() {
    let fixture = Fixture::new();
    let dir = fixture.dir("plain/sub");
    assert_root(&fixture, &dir, &dir);
    fixture.dir("plain/.git");
    assert_root(&fixture, &dir, &dir);
}

#[test]
fn ceilings_are_not_searched() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    let sub = fixture.dir("r/a/b");
    let ceiling = |path: &Path| path.to_str().unwrap().to_owned();
    for (stop, root) in [
        (&r, &sub),
        (&r.join("a"), &sub),
        (&fixture.path("."), &r),
        (&sub, &r),
    ] {
        let found = find(
            &fixture,
            &sub,
            &[("GIT_CEILING_DIRECTORIES", &ceiling(stop))],
        );
        assert_eq!(&found.root, root, "ceiling {}", stop.display());
    }
}

#[test]
fn git_dir_and_git_work_tree() {
    let fixture = Fixture::new();
    let (r, other) = (fixture.repository("r"), fixture.repository("other"));
    let plain = fixture.dir("plain");
    let git_dir = r.join(".git");
    let git_dir = git_dir.to_str().unwrap();
    for dir in [&plain, &other, &r] {
        assert_eq!(find(&fixture, dir, &[("GIT_DIR", git_dir)]).root, r);
    }
    assert_eq!(find(&fixture, &r, &[("GIT_DIR", ".git")]).root, r);
    let work_tree = plain.to_str().unwrap();
    let found = find(
        &fixture,
        &plain,
        &[("GIT_DIR", git_dir), ("GIT_WORK_TREE", work_tree)],
    );
    assert_eq!((found.root, found.workdir), (r.clone(), plain.clone()));
    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    let linked = r.join(".git/worktrees/wt");
    let found = find(&fixture, &plain, &[("GIT_DIR", linked.to_str().unwrap())]);
    assert_eq!((found.root, found.workdir), (r.clone(), fixture.path("wt")));
    fixture.git(&r, &["clone", "-q", "--bare", ".", "../dotfiles"]);
    let dotfiles = fixture.path("dotfiles");
    let dotfiles = dotfiles.to_str().unwrap();
    let found = find(
        &fixture,
        &plain,
        &[("GIT_DIR", dotfiles), ("GIT_WORK_TREE", work_tree)],
    );
    assert_eq!(found.root, plain);
}

#[test]
fn a_directory_that_is_gone_is_an_error() {
    use mem_core::{Diagnose as _, ErrorKind};
    let fixture = Fixture::new();
    let gone = fixture.path("gone");
    let error = project::find(&gone, &environment(&[])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("does not exist"), "{error}");
    let file = fixture.file("file", "");
    assert!(project::find(&file, &environment(&[])).is_err());
}

#[test]
fn a_repository_of_another_user() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    let chown = |path: &Path| std::os::unix::fs::chown(path, Some(54_321), Some(54_321)).is_ok();
    let _ = fs::remove_dir_all(r.join(".git/hooks"));
    if ![r.join(".git/config"), r.join(".git"), r.clone()]
        .iter()
        .all(|path| chown(path))
    {
        return; // Only root may give files away.
    }
    assert_eq!(
        fixture.git_with(&r, &["rev-parse", "--git-dir"], &[]),
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
