//! The folders of a batch: each opened once, and made where it is missing.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;

use super::error::StoreError;
use super::tree::Tree;
use crate::MemoryPath;

/// The folders of a batch by their names; files of one folder have one handle, because a process may not have many.
#[derive(Debug, Default)]
pub(super) struct BatchFolders(BTreeMap<String, OpenFolder>);

/// One that is open.
#[derive(Clone, Debug)]
pub(super) struct OpenFolder {
    /// Its handle.
    pub(super) dir: Arc<Dir>,
    /// Whether the batch made it: then nothing of anybody stands in it.
    pub(super) is_new: bool,
}

impl BatchFolders {
    /// Opens the folder of a file, which is made where it is missing.
    pub(super) fn open(
        &mut self,
        tree: &Tree,
        path: &MemoryPath,
    ) -> Result<OpenFolder, StoreError> {
        let name = path.parent().unwrap_or_default();
        if let Some(open) = self.0.get(name) {
            return Ok(open.clone());
        }
        let fail = |error| tree.explain("create", path, error);
        let mut folder = OpenFolder {
            dir: Arc::new(tree.dir().try_clone().map_err(fail)?),
            is_new: false,
        };
        if !name.is_empty() {
            let ends = name.match_indices('/').map(|(end, _)| end);
            for end in ends.chain([name.len()]) {
                folder = self.next(&folder, &name[..end]).map_err(fail)?;
            }
        }
        self.0.insert(name.to_owned(), folder.clone());
        Ok(folder)
    }

    /// Removes the folders that were made and are empty, after their files could not be put into place.
    pub(super) fn remove_new(&self, tree: &Tree) {
        let new = self.0.iter().filter(|(_, folder)| folder.is_new);
        // The deepest first. Refused where something is in it, which is what is wanted.
        for (name, _) in new.rev() {
            let _ = tree.dir().remove_dir(name);
        }
    }

    /// One of them that was opened already.
    pub(super) fn of(&self, path: &MemoryPath) -> Option<&OpenFolder> {
        self.0.get(path.parent().unwrap_or_default())
    }

    /// The folder of this name, within the one above it.
    fn next(&mut self, above: &OpenFolder, name: &str) -> io::Result<OpenFolder> {
        if let Some(open) = self.0.get(name) {
            return Ok(open.clone());
        }
        let last = name.rsplit('/').next().unwrap_or(name);
        let is_new = match above.dir.create_dir(last) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            made => made.is_ok(),
        };
        let dir = Arc::new(above.dir.open_dir_nofollow(last)?);
        let folder = OpenFolder { dir, is_new };
        self.0.insert(name.to_owned(), folder.clone());
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::atomic::replace_file;
    use crate::store::apply::{self, FileStep};

    /// New files, and what is to be exchanged for `new`, on their way.
    fn staged(
        tree: &Tree,
        names: &[&str],
        old: Option<(&str, &str)>,
    ) -> (Vec<FileStep>, BatchFolders) {
        let mut folders = BatchFolders::default();
        let names = names.iter().map(|name| (*name, None));
        let old = old.map(|(name, text)| (name, Some(text.as_bytes())));
        let steps = names.chain(old).map(|(name, old)| {
            let path = MemoryPath::parse(name).unwrap();
            FileStep::prepare(tree, &mut folders, &path, old, Some(b"new")).unwrap()
        });
        (steps.collect(), folders)
    }

    fn tree(root: &Path) -> Tree {
        Tree::open(root).unwrap().unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().flatten();
        let names = names.map(|entry| entry.file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn new_folders_are_made_for_what_is_in_them() {
        let root = tempfile::tempdir().unwrap();
        let (root, new) = (
            root.path(),
            ["t/a/b/x.md", "t/a/y.md", "t/z.md", "old/u/v.md"],
        );
        fs::create_dir(root.join("old")).unwrap();
        let tree = tree(root);
        let (steps, _) = staged(&tree, &new, None);
        apply::apply(&tree, &steps).unwrap();
        drop(steps);
        for name in new {
            assert_eq!(fs::read(root.join(name)).unwrap(), b"new");
        }
        assert_eq!(
            (names(root), names(&root.join("old"))),
            (vec!["old".into(), "t".into()], vec!["u".into()])
        );
    }

    #[test]
    fn what_is_not_put_into_its_place_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let tree = tree(root.path());
        let (steps, folders) = staged(&tree, &["t/a/x.md", "y.md"], None);
        drop(steps);
        folders.remove_new(&tree);
        assert!(names(root.path()).is_empty());
    }

    #[test]
    fn where_something_stands_by_then_nothing_is_changed_and_what_is_in_a_new_folder_stays() {
        let root = tempfile::tempdir().unwrap();
        let (root, tree) = (root.path(), tree(root.path()));
        replace_file(&root.join("old.md"), b"read").unwrap();
        let new = ["s/y.md", "t/a/x.md", "t/z.md"];
        let (steps, folders) = staged(&tree, &new, Some(("old.md", "read")));
        for theirs in ["t/a/x.md", "t/more.md"] {
            replace_file(&root.join(theirs), b"theirs").unwrap();
        }
        let failed = apply::apply(&tree, &steps).unwrap_err();
        assert!(matches!(failed, StoreError::Conflict(_)), "{failed}");
        drop(steps);
        folders.remove_new(&tree);
        assert_eq!(names(root), ["old.md", "t"]);
        assert_eq!(names(&root.join("t")), ["a", "more.md"]);
        assert_eq!(fs::read(root.join("t/a/x.md")).unwrap(), b"theirs");
        assert_eq!(fs::read(root.join("old.md")).unwrap(), b"read");
    }
}
