//! How many files a memory directory may come to hold.
//!
//! What is over the limit of reading makes every command fail, so writes stop long before that.

use super::error::StoreError;
use super::locked_store::LockedStore;
use super::write_transaction::FileWrite;
use crate::MemoryPath;

impl LockedStore<'_> {
    /// Refuses to add files beyond the limit. A change that adds no more than it removes is never refused: above the
    /// limit, where other programs brought the directory, it is the way out.
    pub(super) fn check_file_limit(&self, (new, gone): (usize, usize)) -> Result<(), StoreError> {
        let (files, limit) = (self.walk.files.len(), self.store.files_max);
        let added = new.saturating_sub(gone);
        match added > 0 && files.saturating_add(added) > limit {
            true => Err(StoreError::TooManyFiles {
                root: self.store.places.root.clone(),
                files,
                added,
                limit,
            }),
            false => Ok(()),
        }
    }
}

/// How many files an intent makes, and how many it removes.
pub(super) fn new_and_gone(wishes: &[(MemoryPath, FileWrite)]) -> (usize, usize) {
    let new = wishes.iter().filter(|(_, wish)| wish.before.is_none());
    let gone = wishes.iter().filter(|(_, wish)| wish.after.is_none());
    (new.count(), gone.count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Author, AuthorKind};
    use crate::store::ChangeMetadata;
    use crate::store::write_transaction::WriteTransaction;
    use crate::store::{LocalStore, OpenGate, Tiers};
    use crate::{Diagnose as _, Dirs, Now};

    fn order() -> ChangeMetadata {
        let now = Now("2026-11-20T10:00:00Z".parse().unwrap());
        ChangeMetadata::new("save", Author::from_actor(AuthorKind::Person), now)
    }

    fn write(
        store: &LocalStore,
        plan: impl Fn(&mut WriteTransaction<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        store.write(&order(), &OpenGate, plan).map(|_| ())
    }

    #[test]
    fn a_file_too_many_is_refused_and_what_makes_room_is_not() {
        let temp = tempfile::tempdir().unwrap();
        let home = temp.path().canonicalize().unwrap();
        let dirs = Dirs {
            home: None,
            base: home.join("base"),
            config: home.join("config"),
            state: home.join("state"),
            cache: home.join("cache"),
            managed: home.join("managed"),
            seals: crate::sealing::StateKeys::default(),
        };
        let mut store = LocalStore::new(&home.join("memory"), Tiers::Project, &dirs);
        store.files_max = 3;
        let path = |name: &str| MemoryPath::parse(name).unwrap();
        let put = |name: &str| write(&store, |draft| draft.put(&path(name), b"x".to_vec()));
        for name in ["a.md", "b.md", "team/c.md"] {
            put(name).unwrap();
        }
        let append = |store: &LocalStore| {
            let log = path("logs/2026/11/2026-11-20.md");
            store.append(&order(), &OpenGate, &log, b"", b"- one\n")
        };
        for refused in [put("d.md").unwrap_err(), append(&store).unwrap_err()] {
            let text = refused.to_string();
            assert!(
                text.ends_with("holds 3 files, and 1 more would exceed the limit of 3"),
                "{text}"
            );
            assert!(refused.hint().is_some());
        }
        assert!(!home.join("memory/d.md").exists());
        // Changes, renames and removals go on, also where another program went over the limit.
        crate::atomic::replace_file(&home.join("memory/e.md"), b"theirs").unwrap();
        store.snapshot().unwrap();
        write(&store, |draft| draft.put(&path("a.md"), b"y".to_vec())).unwrap();
        write(&store, |draft| {
            draft.remove(&path("b.md"))?;
            draft.put(&path("f.md"), b"x".to_vec())
        })
        .unwrap();
        for name in ["e.md", "f.md"] {
            write(&store, |draft| draft.remove(&path(name))).unwrap();
        }
        append(&store).unwrap();
    }
}
