//! Planted `.git` files: git follows them, discovery must not.

use std::path::Path;

use mem_core::host_settings::is_tracked;
use mem_core::location;
use mem_core::project::{self, Project};

use crate::fixture::{Fixture, environment};

fn find(dir: &Path, variables: &[(&str, &str)]) -> Project {
    project::find(dir, &environment(variables)).unwrap()
}

fn assert_refused(fixture: &Fixture, dir: &Path) {
    assert!(
        fixture
            .git_with(dir, &["rev-parse", "--git-common-dir"], &[])
            .is_some(),
        "git itself follows it"
    );
    let found = find(dir, &[]);
    assert_eq!(found.root, dir);
    assert_eq!(found.git_common_dir, None);
    assert!(found.is_refused() && !found.is_worktree);
    let warning = found.warnings.join("\n");
    assert!(
        warning.contains(dir.join(".git").to_str().unwrap()),
        "{warning}"
    );
    assert!(project::identity(&found).is_empty());
}

/// A made-up git directory that names the victim as its common directory.
fn plant(fixture: &Fixture, fake: &str) {
    let victim = fixture.repository("victim");
    fixture.file(&format!("{fake}/HEAD"), "ref: refs/heads/main\n");
    fixture.file(
        &format!("{fake}/commondir"),
        &format!("{}\n", victim.join(".git").display()),
    );
    let evil = fixture.dir("evil");
    fixture.file(
        "evil/.git",
        &format!("gitdir: {}\n", fixture.path(fake).display()),
    );
    fixture.file(
        &format!("{fake}/gitdir"),
        &format!("{}\n", evil.join(".git").display()),
    );
}

#[test]
fn a_fake_git_directory_borrows_nothing() {
    let fixture = Fixture::new();
    plant(&fixture, "fake");
    assert_refused(&fixture, &fixture.path("evil"));
    assert_eq!(
        find(&fixture.dir("evil/sub"), &[]).root,
        fixture.path("evil")
    );
}

#[test]
fn a_fake_git_directory_in_a_folder_called_worktrees_borrows_nothing() {
    let fixture = Fixture::new();
    plant(&fixture, "fake/worktrees/x");
    assert_refused(&fixture, &fixture.path("evil"));
}

#[test]
fn the_place_of_a_real_worktree_cannot_be_taken() {
    let fixture = Fixture::new();
    let victim = fixture.repository("victim");
    fixture.git(&victim, &["worktree", "add", "-q", "../real"]);
    let evil = fixture.dir("evil");
    std::fs::copy(fixture.path("real/.git"), evil.join(".git")).unwrap();
    assert_refused(&fixture, &evil);
    assert_eq!(find(&fixture.path("real"), &[]).root, victim);
}

#[test]
fn a_worktree_moved_by_hand_is_told_how_to_repair_it() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    std::fs::rename(fixture.path("wt"), fixture.path("moved")).unwrap();
    let found = find(&fixture.path("moved"), &[]);
    assert!(
        found.warnings[0].contains("git worktree repair"),
        "{:?}",
        found.warnings
    );
    fixture.git(&r, &["worktree", "repair", "../moved"]);
    assert_eq!(find(&fixture.path("moved"), &[]).root, r);
}

#[test]
fn a_link_straight_to_the_victim_is_refused() {
    let fixture = Fixture::new();
    let victim = fixture.repository("victim");
    fixture.git(&victim, &["clone", "-q", "--bare", ".", "../bare.git"]);
    fixture.git(&victim, &["init", "-q", "../inner"]);
    fixture.git(
        &fixture.path("inner"),
        &["commit", "-q", "--allow-empty", "-m", "x"],
    );
    fixture.git(&victim, &["submodule", "add", "-q", "../inner", "sub"]);
    for target in [
        victim.join(".git"),
        victim.join(".git/modules/sub"),
        fixture.path("bare.git"),
    ] {
        let evil = fixture.dir("evil");
        fixture.file("evil/.git", &format!("gitdir: {}\n", target.display()));
        assert_refused(&fixture, &evil);
    }
    assert!(!find(&victim.join("sub"), &[]).is_refused());
}

#[cfg(unix)]
#[test]
fn pipes_in_the_place_of_files_keep_nobody_waiting() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.dir("r/.claude");
    for (file, is_repository) in [
        (".claude/settings.json", true),
        (".git/config", false),
        (".git/index", false),
        (".git/HEAD", false),
    ] {
        let path = r.join(file);
        let _ = std::fs::remove_file(&path);
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let place = location::open(&r, &fixture.dirs(), &environment(&[]), &[]).unwrap();
        assert_eq!(place.project.git_dir.is_some(), is_repository, "{file}");
        project::identity(&place.project);
        is_tracked(&place.project, &r.join(".claude/settings.json"));
    }
}

#[test]
fn a_planted_core_worktree_does_not_lend_the_victims_root() {
    let fixture = Fixture::new();
    let victim = fixture.repository("victim");
    let evil = fixture.dir("evil");
    fixture.git(&evil, &["init", "-q", "--separate-git-dir", "../data"]);
    fixture.git(&evil, &["commit", "-q", "--allow-empty", "-m", "x"]);
    fixture.git(&evil, &["worktree", "add", "-q", "../evil-wt"]);
    fixture.git(
        &fixture.path("data"),
        &["config", "core.worktree", victim.to_str().unwrap()],
    );
    assert_eq!(
        find(&fixture.path("evil-wt"), &[]).root,
        fixture.path("data")
    );
}

#[test]
fn a_hook_in_a_planted_folder_is_refused_too() {
    let fixture = Fixture::new();
    plant(&fixture, "fake");
    let evil = fixture.path("evil");
    let fake = fixture.path("fake");
    let found = find(&evil, &[("GIT_DIR", fake.to_str().unwrap())]);
    assert_eq!(found.root, evil);
    assert!(found.is_refused());
}

#[test]
fn a_commondir_in_an_ordinary_git_directory_changes_nothing_but_warns() {
    let fixture = Fixture::new();
    let victim = fixture.repository("victim");
    let evil = fixture.repository("evil");
    fixture.file(
        "evil/.git/commondir",
        &format!("{}\n", victim.join(".git").display()),
    );
    let found = find(&evil, &[]);
    assert_eq!((found.root, found.warnings.len()), (evil, 1));
}

#[test]
fn broken_links_stand_for_themselves() {
    let fixture = Fixture::new();
    let outer = fixture.repository("outer");
    for content in [
        "",
        "nonsense",
        "gitdir: /nowhere\n",
        "gitdir: \n",
        "gitdir: .\n",
    ] {
        let dir = fixture.dir("outer/broken");
        fixture.file("outer/broken/.git", content);
        assert_eq!(
            fixture.git_with(&dir, &["rev-parse", "--git-dir"], &[]),
            None,
            "{content:?}"
        );
        let found = find(&dir, &[]);
        assert_eq!(
            (&found.root, found.warnings.len()),
            (&dir, 1),
            "{content:?}"
        );
    }
    assert_eq!(find(&outer, &[]).root, outer);
    let found = find(&outer, &[("GIT_DIR", "/nowhere")]);
    assert!(
        found.warnings[0].contains("GIT_DIR"),
        "{:?}",
        found.warnings
    );
}
