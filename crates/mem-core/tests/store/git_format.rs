//! A home of the version before, whose history is a bare git repository, is taken over whole.
//!
//! The fixture was written by that version: seven changes by hand and by command, a clean-up after the fourth, the
//! history of another directory, and a journal of what came later. `history.txt` is what it told of them.

use std::fs;
use std::path::Path;
use std::process::Command;

use mem_core::store::{OpenGate, Undo};

use super::directory::{Directory, at, directory, order};

/// A directory as that version left it, and its history in that version's words.
fn earlier() -> (Directory, String) {
    let dir = directory();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/git-history.tar");
    let place = dir.dirs.home.clone().unwrap().join("fixture");
    fs::create_dir_all(&place).unwrap();
    let mut tar = Command::new("tar");
    let unpacked = tar.arg("-xf").arg(fixture).current_dir(&place).status();
    assert!(unpacked.unwrap().success());
    let state = &dir.store.places().state;
    for (from, to) in [("state", state), ("memory", &dir.root)] {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(place.join(from), to).unwrap();
    }
    let told = fs::read_to_string(place.join("history.txt")).unwrap();
    (dir, told)
}

/// The history in the same words, without a look at the files.
fn told(dir: &Directory) -> String {
    let history = dir.store.open_history().unwrap().unwrap();
    let mut lines = Vec::new();
    for entry in history.entries().unwrap() {
        let change = &entry.change;
        let mut words = vec![format!("{} {} {}", change.id, change.verb, change.time)];
        for version in &change.versions {
            let digest = version.sha256.map(|sha256| sha256.to_string());
            let digest = digest.as_ref().map_or("-", |digest| &digest[..12]);
            let (id, note, path) = (&version.id, &version.note, &version.path);
            words.push(format!("{id}:{note}:{path}:{digest}"));
            let content = history.content(entry.sequence, path).unwrap();
            let content = content.map(|bytes| mem_core::history::Sha256::digest(&bytes));
            assert_eq!(content, version.sha256, "{path} of {}", change.id);
        }
        lines.push(words.join(" ") + "\n");
    }
    assert_eq!(history.verify().unwrap().broken, Vec::<String>::new());
    lines.concat()
}

#[test]
fn every_change_and_content_is_taken_over_by_whoever_reads_first() {
    let (dir, expected) = earlier();
    assert_eq!(told(&dir), expected);
    let state = &dir.store.places().state;
    assert!(!state.join("history.git").exists() && !state.join("journal").exists());
    let locked = dir.store.observe(at(1)).unwrap().unwrap();
    assert!(
        locked.external_change().is_none(),
        "{:?}",
        locked.external_change()
    );
    drop(locked);
    let undo = Undo::Last(1);
    let undone = dir.store.undo(&order("undo", 2), &OpenGate, &undo).unwrap();
    assert_eq!(undone.value[0].verb, "save");
    assert!(!dir.root.join("project_epsilon.md").exists());
}

#[test]
fn a_change_that_was_under_way_is_finished_and_others_are_read_from_the_journal() {
    let (dir, expected) = earlier();
    let git = dir.store.places().state.join("history.git");
    // As if killed between two renames: the reference is where it was before.
    let parent = Command::new("git")
        .arg("--git-dir")
        .arg(&git)
        .args(["rev-parse", "main~1"])
        .output();
    fs::write(git.join("refs/heads/main"), parent.unwrap().stdout).unwrap();
    fs::remove_file(dir.root.join("project_epsilon.md")).unwrap();
    assert_eq!(told(&dir), expected);
    assert!(dir.read("project_epsilon.md").contains("The last one."));
}

#[test]
fn a_takeover_that_was_killed_is_made_again_or_ended() {
    let (dir, expected) = earlier();
    let state = &dir.store.places().state;
    fs::create_dir_all(state.join("history.new/half")).unwrap();
    let git = state.join("history.git");
    let copy = Command::new("cp")
        .arg("-r")
        .arg(&git)
        .arg(state.join("copy"))
        .status();
    assert!(copy.unwrap().success());
    assert_eq!(told(&dir), expected);
    // The new one was in its place, and the old one not gone yet.
    fs::rename(state.join("copy"), &git).unwrap();
    drop(dir.store.observe(at(1)).unwrap());
    assert!(!git.exists());
    assert_eq!(told(&dir), expected);
}

#[test]
fn of_a_damaged_repository_all_that_can_be_read_is_taken_over() {
    let (dir, expected) = earlier();
    let state = &dir.store.places().state;
    let git = state.join("history.git");
    let blob = git_says(&git, &["rev-parse", "main~1^2:project_omega.md"]);
    damage_object(&git, &blob);
    let written = dir.put(1, &[("new.md", "new\n")]);
    assert_eq!(written.warnings.len(), 1);
    assert!(
        written.warnings[0].contains("11 changes, and 2 parts"),
        "{:?}",
        written.warnings
    );
    assert!(state.join("history.damaged-1/objects").is_dir());
    assert_eq!(dir.changes().len(), expected.lines().count() + 1);
    let history = dir.store.open_history().unwrap().unwrap();
    let broken = history.verify().unwrap().broken;
    assert!(
        broken.iter().all(|one| one.contains("project_omega.md")),
        "{broken:?}"
    );
}

fn git_says(git: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    let said = command.arg("--git-dir").arg(git).args(args).output();
    String::from_utf8(said.unwrap().stdout)
        .unwrap()
        .trim()
        .to_owned()
}

/// Cuts an object short, which may be packed.
fn damage_object(git: &Path, id: &str) {
    for pack in fs::read_dir(git.join("objects/pack")).unwrap().flatten() {
        if pack.path().extension().is_some_and(|end| end == "pack") {
            let aside = git.join("aside.pack");
            fs::rename(pack.path(), &aside).unwrap();
            let input = fs::File::open(&aside).unwrap();
            let mut unpack = Command::new("git");
            unpack
                .arg("--git-dir")
                .arg(git)
                .args(["unpack-objects", "-q"]);
            assert!(unpack.stdin(input).status().unwrap().success());
            fs::remove_file(aside).unwrap();
        }
    }
    for index in fs::read_dir(git.join("objects/pack")).unwrap().flatten() {
        fs::remove_file(index.path()).unwrap();
    }
    let object = git.join("objects").join(&id[..2]).join(&id[2..]);
    fs::remove_file(&object).unwrap();
    fs::write(object, "").unwrap();
}

#[test]
fn what_a_power_failure_took_is_told_again_from_the_journal() {
    let (dir, expected) = earlier();
    let git = dir.store.places().state.join("history.git");
    let tree = git_says(&git, &["rev-parse", "main^{tree}"]);
    damage_object(&git, &tree);
    assert_eq!(told(&dir), expected);
    // So it is where the reference is gone.
    let (dir, expected) = earlier();
    fs::remove_file(dir.store.places().state.join("history.git/refs/heads/main")).unwrap();
    assert_eq!(told(&dir), expected);
}

#[test]
fn what_a_process_of_the_version_before_records_later_is_taken_over_too() {
    let (dir, expected) = earlier();
    let git = dir.store.places().state.join("history.git");
    let aside = dir.store.places().state.join("copy");
    let copy = Command::new("cp").arg("-r").arg(&git).arg(&aside).status();
    assert!(copy.unwrap().success());
    // The first ten were taken over; then the old process writes the eleventh.
    let newest = git_says(&git, &["rev-parse", "main"]);
    let before = git_says(&git, &["rev-parse", "main~1"]);
    fs::write(git.join("refs/heads/main"), before).unwrap();
    fs::remove_file(dir.store.places().state.join("journal")).unwrap();
    assert_eq!(told(&dir).lines().count(), expected.lines().count() - 1);
    fs::rename(aside, &git).unwrap();
    fs::write(git.join("refs/heads/main"), newest).unwrap();
    drop(dir.store.observe(at(1)).unwrap());
    assert!(!git.exists());
    let verbs: Vec<String> = dir
        .changes()
        .into_iter()
        .map(|change| change.verb)
        .collect();
    assert_eq!(verbs.iter().filter(|verb| *verb == "save").count(), 7);
}

#[test]
fn of_a_repository_that_cannot_be_read_at_all_the_journal_is_kept() {
    let (dir, expected) = earlier();
    let state = &dir.store.places().state;
    fs::remove_dir_all(state.join("history.git/objects")).unwrap();
    let written = dir.put(1, &[("new.md", "new\n")]);
    assert_eq!(written.warnings.len(), 1);
    assert!(state.join("history.damaged-1").is_dir());
    assert!(state.join("history.damaged-1.journal").is_file());
    let verbs: Vec<String> = dir
        .changes()
        .into_iter()
        .map(|change| change.verb)
        .collect();
    assert_eq!(verbs, ["save", "foreign", "save"]);
    // Known by the catalog.
    let history = dir.store.open_history().unwrap().unwrap();
    let note = history.note_at("project_gamma.md").unwrap().unwrap();
    assert!(expected.contains(&format!(":{note}:project_gamma.md:")));
}
