//! Old versions brought back, and dry runs that write nothing.

use mem_core::store::{OpenGate, RestoreError, Undo};

use super::directory::{Directory, at, directory, order, path};

const INDEX: &str = "# Mine\n- [A](a.md) — hook\n- [Data](data.md) — other\n";

fn removed() -> (Directory, mem_core::history::NoteId) {
    let dir = directory();
    let made = dir.put(0, &[("a.md", "one\n"), ("MEMORY.md", INDEX)]);
    let note = made.change.unwrap().versions[1].note.clone();
    dir.put(5, &[("a.md", "two\n")]);
    std::fs::remove_file(dir.root.join("a.md")).unwrap();
    dir.write_foreign("MEMORY.md", "# Mine\n- [Data](data.md) — other\n");
    (dir, note)
}

#[test]
fn a_removed_note_returns_with_id_age_and_pointer() {
    let (dir, note) = removed();
    let back = dir
        .store
        .restore(&order("restore", 9), &OpenGate, &note, None);
    assert_eq!(back.unwrap().value.pointer, Some(path("MEMORY.md")));
    assert_eq!(dir.read("a.md"), "two\n");
    let index = "# Mine\n- [Data](data.md) — other\n- [A](a.md) — hook\n";
    assert_eq!(dir.read("MEMORY.md"), index);
    let snapshot = dir.store.snapshot().unwrap();
    let entry = snapshot.catalog().get(&path("a.md")).unwrap();
    assert_eq!((&entry.note, entry.content_time), (&note, at(5).0));
    dir.store
        .restore(&order("restore", 10), &OpenGate, &note, Some("3"))
        .unwrap();
    assert_eq!(dir.read("a.md"), "one\n");
    assert_eq!(dir.read("MEMORY.md"), index, "one pointer is enough");
}

#[test]
fn a_place_that_another_note_took_is_left_alone() {
    let (dir, note) = removed();
    dir.store.observe(at(6)).unwrap();
    dir.write_foreign("a.md", "another\n");
    let error = dir
        .store
        .restore(&order("restore", 9), &OpenGate, &note, None);
    assert!(matches!(error, Err(RestoreError::Taken(_))), "{error:?}");
    assert_eq!(dir.read("a.md"), "another\n");
}

#[test]
fn a_dry_run_says_what_would_be_written_and_writes_nothing() {
    let (dir, note) = removed();
    let (restored, planned) = dir.store.preview_restore(at(9), &note, None).unwrap();
    assert_eq!(restored.path, path("a.md"));
    let planned: Vec<_> = planned.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(planned, ["MEMORY.md", "a.md"]);
    let (changes, planned) = dir
        .store
        .preview_undo(at(9), &Undo::LastOfAnyone(1))
        .unwrap();
    assert_eq!((changes.len(), planned.len()), (1, 2));
    assert_eq!(dir.names(), ["MEMORY.md"]);
}
