//! Crashes, played by putting files and the database back to where a crash would leave them.

use std::fs;
use std::io::Write as _;

use super::directory::{Directory, at, directory};

/// As if the newest change had been recorded and a kill came before it was marked as done.
fn make_pending(dir: &Directory) {
    let file = dir.store.places().history().join("history.db");
    let db = rusqlite::Connection::open(file).unwrap();
    let newest =
        "UPDATE changes SET is_pending = 1 WHERE sequence = (SELECT max(sequence) FROM changes)";
    assert_eq!(db.execute(newest, ()).unwrap(), 1);
}

#[test]
fn a_torn_end_of_the_log_is_a_change_that_never_began() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let log = dir.store.places().history().join("history.db-wal");
    let mut file = fs::OpenOptions::new().append(true).open(&log).unwrap();
    file.write_all(b"half a frame of the log").unwrap();
    drop(file);
    dir.put(1, &[("b.md", "two\n")]);
    fs::remove_file(dir.store.places().catalog()).unwrap();
    dir.put(2, &[("c.md", "three\n")]);
    assert_eq!(dir.changes().len(), 3);
}

#[test]
fn a_pending_change_whose_files_were_not_in_place_yet_rolls_forward() {
    let dir = directory();
    dir.put(0, &[("MEMORY.md", "- one\n")]);
    dir.put(1, &[("a.md", "a\n"), ("MEMORY.md", "- one\n- a\n")]);
    // As if killed after the first of two renames: one file new, one old.
    fs::write(dir.root.join("MEMORY.md"), "- one\n").unwrap();
    make_pending(&dir);
    let locked = dir.store.observe(at(2)).unwrap().unwrap();
    assert!(locked.external_change().is_none());
    drop(locked);
    assert_eq!(dir.read("MEMORY.md"), "- one\n- a\n");
    assert_eq!(dir.changes().len(), 2);
}

#[test]
fn who_reads_sees_all_of_a_change_that_was_interrupted() {
    let dir = directory();
    dir.put(0, &[("MEMORY.md", "- one\n")]);
    let places = dir.store.places();
    dir.put(1, &[("a.md", "a\n"), ("MEMORY.md", "- one\n- a\n")]);
    assert!(!dir.store.is_applying());
    let index = super::directory::path("MEMORY.md");
    let interrupt = || {
        fs::write(dir.root.join("MEMORY.md"), "- one\n").unwrap();
        make_pending(&dir);
        fs::write(places.state.join("writing"), "").unwrap();
    };
    let whole = "- one\n- a\n";
    interrupt();
    let read = dir.store.read(&index).unwrap().unwrap();
    assert_eq!(String::from_utf8(read).unwrap(), whole);
    assert!(!dir.store.is_applying());
    interrupt();
    dir.store.snapshot().unwrap();
    assert_eq!(dir.read("MEMORY.md"), whole);
    // Nobody waits for a writer, who is about to finish it.
    interrupt();
    let lock = fs::File::open(places.lock()).unwrap();
    lock.lock().unwrap();
    dir.store.snapshot().unwrap();
    assert_eq!(dir.read("MEMORY.md"), "- one\n");
    assert!(dir.store.is_applying());
    drop(lock);
    dir.store.observe(at(2)).unwrap();
    assert_eq!(
        (dir.read("MEMORY.md").as_str(), dir.store.is_applying()),
        (whole, false)
    );
    assert_eq!(dir.changes().len(), 2);
}

#[test]
fn rolling_forward_leaves_later_foreign_writes_alone() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    dir.put(1, &[("a.md", "two\n")]);
    make_pending(&dir);
    fs::write(dir.root.join("a.md"), "foreign\n").unwrap();
    dir.store.observe(at(2)).unwrap();
    assert_eq!(dir.read("a.md"), "foreign\n");
    let verbs: Vec<String> = dir
        .changes()
        .into_iter()
        .map(|change| change.verb)
        .collect();
    assert_eq!(verbs, ["foreign", "save", "save"]);
}

#[test]
fn what_a_power_failure_takes_from_the_log_is_recorded_from_the_files() {
    let dir = directory();
    dir.put(0, &[("a.md", "version 0\n")]);
    let log = dir.store.places().history().join("history.db-wal");
    let length = fs::metadata(&log).unwrap().len();
    dir.put(1, &[("a.md", "version 1\n")]);
    let file = fs::OpenOptions::new().write(true).open(&log).unwrap();
    file.set_len(length + 100).unwrap();
    // Memory that processes share does not survive a power failure.
    fs::remove_file(log.with_file_name("history.db-shm")).unwrap();
    let verbs: Vec<String> = dir
        .changes()
        .into_iter()
        .map(|change| change.verb)
        .collect();
    assert_eq!(verbs, ["foreign", "save"]);
    assert_eq!(dir.read("a.md"), "version 1\n");
}

#[test]
fn a_damaged_log_is_told_and_kept_and_files_keep_their_ids() {
    let dir = directory();
    let id = dir.put(0, &[("a.md", "one\n")]).change.unwrap().versions[0]
        .note
        .clone();
    dir.put(1, &[("b.md", "two\n")]);
    let log = dir.store.places().history().join("history.db-wal");
    let mut bytes = fs::read(&log).unwrap();
    bytes[5000] ^= 1;
    fs::write(&log, bytes).unwrap();
    fs::remove_file(log.with_file_name("history.db-shm")).unwrap();
    let written = dir.put(2, &[("c.md", "three\n")]);
    assert_eq!(written.warnings.len(), 1, "{:?}", written.warnings);
    let aside = dir
        .store
        .places()
        .state
        .join("history.damaged-1/history.db-wal");
    assert!(aside.is_file());
    let snapshot = dir.store.snapshot().unwrap();
    assert_eq!(snapshot.note_id(&super::directory::path("a.md")), id);
    assert!(dir.put(3, &[("c.md", "4\n")]).warnings.is_empty());
}

#[test]
fn a_lost_catalog_is_made_again_from_the_history() {
    let dir = directory();
    let made = dir.put(0, &[("a.md", "one\n")]).change.unwrap();
    for damage in [b"".as_slice(), b"mem-catalog-1 zz\n", b"\xff\xfe"] {
        fs::write(dir.store.places().catalog(), damage).unwrap();
        let locked = dir.store.observe(at(1)).unwrap().unwrap();
        assert!(locked.external_change().is_none());
        let entry = locked
            .catalog()
            .get(&super::directory::path("a.md"))
            .unwrap();
        assert_eq!(entry.note, made.versions[0].note);
    }
}

#[test]
fn leftovers_of_a_killed_write_are_swept() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    dir.write_foreign(".mem-tmp-1-0", "half");
    dir.write_foreign("team/.mem-tmp-1-1", "half");
    dir.write_foreign(".mem-tmp-1-2/part/b.md", "a folder that stood aside");
    dir.write_foreign("team/.mem-tmp-1-3/c.md", "another");
    dir.store.observe(at(1)).unwrap();
    assert_eq!(dir.names(), ["a.md", "team"]);
    assert_eq!(fs::read_dir(dir.root.join("team")).unwrap().count(), 0);
}
