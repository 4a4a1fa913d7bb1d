//! Telling the daemon's own writes from everybody else's: a synchronisation must not be the reason of
//! the next one.
//!
//! ```text
//!  job        begin ----- writes a, b ----- end(written = a, b)
//!  watch              a   b   c      c            b
//!                     held until the end          b: as it was left? own. Else: somebody wrote it since
//!                     a, b: as left -> own        c: was told at the end
//! ```
//!
//! Muting the watch during a round would lose `c`. Ignoring the paths of the round afterwards would lose an edit of `a`
//! right after it, so a path counts as own only while its mtime, size and inode are those that the job left.
//! Tests: `event_loop::own_writes::tests::own_writes_are_no_news_and_others_are`,
//! `event_loop::own_writes::tests::too_many_changes_are_all_news`.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// So many paths are remembered; beyond that everything counts as somebody else's.
const PATHS_MAX: usize = 20_000;

/// A file as it was left; `None` where it was removed.
type FileStamp = Option<(SystemTime, u64, u64)>;

/// What the daemon wrote, and what changed while it was writing.
#[derive(Debug, Default)]
pub(super) struct OwnWrites {
    inner: Mutex<OwnWritesState>,
}

#[derive(Debug, Default)]
struct OwnWritesState {
    left: HashMap<PathBuf, FileStamp>,
    /// Paths that changed during a synchronisation, until it is known who wrote them.
    held: Option<HashSet<PathBuf>>,
    has_overflown: bool,
}

impl OwnWrites {
    /// A synchronisation begins: changes are held back.
    pub(super) fn begin(&self) {
        let mut inner = self.inner();
        inner.left.clear();
        inner.held = Some(HashSet::new());
        inner.has_overflown = false;
    }

    /// It is over. Returns the paths that somebody else changed meanwhile, or `None` for too many.
    pub(super) fn end(&self, written: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let mut inner = self.inner();
        let held = inner.held.take().unwrap_or_default();
        if inner.has_overflown || written.len() > PATHS_MAX {
            return None;
        }
        inner.left = written
            .iter()
            .map(|path| (path.clone(), file_stamp(path)))
            .collect();
        let others = held.into_iter().filter(|path| !inner.is_own(path));
        Some(others.collect())
    }

    /// Whether a change is to be told now: it is not the daemon's own, and not held back.
    pub(super) fn is_news(&self, path: &Path) -> bool {
        let mut inner = self.inner();
        let Some(held) = &mut inner.held else {
            return !inner.is_own(path);
        };
        if held.len() < PATHS_MAX {
            held.insert(path.to_owned());
        } else {
            inner.has_overflown = true;
        }
        false
    }

    fn inner(&self) -> MutexGuard<'_, OwnWritesState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OwnWritesState {
    fn is_own(&self, path: &Path) -> bool {
        self.left
            .get(path)
            .is_some_and(|then| *then == file_stamp(path))
    }
}

fn file_stamp(path: &Path) -> FileStamp {
    use std::os::unix::fs::MetadataExt as _;

    let meta = std::fs::symlink_metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len(), meta.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_writes_are_no_news_and_others_are() {
        let folder = tempfile::tempdir().unwrap();
        let [ours, theirs] = ["a", "b"].map(|name| folder.path().join(name));
        let writes = OwnWrites::default();
        assert!(writes.is_news(&theirs));
        writes.begin();
        for path in [&ours, &theirs] {
            mem_core::atomic::replace_file(path, b"1").unwrap();
            assert!(!writes.is_news(path), "held back");
        }
        assert_eq!(
            writes.end(std::slice::from_ref(&ours)),
            Some(vec![theirs.clone()])
        );
        assert!(!writes.is_news(&ours), "told late");
        assert!(writes.is_news(&theirs));
        mem_core::atomic::replace_file(&ours, b"22").unwrap();
        assert!(writes.is_news(&ours), "changed by somebody else since");
    }

    #[test]
    fn a_removal_of_ours_is_no_news() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let writes = OwnWrites::default();
        writes.begin();
        assert_eq!(writes.end(std::slice::from_ref(&gone)), Some(Vec::new()));
        assert!(!writes.is_news(&gone));
        mem_core::atomic::replace_file(&gone, b"back").unwrap();
        assert!(writes.is_news(&gone));
    }

    #[test]
    fn too_many_changes_are_all_news() {
        let writes = OwnWrites::default();
        writes.begin();
        for n in 0..=PATHS_MAX {
            writes.is_news(Path::new(&n.to_string()));
        }
        assert_eq!(writes.end(&[]), None);
    }
}
