//! What stays the same when a repository moves.

use mem_core::project::{self, Identity, Project};

use crate::fixture::{Fixture, environment};

fn identity(dir: &std::path::Path) -> Identity {
    let found: Project = project::find(dir, &environment(&[])).unwrap();
    project::identity(&found)
}

#[test]
fn clones_moves_and_worktrees_are_known_again() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.git(&r, &["commit", "-q", "--allow-empty", "-m", "second"]);
    fixture.git(
        &r,
        &["remote", "add", "origin", "git@github.com:Owner/Repo.git"],
    );
    let root = fixture.git(&r, &["rev-list", "--max-parents=0", "HEAD"]);
    let ours = identity(&r);
    assert_eq!(ours.root_commits, [root]);
    assert_eq!(ours.remotes, ["github.com/owner/repo"]);

    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    assert_eq!(identity(&fixture.path("wt")), ours);
    fixture.git(&r, &["clone", "-q", ".", "../clone"]);
    assert_eq!(
        identity(&fixture.path("clone")).root_commits,
        ours.root_commits
    );
    fixture.git(&r, &["clone", "-q", "--shared", ".", "../shared"]);
    assert_eq!(
        identity(&fixture.path("shared")).root_commits,
        ours.root_commits
    );
    fixture.git(&r, &["gc", "-q"]);
    fixture.git(&r, &["pack-refs", "--all"]);
    assert_eq!(identity(&r), ours);
    std::fs::rename(&r, fixture.path("moved")).unwrap();
    assert_eq!(identity(&fixture.path("moved")), ours);
}

#[test]
fn what_cannot_be_known_is_left_out() {
    let fixture = Fixture::new();
    let unborn = fixture.dir("unborn");
    fixture.git(&unborn, &["init", "-q"]);
    assert!(identity(&unborn).is_empty());
    assert!(identity(&fixture.dir("plain")).is_empty());

    let r = fixture.repository("r");
    fixture.git(&r, &["commit", "-q", "--allow-empty", "-m", "second"]);
    let url = format!("file://{}", r.display());
    fixture.git(&r, &["clone", "-q", "--depth", "1", &url, "../shallow"]);
    let shallow = identity(&fixture.path("shallow"));
    assert_eq!(shallow.root_commits, Vec::<String>::new());
    assert_eq!(shallow.remotes, [format!("file:{}", r.display())]);
}
