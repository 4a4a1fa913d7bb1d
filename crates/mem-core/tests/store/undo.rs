//! Undo and old versions.

use mem_core::store::{OpenGate, Undo, UndoError};

use super::directory::{at, directory, order, path};

#[test]
fn undo_takes_the_last_change_back_whole_and_then_the_one_before() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n"), ("MEMORY.md", "- a\n")]);
    dir.put(1, &[("b.md", "two\n"), ("MEMORY.md", "- a\n- b\n")]);
    dir.store
        .undo(&order("undo", 2), &OpenGate, &Undo::Last(1))
        .unwrap();
    assert_eq!(dir.names(), ["MEMORY.md", "a.md"]);
    assert_eq!(dir.read("MEMORY.md"), "- a\n");
    dir.store
        .undo(&order("undo", 3), &OpenGate, &Undo::Last(1))
        .unwrap();
    assert_eq!(dir.names(), Vec::<String>::new());
    let nothing = dir.store.undo(&order("undo", 4), &OpenGate, &Undo::Last(1));
    assert!(matches!(nothing, Err(UndoError::Nothing)));
}

#[test]
fn an_undo_can_be_undone_by_its_id() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let undo = dir
        .store
        .undo(&order("undo", 1), &OpenGate, &Undo::Last(1))
        .unwrap()
        .change
        .unwrap();
    let id = undo.id.as_str().to_owned();
    dir.store
        .undo(&order("undo", 2), &OpenGate, &Undo::Change(id))
        .unwrap();
    assert_eq!(dir.read("a.md"), "one\n");
    dir.store
        .undo(&order("undo", 3), &OpenGate, &Undo::Last(1))
        .unwrap();
    assert_eq!(
        dir.names(),
        Vec::<String>::new(),
        "the first change counts again"
    );
}

#[test]
fn later_foreign_edits_of_other_lines_stay() {
    let dir = directory();
    dir.put(0, &[("a.md", "1\n2\n3\n4\n5\n6\n")]);
    dir.put(1, &[("a.md", "1\n2\n3\n4\n5\nsix\n")]);
    dir.write_foreign("a.md", "one\n2\n3\n4\n5\nsix\n");
    dir.store
        .undo(&order("undo", 2), &OpenGate, &Undo::Last(1))
        .unwrap();
    assert_eq!(dir.read("a.md"), "one\n2\n3\n4\n5\n6\n");
}

#[test]
fn the_first_change_is_undone_by_itself_though_the_index_has_grown() {
    let dir = directory();
    let (one, two) = ("- [One](one.md) — 1\n", "- [Two](two.md) — 2\n");
    let head = "# Memory\n\n";
    let begun = format!("{head}{one}");
    let made = dir.put(0, &[("MEMORY.md", begun.as_str()), ("one.md", "1\n")]);
    let grown = format!("{begun}{two}");
    dir.put(1, &[("MEMORY.md", grown.as_str()), ("two.md", "2\n")]);
    let first = Undo::Change(made.change.unwrap().id.as_str().to_owned());
    dir.store
        .undo(&order("undo", 2), &OpenGate, &first)
        .unwrap();
    assert_eq!(dir.read("MEMORY.md"), format!("{head}{two}"));
    assert_eq!(dir.names(), ["MEMORY.md", "two.md"]);
}

#[test]
fn a_later_foreign_edit_of_the_same_lines_is_a_conflict() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    dir.put(1, &[("a.md", "two\n")]);
    dir.write_foreign("a.md", "three\n");
    let error = dir
        .store
        .undo(&order("undo", 2), &OpenGate, &Undo::Last(1))
        .unwrap_err();
    let UndoError::Overtaken { now, wanted, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(
        (now.as_slice(), wanted.as_slice()),
        (&b"three\n"[..], &b"one\n"[..])
    );
    assert_eq!(dir.read("a.md"), "three\n");
}

#[test]
fn what_vanished_comes_back_with_its_id_and_age() {
    let dir = directory();
    let made = dir
        .put(0, &[("team/a.md", "a\n"), ("team/b.md", "b\n")])
        .change
        .unwrap();
    std::fs::remove_dir_all(dir.root.join("team")).unwrap();
    dir.store
        .undo(&order("undo", 9), &OpenGate, &Undo::LastOfAnyone(1))
        .unwrap();
    assert_eq!(dir.read("team/a.md"), "a\n");
    let locked = dir.store.observe(at(10)).unwrap().unwrap();
    let entry = locked.catalog().get(&path("team/a.md")).unwrap();
    assert_eq!(
        (&entry.note, entry.content_time),
        (&made.versions[0].note, made.time)
    );
}

#[test]
fn a_rename_is_undone_with_its_id() {
    let dir = directory();
    let made = dir.put(0, &[("a.md", "one\n")]).change.unwrap();
    let rename = |draft: &mut mem_core::store::WriteTransaction<'_>| {
        draft.rename(&path("a.md"), &path("b.md"))
    };
    dir.store
        .write(&order("rename", 1), &OpenGate, rename)
        .unwrap();
    dir.store
        .undo(&order("undo", 2), &OpenGate, &Undo::Last(1))
        .unwrap();
    assert_eq!(dir.names(), ["a.md"]);
    let snapshot = dir.store.snapshot().unwrap();
    assert_eq!(snapshot.note_id(&path("a.md")), made.versions[0].note);
}

#[test]
fn any_version_can_be_read_again() {
    let dir = directory();
    let first = dir.put(0, &[("a.md", "one\n")]).change.unwrap();
    dir.put(1, &[("a.md", "two\n")]);
    let locked = dir.store.observe(at(2)).unwrap().unwrap();
    let history = locked.history();
    let note = history.note_at("a").unwrap().unwrap();
    let text = |revision: Option<&str>| history.revision(&note, revision, None).unwrap().bytes;
    assert_eq!(text(None), b"two\n");
    assert_eq!(text(Some("1")), b"one\n");
    assert_eq!(text(Some(first.versions[0].id.as_str())), b"one\n");
    assert_eq!(text(Some(&first.id.as_str()[..12])), b"one\n");
    assert!(history.revision(&note, Some("7"), None).is_err());
}

#[test]
fn what_the_history_lost_is_no_reason_to_remove_what_stands_here() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    dir.put(1, &[("a.md", "two\n")]);
    let db = rusqlite::Connection::open(dir.store.places().history().join("history.db")).unwrap();
    db.execute_batch(
        "DELETE FROM files WHERE sequence = 1;
         CREATE TRIGGER t AFTER INSERT ON changes BEGIN DELETE FROM files; END;",
    )
    .unwrap();
    let locked = dir.store.observe(at(2)).unwrap().unwrap();
    assert!(!locked.history().verify().unwrap().broken.is_empty());
    drop(locked);
    let undo = dir.store.undo(&order("undo", 3), &OpenGate, &Undo::Last(1));
    assert!(undo.is_err());
    assert_eq!(dir.read("a.md"), "two\n");
    // A trigger that somebody planted does not run.
    dir.put(4, &[("b.md", "b\n")]);
    let rows: i64 = db
        .query_row("SELECT count(*) FROM files", (), |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 2);
}
