//! Repositories that moved, were cloned again or were keyed otherwise find their memories.

use std::path::Path;

use mem_core::location::{self, ProjectContext};
use mem_core::registry::{self, AdoptionCandidate, CandidateReason};
use mem_core::{Now, alias_dirs, project};

use crate::fixture::{Fixture, environment};

fn now() -> Now {
    Now("2026-11-20T12:00:00Z".parse().unwrap())
}

fn open(fixture: &Fixture, dir: &Path) -> ProjectContext {
    location::open(dir, &fixture.dirs(), &environment(&[]), &[]).unwrap()
}

/// Gives the project at `dir` a note and records it.
fn settle(fixture: &Fixture, dir: &Path) -> ProjectContext {
    let place = open(fixture, dir);
    note(&place.location.memory_dir);
    let identity = project::identity(&place.project);
    registry::record(&fixture.dirs(), &place.location, &identity, now()).unwrap();
    place
}

fn note(memory_dir: &Path) {
    std::fs::create_dir_all(memory_dir).unwrap();
    std::fs::write(memory_dir.join("project_x.md"), "x").unwrap();
}

fn candidates(fixture: &Fixture, dir: &Path) -> Vec<AdoptionCandidate> {
    let place = open(fixture, dir);
    let identity = project::identity(&place.project);
    registry::candidates(&fixture.dirs(), &place.project, &place.location, &identity)
}

/// The repository's first commit must be its own: same-second twins would share the id.
fn repository(fixture: &Fixture, name: &str) -> std::path::PathBuf {
    let path = fixture.dir(name);
    fixture.git(&path, &["init", "-q"]);
    fixture.git(&path, &["commit", "-q", "--allow-empty", "-m", name]);
    path
}

#[test]
fn a_moved_repository_finds_its_memory() {
    let fixture = Fixture::new();
    let old = settle(&fixture, &repository(&fixture, "old"));
    settle(&fixture, &repository(&fixture, "unrelated"));
    assert_eq!(candidates(&fixture, &fixture.path("old")), []);
    std::fs::rename(fixture.path("old"), fixture.path("new")).unwrap();
    let found = candidates(&fixture, &fixture.path("new"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].why, &found[0].slug),
        (CandidateReason::Moved, &old.location.slug)
    );
    assert!(found[0].exists && !found[0].root_exists);
}

#[test]
fn clones_are_known_by_commit_or_remote() {
    let fixture = Fixture::new();
    let r = repository(&fixture, "r");
    fixture.git(
        &r,
        &["remote", "add", "origin", "https://example.org/a/b.git"],
    );
    settle(&fixture, &r);
    fixture.git(&r, &["clone", "-q", ".", "../clone"]);
    let found = candidates(&fixture, &fixture.path("clone"));
    assert_eq!(
        (found.len(), found[0].why, found[0].root_exists),
        (1, CandidateReason::Cloned, true)
    );
    let rewritten = repository(&fixture, "rewritten");
    fixture.git(&rewritten, &["remote", "add", "up", "git@example.org:A/B"]);
    assert_eq!(
        candidates(&fixture, &rewritten)[0].why,
        CandidateReason::SameRemote
    );
}

#[test]
fn twins_are_found_by_looking() {
    let fixture = Fixture::new();
    let r = repository(&fixture, "my_repo");
    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    let sub = fixture.dir("my_repo/deep/sub");
    let projects = fixture.path("home/.claude/projects");
    let dash = |path: &Path, keep: &str| {
        let dashed = |c: char| !c.is_ascii_alphanumeric() && !keep.contains(c);
        path.to_str().unwrap().replace(dashed, "-")
    };
    let slugs = [dash(&r, "_"), dash(&fixture.path("wt"), ""), dash(&sub, "")];
    for slug in &slugs {
        note(&projects.join(slug).join("memory"));
    }
    let place = open(&fixture, &sub);
    let mut found = alias_dirs::find(&place.project, &place.location, &fixture.dirs());
    found.sort_by_key(|twin| twin.kind);
    let found: Vec<_> = found
        .iter()
        .map(|twin| (twin.kind.as_str(), &twin.slug))
        .collect();
    let want = [
        ("worktree", &slugs[1]),
        ("subdirectory", &slugs[2]),
        ("spelling", &slugs[0]),
    ];
    assert_eq!(found, want);
    assert_eq!(candidates(&fixture, &sub).len(), 3);
}

#[test]
fn a_twin_of_any_subdirectory_is_known_from_its_transcripts() {
    let fixture = Fixture::new();
    let r = repository(&fixture, "r");
    for (name, is_same_name) in [("r/sub", true), ("r-sibling", false), ("r/nested", false)] {
        let dir = fixture.dir(name);
        if name == "r/nested" {
            fixture.git(&dir, &["init", "-q"]);
        }
        let slug = dir
            .to_str()
            .unwrap()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let project = format!("home/.claude/projects/{slug}");
        let record = serde_json::json!({ "type": "user", "cwd": dir }).to_string();
        fixture.file(&format!("{project}/s.jsonl"), &record);
        note(&fixture.path(&project).join("memory"));
        let found = candidates(&fixture, &r);
        let found = found.iter().find(|candidate| candidate.slug == slug);
        assert_eq!(
            found.map(|found| found.why),
            is_same_name.then_some(CandidateReason::Subdirectory),
            "{name}"
        );
    }
}

#[test]
fn a_folder_without_a_repository_has_no_claim_to_projects_below_it() {
    let fixture = Fixture::new();
    let outer = fixture.dir("outer");
    let inner = fixture.dir("outer/inner");
    let slug = settle(&fixture, &inner).location.slug;
    let record = serde_json::json!({ "type": "user", "cwd": inner }).to_string();
    fixture.file(&format!("home/.claude/projects/{slug}/s.jsonl"), &record);
    assert_eq!(candidates(&fixture, &outer), []);
    fixture.git(&outer, &["init", "-q"]);
    let found = candidates(&fixture, &outer);
    assert_eq!(found[0].why, CandidateReason::Subdirectory);
}

#[test]
fn nothing_is_written_twice_a_day_and_damage_is_set_aside() {
    let fixture = Fixture::new();
    let r = repository(&fixture, "r");
    settle(&fixture, &r);
    let file = fixture.path("home/.local/state/mem/registry.json");
    let before = std::fs::metadata(&file).unwrap().modified().unwrap();
    settle(&fixture, &r);
    assert_eq!(
        std::fs::metadata(&file).unwrap().modified().unwrap(),
        before
    );
    std::fs::write(&file, "{ damaged").unwrap();
    assert!(registry::read(&fixture.dirs()).1.is_some());
    let place = open(&fixture, &r);
    let identity = project::identity(&place.project);
    let warning = registry::record(&fixture.dirs(), &place.location, &identity, now()).unwrap();
    assert!(warning.unwrap().contains("damaged-1"));
    let aside = std::fs::read_to_string(file.with_extension("damaged-1")).unwrap();
    assert_eq!(aside, "{ damaged");
    let record = registry::get(&fixture.dirs(), &place.location.memory_dir).unwrap();
    assert_eq!(
        (record.root_commits, record.last_seen.as_str()),
        (identity.root_commits, "2026-11-20")
    );
    assert!(registry::forget(&fixture.dirs(), &place.location.memory_dir).unwrap());
}

#[test]
fn another_repository_at_the_same_path_is_warned_of_until_it_is_recorded() {
    let fixture = Fixture::new();
    let path = repository(&fixture, "app");
    let warning = || registry::replaced_repository_warning(&fixture.dirs(), &open(&fixture, &path));
    settle(&fixture, &path);
    fixture.git(&path, &["commit", "-q", "--allow-empty", "-m", "second"]);
    assert_eq!(warning(), None);
    std::fs::rename(&path, fixture.path("elsewhere")).unwrap();
    fixture.dir("app");
    assert_eq!(warning(), None, "a folder without a repository");
    fixture.git(&path, &["init", "-q"]);
    fixture.git(&path, &["commit", "-q", "--allow-empty", "-m", "other"]);
    let text = warning().unwrap();
    assert!(text.contains("another first commit"), "{text}");
    settle(&fixture, &path);
    assert_eq!(warning(), None);
    let url = "https://git.example.org/acme/app.git";
    fixture.git(&path, &["remote", "add", "origin", url]);
    settle(&fixture, &path);
    std::fs::remove_dir_all(path.join(".git")).unwrap();
    fixture.git(&path, &["init", "-q"]);
    fixture.git(&path, &["commit", "-q", "--allow-empty", "-m", "third"]);
    assert!(warning().is_some());
    fixture.git(&path, &["remote", "add", "origin", url]);
    assert_eq!(warning(), None, "the same remote");
}

#[test]
fn an_amended_first_commit_and_a_shallow_clone_are_the_same_repository() {
    let fixture = Fixture::new();
    let path = repository(&fixture, "app");
    let warning = || registry::replaced_repository_warning(&fixture.dirs(), &open(&fixture, &path));
    settle(&fixture, &path);
    let amend = ["commit", "-q", "--amend", "--allow-empty", "-m", "amended"];
    fixture.git(&path, &amend);
    assert_eq!(warning(), None);
    fixture.git(&path, &["commit", "-q", "--allow-empty", "-m", "second"]);
    let clone = fixture.path("shallow");
    let source = format!("file://{}", path.display());
    let target = clone.to_string_lossy();
    fixture.git(&path, &["clone", "-q", "--depth", "1", &source, &target]);
    fixture.git(&clone, &["remote", "remove", "origin"]);
    std::fs::remove_dir_all(&path).unwrap();
    std::fs::rename(&clone, &path).unwrap();
    assert_eq!(
        warning(),
        None,
        "the first commit of a shallow clone is unknown"
    );
}

#[test]
fn writers_at_once_lose_nothing() {
    let fixture = Fixture::new();
    let place = open(&fixture, &fixture.dir("plain"));
    std::thread::scope(|scope| {
        for number in 0..16 {
            let (fixture, mut location) = (&fixture, place.location.clone());
            scope.spawn(move || {
                location.memory_dir = fixture.path(&format!("m{number}"));
                let identity = project::Identity::default();
                registry::record(&fixture.dirs(), &location, &identity, now()).unwrap();
            });
        }
    });
    assert_eq!(registry::read(&fixture.dirs()).0.len(), 16);
}
