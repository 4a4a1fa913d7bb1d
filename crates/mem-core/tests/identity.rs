//! What stays the same when a repository moves.

use mem_core::project::{self, Identity, Project};

use crate::bed::{Bed, environment};

fn identity(dir: &std::path::Path) -> Identity {
    let found: Project = project::find(dir, &environment(&[])).unwrap();
    project::identity(&found)
}

#[test]
fn clones_moves_and_worktrees_are_known_again() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.git(&r, &["commit", "-q", "--allow-empty", "-m", "second"]);
    bed.git(
        &r,
        &["remote", "add", "origin", "git@github.com:Owner/Repo.git"],
    );
    let root = bed.git(&r, &["rev-list", "--max-parents=0", "HEAD"]);
    let ours = identity(&r);
    assert_eq!(ours.root_commits, [root]);
    assert_eq!(ours.remotes, ["github.com/owner/repo"]);

    bed.git(&r, &["worktree", "add", "-q", "../wt"]);
    assert_eq!(identity(&bed.path("wt")), ours);
    bed.git(&r, &["clone", "-q", ".", "../clone"]);
    assert_eq!(identity(&bed.path("clone")).root_commits, ours.root_commits);
    bed.git(&r, &["clone", "-q", "--shared", ".", "../shared"]);
    assert_eq!(
        identity(&bed.path("shared")).root_commits,
        ours.root_commits
    );
    bed.git(&r, &["gc", "-q"]);
    bed.git(&r, &["pack-refs", "--all"]);
    assert_eq!(identity(&r), ours);
    std::fs::rename(&r, bed.path("moved")).unwrap();
    assert_eq!(identity(&bed.path("moved")), ours);
}

#[test]
fn what_cannot_be_known_is_left_out() {
    let bed = Bed::new();
    let unborn = bed.dir("unborn");
    bed.git(&unborn, &["init", "-q"]);
    assert!(identity(&unborn).is_empty());
    assert!(identity(&bed.dir("plain")).is_empty());

    let r = bed.repository("r");
    bed.git(&r, &["commit", "-q", "--allow-empty", "-m", "second"]);
    let url = format!("file://{}", r.display());
    bed.git(&r, &["clone", "-q", "--depth", "1", &url, "../shallow"]);
    let shallow = identity(&bed.path("shallow"));
    assert_eq!(shallow.root_commits, Vec::<String>::new());
    assert_eq!(shallow.remotes, [format!("file:{}", r.display())]);
}
