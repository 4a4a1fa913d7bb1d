//! A history that is damaged or gone keeps nobody from saving, and loses as little as can be.

use std::fs;
use std::path::Path;

use mem_core::Diagnose as _;
use mem_core::config::HistoryRetention;
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

/// Puts the log into the database, so that what is broken is all there is.
fn without_log(place: &Path) {
    let db = rusqlite::Connection::open(place.join("history.db")).unwrap();
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}

fn overwrite(place: &Path, damage: impl FnOnce(&mut Vec<u8>)) {
    without_log(place);
    let file = place.join("history.db");
    let mut bytes = fs::read(&file).unwrap();
    damage(&mut bytes);
    fs::write(file, bytes).unwrap();
}

/// A name, and what it does to the folder of a history.
type Damage = (&'static str, fn(&Path));

/// Every way to break a history that leaves nothing to be read.
fn ways_to_break() -> Vec<Damage> {
    vec![
        ("gone", |place| fs::remove_dir_all(place).unwrap()),
        ("a file", |place| {
            fs::remove_dir_all(place).unwrap();
            fs::write(place, "x").unwrap();
        }),
        ("empty", |place| {
            fs::remove_dir_all(place).unwrap();
            fs::create_dir(place).unwrap();
        }),
        ("no database", |place| {
            overwrite(place, |bytes| bytes.fill(b'x'));
        }),
        ("an empty database", |place| overwrite(place, Vec::clear)),
        ("a link", |place| {
            fs::remove_file(place.join("history.db")).unwrap();
            std::os::unix::fs::symlink("/etc/passwd", place.join("history.db")).unwrap();
        }),
    ]
}

fn note_of(dir: &Directory, path: &mem_core::MemoryPath) -> mem_core::history::NoteId {
    dir.store.snapshot().unwrap().note_id(path)
}

#[test]
fn files_keep_their_ids_and_ages_where_nothing_can_be_read() {
    for (way, break_it) in ways_to_break() {
        let dir = lived_in();
        let id = note_of(&dir, &path("c.md"));
        break_it(&dir.store.places().history());
        let written = dir.put(50, &[("new.md", "three\n")]);
        assert_eq!(written.warnings.len(), 1, "{way}");
        let changes = dir.changes();
        let verbs: Vec<&str> = changes.iter().map(|change| change.verb.as_str()).collect();
        assert_eq!(verbs, ["save", "foreign"], "{way}");
        let snapshot = dir.store.snapshot().unwrap();
        let entry = snapshot.catalog().get(&path("c.md")).unwrap();
        assert_eq!((&entry.note, entry.content_time), (&id, at(0).0), "{way}");
        assert_eq!(dir.read("c.md"), "one\n");
        assert_eq!(set_aside(&dir).len(), usize::from(way != "gone"), "{way}");
        assert!(dir.put(51, &[("new.md", "4\n")]).warnings.is_empty());
    }
}

#[test]
fn every_change_that_can_be_read_is_kept() {
    let dir = lived_in();
    let large = "x".repeat(20_000);
    dir.put(2, &[("large.md", &large)]);
    dir.put(3, &[("d.md", "four\n")]);
    let ids = [path("b.md"), path("c.md")].map(|path| note_of(&dir, &path));
    let before = dir.changes();
    // The pages of the large content, and what names it.
    overwrite(&dir.store.places().history(), |bytes| {
        for page in bytes.chunks_mut(4096) {
            if page.iter().filter(|&&byte| byte == b'x').count() > 3000 {
                page.fill(0);
            }
        }
    });
    let locked = dir.store.observe(at(4)).unwrap().unwrap();
    let broken = locked.history().verify().unwrap().broken;
    assert!(!broken.is_empty());
    drop(locked);
    // A clean-up reads everything, and begins anew with what it can read: here all records, and all contents but one.
    let collect = || {
        let proof = dir
            .store
            .collect_garbage(HistoryRetention::Everything, at(5));
        proof.unwrap().repair
    };
    let repair = collect().unwrap();
    assert!(
        repair.contains("4 of its changes could be read"),
        "{repair}"
    );
    assert_eq!(set_aside(&dir).len(), 1);
    assert_eq!(collect(), None, "and is whole then");
    assert_eq!(dir.changes(), before);
    assert_eq!(dir.read("large.md"), large);
    assert_eq!(
        [path("b.md"), path("c.md")].map(|path| note_of(&dir, &path)),
        ids
    );
}

#[test]
fn damage_that_shows_while_writing_is_mended_too() {
    let dir = lived_in();
    let before = dir.changes();
    // The schema is fine; the table that a write puts contents into is not.
    let file = dir.store.places().history().join("history.db");
    let db = rusqlite::Connection::open(&file).unwrap();
    let root: usize = db
        .query_row(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'notes'",
            (),
            |row| {
                row.get::<_, i64>(0)
                    .map(|page| usize::try_from(page).unwrap())
            },
        )
        .unwrap();
    drop(db);
    overwrite(&dir.store.places().history(), |bytes| {
        bytes[(root - 1) * 4096..root * 4096].fill(0xff);
    });
    let written = dir.put(4, &[("new.md", "three\n")]);
    assert_eq!(written.warnings.len(), 1, "{:?}", written.warnings);
    assert!(written.warnings[0].contains("2 of its changes could be read"));
    assert_eq!(dir.names(), ["b.md", "c.md", "new.md"]);
    assert_eq!(dir.changes()[1..], before);
    assert_eq!(set_aside(&dir).len(), 1);
}

#[test]
fn a_damaged_change_keeps_nobody_from_a_redaction() {
    let dir = lived_in();
    dir.put(2, &[("b.md", "a private word\n")]);
    dir.put(3, &[("b.md", "clean\n")]);
    let file = dir.store.places().history().join("history.db");
    let db = rusqlite::Connection::open(&file).unwrap();
    let broken = db.execute("UPDATE changes SET record = x'00' WHERE sequence = 2", ());
    assert_eq!(broken.unwrap(), 1);
    drop(db);
    let text = Redaction::Text("private word".to_owned());
    let error = dir.store.redact_files(&order("redact", 4), &text);
    assert!(error.unwrap_err().hint().unwrap().contains("`mem gc`"));
    let keep = HistoryRetention::Everything;
    let repair = dir.store.collect_garbage(keep, at(4)).unwrap().repair;
    dir.store.redact_files(&order("redact", 5), &text).unwrap();
    let proof = dir.store.redact_history(&text, at(5)).unwrap();
    assert_eq!((proof.hits, proof.rewritten), (0, 1));
    let repair = repair.unwrap();
    assert!(
        repair.contains("3 of its changes could be read"),
        "{repair}"
    );
    assert!(set_aside(&dir).is_empty(), "nobody can prove it clean");
    let locked = dir.store.observe(at(6)).unwrap().unwrap();
    assert!(locked.history().verify().unwrap().broken.is_empty());
    assert_eq!(dir.names(), ["b.md", "c.md"]);
}

#[test]
fn a_redaction_reaches_what_was_set_aside_and_what_a_kill_left() {
    let dir = lived_in();
    overwrite(&dir.store.places().history(), |bytes| bytes.fill(b'x'));
    dir.put(2, &[("new.md", "a private word\n")]);
    fs::create_dir(dir.store.places().state.join("history.new")).unwrap();
    assert_eq!(set_aside(&dir).len(), 1);
    let text = Redaction::Text("private word".to_owned());
    dir.store.redact_files(&order("redact", 3), &text).unwrap();
    dir.store.redact_history(&text, at(3)).unwrap();
    assert!(set_aside(&dir).is_empty());
    assert!(!dir.store.places().state.join("history.new").exists());
}
