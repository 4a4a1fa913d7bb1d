//! Repositories that moved, were cloned again or were keyed otherwise find their memories.

use std::path::Path;

use mem_core::location::{self, ProjectContext};
use mem_core::registry::{self, AdoptionCandidate, CandidateReason};
use mem_core::{Now, alias_dirs, project};

use crate::bed::{Bed, environment};

fn now() -> Now {
    Now("2026-11-20T12:00:00Z".parse().unwrap())
}

fn open(bed: &Bed, dir: &Path) -> ProjectContext {
    location::open(dir, &bed.dirs(), &environment(&[]), &[]).unwrap()
}

/// Gives the project at `dir` a note and records it.
fn settle(bed: &Bed, dir: &Path) -> ProjectContext {
    let place = open(bed, dir);
    note(&place.location.memory_dir);
    let identity = project::identity(&place.project);
    registry::record(&bed.dirs(), &place.location, &identity, now()).unwrap();
    place
}

fn note(memory_dir: &Path) {
    std::fs::create_dir_all(memory_dir).unwrap();
    std::fs::write(memory_dir.join("project_x.md"), "x").unwrap();
}

fn candidates(bed: &Bed, dir: &Path) -> Vec<AdoptionCandidate> {
    let place = open(bed, dir);
    let identity = project::identity(&place.project);
    registry::candidates(&bed.dirs(), &place.project, &place.location, &identity)
}

/// The repository's first commit must be its own: same-second twins would share the id.
fn repository(bed: &Bed, name: &str) -> std::path::PathBuf {
    let path = bed.dir(name);
    bed.git(&path, &["init", "-q"]);
    bed.git(&path, &["commit", "-q", "--allow-empty", "-m", name]);
    path
}

#[test]
fn a_moved_repository_finds_its_memory() {
    let bed = Bed::new();
    let old = settle(&bed, &repository(&bed, "old"));
    settle(&bed, &repository(&bed, "unrelated"));
    assert_eq!(candidates(&bed, &bed.path("old")), []);
    std::fs::rename(bed.path("old"), bed.path("new")).unwrap();
    let found = candidates(&bed, &bed.path("new"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].why, &found[0].slug),
        (CandidateReason::Moved, &old.location.slug)
    );
    assert!(found[0].exists && !found[0].root_exists);
}

#[test]
fn clones_are_known_by_commit_or_remote() {
    let bed = Bed::new();
    let r = repository(&bed, "r");
    bed.git(
        &r,
        &["remote", "add", "origin", "https://example.org/a/b.git"],
    );
    settle(&bed, &r);
    bed.git(&r, &["clone", "-q", ".", "../clone"]);
    let found = candidates(&bed, &bed.path("clone"));
    assert_eq!(
        (found.len(), found[0].why, found[0].root_exists),
        (1, CandidateReason::Cloned, true)
    );
    let rewritten = repository(&bed, "rewritten");
    bed.git(&rewritten, &["remote", "add", "up", "git@example.org:A/B"]);
    assert_eq!(
        candidates(&bed, &rewritten)[0].why,
        CandidateReason::SameRemote
    );
}

#[test]
fn twins_are_found_by_looking() {
    let bed = Bed::new();
    let r = repository(&bed, "my_repo");
    bed.git(&r, &["worktree", "add", "-q", "../wt"]);
    let sub = bed.dir("my_repo/deep/sub");
    let projects = bed.path("home/.claude/projects");
    let dash = |path: &Path, keep: &str| {
        let dashed = |c: char| !c.is_ascii_alphanumeric() && !keep.contains(c);
        path.to_str().unwrap().replace(dashed, "-")
    };
    let slugs = [dash(&r, "_"), dash(&bed.path("wt"), ""), dash(&sub, "")];
    for slug in &slugs {
        note(&projects.join(slug).join("memory"));
    }
    let place = open(&bed, &sub);
    let mut found = alias_dirs::find(&place.project, &place.location, &bed.dirs());
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
    assert_eq!(candidates(&bed, &sub).len(), 3);
}

#[test]
fn a_twin_of_any_subdirectory_is_known_from_its_transcripts() {
    let bed = Bed::new();
    let r = repository(&bed, "r");
    for (name, is_same_name) in [("r/sub", true), ("r-sibling", false), ("r/nested", false)] {
        let dir = bed.dir(name);
        if name == "r/nested" {
            bed.git(&dir, &["init", "-q"]);
        }
        let slug = dir
            .to_str()
            .unwrap()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let project = format!("home/.claude/projects/{slug}");
        let record = serde_json::json!({ "type": "user", "cwd": dir }).to_string();
        bed.file(&format!("{project}/s.jsonl"), &record);
        note(&bed.path(&project).join("memory"));
        let found = candidates(&bed, &r);
        let found = found.iter().find(|candidate| candidate.slug == slug);
        assert_eq!(
            found.map(|found| found.why),
            is_same_name.then_some(CandidateReason::Subdirectory),
            "{name}"
        );
    }
}

#[test]
fn nothing_is_written_twice_a_day_and_damage_is_set_aside() {
    let bed = Bed::new();
    let r = repository(&bed, "r");
    settle(&bed, &r);
    let file = bed.path("home/.local/state/mem/registry.json");
    let before = std::fs::metadata(&file).unwrap().modified().unwrap();
    settle(&bed, &r);
    assert_eq!(
        std::fs::metadata(&file).unwrap().modified().unwrap(),
        before
    );
    std::fs::write(&file, "{ damaged").unwrap();
    assert!(registry::read(&bed.dirs()).1.is_some());
    let place = open(&bed, &r);
    let identity = project::identity(&place.project);
    let warning = registry::record(&bed.dirs(), &place.location, &identity, now()).unwrap();
    assert!(warning.unwrap().contains("damaged-1"));
    let aside = std::fs::read_to_string(file.with_extension("damaged-1")).unwrap();
    assert_eq!(aside, "{ damaged");
    let record = registry::get(&bed.dirs(), &place.location.memory_dir).unwrap();
    assert_eq!(
        (record.root_commits, record.last_seen.as_str()),
        (identity.root_commits, "2026-11-20")
    );
    assert!(registry::forget(&bed.dirs(), &place.location.memory_dir).unwrap());
}

#[test]
fn writers_at_once_lose_nothing() {
    let bed = Bed::new();
    let place = open(&bed, &bed.dir("plain"));
    std::thread::scope(|scope| {
        for number in 0..16 {
            let (bed, mut location) = (&bed, place.location.clone());
            scope.spawn(move || {
                location.memory_dir = bed.path(&format!("m{number}"));
                let identity = project::Identity::default();
                registry::record(&bed.dirs(), &location, &identity, now()).unwrap();
            });
        }
    });
    assert_eq!(registry::read(&bed.dirs()).0.len(), 16);
}
