//! From names to what stands there: [`PathEnd`].
//!
//! The system would follow links by itself, and could only say "outside" or "inside" afterwards, when it has been there.
//! Here each link is read and its target put in front of the names that are left; every open refuses links. A link that is
//! swapped in after it was looked at makes the open fail.
//! Tests: `plain::tests::a_link_that_is_swapped_in_is_never_followed`,
//! `plain::tests::links_inside_are_followed_and_links_that_lead_out_are_not`.

use std::collections::VecDeque;
use std::io;
use std::path::{Component, Path};

use cap_fs_ext::DirExt as _;
use cap_std::fs::{Dir, Metadata};

use super::{PlainError, PlainRoot};

/// So many symbolic links one path may go through, as in Linux.
const LINKS_MAX: usize = 40;

/// What is done with a symbolic link at the very end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// The spot is what it names.
    Follow,
    /// The spot is the link.
    Keep,
}

/// What stands at a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpotKind {
    /// Nothing.
    Missing,
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link; only with [`Links::Keep`].
    Link,
    /// A pipe, a socket, a device.
    Special,
}

/// The end of a path.
#[derive(Debug)]
pub struct PathEnd {
    /// The deepest folder of the way that is there; the root itself for the root.
    pub(super) folder: Dir,
    /// The names below it: none for the root, one where the folder of the spot is there.
    pub(super) below: Vec<String>,
    /// What stands there.
    pub kind: SpotKind,
    /// Its size as the system has it, 0 for nothing.
    pub bytes: u64,
    /// The way from the root, symbolic links resolved.
    pub names: Vec<String>,
}

impl PathEnd {
    /// Whether it is the root.
    pub fn is_root(&self) -> bool {
        self.names.is_empty()
    }

    /// The way from the root with `/`.
    pub fn path(&self) -> String {
        self.names.join("/")
    }

    /// The last name; `.` for the root.
    pub(super) fn name(&self) -> &str {
        self.below.last().map_or(".", String::as_str)
    }

    /// Opens it as a folder.
    pub(super) fn open_folder(&self) -> Result<Dir, PlainError> {
        let opened = match self.below.as_slice() {
            [] => self.folder.try_clone(),
            [name] => self.folder.open_dir_nofollow(name),
            _ => Err(io::ErrorKind::NotFound.into()),
        };
        opened.map_err(PlainError::io("open", Path::new(&self.path())))
    }
}

impl PlainRoot {
    /// Walks names and says what stands at the end. `.` and empty names are passed over, `..` goes
    /// back along the way that was really taken.
    ///
    /// # Errors
    /// The way leads out, through a file, or in a circle; the system refuses.
    pub fn reach(&self, names: &[String], links: Links) -> Result<PathEnd, PlainError> {
        let mut walker = PathWalker {
            root: self,
            shown: names.join("/"),
            pending: names.iter().cloned().collect(),
            opened: Vec::new(),
            missing: Vec::new(),
            links,
            hops: 0,
        };
        while let Some(name) = walker.pending.pop_front() {
            if let Some(spot) = walker.enter(name)? {
                return Ok(spot);
            }
        }
        walker.end()
    }
}

/// A walk in progress.
struct PathWalker<'r> {
    root: &'r PlainRoot,
    /// The path as asked for, for messages.
    shown: String,
    pending: VecDeque<String>,
    opened: Vec<(String, Dir)>,
    missing: Vec<String>,
    links: Links,
    hops: usize,
}

impl PathWalker<'_> {
    /// Takes one name; a spot where the walk ends with it.
    fn enter(&mut self, name: String) -> Result<Option<PathEnd>, PlainError> {
        match name.as_str() {
            "" | "." => return Ok(None),
            ".." => return self.back().map(|()| None),
            _ if !self.missing.is_empty() => {
                self.missing.push(name);
                return Ok(None);
            }
            _ => {}
        }
        let meta = match self.here().symlink_metadata(&name) {
            Ok(meta) => meta,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.missing.push(name);
                return Ok(None);
            }
            Err(error) => return Err(self.fail(error)),
        };
        if meta.is_symlink() {
            return match self.links == Links::Keep && self.pending.is_empty() {
                true => self.leaf(name, SpotKind::Link, &meta).map(Some),
                false => self.follow(&name).map(|()| None),
            };
        }
        if meta.is_dir() {
            let next = self.here().open_dir_nofollow(&name);
            let next = next.map_err(|error| self.fail(error))?;
            self.opened.push((name, next));
            return Ok(None);
        }
        if !self.ends_here()? {
            return Ok(None);
        }
        let kind = match meta.is_file() {
            true => SpotKind::File,
            false => SpotKind::Special,
        };
        self.leaf(name, kind, &meta).map(Some)
    }

    /// Takes the names behind a file: `false` where a `..` leads back out of it, `true` where the way
    /// ends with it. Like `realpath -m`, which takes `file/..` for the folder of the file.
    fn ends_here(&mut self) -> Result<bool, PlainError> {
        let mut below = 0_usize;
        while let Some(name) = self.pending.pop_front() {
            match (name.as_str(), below.checked_sub(1)) {
                ("" | ".", _) => {}
                ("..", None) => return Ok(false),
                ("..", Some(fewer)) => below = fewer,
                _ => below += 1,
            }
        }
        match below {
            0 => Ok(true),
            _ => Err(PlainError::NotAFolder(self.shown.clone())),
        }
    }

    /// The folder that was reached.
    fn here(&self) -> &Dir {
        self.opened.last().map_or(&self.root.dir, |(_, dir)| dir)
    }

    fn back(&mut self) -> Result<(), PlainError> {
        let gone = self.missing.pop().is_some() || self.opened.pop().is_some();
        match gone {
            true => Ok(()),
            false => Err(PlainError::Escapes(self.shown.clone())),
        }
    }

    /// Puts what a symbolic link says before the names that are left.
    fn follow(&mut self, name: &str) -> Result<(), PlainError> {
        self.hops += 1;
        if self.hops > LINKS_MAX {
            return Err(PlainError::Circle(self.shown.clone()));
        }
        let target = self.here().read_link_contents(name);
        let target = target.map_err(|error| self.fail(error))?;
        let escapes = || PlainError::Escapes(self.shown.clone());
        let inside = match target.is_absolute() {
            true => target
                .strip_prefix(&self.root.path)
                .map_err(|_| escapes())?,
            false => &target,
        };
        let mut names = Vec::new();
        for part in inside.components() {
            match part {
                Component::Normal(name) => {
                    names.push(name.to_str().ok_or_else(escapes)?.to_owned());
                }
                Component::ParentDir => names.push("..".to_owned()),
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => return Err(escapes()),
            }
        }
        if target.is_absolute() {
            self.opened.clear();
        }
        for name in names.into_iter().rev() {
            self.pending.push_front(name);
        }
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        self.opened.iter().map(|(name, _)| name.clone()).collect()
    }

    /// A spot in the folder that was reached.
    fn leaf(&self, name: String, kind: SpotKind, meta: &Metadata) -> Result<PathEnd, PlainError> {
        let folder = self.here().try_clone();
        let mut names = self.names();
        names.push(name.clone());
        Ok(PathEnd {
            folder: folder.map_err(|error| self.fail(error))?,
            below: vec![name],
            kind,
            bytes: meta.len(),
            names,
        })
    }

    /// The spot where all names were taken: a folder, or nothing.
    fn end(mut self) -> Result<PathEnd, PlainError> {
        if !self.missing.is_empty() {
            let folder = self.here().try_clone();
            let mut names = self.names();
            names.extend(self.missing.iter().cloned());
            return Ok(PathEnd {
                folder: folder.map_err(|error| self.fail(error))?,
                below: std::mem::take(&mut self.missing),
                kind: SpotKind::Missing,
                bytes: 0,
                names,
            });
        }
        let meta = self.here().dir_metadata();
        let meta = meta.map_err(|error| self.fail(error))?;
        if let Some((name, _)) = self.opened.pop() {
            return self.leaf(name, SpotKind::Folder, &meta);
        }
        let folder = self.root.dir.try_clone();
        Ok(PathEnd {
            folder: folder.map_err(|error| self.fail(error))?,
            below: Vec::new(),
            kind: SpotKind::Folder,
            bytes: meta.len(),
            names: Vec::new(),
        })
    }

    fn fail(&self, error: io::Error) -> PlainError {
        PlainError::io("open", Path::new(&self.shown))(error)
    }
}
