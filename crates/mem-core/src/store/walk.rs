//! What stands in a memory directory right now: names and stats, nothing opened.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io};

use cap_fs_ext::DirExt as _;
use cap_std::fs::{Dir, DirEntry, Metadata, ReadDir};

use super::error::{StoreError, reason};
use super::tree::Tree;
use crate::MemoryPath;
use crate::compact_sort::CompactSort as _;
use crate::limits::{FILES_READ_MAX, PATH_SEGMENTS_MAX};
use crate::memory_path::printable;
use crate::parallel::map_chunks;

/// Names that begin like this are temporary files of a write.
pub(super) const TEMPORARY_PREFIX: &str = ".mem-tmp-";

/// Files of one folder that are worth a thread.
const FILES_MANY: usize = 1_000;

/// What tells one state of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stat {
    /// Size in bytes.
    pub size: u64,
    /// Last modification, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// The inode.
    pub inode: u64,
    /// Last change of the file or of what is said about it, nanoseconds since 1970; 0 where that
    /// was not recorded. Nobody can set it back, as they can the modification.
    pub changed_ns: i64,
}

impl Stat {
    /// Whether both are the same in what the catalog records.
    pub fn agrees(&self, other: &Self) -> bool {
        // Without `changed_ns`: a change of mode or of the number of links would have every file read again.
        (self.size, self.mtime_ns, self.inode) == (other.size, other.mtime_ns, other.inode)
    }

    #[cfg(unix)]
    pub(super) fn from_meta(meta: &Metadata) -> Self {
        use cap_std::fs::MetadataExt as _;

        let ns = |seconds: i64, rest| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Self {
            size: meta.len(),
            mtime_ns: ns(meta.mtime(), meta.mtime_nsec()),
            inode: meta.ino(),
            changed_ns: ns(meta.ctime(), meta.ctime_nsec()),
        }
    }

    /// The system tells neither an inode without opening the file nor when it was changed.
    #[cfg(not(unix))]
    pub(super) fn from_meta(meta: &Metadata) -> Self {
        let modified = meta
            .modified()
            .ok()
            .map(cap_std::time::SystemTime::into_std);
        let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let ns = since.map(|since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
        Self {
            size: meta.len(),
            mtime_ns: ns.unwrap_or_default(),
            inode: 0,
            changed_ns: 0,
        }
    }
}

/// What was passed over. It reads as a sentence.
#[derive(Clone, Debug)]
pub struct Skipped {
    /// Where it stands, from the directory's top.
    pub path: String,
    /// What it is, after its name.
    pub why: String,
    /// Why the system does not let it be read; `None` where it is no memory.
    denied: Option<Arc<io::Error>>,
}

impl Skipped {
    fn new(path: impl Into<String>, why: impl Into<String>) -> Self {
        let (path, why) = (path.into(), why.into());
        Self {
            path,
            why,
            denied: None,
        }
    }

    /// A folder or file that the system does not let be read.
    fn unreadable(path: String, error: io::Error) -> Self {
        Self {
            path,
            why: format!("cannot be read: {}", reason(&error)),
            denied: Some(Arc::new(error)),
        }
    }

    /// Whether the system does not let it be read: it may be a memory, or hold some.
    pub fn is_unreadable(&self) -> bool {
        self.denied.is_some()
    }

    /// The error of what the system does not let be read, in a directory.
    pub(super) fn error(&self, root: &Path) -> Option<StoreError> {
        let denied = self.denied.clone()?;
        let source = io::Error::new(denied.kind(), denied);
        Some(StoreError::io("read", &root.join(&self.path))(source))
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", printable(&self.path), self.why)
    }
}

/// The regular files of a memory directory.
#[derive(Clone, Debug, Default)]
pub struct DirWalk {
    /// Every regular file that has a [`MemoryPath`]; hidden files and folders are left alone.
    pub files: BTreeMap<MemoryPath, Stat>,
    /// What was passed over, and why.
    pub skipped: Vec<Skipped>,
    /// The paths of what the system does not let be read.
    denied: BTreeSet<String>,
    /// Temporary files that a killed write left behind.
    pub(super) leftovers: Vec<String>,
}

impl DirWalk {
    /// Walks the whole directory. Below its top, what cannot be read is passed over.
    pub(super) fn from_tree(tree: &Tree) -> Result<Self, StoreError> {
        let mut walk = DirWalker::default();
        let entries = tree.dir().entries();
        entries
            .and_then(|entries| walk.folder(tree.dir(), entries, "", 1))
            .map_err(StoreError::io("list", tree.path()))?;
        let DirWalker {
            mut found,
            skipped,
            leftovers,
        } = walk;
        // Folder by folder they are in order already: a sort that takes runs as they are has little to do.
        found.compact_sort_by(|a, b| a.0.cmp(&b.0));
        let denied = skipped.iter().filter(|one| one.is_unreadable());
        Ok(Self {
            denied: denied.map(|one| one.path.clone()).collect(),
            // In one go: a map that takes them one by one, in the order of the directory, is slower.
            files: found.into_iter().collect(),
            skipped,
            leftovers,
        })
    }

    /// Whether the walk cannot show if a file exists: the system does not let the file, or a folder above it, be read.
    /// Such a file is not gone.
    pub(crate) fn is_unseen(&self, path: &str) -> bool {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        let mut names = folders.chain([path]);
        !self.denied.is_empty() && names.any(|name| self.denied.contains(name))
    }

    /// Refuses a directory of which a part cannot be read, for what has to reach every file.
    pub(super) fn require_readable(&self, root: &Path) -> Result<(), StoreError> {
        let error = self.skipped.iter().find_map(|one| one.error(root));
        error.map_or(Ok(()), Err)
    }
}

/// What was met on the way: of each folder its files, then what is below it, both in their order.
#[derive(Default)]
struct DirWalker {
    found: Vec<(MemoryPath, Stat)>,
    skipped: Vec<Skipped>,
    leftovers: Vec<String>,
}

/// An entry that is a file, with the path it would have.
type Candidate = (String, DirEntry);

impl DirWalker {
    /// Walks a folder: its files, then the folders in it, each on all cores where they are many.
    fn folder(
        &mut self,
        dir: &Dir,
        entries: ReadDir,
        prefix: &str,
        depth: usize,
    ) -> io::Result<()> {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in entries {
            self.entry(entry?, prefix, &mut files, &mut folders);
        }
        files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        // As the paths below them are, in which a slash follows.
        folders.sort_unstable_by(|one: &String, other| {
            let (one, other) = (one.bytes().chain([b'/']), other.bytes().chain([b'/']));
            one.cmp(other)
        });
        if files.len() < FILES_MANY {
            files.iter().try_for_each(|file| self.file(file))?;
        } else {
            let met = map_chunks(&files, |share| {
                let mut part = Self::default();
                let walked = share.iter().try_for_each(|file| part.file(file));
                walked.map(|()| part)
            });
            self.join(met)?;
        }
        let met = map_chunks(&folders, |share| {
            let mut part = Self::default();
            let mut folders = share.iter();
            let walked = folders.try_for_each(|name| part.subfolder(dir, name, prefix, depth));
            walked.map(|()| part)
        });
        self.join(met)
    }

    fn entry(
        &mut self,
        entry: DirEntry,
        prefix: &str,
        files: &mut Vec<Candidate>,
        folders: &mut Vec<String>,
    ) {
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            let path = format!("{prefix}{}", name.display());
            self.skipped
                .push(Skipped::new(path, "is not named in UTF-8"));
            return;
        };
        let path = format!("{prefix}{name}");
        if name.starts_with(TEMPORARY_PREFIX) {
            self.leftovers.push(path);
            return;
        }
        if name.starts_with('.') {
            return;
        }
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => return self.deny(path, error),
        };
        if kind.is_dir() {
            folders.push(name.to_owned());
        } else if kind.is_file() {
            files.push((path, entry));
        } else {
            let why = match kind.is_symlink() {
                true => "is a symbolic link, which is not followed",
                false => "is not a regular file",
            };
            self.skipped.push(Skipped::new(path, why));
        }
    }

    fn subfolder(&mut self, dir: &Dir, name: &str, prefix: &str, depth: usize) -> io::Result<()> {
        let path = format!("{prefix}{name}");
        if depth >= PATH_SEGMENTS_MAX {
            self.skipped.push(Skipped::new(path, "is nested too deep"));
            return Ok(());
        }
        // Some systems open what they do not let be listed.
        let opened = dir.open_dir_nofollow(name);
        match opened.and_then(|next| Ok((next.entries()?, next))) {
            Ok((entries, next)) => self.folder(&next, entries, &format!("{path}/"), depth + 1),
            Err(error) => {
                self.deny(path, error);
                Ok(())
            }
        }
    }

    /// Passes over what the system does not let be read. What vanished between the listing and the look is gone.
    fn deny(&mut self, path: String, error: io::Error) {
        if error.kind() != io::ErrorKind::NotFound {
            self.skipped.push(Skipped::unreadable(path, error));
        }
    }

    fn file(&mut self, (path, entry): &Candidate) -> io::Result<()> {
        if self.found.len() >= FILES_READ_MAX {
            return Err(too_many());
        }
        match MemoryPath::parse(path) {
            Ok(memory) => match entry.metadata() {
                Ok(meta) => self.found.push((memory, Stat::from_meta(&meta))),
                Err(error) => self.deny(path.clone(), error),
            },
            Err(error) => {
                let why = format!("is not a memory path: {}", error.reason());
                self.skipped.push(Skipped::new(path, why));
            }
        }
        Ok(())
    }

    /// Takes over what parts of the walk have met.
    fn join(&mut self, parts: Vec<io::Result<Self>>) -> io::Result<()> {
        for part in parts {
            let mut part = part?;
            self.found.append(&mut part.found);
            self.skipped.append(&mut part.skipped);
            self.leftovers.append(&mut part.leftovers);
            if self.found.len() > FILES_READ_MAX {
                return Err(too_many());
            }
        }
        Ok(())
    }
}

fn too_many() -> io::Error {
    io::Error::other(format!("it holds more than {FILES_READ_MAX} files"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_folders_and_many_files_are_all_met_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mut expected = Vec::new();
        for n in 0..FILES_MANY + 10 {
            let name = match n % 3 {
                0 => format!("many/{n}.md"),
                1 => format!("folder{}/{n}.md", n % 200),
                _ => format!("many/{}/deep/{n}.md", n % 90),
            };
            crate::atomic::create_dirs(root.join(&name).parent().unwrap()).unwrap();
            crate::atomic::replace_file(&root.join(&name), &vec![b'x'; n % 7]).unwrap();
            expected.push((name, (n % 7) as u64));
        }
        for n in 0..FILES_MANY {
            let name = format!("flat/{n}.md");
            crate::atomic::create_dirs(&root.join("flat")).unwrap();
            crate::atomic::replace_file(&root.join(&name), b"y").unwrap();
            expected.push((name, 1));
        }
        for passed_over in ["many/.hidden", "flat/.mem-tmp-1-1", "flat/a\\b"] {
            crate::atomic::replace_file(&root.join(passed_over), b"z").unwrap();
        }
        expected.sort();
        let walk = DirWalk::from_tree(&Tree::open(root).unwrap().unwrap()).unwrap();
        let found = walk.files.iter();
        let found: Vec<_> = found
            .map(|(path, stat)| (path.to_string(), stat.size))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(walk.leftovers, ["flat/.mem-tmp-1-1"]);
        assert_eq!(walk.skipped.len(), usize::from(cfg!(unix)));
    }
}
