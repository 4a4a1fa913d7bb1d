//! What a version rested on: recorded with it, carried along with it, gone with it.

use mem_core::config::HistoryRetention;
use mem_core::history::CitationSnapshot;
use mem_core::store::{
    GateRefusal, GatedFile, Redaction, StoreError, Undo, WriteGate, WriteTransaction,
};

use super::directory::{Directory, at, directory, order, path};

/// Says that whatever is written rests on `src/<first word>.rs`.
struct Citing;

impl WriteGate for Citing {
    fn check(&self, _: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
        Ok(Vec::new())
    }

    fn cited(&self, proposal: &GatedFile<'_>) -> CitationSnapshot {
        let text = String::from_utf8_lossy(proposal.bytes);
        let word = text.split_whitespace().next().unwrap_or_default();
        cited(word)
    }
}

fn cited(word: &str) -> CitationSnapshot {
    let id = format!("{:040x}", word.len());
    CitationSnapshot::new([(format!("src/{word}.rs"), id)])
}

fn put(dir: &Directory, minutes: i64, name: &str, text: &str) {
    write(dir, "save", minutes, |draft| {
        draft.put(&path(name), text.into())
    });
}

fn write(
    dir: &Directory,
    verb: &'static str,
    minutes: i64,
    plan: impl FnMut(&mut WriteTransaction<'_>) -> Result<(), StoreError>,
) {
    dir.store
        .write(&order(verb, minutes), &Citing, plan)
        .unwrap();
}

/// What the note at a path rests on, by the catalog, and by the history alone.
#[track_caller]
fn rests_on(dir: &Directory, name: &str) -> CitationSnapshot {
    let known = || {
        let snapshot = dir.store.snapshot().unwrap();
        let (bytes, _) = snapshot.read(&path(name)).unwrap().unwrap();
        snapshot.cited(&path(name), &bytes)
    };
    dir.store.observe(at(9_000)).unwrap();
    let by_catalog = known();
    std::fs::remove_file(dir.store.places().catalog()).unwrap();
    put(
        dir,
        9_001,
        "other.md",
        &format!("{name}{}", dir.changes().len()),
    );
    assert_eq!(known(), by_catalog, "the history says the same");
    by_catalog
}

#[test]
fn a_version_keeps_what_it_rested_on() {
    let dir = directory();
    put(&dir, 0, "a.md", "one x\n");
    assert_eq!(rests_on(&dir, "a.md"), cited("one"));
    put(&dir, 1, "a.md", "two x\n");
    assert_eq!(rests_on(&dir, "a.md"), cited("two"));
    write(&dir, "rename", 2, |draft| {
        draft.rename(&path("a.md"), &path("b.md"))?;
        draft.put(&path("b.md"), b"retitled two x\n".to_vec())
    });
    assert_eq!(
        rests_on(&dir, "b.md"),
        cited("two"),
        "a rename says nothing anew"
    );
}

#[test]
fn what_comes_back_rests_on_what_it_did() {
    let dir = directory();
    put(&dir, 0, "a.md", "one x\n");
    put(&dir, 1, "a.md", "two x\n");
    dir.store
        .undo(&order("undo", 2), &Citing, &Undo::Last(1))
        .unwrap();
    assert_eq!(dir.read("a.md"), "one x\n");
    assert_eq!(rests_on(&dir, "a.md"), cited("one"));
    let note = dir.store.snapshot().unwrap().note_id(&path("a.md"));
    write(&dir, "remove", 3, |draft| draft.remove(&path("a.md")));
    dir.store
        .restore(&order("restore", 4), &Citing, &note, None)
        .unwrap();
    assert_eq!(rests_on(&dir, "a.md"), cited("one"));
}

#[test]
fn a_foreign_edit_rests_on_nothing_known_and_a_foreign_move_on_the_same() {
    let dir = directory();
    put(&dir, 0, "a.md", "one x\n");
    put(&dir, 0, "b.md", "two x\n");
    dir.write_foreign("a.md", "one y, longer\n");
    let read = |name: &str| {
        let snapshot = dir.store.snapshot().unwrap();
        let (bytes, _) = snapshot.read(&path(name)).unwrap().unwrap();
        snapshot.cited(&path(name), &bytes)
    };
    assert!(read("a.md").is_empty(), "before anybody recorded the edit");
    std::fs::rename(dir.root.join("b.md"), dir.root.join("c.md")).unwrap();
    assert_eq!(read("c.md"), cited("two"));
    assert!(rests_on(&dir, "a.md").is_empty());
    assert_eq!(rests_on(&dir, "c.md"), cited("two"));
}

#[test]
fn it_goes_with_what_is_redacted_and_stays_with_what_is_packed() {
    let dir = directory();
    let secret = ["swordfish", "blue"].join("-");
    put(&dir, 0, "a.md", &format!("{secret} x\n"));
    put(&dir, 1, "a.md", "one x\n");
    put(&dir, 2, "b.md", "two x\n");
    dir.store
        .collect_garbage(HistoryRetention::Changes(2), at(3))
        .unwrap();
    assert_eq!(rests_on(&dir, "a.md"), cited("one"));
    put(&dir, 4, "a.md", &format!("{secret} x\n"));
    put(&dir, 5, "a.md", "one x\n");
    // The file that is cited bears the text, though the note does not quote it.
    write(&dir, "save", 6, |draft| {
        draft.put(&path("c.md"), b"c\n".to_vec())?;
        draft.cites(&path("c.md"), cited(&secret));
        Ok(())
    });
    let text = Redaction::Text(secret.clone());
    dir.store.redact_files(&order("redact", 7), &text).unwrap();
    dir.store.redact_history(&text, at(8)).unwrap();
    for change in dir.changes() {
        let message = serde_json::to_string(&change).unwrap();
        assert!(!message.contains(&secret), "{message}");
    }
    assert_eq!(rests_on(&dir, "b.md"), cited("two"));
    assert!(rests_on(&dir, "c.md").is_empty());
}

#[test]
fn readers_of_old_and_of_new_records_understand_each_other() {
    let dir = directory();
    put(&dir, 0, "a.md", "one x\n");
    let change = dir.changes().remove(0);
    let mut value = serde_json::to_value(&change).unwrap();
    let version = &mut value["versions"][0];
    assert_eq!(version["cited"]["src/one.rs"], format!("{:040x}", 3));
    version.as_object_mut().unwrap().remove("cited");
    version["from_the_future"] = true.into();
    let read: mem_core::history::Change = serde_json::from_value(value).unwrap();
    assert!(read.versions[0].cited.is_empty());
}
