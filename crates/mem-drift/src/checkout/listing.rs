//! The files that are tracked, sorted by path, in one block of memory.

use std::collections::HashMap;
use std::sync::OnceLock;

use git2::{Oid, Repository};

use super::folders::TrackedFolders;
use super::{index_file, tree};
use crate::limits::INDEX_BYTES_MAX;
use mem_core::compact_sort::CompactSort as _;

/// One tracked file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrackedFile {
    start: u32,
    length: u32,
    /// The blob, or the commit of a submodule.
    pub(crate) id: Oid,
    /// The mode of git.
    pub(crate) mode: i32,
    /// Whether it is not meant to be on disk.
    pub(crate) is_absent: bool,
    /// Size and time of modification when git last looked, to tell an edited file.
    pub(crate) stat: Option<(u32, i32, u32)>,
}

/// All tracked files.
#[derive(Default)]
pub(crate) struct TrackedFiles {
    names: Vec<u8>,
    entries: Vec<TrackedFile>,
    /// The tree that all of it makes, if known.
    pub(super) tree: Option<Oid>,
    by_name: OnceLock<HashMap<Vec<u8>, Vec<u32>>>,
    by_id: OnceLock<HashMap<Oid, u32>>,
    folders: OnceLock<TrackedFolders>,
}

impl TrackedFiles {
    /// The index; `None` when it cannot be read (a split one).
    pub(super) fn of_index(repository: &Repository) -> Option<Self> {
        let file = repository.path().join("index");
        let bytes = match mem_core::regular_file::read(&file, INDEX_BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Some(Self::default());
            }
            Err(_) => return None,
        };
        let mut listing = Self::default();
        let tree = index_file::read(&bytes, |raw| {
            if raw.mode == tree::MODE_FOLDER {
                // A sparse index has a folder that is left out as one entry.
                tree::walk_tree_files(
                    repository,
                    raw.id,
                    &mut raw.path.to_vec(),
                    &mut |path, id, mode| {
                        listing.push_file(path, id, mode, true, None);
                    },
                );
            } else {
                listing.push_file(raw.path, raw.id, raw.mode, raw.is_absent, Some(raw.stat));
            }
        })?;
        Some(Self { tree, ..listing })
    }

    /// The files of a tree.
    pub(super) fn of_tree(repository: &Repository, id: Oid) -> Self {
        let mut listing = Self::default();
        tree::walk_tree_files(repository, id, &mut Vec::new(), &mut |path, id, mode| {
            listing.push_file(path, id, mode, false, None);
        });
        let names = std::mem::take(&mut listing.names);
        listing
            .entries
            .compact_sort_by(|a, b| a.path_in(&names).cmp(b.path_in(&names)));
        listing.names = names;
        listing
    }

    /// Adds a file; one in conflict stands in the index more than once.
    fn push_file(
        &mut self,
        path: &[u8],
        id: Oid,
        mode: i32,
        is_absent: bool,
        stat: Option<(u32, i32, u32)>,
    ) {
        let is_known = self
            .entries
            .last()
            .is_some_and(|last| last.path_in(&self.names) == path);
        let (Ok(start), Ok(length)) = (u32::try_from(self.names.len()), u32::try_from(path.len()))
        else {
            return;
        };
        if is_known || !is_inside(path) {
            return;
        }
        self.names.extend_from_slice(path);
        self.entries.push(TrackedFile {
            start,
            length,
            id,
            mode,
            is_absent,
            stat,
        });
    }

    pub(crate) fn entries(&self) -> &[TrackedFile] {
        &self.entries
    }

    pub(crate) fn path_at(&self, at: usize) -> &[u8] {
        self.entries[at].path_in(&self.names)
    }

    /// The file with exactly this path.
    pub(crate) fn find_path(&self, path: &[u8]) -> Option<usize> {
        let entries = &self.entries;
        entries
            .binary_search_by(|entry| entry.path_in(&self.names).cmp(path))
            .ok()
    }

    /// Files whose path ends with these parts; `src/a.rs` fits `web/src/a.rs`.
    pub(crate) fn ending_with(&self, path: &[u8]) -> Vec<usize> {
        let same_name = self.by_name().get(last_segment(path)).into_iter().flatten();
        let fits = |&at: &usize| ends_with_parts(self.path_at(at), path);
        same_name.map(|&at| at as usize).filter(fits).collect()
    }

    /// A file with this content.
    pub(crate) fn with_id(&self, id: Oid) -> Option<usize> {
        let build = || {
            let numbered = self.entries.iter().zip(0..);
            numbered.map(|(entry, at)| (entry.id, at)).collect()
        };
        self.by_id
            .get_or_init(build)
            .get(&id)
            .map(|&at| at as usize)
    }

    /// The file whose path differs in the case of letters only.
    pub(crate) fn in_other_case(&self, path: &[u8]) -> Option<usize> {
        let same = |entry: &TrackedFile| entry.path_in(&self.names).eq_ignore_ascii_case(path);
        self.entries.iter().position(same)
    }

    /// The folders that hold tracked files.
    pub(crate) fn folders(&self) -> &TrackedFolders {
        let paths = || self.entries.iter().map(|entry| entry.path_in(&self.names));
        self.folders
            .get_or_init(|| TrackedFolders::from_paths(paths()))
    }

    fn by_name(&self) -> &HashMap<Vec<u8>, Vec<u32>> {
        self.by_name.get_or_init(|| {
            let mut names: HashMap<Vec<u8>, Vec<u32>> = HashMap::new();
            for (entry, at) in self.entries.iter().zip(0..) {
                let name = last_segment(entry.path_in(&self.names));
                match names.get_mut(name) {
                    Some(list) => list.push(at),
                    None => {
                        names.insert(name.to_vec(), vec![at]);
                    }
                }
            }
            names
        })
    }
}

impl TrackedFile {
    fn path_in<'a>(&self, names: &'a [u8]) -> &'a [u8] {
        &names[self.start as usize..(self.start + self.length) as usize]
    }
}

/// The last part of a path.
pub(crate) fn last_segment(path: &[u8]) -> &[u8] {
    let start = path
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |at| at + 1);
    &path[start..]
}

/// Whether a path is another one, or ends with a slash and the other one.
pub(crate) fn ends_with_parts(path: &[u8], end: &[u8]) -> bool {
    path.strip_suffix(end)
        .is_some_and(|front| front.is_empty() || front.ends_with(b"/"))
}

/// Whether a path of an index or a tree stays inside of the checkout, and out of `.git`.
fn is_inside(path: &[u8]) -> bool {
    let is_foul =
        |part: &[u8]| matches!(part, b"" | b"." | b"..") || part.eq_ignore_ascii_case(b".git");
    !path.contains(&0) && !path.split(|&byte| byte == b'/').any(is_foul)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_paths_stay_out() {
        for path in [
            "../x",
            "/etc/passwd",
            "a//b",
            ".git/config",
            "a/.GIT/x",
            "a/./b",
            "",
        ] {
            assert!(!is_inside(path.as_bytes()), "{path}");
        }
        assert!(is_inside(b"a/.github/b"));
    }

    #[test]
    fn lookups_find_what_is_there() {
        let mut listing = TrackedFiles::default();
        for path in ["a/src/x.rs", "b/src/x.rs", "b/src/y.rs"] {
            listing.push_file(path.as_bytes(), Oid::ZERO_SHA1, 0o100_644, false, None);
        }
        assert_eq!(listing.find_path(b"b/src/x.rs"), Some(1));
        assert_eq!(listing.find_path(b"src/x.rs"), None);
        assert_eq!(listing.ending_with(b"src/x.rs"), [0, 1]);
        assert_eq!(listing.ending_with(b"c/x.rs"), [0; 0]);
        assert_eq!(listing.in_other_case(b"B/src/Y.rs"), Some(2));
    }
}
