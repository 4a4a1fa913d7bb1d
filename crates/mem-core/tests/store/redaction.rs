//! Removing content from every change of the history, and bounding it.

use mem_core::config::HistoryRetention;
use mem_core::store::{OpenGate, Redaction, StoreError, Undo, UndoError};

use super::directory::{Directory, at, directory, order, path};

/// Every byte below the state directory, for a search that does not trust our own. Contents may lie in pieces on
/// pages of the database, and are read out as well.
fn state_contains(dir: &Directory, needle: &str) -> bool {
    let holds = |bytes: &[u8]| memchr::memmem::find(bytes, needle.as_bytes()).is_some();
    let folder = dir.store.places().history();
    let db = rusqlite::Connection::open(folder.join("history.db")).unwrap();
    let mut query = db
        .prepare("SELECT bytes FROM contents UNION ALL SELECT record FROM changes")
        .unwrap();
    let rows = query.query_map((), |row| row.get::<_, Vec<u8>>(0)).unwrap();
    let is_in_rows = rows.into_iter().any(|row| holds(&row.unwrap()));
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let mut files = files.chain([dir.store.places().catalog()]);
    is_in_rows || files.any(|file| holds(&std::fs::read(file).unwrap_or_default()))
}

#[test]
fn a_text_is_gone_from_every_byte_and_the_record_stays() {
    let dir = directory();
    let needle = ["correct", "horse"].join("-");
    dir.put(
        0,
        &[("a.md", &format!("password {needle}\n")), ("b.md", "b\n")],
    );
    dir.put(1, &[("a.md", "password gone\n")]);
    assert!(state_contains(&dir, &needle));
    let proof = dir
        .store
        .redact_history(&Redaction::Text(needle.clone()), at(2))
        .unwrap();
    assert_eq!((proof.changes, proof.rewritten), (2, 1));
    assert!(!state_contains(&dir, &needle));
    let changes = dir.changes();
    assert_eq!(changes.len(), 2, "who and when stay");
    let version = &changes[1].versions[0];
    assert!(version.redacted && version.sha256.is_none() && version.size.is_none());
    assert_eq!(dir.read("b.md"), "b\n");
    dir.put(3, &[("c.md", "c\n")]);
    assert_eq!(dir.changes().len(), 3, "the history goes on");
}

#[test]
fn a_note_is_gone_with_what_the_index_said_of_it() {
    let dir = directory();
    let change = dir.put(
        0,
        &[
            ("a.md", "private\n"),
            ("MEMORY.md", "- [A](a.md) — my secret\n"),
        ],
    );
    let note = change.change.unwrap().versions[1].note.clone();
    dir.store
        .write::<_, StoreError>(&order("redact", 1), &OpenGate, |draft| {
            draft.remove(&path("a.md"))?;
            draft.put(&path("MEMORY.md"), b"".to_vec())
        })
        .unwrap();
    dir.store
        .redact_history(&Redaction::Note(note), at(2))
        .unwrap();
    assert!(!state_contains(&dir, "private") && !state_contains(&dir, "my secret"));
    assert_eq!(dir.changes().len(), 2);
}

#[test]
fn a_bounded_history_keeps_the_newest_changes_and_every_id() {
    let dir = directory();
    let first = dir.put(0, &[("a.md", "one\n")]).change.unwrap();
    for n in 1..10 {
        dir.put(n, &[("b.md", &format!("{n}\n"))]);
    }
    let keep = HistoryRetention::Changes(3);
    let cleanup = dir.store.collect_garbage(keep, at(20)).unwrap();
    assert_eq!(cleanup.proof.changes, 3);
    assert_eq!(dir.changes().len(), 3);
    std::fs::remove_file(dir.store.places().catalog()).unwrap();
    let locked = dir.store.observe(at(21)).unwrap().unwrap();
    assert!(
        locked.external_change().is_none(),
        "nothing looks foreign: {:?}",
        locked.external_change()
    );
    let entry = locked.catalog().get(&path("a.md")).unwrap();
    assert_eq!(
        (&entry.note, entry.content_time),
        (&first.versions[0].note, first.time)
    );
}

#[test]
fn a_history_that_begins_with_a_rename_has_no_file_of_the_old_name() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n"), ("b.md", "two\n")]);
    dir.store
        .write::<_, StoreError>(&order("rename", 1), &OpenGate, |draft| {
            draft.rename(&path("a.md"), &path("c.md"))
        })
        .unwrap();
    let keep = HistoryRetention::Changes(1);
    dir.store.collect_garbage(keep, at(2)).unwrap();
    let [base] = &dir.changes()[..] else {
        panic!("one change is kept");
    };
    let mut names: Vec<&str> = base.versions.iter().map(|one| one.path.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["b.md", "c.md"]);
    let locked = dir.store.observe(at(3)).unwrap().unwrap();
    assert!(locked.history().verify().unwrap().broken.is_empty());
}

#[test]
fn packing_loses_nothing() {
    let dir = directory();
    for n in 0..20 {
        dir.put(n, &[("a.md", &format!("version {n}\n"))]);
    }
    let before = dir.changes();
    dir.store
        .collect_garbage(HistoryRetention::Everything, at(30))
        .unwrap();
    assert_eq!(dir.changes(), before);
    let locked = dir.store.observe(at(31)).unwrap().unwrap();
    let note = locked.history().note_at("a.md").unwrap().unwrap();
    let oldest = locked.history().revision(&note, Some("19"), None).unwrap();
    assert_eq!(oldest.bytes, b"version 0\n");
}

#[test]
fn the_first_change_that_is_kept_cannot_be_taken_back() {
    let dir = directory();
    dir.put(0, &[("a.md", "a\n")]);
    dir.put(1, &[("b.md", "b\n")]);
    let base = dir.put(2, &[("c.md", "c\n")]).change.unwrap();
    dir.store
        .collect_garbage(HistoryRetention::Changes(1), at(3))
        .unwrap();
    let undo = |which| dir.store.undo(&order("undo", 4), &OpenGate, &which);
    assert!(matches!(undo(Undo::Last(1)), Err(UndoError::Nothing)));
    let id = base.id.to_string();
    assert!(matches!(undo(Undo::Change(id)), Err(UndoError::TooOld(_))));
    assert_eq!(dir.names(), ["a.md", "b.md", "c.md"]);
}

#[test]
fn files_are_cleaned_and_another_file_of_the_same_content_is_counted() {
    let dir = directory();
    let index = "- [A](a.md) x\n- [Data](data.md) y\n";
    let files = [
        ("a.md", "same\n"),
        ("data.md", "same\n"),
        ("MEMORY.md", index),
    ];
    let made = dir.put(0, &files).change.unwrap();
    let note = Redaction::Note(made.versions[1].note.clone());
    let planned = dir.store.plan_redaction(at(1), &note).unwrap();
    assert_eq!(planned.files.len(), 2);
    dir.store.redact_files(&order("redact", 1), &note).unwrap();
    assert_eq!(dir.read("MEMORY.md"), "- [Data](data.md) y\n");
    assert_eq!(dir.names(), ["MEMORY.md", "data.md"]);
    let proof = dir.store.redact_history(&note, at(2)).unwrap();
    assert_eq!(proof.hits, 1, "data.md says the same");
}

#[test]
fn the_size_and_the_young_changes_can_be_told() {
    let dir = directory();
    for n in 0..5 {
        dir.put(n, &[("a.md", &format!("version {n}\n"))]);
    }
    let locked = dir.store.observe(at(6)).unwrap().unwrap();
    assert_eq!(locked.history().changes_since(at(3).0).unwrap(), 2);
    assert_eq!(locked.history().changes_since(at(9).0).unwrap(), 0);
    let before = locked.history().size_bytes().unwrap();
    drop(locked);
    dir.store
        .collect_garbage(HistoryRetention::Changes(1), at(7))
        .unwrap();
    let locked = dir.store.observe(at(8)).unwrap().unwrap();
    assert!(locked.history().size_bytes().unwrap() < before);
}

#[test]
fn a_history_that_has_grown_is_due_for_a_cleanup_and_then_not() {
    let dir = directory();
    let history = dir.store.places().history();
    let due = || mem_core::history::History::is_due_for_cleanup(&history);
    assert!(!due());
    for n in 0..3 {
        let large = format!("{n}{}", "x".repeat(5_000_000));
        dir.put(n, &[("a.md", &large)]);
    }
    assert!(due());
    dir.store
        .collect_garbage(HistoryRetention::Changes(1), at(4))
        .unwrap();
    assert!(!due());
    assert_eq!(dir.changes().len(), 1);
}
