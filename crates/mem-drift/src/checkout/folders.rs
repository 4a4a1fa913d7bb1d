//! The folders that hold tracked files: git itself knows none.

/// All folders, sorted, without trailing slashes.
#[derive(Default)]
pub(crate) struct TrackedFolders(Vec<Vec<u8>>);

impl TrackedFolders {
    /// The folders of sorted paths.
    pub(super) fn from_paths<'a>(paths: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut folders = Vec::new();
        let mut previous: &[u8] = b"";
        for path in paths {
            let shared = shared_len(previous, path);
            let slashes = (shared..path.len()).filter(|&at| path[at] == b'/');
            folders.extend(slashes.map(|at| path[..at].to_vec()));
            previous = path;
        }
        folders.sort_unstable();
        folders.dedup();
        Self(folders)
    }

    pub(crate) fn all(&self) -> &[Vec<u8>] {
        &self.0
    }

    /// Whether there is such a folder.
    pub(crate) fn contains_folder(&self, path: &[u8]) -> bool {
        self.0
            .binary_search_by(|folder| folder.as_slice().cmp(path))
            .is_ok()
    }

    /// Folders whose path ends with these parts.
    pub(crate) fn ending_with(&self, path: &[u8]) -> Vec<&[u8]> {
        let all = self.0.iter().map(Vec::as_slice);
        all.filter(|folder| super::listing::ends_with_parts(folder, path))
            .collect()
    }
}

/// The length of the folders that two sorted neighbours share.
fn shared_len(a: &[u8], b: &[u8]) -> usize {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    b[..same]
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_once() {
        let paths: [&[u8]; 4] = [b"a/b/x", b"a/b/y", b"a/c/x", b"z"];
        let folders = TrackedFolders::from_paths(paths.into_iter());
        let expected: [&[u8]; 3] = [b"a", b"a/b", b"a/c"];
        assert_eq!(folders.all(), expected);
        assert!(folders.contains_folder(b"a/b") && !folders.contains_folder(b"b"));
        assert_eq!(folders.ending_with(b"b"), [b"a/b"]);
    }
}
