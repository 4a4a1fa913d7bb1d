//! What others write: noticed, recorded, never overwritten.

use std::cell::Cell;
use std::fs;
use std::io::Write as _;

use mem_core::history::{AuthorKind, FileOperation, Sha256};
use mem_core::store::{OpenGate, StoreError, Undo};

use super::directory::{at, directory, order, path};

#[test]
fn foreign_writes_are_one_change_when_next_seen() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n"), ("b.md", "b\n")]);
    dir.write_foreign("a.md", "edited by hand\n");
    dir.write_foreign("new.md", "new\n");
    fs::remove_file(dir.root.join("b.md")).unwrap();
    let locked = dir.store.observe(at(5)).unwrap().unwrap();
    let change = locked.external_change().unwrap();
    let what: Vec<_> = change
        .versions
        .iter()
        .map(|one| (one.path.as_str(), one.operation))
        .collect();
    assert_eq!(
        what,
        [
            ("a.md", FileOperation::Modified),
            ("b.md", FileOperation::Deleted),
            ("new.md", FileOperation::Created)
        ]
    );
    drop(locked);
    assert!(
        dir.store
            .observe(at(6))
            .unwrap()
            .unwrap()
            .external_change()
            .is_none(),
        "recorded once"
    );
}

#[test]
fn digests_are_of_the_files_as_they_are_and_what_differs_is_recorded() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n"), ("b.md", "b\n")]);
    dir.write_foreign("a.md", "edited by hand\n");
    dir.write_foreign("new.md", "new\n");
    fs::remove_file(dir.root.join("b.md")).unwrap();
    let changes = || {
        dir.store
            .open_history()
            .unwrap()
            .unwrap()
            .entries()
            .unwrap()
            .len()
    };
    let before = changes();
    let digests = dir.store.digests(at(5)).unwrap();
    let files = digests.files.iter();
    let files: Vec<_> = files
        .map(|(path, sha256)| (path.as_str(), *sha256))
        .collect();
    let want = [("a.md", "edited by hand\n"), ("new.md", "new\n")];
    assert_eq!(
        files,
        want.map(|(name, text)| (name, Sha256::digest(text.as_bytes())))
    );
    assert_eq!(changes(), before + 1);
    let again = dir.store.digests(at(6)).unwrap();
    assert_eq!((again.files.len(), changes()), (2, before + 1));
}

#[test]
fn what_a_known_author_wrote_is_their_change_and_the_rest_is_still_foreign() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n"), ("b.md", "b\n")]);
    dir.write_foreign("a.md", "by an agent\n");
    dir.write_foreign("b.md", "by somebody\n");
    let mut order = order("write", 1);
    order.author.actor = AuthorKind::Agent;
    order.author.session = Some("s1".to_owned());
    let change = dir.store.witness(&path("a.md"), &order).unwrap().unwrap();
    assert_eq!(
        (change.verb.as_str(), &change.author),
        ("write", &order.author)
    );
    assert_eq!(change.versions.len(), 1);
    assert!(dir.store.witness(&path("a.md"), &order).unwrap().is_none());
    let locked = dir.store.observe(at(2)).unwrap().unwrap();
    let external_change = locked.external_change().unwrap();
    assert_eq!(external_change.versions[0].path.as_str(), "b.md");
    assert_eq!(external_change.versions.len(), 1);
    drop(locked);
    let undone = dir.store.undo(&order, &OpenGate, &Undo::Last(1)).unwrap();
    assert_eq!(undone.value[0].id, change.id, "it can be taken back");
    assert_eq!(fs::read(dir.root.join("a.md")).unwrap(), b"one\n");
}

#[test]
fn a_foreign_rename_keeps_the_id() {
    let dir = directory();
    let body = "---\nname: a\ndescription: d\ntype: project\n---\nline one\nline two\nline three\n";
    let made = dir
        .put(0, &[("a.md", body), ("same.md", "exactly this\n")])
        .change
        .unwrap();
    fs::remove_file(dir.root.join("a.md")).unwrap();
    dir.write_foreign("b.md", &body.replace("name: a", "name: b"));
    fs::rename(dir.root.join("same.md"), dir.root.join("moved.md")).unwrap();
    let locked = dir.store.observe(at(1)).unwrap().unwrap();
    let change = locked.external_change().unwrap();
    let pairs: Vec<_> = change
        .versions
        .iter()
        .map(|one| {
            (
                one.path.as_str(),
                one.renamed_from.as_ref().map(mem_core::MemoryPath::as_str),
            )
        })
        .collect();
    assert_eq!(
        pairs,
        [("b.md", Some("a.md")), ("moved.md", Some("same.md"))]
    );
    assert_eq!(change.versions[0].note, made.versions[0].note);
}

#[test]
fn a_foreign_save_in_the_middle_of_a_plan_is_built_upon() {
    let dir = directory();
    dir.put(0, &[("MEMORY.md", "- one\n")]);
    let runs = Cell::new(0);
    dir.store
        .write::<_, StoreError>(&order("save", 1), &OpenGate, |draft| {
            let index = path("MEMORY.md");
            let mut text = draft.read(&index)?.unwrap();
            if runs.replace(runs.get() + 1) == 0 {
                dir.write_foreign("MEMORY.md", "- one\n- foreign\n");
            }
            text.extend_from_slice(b"- ours\n");
            draft.put(&index, text)
        })
        .unwrap();
    assert_eq!(dir.read("MEMORY.md"), "- one\n- foreign\n- ours\n");
    assert_eq!(runs.get(), 2);
    let verbs: Vec<String> = dir
        .changes()
        .into_iter()
        .map(|change| change.verb)
        .collect();
    assert_eq!(verbs, ["save", "foreign", "save"]);
}

#[test]
fn an_editor_that_never_stops_writing_gets_its_way_and_we_say_so() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let runs = Cell::new(0);
    let result = dir
        .store
        .write::<_, StoreError>(&order("edit", 1), &OpenGate, |draft| {
            let file = path("a.md");
            draft.read(&file)?;
            runs.set(runs.get() + 1);
            dir.write_foreign("a.md", &format!("foreign {}\n", runs.get()));
            draft.put(&path("b.md"), b"b\n".to_vec())?;
            draft.put(&file, b"ours\n".to_vec())
        });
    assert!(matches!(result, Err(StoreError::Conflict(_))));
    assert_eq!(dir.read("a.md"), format!("foreign {}\n", runs.get()));
    assert_eq!(dir.names(), ["a.md"], "nothing of the change stays");
}

#[test]
fn a_directory_full_of_notes_is_recorded_at_first_sight() {
    let dir = directory();
    for n in 0..200 {
        dir.write_foreign(&format!("n{n}.md"), &format!("note {n}\n"));
    }
    let locked = dir.store.observe(at(0)).unwrap().unwrap();
    assert_eq!(locked.external_change().unwrap().versions.len(), 200);
    let age = locked.catalog().get(&path("n7.md")).unwrap().content_time;
    assert!(age > at(-60 * 24 * 365 * 50).0, "as old as the file");
}

#[test]
fn hidden_files_and_a_checkout_of_the_directory_are_left_alone() {
    let dir = directory();
    dir.write_foreign(".git/config", "[core]\n");
    dir.write_foreign(".DS_Store", "x");
    dir.write_foreign("a.md", "a\n");
    let locked = dir.store.observe(at(0)).unwrap().unwrap();
    assert_eq!(locked.external_change().unwrap().versions.len(), 1);
}

#[test]
fn reading_takes_no_lock_and_writes_nothing() {
    let dir = directory();
    assert!(dir.store.snapshot().unwrap().walk().files.is_empty());
    assert!(!dir.root.exists() && !dir.dirs.state.exists());
    dir.write_foreign("a.md", "a\n");
    let before = dir.store.snapshot().unwrap().note_id(&path("a.md"));
    assert!(!dir.dirs.state.exists());
    dir.store.observe(at(0)).unwrap();
    assert_eq!(dir.store.snapshot().unwrap().note_id(&path("a.md")), before);
}

/// A file that another program has open for appending.
fn open(dir: &super::directory::Directory, name: &str) -> fs::File {
    let mut options = fs::OpenOptions::new();
    options.append(true).open(dir.root.join(name)).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_appended_to_a_file_after_it_was_exchanged_is_merged_by_the_next_command() {
    for name in [
        "MEMORY.md",
        "a.md",
        "team/a.md",
        "logs/2026/11/2026-11-20.md",
    ] {
        let dir = directory();
        dir.put(0, &[(name, "one\n")]);
        let mut editor = open(&dir, name);
        dir.put(1, &[(name, "one\ntwo\n")]);
        assert!(dir.store.is_applying(), "{name}: readers are to look");
        // While it is open nothing is said about it.
        dir.put(2, &[("b.md", "b\n")]);
        assert_eq!(dir.read(name), "one\ntwo\n");
        editor.write_all(b"theirs\n").unwrap();
        drop(editor);
        // A command that only reads.
        let read = dir.store.read(&path(name)).unwrap().unwrap();
        assert_eq!(
            String::from_utf8(read).unwrap(),
            "one\ntwo\ntheirs\n",
            "{name}"
        );
        assert_eq!(dir.read(name), "one\ntwo\ntheirs\n", "{name}");
        assert!(!dir.store.is_applying());
        assert!(dir.changes()[0].is_foreign(), "{name}");
        let left = dir.root.join(name);
        let left = fs::read_dir(left.parent().unwrap()).unwrap().flatten();
        let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
        assert_eq!(left.count(), 0, "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_written_to_a_removed_file_brings_it_back() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let mut editor = open(&dir, "a.md");
    let remove = |draft: &mut mem_core::store::WriteTransaction<'_>| draft.remove(&path("a.md"));
    dir.store
        .write::<_, StoreError>(&order("remove", 1), &OpenGate, remove)
        .unwrap();
    assert!(!dir.root.join("a.md").exists());
    editor.write_all(b"theirs\n").unwrap();
    drop(editor);
    dir.store.observe(at(2)).unwrap();
    assert_eq!(dir.read("a.md"), "one\ntheirs\n");
}

#[cfg(target_os = "linux")]
#[test]
fn an_editor_that_writes_nothing_leaves_nothing_behind() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let editor = open(&dir, "a.md");
    dir.put(1, &[("a.md", "two\n")]);
    drop(editor);
    dir.store.observe(at(2)).unwrap();
    assert_eq!(
        (dir.names(), dir.read("a.md")),
        (vec!["a.md".to_owned()], "two\n".to_owned())
    );
    assert_eq!(dir.changes().len(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_redaction_leaves_nothing_in_a_file_that_an_editor_has_open() {
    let dir = directory();
    dir.put(0, &[("a.md", "hunter-zebra\n")]);
    let mut editor = open(&dir, "a.md");
    dir.put(1, &[("a.md", "clean\n")]);
    editor.write_all(b"hunter-zebra again\n").unwrap();
    let what = mem_core::store::Redaction::Text("hunter-zebra".to_owned());
    dir.store.redact_files(&order("redact", 2), &what).unwrap();
    dir.store.redact_history(&what, at(3)).unwrap();
    drop(editor);
    dir.store.observe(at(4)).unwrap();
    assert_eq!(
        (dir.names(), dir.read("a.md")),
        (vec!["a.md".to_owned()], "clean\n".to_owned())
    );
}

#[test]
fn the_log_of_the_history_stays_short_whoever_writes() {
    let dir = directory();
    let log = dir.store.places().history().join("history.db-wal");
    let mut longest = 0;
    for n in 0..60 {
        dir.write_foreign("a.md", &format!("{n}{}", "x".repeat(100_000)));
        drop(dir.store.observe(at(n)).unwrap());
        longest = longest.max(fs::metadata(&log).unwrap().len());
    }
    assert!((100_000..2_000_000).contains(&longest), "{longest}");
    assert_eq!(dir.changes().len(), 60);
    let locked = dir.store.observe(at(61)).unwrap().unwrap();
    assert!(locked.history().verify().unwrap().broken.is_empty());
}
