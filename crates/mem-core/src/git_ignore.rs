//! Which files git ignores, told without git.
//!
//! A repository decides what its `.gitignore` is: a pipe, a device or a link to a file elsewhere as well. git, libgit2
//! and the walker of the `ignore` crate wait for the pipe and follow the link. Here every such file is opened through
//! [`regular_file::read_unlinked`], and one that is not a regular file counts as absent, as a linked one does for git
//! (gitignore(5)). The patterns themselves are matched by the `ignore` crate.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::limits::IGNORE_FILE_BYTES_MAX;
use crate::{project, regular_file};

/// The ignore rules in force at a folder and below it. Folders are read when a path of theirs is first asked about.
#[derive(Debug)]
pub struct GitIgnore {
    top: PathBuf,
    /// The person's own rules, for all repositories.
    global: Gitignore,
    /// By their paths from the top.
    folders: RwLock<HashMap<PathBuf, Arc<IgnoreFolder>>>,
}

/// The rules of one folder, with those above it.
#[derive(Debug)]
struct IgnoreFolder {
    rules: Gitignore,
    /// `info/exclude`, where the folder is the top of a checkout.
    exclude: Gitignore,
    /// Whether the folder itself, or one between it and the top, is ignored.
    is_ignored: bool,
    /// Not beyond the top of a checkout.
    above: Option<Arc<Self>>,
}

impl GitIgnore {
    /// The rules at a folder, which is absolute. `global` is the text of the person's own ignore file.
    pub fn new(top: &Path, global: &[u8]) -> Self {
        let repository = top.ancestors().find(|folder| is_checkout(folder));
        let mut above = None;
        if !is_checkout(top) {
            let outer = top.ancestors().skip(1);
            let end = repository.map(Path::to_owned);
            let within = |folder: &&Path| end.as_ref().is_none_or(|end| folder.starts_with(end));
            let outer: Vec<&Path> = outer.take_while(within).collect();
            for folder in outer.into_iter().rev() {
                above = Some(Arc::new(IgnoreFolder::read(folder, false, above)));
            }
        }
        let first = Arc::new(IgnoreFolder::read(top, false, above));
        Self {
            top: top.to_owned(),
            global: rules(repository.unwrap_or(top), global),
            folders: RwLock::new(HashMap::from([(PathBuf::new(), first)])),
        }
    }

    /// Whether git ignores the path, which is relative to the top, or a folder that it is in. The top itself is never
    /// ignored.
    pub fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        let Some(parent) = path.parent() else {
            return false;
        };
        let folder = self.folder(parent);
        folder.is_ignored || self.matches(&folder, path, is_folder)
    }

    fn folder(&self, path: &Path) -> Arc<IgnoreFolder> {
        let known = |path: &Path| {
            let folders = self.folders.read();
            let folders = folders.unwrap_or_else(PoisonError::into_inner);
            folders.get(path).cloned()
        };
        if let Some(folder) = known(path) {
            return folder;
        }
        // From the nearest that is known downwards: no recursion, however deep a repository nests.
        let missing: Vec<&Path> = path
            .ancestors()
            .take_while(|path| known(path).is_none())
            .collect();
        let top = missing.last().and_then(|path| path.parent());
        let mut folder = known(top.unwrap_or(Path::new("")));
        for path in missing.into_iter().rev() {
            let is_ignored = folder
                .as_ref()
                .is_some_and(|above| above.is_ignored || self.matches(above, path, true));
            let read = Arc::new(IgnoreFolder::read(&self.top.join(path), is_ignored, folder));
            let folders = self.folders.write();
            let mut folders = folders.unwrap_or_else(PoisonError::into_inner);
            folders.insert(path.to_owned(), Arc::clone(&read));
            folder = Some(read);
        }
        folder.unwrap_or_else(|| Arc::new(IgnoreFolder::read(&self.top, false, None)))
    }

    /// What the rules of a folder say of an entry: the nearest `.gitignore` with a match decides, then `info/exclude`,
    /// then the person's own file.
    fn matches(&self, folder: &IgnoreFolder, path: &Path, is_folder: bool) -> bool {
        let path = self.top.join(path);
        let mut next = Some(folder);
        let mut exclude = None;
        while let Some(folder) = next {
            let found = folder.rules.matched(&path, is_folder);
            if !found.is_none() {
                return found.is_ignore();
            }
            exclude = Some(&folder.exclude);
            next = folder.above.as_deref();
        }
        let found = exclude.map(|rules| rules.matched(&path, is_folder));
        match found.filter(|found| !found.is_none()) {
            Some(found) => found.is_ignore(),
            None => self.global.matched(&path, is_folder).is_ignore(),
        }
    }
}

impl IgnoreFolder {
    fn read(path: &Path, is_ignored: bool, above: Option<Arc<Self>>) -> Self {
        let is_checkout = is_checkout(path);
        let exclude = is_checkout.then(|| project::exclude_file(&path.join(".git")));
        Self {
            rules: rules_in(path, &path.join(".gitignore")),
            exclude: exclude.map_or_else(Gitignore::empty, |file| rules_in(path, &file)),
            is_ignored,
            above: above.filter(|_| !is_checkout),
        }
    }
}

fn is_checkout(folder: &Path) -> bool {
    folder.join(".git").symlink_metadata().is_ok()
}

/// The rules of a file; none where it is absent, no regular file or too large.
fn rules_in(folder: &Path, file: &Path) -> Gitignore {
    match regular_file::read_unlinked(file, IGNORE_FILE_BYTES_MAX) {
        Ok(bytes) => rules(folder, &bytes),
        Err(_) => Gitignore::empty(),
    }
}

/// The rules of a text; a line that is no pattern is left out, as git does.
fn rules(folder: &Path, text: &[u8]) -> Gitignore {
    if text.is_empty() {
        return Gitignore::empty();
    }
    let mut builder = GitignoreBuilder::new(folder);
    let text = String::from_utf8_lossy(text);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic::{create_dirs, replace_file};

    fn write(top: &Path, file: &str, text: &str) {
        let path = top.join(file);
        create_dirs(path.parent().unwrap()).unwrap();
        replace_file(&path, text.as_bytes()).unwrap();
    }

    /// Those of the paths that are ignored; one that ends with a slash is a folder.
    fn ignored<'p>(rules: &GitIgnore, paths: &[&'p str]) -> Vec<&'p str> {
        let is_ignored = |path: &&&str| {
            rules.is_ignored(Path::new(path.trim_end_matches('/')), path.ends_with('/'))
        };
        paths.iter().filter(is_ignored).copied().collect()
    }

    #[test]
    fn the_nearest_file_decides_then_the_repository_then_the_person() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path();
        write(top, ".git/HEAD", "ref: refs/heads/main\n");
        write(top, ".git/info/exclude", "*.local\n*.keep\n");
        write(top, ".gitignore", "*.log\nbuild/\n/only-top\n!x.keep\n");
        write(top, "sub/.gitignore", "!good.log\n");
        let rules = GitIgnore::new(top, b"*.swp\n");
        let paths = [
            "a.log",
            "sub/a.log",
            "sub/good.log",
            "build/",
            "build/deep/x.rs",
            "build",
            "only-top",
            "sub/only-top",
            "y.local",
            "x.keep",
            "sub/z.swp",
            "a.rs",
        ];
        let expected = [
            "a.log",
            "sub/a.log",
            "build/",
            "build/deep/x.rs",
            "only-top",
            "y.local",
            "sub/z.swp",
        ];
        assert_eq!(ignored(&rules, &paths), expected);
    }

    #[test]
    fn rules_reach_from_above_up_to_the_checkout_and_not_into_one_inside() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path();
        write(top, ".gitignore", "*.far\n");
        write(top, "repo/.git/HEAD", "ref: refs/heads/main\n");
        write(top, "repo/.gitignore", "*.near\n/sub/x\n");
        write(top, "repo/sub/inner/.git/HEAD", "ref: refs/heads/main\n");
        let rules = GitIgnore::new(&top.join("repo/sub"), b"");
        let paths = ["a.near", "a.far", "x", "inner/a.near"];
        assert_eq!(ignored(&rules, &paths), ["a.near", "x"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_file_counts_as_absent() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path();
        write(top, "outside", "*\n");
        std::fs::create_dir(top.join("repo")).unwrap();
        std::os::unix::fs::symlink(top.join("outside"), top.join("repo/.gitignore")).unwrap();
        let rules = GitIgnore::new(&top.join("repo"), b"");
        assert!(!rules.is_ignored(Path::new("a.rs"), false));
    }
}
