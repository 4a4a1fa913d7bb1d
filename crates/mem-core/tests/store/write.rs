//! One change a write, whole or not at all.

use mem_core::history::FileOperation;
use mem_core::store::{GateRefusal, GatedFile, StoreError, WriteGate};

use super::directory::{directory, order, path};

#[test]
fn a_write_is_one_change_with_a_version_for_every_file() {
    let dir = directory();
    let written = dir.put(0, &[("a.md", "one\n"), ("MEMORY.md", "- [A](a.md)\n")]);
    let change = written.change.unwrap();
    assert_eq!(change.versions.len(), 2);
    assert!(
        change
            .versions
            .iter()
            .all(|version| version.operation == FileOperation::Created)
    );
    assert_eq!(dir.read("a.md"), "one\n");
    assert_eq!(
        dir.names(),
        ["MEMORY.md", "a.md"],
        "no temporary file stays"
    );
    assert_eq!(dir.changes(), [change]);
}

#[test]
fn writing_what_stands_there_is_no_change() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    assert!(dir.put(1, &[("a.md", "one\n")]).change.is_none());
    assert_eq!(dir.changes().len(), 1);
}

#[test]
fn a_note_keeps_its_id_and_age_across_a_rename() {
    let dir = directory();
    let made = dir.put(0, &[("a.md", "one\n")]).change.unwrap();
    let renamed = dir.store.write::<_, StoreError>(
        &order("rename", 60),
        &mem_core::store::OpenGate,
        |draft| draft.rename(&path("a.md"), &path("b.md")),
    );
    let change = renamed.unwrap().change.unwrap();
    assert_eq!(change.versions.len(), 1);
    assert_eq!(change.versions[0].note, made.versions[0].note);
    assert_eq!(change.versions[0].renamed_from, Some(path("a.md")));
    assert_eq!(change.versions[0].content_time, Some(made.time));
    assert_eq!(dir.names(), ["b.md"]);
}

#[test]
fn a_new_note_under_an_old_name_is_another_note() {
    let dir = directory();
    let first = dir.put(0, &[("a.md", "one\n")]).change.unwrap();
    let removed = dir
        .store
        .write::<_, StoreError>(&order("remove", 1), &mem_core::store::OpenGate, |draft| {
            draft.remove(&path("a.md"))
        })
        .unwrap();
    assert_eq!(
        removed.change.unwrap().versions[0].operation,
        FileOperation::Deleted
    );
    let second = dir.put(2, &[("a.md", "other\n")]).change.unwrap();
    assert_ne!(first.versions[0].note, second.versions[0].note);
}

/// Refuses one file by its name.
struct NotThis(&'static str);

impl WriteGate for NotThis {
    fn check(&self, proposal: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
        if proposal.path.as_str() == self.0 {
            let message = format!("`{}` may not be written", self.0);
            return Err(GateRefusal {
                code: "test",
                message,
                hint: None,
            });
        }
        Ok(vec![format!("looked at {}", proposal.path)])
    }
}

#[test]
fn a_new_note_under_the_old_name_of_a_renamed_one_is_another_note() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let rename = |draft: &mut mem_core::store::WriteTransaction<'_>| {
        draft.rename(&path("a.md"), &path("b.md"))
    };
    dir.store
        .write(&order("rename", 1), &mem_core::store::OpenGate, rename)
        .unwrap();
    dir.put(2, &[("a.md", "two\n")]);
    let snapshot = dir.store.snapshot().unwrap();
    assert_ne!(
        snapshot.note_id(&path("a.md")),
        snapshot.note_id(&path("b.md"))
    );
}

#[test]
fn a_refused_file_stops_the_whole_change() {
    let dir = directory();
    let write = |name: &'static str| {
        dir.store
            .write::<_, StoreError>(&order("save", 0), &NotThis(name), |draft| {
                draft.put(&path("a.md"), b"a".to_vec())?;
                draft.put(&path("b.md"), b"b".to_vec())
            })
    };
    assert!(matches!(write("b.md"), Err(StoreError::Refused(_))));
    assert_eq!(dir.names(), Vec::<String>::new());
    assert_eq!(
        write("none").unwrap().warnings,
        ["looked at a.md", "looked at b.md"]
    );
}

#[test]
fn a_hundred_files_are_one_change_and_all_there() {
    let dir = directory();
    let names: Vec<String> = (0..100).map(|n| format!("team/n{n}.md")).collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), name.as_str()))
        .collect();
    dir.put(0, &files);
    assert_eq!(dir.changes().len(), 1);
    for name in &names {
        assert_eq!(&dir.read(name), name);
    }
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let file = dir.root.join("a.md");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    dir.put(1, &[("a.md", "two\n")]);
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o640
    );
}

#[test]
fn the_log_is_appended_to_by_many_and_each_entry_is_a_change() {
    use mem_core::daily_log;
    let dir = directory();
    let at: jiff::civil::DateTime = "2026-11-20T09:05:00".parse().unwrap();
    std::thread::scope(|scope| {
        for n in 0..8 {
            let dir = &dir;
            scope.spawn(move || {
                let gate = mem_core::store::OpenGate;
                let text = format!("entry {n}");
                daily_log::append(&dir.store, &order("log", n), &gate, at, &text).unwrap();
            });
        }
    });
    let text = dir.read("logs/2026/11/2026-11-20.md");
    assert_eq!(daily_log::parse(at.date(), &text).len(), 8, "{text}");
    assert_eq!(dir.changes().len(), 8);
}
