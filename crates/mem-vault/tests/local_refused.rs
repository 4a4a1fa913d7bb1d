//! What a machine keeps sealed and cannot be opened, was tampered with or comes from elsewhere: an error that says
//! what to do, and nothing overwritten.

use std::fs;
use std::path::{Path, PathBuf};

use mem_core::history::{Author, AuthorKind};
use mem_core::sealing::EncryptionTarget;
use mem_core::store::{ChangeMetadata, OpenGate, Redaction};
use mem_core::{Diagnose as _, ErrorKind};
use mem_vault::MasterKey;

use crate::local::{Machine, at, fill, path, put, told};

/// The bytes of all files below a folder, to see that nothing was overwritten. Memory that the processes of a database
/// share changes when somebody reads.
fn snapshot(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => files.extend(snapshot(&entry.path())),
            false => files.push((entry.path(), fs::read(entry.path()).unwrap())),
        }
    }
    files.retain(|(path, _)| !path.ends_with("history.db-shm"));
    files.sort();
    files
}

/// The files that are others than in a snapshot.
fn changed(folder: &Path, before: &[(PathBuf, Vec<u8>)]) -> Vec<PathBuf> {
    let now = snapshot(folder);
    let is_new = |file: &&(PathBuf, Vec<u8>)| !before.contains(file);
    let is_gone = |file: &&(PathBuf, Vec<u8>)| !now.contains(file);
    let names = now
        .iter()
        .filter(is_new)
        .chain(before.iter().filter(is_gone));
    names.map(|(path, _)| path.clone()).collect()
}

#[test]
fn without_the_key_nothing_is_written_and_the_error_says_what_to_do() {
    let machine = Machine::new();
    machine.on();
    fill(&machine.store("app"), "heron");
    let right = machine.source.lock().unwrap().clone();
    let state = machine.store("app").places().state.clone();
    let before = snapshot(&state);
    let other = MasterKey::generate().unwrap().to_line();
    for (source, says) in [
        ("", "there is no master key"),
        (other.as_str(), "is another one"),
    ] {
        machine.set_source(source);
        let refused = put(&machine.store("app"), 30, "", &[("a.md", Some("no\n"))]).unwrap_err();
        assert!(refused.to_string().contains(says), "{refused}");
        assert!(refused.hint().is_some());
        let store = machine.store("app");
        for appointed in [
            EncryptionTarget::Sealed,
            EncryptionTarget::Rotated,
            EncryptionTarget::Plain,
        ] {
            assert!(store.reseal(appointed).is_err());
        }
        let history = store.open_history().unwrap().unwrap();
        assert!(history.entries().is_err() && history.verify().is_err());
        let redaction = Redaction::Text("heron content".to_owned());
        assert!(store.redact_history(&redaction, at(31)).is_err());
    }
    machine.set_source(&right);
    assert_eq!(changed(&state, &before), Vec::<PathBuf>::new());
    // The data keys are lost.
    let ring = state.join("keys.json");
    let kept = fs::read(&ring).unwrap();
    fs::remove_file(&ring).unwrap();
    let refused = put(&machine.store("app"), 30, "", &[("a.md", Some("no\n"))]).unwrap_err();
    assert!(refused.to_string().contains("is gone"), "{refused}");
    fs::write(&ring, b"{").unwrap();
    let refused = put(&machine.store("app"), 30, "", &[("a.md", Some("no\n"))]).unwrap_err();
    assert!(
        refused.to_string().contains("does not hold data keys"),
        "{refused}"
    );
    fs::write(&ring, kept).unwrap();
    assert_eq!(changed(&state, &before), Vec::<PathBuf>::new());
    put(&machine.store("app"), 31, "", &[("a.md", Some("yes\n"))]).unwrap();
    assert_eq!(told(&machine.store("app")).len(), 8);
}

#[test]
fn a_record_that_was_changed_or_moved_is_an_error_and_nothing_is_replaced() {
    let machine = Machine::new();
    machine.on();
    let store = machine.store("app");
    put(&store, 0, "", &[("a.md", Some("one\n"))]).unwrap();
    put(&store, 1, "", &[("a.md", Some("two\n"))]).unwrap();
    let file = store.places().history().join("history.db");
    let db = rusqlite::Connection::open(file).unwrap();
    let record = |sequence: i64| -> Vec<u8> {
        let query = "SELECT record FROM changes WHERE sequence = ?";
        db.query_row(query, [sequence], |row| row.get(0)).unwrap()
    };
    let put_record = |sequence: i64, record: &[u8]| {
        let update = "UPDATE changes SET record = ? WHERE sequence = ?";
        db.execute(update, (record, sequence)).unwrap();
    };
    let (first, second) = (record(1), record(2));
    let read = |says: &str| {
        let history = machine.store("app").open_history().unwrap().unwrap();
        let refused = history.entries().unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Corrupt);
        assert!(refused.to_string().contains(says), "{refused}");
    };
    // The older record in the place of the newer one.
    put_record(2, &first);
    read("belongs somewhere else");
    put_record(2, &second);
    // The files of one change given to another.
    let swap = "UPDATE files SET content = 3 - content";
    db.execute(swap, ()).unwrap();
    read("belongs somewhere else");
    db.execute(swap, ()).unwrap();
    drop(db);
    let state = store.places().state.clone();
    let aside = fs::read_dir(&state).unwrap().flatten();
    assert!(
        !aside
            .into_iter()
            .any(|one| one.file_name().to_string_lossy().contains("damaged"))
    );
    put(&machine.store("app"), 2, "", &[("a.md", Some("three\n"))]).unwrap();
    assert_eq!(told(&machine.store("app")).len(), 3);
}

#[test]
fn a_history_is_taken_along_from_another_directory_under_the_keys_of_this_one() {
    let machine = Machine::new();
    fill(&machine.store("old"), "heron");
    machine.on();
    let (old, new) = (machine.store("old"), machine.store("new"));
    put(&new, 8, "", &[("own.md", Some("own\n"))]).unwrap();
    let theirs = old.open_history().unwrap().unwrap();
    let order = ChangeMetadata::new("adopt", Author::from_actor(AuthorKind::Person), at(9));
    let adopted = new.write(&order, &OpenGate, |draft| {
        draft.brings_history(&theirs)?;
        draft.put(&path("a.md"), b"taken along\n".to_vec())
    });
    adopted.unwrap();
    drop(theirs);
    old.purge(mem_core::store::DirectoryKind::Elsewhere)
        .unwrap();
    assert_eq!(told(&machine.store("new")).len(), 9);
    assert!(machine.store("new").seal_state().unwrap().is_whole);
    let history = machine.store("new").open_history().unwrap().unwrap();
    assert_eq!(history.verify().unwrap().broken, Vec::<String>::new());
}
