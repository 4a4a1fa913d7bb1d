//! The folders of a batch: each opened once, and a new one out of sight until all of it stands.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;

use super::error::StoreError;
use super::stage::temporary_name;
use super::tree::Tree;
use crate::MemoryPath;
use crate::platform;

/// How a folder that is missing is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FolderCreation {
    /// At once: each file is put into it by itself.
    InPlace,
    /// Under a temporary name, with its files in it, and put into its place as a whole: one step instead of one
    /// for each of thousands of files.
    Aside,
}

/// The folders of a batch by their names; files of one folder have one handle, because a process may not have many.
#[derive(Debug)]
pub(super) struct BatchFolders {
    making: FolderCreation,
    open: BTreeMap<String, OpenFolder>,
}

/// One that is open.
#[derive(Clone, Debug)]
pub(super) struct OpenFolder {
    /// Its handle, which stays the same when it is moved.
    pub(super) dir: Arc<Dir>,
    /// Whether the batch made it: then nothing of anybody stands in it.
    pub(super) is_new: bool,
    /// What it is moved into its place with.
    pub(super) aside: Option<Arc<TemporaryFolder>>,
}

/// A new folder that stands under a temporary name; removed with all that is in it when dropped unless it was moved.
#[derive(Debug)]
pub(super) struct TemporaryFolder {
    above: Arc<Dir>,
    /// The name of the folder above, which gets a new entry.
    pub(super) above_name: Option<String>,
    temporary: String,
    name: String,
    is_moved: AtomicBool,
}

impl BatchFolders {
    pub(super) fn new(making: FolderCreation) -> Self {
        Self {
            making,
            open: BTreeMap::new(),
        }
    }

    /// Opens the folder of a file, which is made where it is missing.
    pub(super) fn open(
        &mut self,
        tree: &Tree,
        path: &MemoryPath,
    ) -> Result<OpenFolder, StoreError> {
        let name = path.parent().unwrap_or_default();
        if let Some(open) = self.open.get(name) {
            return Ok(open.clone());
        }
        let fail = |error| tree.explain("create", path, error);
        let mut folder = OpenFolder {
            dir: Arc::new(tree.dir().try_clone().map_err(fail)?),
            is_new: false,
            aside: None,
        };
        if !name.is_empty() {
            let ends = name.match_indices('/').map(|(end, _)| end);
            for end in ends.chain([name.len()]) {
                folder = self.next(&folder, &name[..end]).map_err(fail)?;
            }
        }
        self.open.insert(name.to_owned(), folder.clone());
        Ok(folder)
    }

    /// Removes the folders that were made in place and are empty, after their files could not be written.
    pub(super) fn remove_new(&self, tree: &Tree) {
        let new = self
            .open
            .iter()
            .filter(|(_, folder)| folder.is_new && folder.aside.is_none());
        // The deepest first. Refused where something is in it, which is what is wanted.
        for (name, _) in new.rev() {
            let _ = tree.dir().remove_dir(name);
        }
    }

    /// One of them that was opened already.
    pub(super) fn of(&self, path: &MemoryPath) -> Option<&OpenFolder> {
        self.open.get(path.parent().unwrap_or_default())
    }

    /// The folder of this name, within the one above it.
    fn next(&mut self, above: &OpenFolder, name: &str) -> io::Result<OpenFolder> {
        if let Some(open) = self.open.get(name) {
            return Ok(open.clone());
        }
        let (parent, last) = match name.rsplit_once('/') {
            Some((parent, last)) => (Some(parent), last),
            None => (None, name),
        };
        // Below a folder that stands aside, everything is made in place: it becomes visible with that one rename.
        let folder = match (self.making, &above.aside) {
            (FolderCreation::Aside, None) => match above.dir.open_dir_nofollow(last) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    begin(above, parent, last)?
                }
                dir => OpenFolder {
                    dir: Arc::new(dir?),
                    is_new: false,
                    aside: None,
                },
            },
            _ => make(above, last)?,
        };
        self.open.insert(name.to_owned(), folder.clone());
        Ok(folder)
    }
}

/// Makes a folder where it is to stand, unless it stands there already.
fn make(above: &OpenFolder, name: &str) -> io::Result<OpenFolder> {
    let is_new = match above.dir.create_dir(name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        made => made.is_ok(),
    };
    Ok(OpenFolder {
        dir: Arc::new(above.dir.open_dir_nofollow(name)?),
        is_new,
        aside: above.aside.clone(),
    })
}

/// Makes a folder under a temporary name.
fn begin(above: &OpenFolder, above_name: Option<&str>, name: &str) -> io::Result<OpenFolder> {
    let temporary = temporary_name();
    above.dir.create_dir(&temporary)?;
    let aside = TemporaryFolder {
        above: Arc::clone(&above.dir),
        above_name: above_name.map(str::to_owned),
        temporary,
        name: name.to_owned(),
        is_moved: AtomicBool::new(false),
    };
    Ok(OpenFolder {
        dir: Arc::new(above.dir.open_dir_nofollow(&aside.temporary)?),
        is_new: true,
        aside: Some(Arc::new(aside)),
    })
}

impl TemporaryFolder {
    /// Puts it into its place, unless something stands there by now.
    pub(super) fn put(&self) -> io::Result<()> {
        let (above, temporary, name) = (&self.above, &self.temporary, &self.name);
        platform::rename_without_replacing(above, temporary, above, name)?;
        self.is_moved.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether it stands in its place.
    pub(super) fn is_moved(&self) -> bool {
        self.is_moved.load(Ordering::Relaxed)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if !self.is_moved() {
            // What a crash leaves is swept by the next writer.
            let _ = self.above.remove_dir_all(&self.temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::atomic::replace_file;
    use crate::history::Sha256;
    use crate::store::apply::{self, FileStep};
    use crate::store::stage::StagedFile;

    /// New files, and one that is to be exchanged, on their way.
    fn staged(tree: &Tree, names: &[&str], old: Option<(&str, &str)>) -> Vec<FileStep> {
        let mut folders = BatchFolders::new(FolderCreation::Aside);
        let names = names.iter().map(|name| (*name, None));
        let old = old.map(|(name, text)| (name, Some(Sha256::digest(text.as_bytes()))));
        let steps = names.chain(old).map(|(name, before)| {
            let path = MemoryPath::parse(name).unwrap();
            folders.open(tree, &path).unwrap();
            let contents = (
                before.map(|one| (one, 4)),
                Some((Sha256::digest(b"new"), 3)),
            );
            let staged = StagedFile::write(tree, &folders, &path, b"new", contents, false);
            FileStep {
                path,
                before,
                before_bytes: 4,
                staged: Some(staged.unwrap()),
            }
        });
        steps.collect()
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
    fn new_folders_come_with_all_that_is_in_them() {
        let root = tempfile::tempdir().unwrap();
        let (root, new) = (
            root.path(),
            ["t/a/b/x.md", "t/a/y.md", "t/z.md", "old/u/v.md"],
        );
        fs::create_dir(root.join("old")).unwrap();
        let tree = tree(root);
        let steps = staged(&tree, &new, None);
        assert!(!root.join("t").exists() && !root.join("old/u").exists());
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
        drop(staged(&tree, &["t/a/x.md", "y.md"], None));
        assert!(names(root.path()).is_empty());
    }

    #[test]
    fn where_something_stands_by_then_nothing_is_changed() {
        for theirs in ["t/mine.md", "t"] {
            let root = tempfile::tempdir().unwrap();
            let (tree, place) = (tree(root.path()), root.path().join(theirs));
            let steps = staged(&tree, &["s/y.md", "t/a/x.md", "t/z.md"], None);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            replace_file(&place, b"theirs").unwrap();
            let failed = apply::apply(&tree, &steps).unwrap_err();
            assert!(matches!(failed, StoreError::Conflict(_)), "{failed}");
            drop(steps);
            assert_eq!(fs::read(&place).unwrap(), b"theirs");
            assert!(!root.path().join("s/y.md").exists());
            assert!(names(root.path()).iter().all(|name| !name.starts_with('.')));
        }
    }

    #[test]
    fn what_somebody_wrote_into_a_new_folder_stays_when_it_is_taken_back() {
        let root = tempfile::tempdir().unwrap();
        let tree = tree(root.path());
        replace_file(&root.path().join("old.md"), b"read").unwrap();
        let steps = staged(&tree, &["t/x.md", "t/y.md"], Some(("old.md", "read")));
        let (done, failed) = apply::put_folders(&tree, &steps);
        assert!(failed.is_none());
        replace_file(&root.path().join("t/x.md"), b"theirs").unwrap();
        replace_file(&root.path().join("t/more.md"), b"theirs").unwrap();
        for one in done {
            apply::take_back(&tree, one).unwrap();
        }
        drop(steps);
        assert_eq!(names(&root.path().join("t")), ["more.md", "x.md"]);
        assert_eq!(fs::read(root.path().join("old.md")).unwrap(), b"read");
    }
}
