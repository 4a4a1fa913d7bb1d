//! What was made ready for the history ahead of a write.

use std::fs;
use std::sync::Arc;

use mem_core::history::{Parcels, Sha256};
use mem_core::store::{OpenGate, StoreError};

use super::directory::{Directory, at, directory, order, path};

/// As many as become one pack.
const FILES: usize = 90;

fn text(number: usize) -> String {
    format!(
        "note {number}: {}\n",
        "the same words again ".repeat(number)
    )
}

/// Writes them, every third with a parcel, and every ninth with one that was made of other bytes.
fn write(dir: &Directory) {
    let mut parcels = Parcels::default();
    let all = (0..FILES).map(|number| {
        let bytes = Arc::new(text(number).into_bytes());
        let made_of = match number % 9 {
            0 => Some(Arc::new(b"other bytes".to_vec())),
            3 | 6 => Some(Arc::clone(&bytes)),
            _ => None,
        };
        let parcel = made_of.map(|made_of| {
            let sha256 = Sha256::of(&made_of);
            Arc::new(parcels.parcel(made_of, sha256).unwrap())
        });
        (
            path(&format!("part{}/n{number}.md", number % 7)),
            bytes,
            parcel,
        )
    });
    let all: Vec<_> = all.collect();
    let written = dir
        .store
        .write::<_, StoreError>(&order("pull", 1), &OpenGate, |draft| {
            for (path, bytes, parcel) in &all {
                draft.create_dated(path, Arc::clone(bytes), at(0).0)?;
                if let Some(parcel) = parcel {
                    draft.has_parcel(path, parcel);
                }
            }
            Ok(())
        });
    assert_eq!(written.unwrap().change.unwrap().versions.len(), FILES);
}

#[test]
fn parcels_come_to_what_their_bytes_come_to_and_other_bytes_count_for_nothing() {
    let dir = directory();
    write(&dir);
    let history = dir.store.open_history().unwrap().unwrap();
    let entry = history.own_entries().next().unwrap().unwrap();
    for version in entry.change.versions {
        let name = version.path.as_str();
        let number = name.split_once("/n").unwrap().1.trim_end_matches(".md");
        let text = text(number.parse().unwrap());
        assert_eq!(dir.read(name), text);
        assert_eq!(version.sha256, Some(Sha256::of(text.as_bytes())), "{name}");
        let kept = history.content(entry.commit, &version.path).unwrap();
        assert_eq!(kept, Some(text.into_bytes()), "{name}");
    }
    let place = dir.store.places().history();
    let mut git = std::process::Command::new("git");
    let git = git
        .args(["fsck", "--full", "--strict"])
        .env("GIT_DIR", place);
    let checked = git.output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}

#[test]
fn what_cannot_be_staged_leaves_nothing_visible_though_the_objects_are_written() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    // A file stands where a folder of the batch should.
    dir.write_foreign("part3", "mine\n");
    let names = |dir: &Directory| {
        let names = fs::read_dir(&dir.root).unwrap().flatten();
        let names = names.map(|entry| entry.file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let before = names(&dir);
    let failed = dir
        .store
        .write::<_, StoreError>(&order("pull", 1), &OpenGate, |draft| {
            for number in 0..FILES {
                let path = path(&format!("part{}/n{number}.md", number % 7));
                draft.create_dated(&path, Arc::new(text(number).into_bytes()), at(0).0)?;
            }
            Ok(())
        });
    assert!(failed.is_err());
    assert_eq!(names(&dir), before);
    let history = dir.store.open_history().unwrap().unwrap();
    let verbs = history
        .own_entries()
        .map(|entry| entry.unwrap().change.verb);
    assert_eq!(verbs.collect::<Vec<_>>(), ["foreign", "save"]);
}
