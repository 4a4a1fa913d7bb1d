//! A history that is damaged or gone keeps nobody from saving, and loses as little as can be.

use std::fs;
use std::path::PathBuf;

use mem_core::store::{OpenGate, Redaction, StoreError};

use super::directory::{Directory, at, directory, order, path};

/// Two notes, one of them renamed, so that its id cannot be derived from its path.
fn lived_in() -> Directory {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n"), ("b.md", "two\n")]);
    dir.store
        .write::<_, StoreError>(&order("rename", 1), &OpenGate, |draft| {
            draft.rename(&path("a.md"), &path("c.md"))
        })
        .unwrap();
    dir
}

fn set_aside(dir: &Directory) -> Vec<String> {
    let entries = fs::read_dir(&dir.store.places().state).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.contains("damaged")).collect();
    names.sort();
    names
}

/// A name, and what it does to the folder of a history.
type Damage = (&'static str, fn(PathBuf));

/// Every way to break a history that people have found.
fn ways_to_break() -> Vec<Damage> {
    vec![
        ("gone", |place| fs::remove_dir_all(place).unwrap()),
        ("a file", |place| {
            fs::remove_dir_all(&place).unwrap();
            fs::write(place, "x").unwrap();
        }),
        ("no objects", |place| {
            fs::remove_dir_all(place.join("objects")).unwrap();
            fs::create_dir(place.join("objects")).unwrap();
        }),
        ("empty", |place| {
            fs::remove_dir_all(&place).unwrap();
            fs::create_dir(place).unwrap();
        }),
        ("broken settings", |place| {
            fs::write(place.join("config"), "[broken").unwrap();
        }),
        ("broken reference", |place| {
            fs::write(place.join("refs/heads/main"), "zzz\n").unwrap();
        }),
        ("a reference to nothing", |place| {
            let nothing = "1111111111111111111111111111111111111111\n";
            fs::write(place.join("refs/heads/main"), nothing).unwrap();
        }),
    ]
}

#[test]
fn a_damaged_history_is_told_again_from_the_journal() {
    for (way, break_it) in ways_to_break() {
        let dir = lived_in();
        let before = dir.changes();
        let ids = [path("b.md"), path("c.md")].map(|path| note_of(&dir, &path));
        break_it(dir.store.places().history());
        let written = dir.put(2, &[("new.md", "three\n")]);
        // The journal knows which commit is the newest: nothing is lost, nothing is to be said.
        let is_harmless = way == "a reference to nothing";
        assert_eq!(written.warnings.is_empty(), is_harmless, "{way}");
        let after = dir.changes();
        assert_eq!(after[1..], before[..], "{way}");
        assert_eq!(
            [path("b.md"), path("c.md")].map(|path| note_of(&dir, &path)),
            ids,
            "{way}"
        );
        let kept = usize::from(way != "gone" && !is_harmless);
        assert_eq!(set_aside(&dir).len(), kept, "{way}");
        assert!(dir.put(3, &[("new.md", "4\n")]).warnings.is_empty());
    }
}

fn note_of(dir: &Directory, path: &mem_core::MemoryPath) -> mem_core::history::NoteId {
    dir.store.snapshot().unwrap().note_id(path)
}

#[test]
fn without_a_journal_files_keep_their_ids_and_ages() {
    for (way, break_it) in ways_to_break() {
        let dir = lived_in();
        let id = note_of(&dir, &path("c.md"));
        // As after a checkpoint: the journal no longer goes back to the beginning.
        dir.store.collect_garbage(None, at(2)).unwrap();
        break_it(dir.store.places().history());
        dir.put(50, &[("new.md", "three\n")]);
        let changes = dir.changes();
        let verbs: Vec<&str> = changes.iter().map(|change| change.verb.as_str()).collect();
        assert_eq!(verbs, ["save", "foreign"], "{way}");
        let snapshot = dir.store.snapshot().unwrap();
        let entry = snapshot.catalog().get(&path("c.md")).unwrap();
        assert_eq!((&entry.note, entry.content_time), (&id, at(0).0), "{way}");
        assert_eq!(dir.read("c.md"), "one\n");
    }
}

#[test]
fn damage_that_shows_while_writing_is_mended_too() {
    let dir = lived_in();
    dir.store.collect_garbage(None, at(2)).unwrap();
    dir.put(3, &[("team/x.md", "x\n")]);
    let history = dir.store.places().history();
    // The reference is fine; what it names cannot be read.
    for entry in fs::read_dir(history.join("objects")).unwrap() {
        let folder = entry.unwrap().path();
        if folder.file_name().unwrap().len() == 2 {
            fs::remove_dir_all(folder).unwrap();
        }
    }
    let written = dir.put(4, &[("new.md", "three\n")]);
    assert_eq!(written.warnings.len(), 1, "{:?}", written.warnings);
    assert_eq!(dir.names(), ["b.md", "c.md", "new.md", "team"]);
}

#[test]
fn the_lock_of_a_killed_git_does_not_block() {
    let dir = lived_in();
    let reference = dir.store.places().history().join("refs/heads/main.lock");
    fs::write(&reference, "").unwrap();
    let written = dir.put(2, &[("new.md", "three\n")]);
    assert!(written.warnings.is_empty(), "{:?}", written.warnings);
    assert_eq!(dir.changes().len(), 3);
}

#[test]
fn a_redaction_reaches_what_was_set_aside_and_what_a_kill_left() {
    let dir = lived_in();
    fs::write(dir.store.places().history().join("config"), "[broken").unwrap();
    dir.put(2, &[("new.md", "a private word\n")]);
    fs::create_dir(dir.store.places().state.join("history.git.new")).unwrap();
    assert_eq!(set_aside(&dir).len(), 1);
    let text = Redaction::Text("private word".to_owned());
    dir.store.redact_files(&order("redact", 3), &text).unwrap();
    dir.store.redact_history(&text, at(3)).unwrap();
    assert!(set_aside(&dir).is_empty());
    assert!(!dir.store.places().state.join("history.git.new").exists());
}
