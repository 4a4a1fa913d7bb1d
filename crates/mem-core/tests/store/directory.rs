//! A memory directory of its own for each test.

use std::fs;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use mem_core::history::{Author, AuthorKind, Change};
use mem_core::store::{ChangeMetadata, LocalStore, OpenGate, StoreError, Tiers, WriteOutcome};
use mem_core::{Dirs, MemoryPath, Now};

pub(super) struct Directory {
    _temp: tempfile::TempDir,
    pub(super) root: PathBuf,
    pub(super) dirs: Dirs,
    pub(super) store: LocalStore,
}

pub(super) fn directory() -> Directory {
    let temp = tempfile::tempdir().unwrap();
    let home = temp.path().canonicalize().unwrap();
    let dirs = Dirs {
        home: Some(home.clone()),
        base: home.join(".claude"),
        config: home.join("config"),
        state: home.join("state"),
        cache: home.join("cache"),
        managed: home.join("managed"),
        seals: mem_core::sealing::StateKeys::default(),
    };
    let root = home.join(".claude/projects/-work-app/memory");
    let store = LocalStore::new(&root, Tiers::Project, &dirs);
    Directory {
        _temp: temp,
        root,
        dirs,
        store,
    }
}

pub(super) fn path(text: &str) -> MemoryPath {
    MemoryPath::parse(text).unwrap()
}

/// A fixed instant, some minutes in.
pub(super) fn at(minutes: i64) -> Now {
    let start: Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    Now(start + SignedDuration::from_mins(minutes))
}

pub(super) fn order(verb: &'static str, minutes: i64) -> ChangeMetadata {
    ChangeMetadata::new(verb, Author::from_actor(AuthorKind::Person), at(minutes))
}

impl Directory {
    pub(super) fn put(&self, minutes: i64, files: &[(&str, &str)]) -> WriteOutcome<()> {
        self.try_put(minutes, files).unwrap()
    }

    pub(super) fn try_put(
        &self,
        minutes: i64,
        files: &[(&str, &str)],
    ) -> Result<WriteOutcome<()>, StoreError> {
        self.store
            .write(&order("save", minutes), &OpenGate, |draft| {
                files
                    .iter()
                    .try_for_each(|(name, text)| draft.put(&path(name), text.as_bytes().into()))
            })
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root.join(name)).unwrap()
    }

    pub(super) fn write_foreign(&self, name: &str, text: &str) {
        let file = self.root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// All changes, newest first.
    pub(super) fn changes(&self) -> Vec<Change> {
        let locked = self.store.observe(at(10_000)).unwrap().unwrap();
        locked
            .history()
            .entries()
            .unwrap()
            .into_iter()
            .map(|entry| entry.change)
            .collect()
    }

    /// Names of everything in the directory, hidden files too.
    pub(super) fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.root) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}
