//! Crashes, played by cutting files off where a crash would.

use std::fs;
use std::io::Write as _;

use super::directory::{at, directory};

#[test]
fn a_torn_journal_end_is_a_change_that_never_began() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let journal = dir.store.places().journal();
    let mut file = fs::OpenOptions::new().append(true).open(&journal).unwrap();
    file.write_all(b"MEMJ\x40\0\0\0\0\0\0\0half a record")
        .unwrap();
    drop(file);
    dir.put(1, &[("b.md", "two\n")]);
    fs::remove_file(dir.store.places().catalog()).unwrap();
    dir.put(2, &[("c.md", "three\n")]);
    assert_eq!(dir.changes().len(), 3);
}

#[test]
fn an_intent_whose_files_were_not_in_place_yet_rolls_forward() {
    let dir = directory();
    dir.put(0, &[("MEMORY.md", "- one\n")]);
    let head = dir.store.places().history().join("refs/heads/main");
    let before = fs::read(&head).unwrap();
    dir.put(1, &[("a.md", "a\n"), ("MEMORY.md", "- one\n- a\n")]);
    // As if killed after the first of two renames: one file new, one old, history not moved.
    fs::write(dir.root.join("MEMORY.md"), "- one\n").unwrap();
    fs::write(&head, before).unwrap();
    let locked = dir.store.observe(at(2)).unwrap().unwrap();
    assert!(locked.foreign().is_none());
    drop(locked);
    assert_eq!(dir.read("MEMORY.md"), "- one\n- a\n");
    assert_eq!(dir.changes().len(), 2);
}

#[test]
fn who_reads_sees_all_of_a_change_that_was_interrupted() {
    let dir = directory();
    dir.put(0, &[("MEMORY.md", "- one\n")]);
    let places = dir.store.places();
    let head = places.history().join("refs/heads/main");
    let before = fs::read(&head).unwrap();
    dir.put(1, &[("a.md", "a\n"), ("MEMORY.md", "- one\n- a\n")]);
    assert!(!dir.store.is_halfway());
    let journal = fs::read(places.journal()).unwrap();
    let index = super::directory::path("MEMORY.md");
    let interrupt = || {
        fs::write(dir.root.join("MEMORY.md"), "- one\n").unwrap();
        fs::write(&head, &before).unwrap();
        fs::write(places.journal(), &journal).unwrap();
        fs::write(places.state.join("writing"), "").unwrap();
    };
    let whole = "- one\n- a\n";
    interrupt();
    let read = dir.store.read(&index).unwrap().unwrap();
    assert_eq!(String::from_utf8(read).unwrap(), whole);
    assert!(!dir.store.is_halfway());
    interrupt();
    dir.store.snapshot().unwrap();
    assert_eq!(dir.read("MEMORY.md"), whole);
    // Nobody waits for a writer, who is about to finish it.
    interrupt();
    let lock = fs::File::open(places.lock()).unwrap();
    lock.lock().unwrap();
    dir.store.snapshot().unwrap();
    assert_eq!(dir.read("MEMORY.md"), "- one\n");
    assert!(dir.store.is_halfway());
    drop(lock);
    dir.store.observe(at(2)).unwrap();
    assert_eq!(
        (dir.read("MEMORY.md").as_str(), dir.store.is_halfway()),
        (whole, false)
    );
    assert_eq!(dir.changes().len(), 2);
}

#[test]
fn rolling_forward_leaves_later_foreign_writes_alone() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let head = dir.store.places().history().join("refs/heads/main");
    let before = fs::read(&head).unwrap();
    dir.put(1, &[("a.md", "two\n")]);
    fs::write(&head, before).unwrap();
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
fn objects_that_a_power_failure_lost_are_made_again() {
    let dir = directory();
    for n in 0..5 {
        dir.put(n, &[("a.md", &format!("version {n}\n"))]);
    }
    let before = dir.changes();
    let history = dir.store.places().history();
    // Another boot: every object since the checkpoint is empty, the reference too.
    let journal = dir.store.places().journal();
    let text = fs::read(&journal).unwrap();
    let end = text.iter().position(|&byte| byte == b'\n').unwrap();
    let mut other = br#"{"boot":"another","checkpoint":null}"#.to_vec();
    other.extend_from_slice(&text[end..]);
    fs::write(&journal, other).unwrap();
    for folder in fs::read_dir(history.join("objects")).unwrap() {
        let folder = folder.unwrap().path();
        if folder.file_name().unwrap().len() == 2 {
            for object in fs::read_dir(folder).unwrap() {
                let object = object.unwrap().path();
                fs::remove_file(&object).unwrap();
                fs::write(object, b"").unwrap();
            }
        }
    }
    fs::write(history.join("refs/heads/main"), b"").unwrap();
    assert_eq!(dir.changes(), before);
    assert_eq!(dir.read("a.md"), "version 4\n");
}

#[test]
fn a_file_removed_by_hand_does_not_rise_again_after_a_reboot() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    dir.put(1, &[("b.md", "two\n")]);
    fs::remove_file(dir.root.join("a.md")).unwrap();
    fs::remove_file(dir.root.join("b.md")).unwrap();
    let journal = dir.store.places().journal();
    let text = fs::read(&journal).unwrap();
    let end = text.iter().position(|&byte| byte == b'\n').unwrap();
    let mut other = br#"{"boot":"another","checkpoint":null}"#.to_vec();
    other.extend_from_slice(&text[end..]);
    fs::write(&journal, other).unwrap();
    dir.store.observe(at(2)).unwrap();
    assert_eq!(dir.names(), Vec::<String>::new());
}

#[test]
fn a_lost_catalog_is_made_again_from_the_history() {
    let dir = directory();
    let made = dir.put(0, &[("a.md", "one\n")]).change.unwrap();
    for damage in [b"".as_slice(), b"mem-catalog-1 zz\n", b"\xff\xfe"] {
        fs::write(dir.store.places().catalog(), damage).unwrap();
        let locked = dir.store.observe(at(1)).unwrap().unwrap();
        assert!(locked.foreign().is_none());
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
