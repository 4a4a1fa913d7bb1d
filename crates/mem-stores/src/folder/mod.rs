//! A directory on its way into a store, and a store on its way into a directory.
//!
//! # Layout
//! - [`read`]: the memories that a directory would be. [`ExportDir`]: a directory that memories are written into.
//! - [`ImportReport`]: those memories into a store.
//! - [`SkippedFile`]: what does not come along, and why.

mod error;
mod import;
mod skipped_file;

use std::fs;
use std::path::{Path, PathBuf};

use mem_core::atomic;
use mem_core::compact_sort::CompactSort as _;
use mem_core::error::message_with_causes;
use mem_core::limits::SEGMENT_BYTES_MAX;
use mem_core::plain::{Links, PlainRoot, SpotKind};
use mem_core::regular_file;
use mem_core::regular_file::if_there;

pub use error::FolderError;
pub use import::{ImportOptions, ImportReport};
pub use skipped_file::SkippedFile;

use crate::git_name::{self, is_of_git};
use crate::limits::CONTENT_BYTES_MAX;
use crate::path::with_first_slash;
use crate::{StorePath, rules};

/// A file as a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderMemory {
    /// Where it is to stand.
    pub path: StorePath,
    /// What it says.
    pub content: String,
}

/// All texts of a directory, in the order of their paths, below a folder of a store. No link is followed.
///
/// # Errors
/// The directory itself cannot be read; nothing can stand below that folder.
pub fn read(
    directory: &Path,
    below: &str,
) -> Result<(Vec<FolderMemory>, Vec<SkippedFile>), FolderError> {
    let below = with_first_slash(below.trim_end_matches('/'));
    let below = below.trim_end_matches('/');
    if !below.is_empty() {
        StorePath::parse(below)?;
    }
    let (mut texts, mut skipped) = (Vec::new(), Vec::new());
    let mut folders = vec![(directory.to_owned(), String::new())];
    while let Some((folder, name)) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if name.is_empty() => return Err(error.into()),
            Err(error) => {
                skipped.push(SkippedFile::new(
                    format!("{below}{name}"),
                    error.to_string(),
                ));
                continue;
            }
        };
        for entry in entries.flatten() {
            let here = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{name}/{here}");
            let mut skip =
                |why: String| skipped.push(SkippedFile::new(format!("{below}{path}"), why));
            let kind = entry.file_type();
            let is = |of: fn(&fs::FileType) -> bool| kind.as_ref().is_ok_and(of);
            if is_of_git(&here) {
                skip(git_name::WHY.to_owned());
            } else if is(fs::FileType::is_dir) {
                folders.push((entry.path(), path));
            } else if is(fs::FileType::is_symlink) {
                skip("it is a symbolic link".to_owned());
            } else {
                match read_memory(&entry.path(), &format!("{below}{path}")) {
                    Ok(text) => texts.extend(text),
                    Err(why) => skip(why),
                }
            }
        }
    }
    texts.compact_sort_by(|one, other| one.path.cmp(&other.path));
    Ok((texts, skipped))
}

/// One file, or why it is left out; `None` for what is no memory at all.
fn read_memory(file: &Path, path: &str) -> Result<Option<FolderMemory>, String> {
    if file.file_name().is_none() {
        return Ok(None);
    }
    if file.file_name().and_then(|name| name.to_str()).is_none() {
        return Err("its name is not UTF-8".to_owned());
    }
    let path = StorePath::parse(path).map_err(|error| error.reason.to_owned())?;
    if path.is_reserved() {
        return Err(StorePath::RESERVED_WHY.to_owned());
    }
    let bytes = regular_file::read(file, CONTENT_BYTES_MAX as u64);
    let bytes = bytes.map_err(|error| error.to_string())?;
    let content = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    rules::content(&content).map_err(|error| error.to_string())?;
    Ok(Some(FolderMemory { path, content }))
}

/// A directory that memories are written into.
#[derive(Debug)]
pub struct ExportDir {
    directory: PathBuf,
    /// What becomes the directory when all is in it; `None` where that is there already.
    half: Option<UnfinishedFolder>,
    root: PlainRoot,
    files: usize,
    skipped: Vec<SkippedFile>,
}

/// A directory that goes again unless it was finished.
#[derive(Debug)]
struct UnfinishedFolder(PathBuf);

impl Drop for UnfinishedFolder {
    fn drop(&mut self) {
        // It has another name where it was finished.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl ExportDir {
    /// Opens it. One that is there and not empty is only written into with `force`.
    ///
    /// # Errors
    /// It is there; the system refuses.
    pub fn open_dir(directory: &Path, force: bool) -> Result<Self, FolderError> {
        let entries = if_there(fs::read_dir(directory))?;
        let entries = entries.map(|mut entries| entries.next().is_some());
        let half = match entries {
            Some(true) if !force => {
                let shown = directory.to_string_lossy().into_owned();
                return Err(FolderError::NotEmpty(shown));
            }
            Some(_) => None,
            None => Some(UnfinishedFolder(half_of(directory))),
        };
        let root = PlainRoot::make(half.as_ref().map_or(directory, |half| &half.0))?;
        Ok(Self {
            directory: directory.to_owned(),
            half,
            root,
            files: 0,
            skipped: Vec::new(),
        })
    }

    /// Writes one memory, wherever the server says that it stands: below the directory, or nowhere.
    pub fn write(&mut self, path: &str, bytes: &[u8]) {
        match self.write_one(path, bytes) {
            Ok(()) => self.files += 1,
            Err(why) => self.skipped.push(SkippedFile::new(path, why)),
        }
    }

    fn write_one(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let path = StorePath::parse(path).map_err(|error| error.reason.to_owned())?;
        let names: Vec<String> = path.segments().map(str::to_owned).collect();
        if names.iter().any(|name| name.len() > SEGMENT_BYTES_MAX) {
            return Err("a name in it is longer than 255 bytes".to_owned());
        }
        if names.iter().any(|name| is_of_git(name)) {
            return Err(git_name::WHY.to_owned());
        }
        let spot = self.root.reach(&names, Links::Keep);
        let spot = spot.map_err(|error| error.to_string())?;
        let written = match spot.kind {
            SpotKind::Missing => self.root.create(&spot, bytes),
            SpotKind::File if self.half.is_none() => self.root.replace(&spot, bytes),
            SpotKind::File => return Err("another memory is the same file here".to_owned()),
            SpotKind::Folder | SpotKind::Link | SpotKind::Special => {
                return Err("something that is no file stands there".to_owned());
            }
        };
        written.map_err(|error| message_with_causes(&error))
    }

    /// Gives the directory its name; returns how many files are in it, and what is not.
    ///
    /// # Errors
    /// The system refuses.
    pub fn finish_dir(self) -> Result<(usize, Vec<SkippedFile>), FolderError> {
        if let Some(half) = &self.half {
            #[expect(
                clippy::disallowed_methods,
                reason = "a directory that is not there yet gets its name in one step"
            )]
            fs::rename(&half.0, &self.directory)?;
            atomic::sync_dir(self.directory.parent().unwrap_or(&self.directory))?;
        }
        Ok((self.files, self.skipped))
    }
}

/// A name beside a directory that nobody else uses.
fn half_of(directory: &Path) -> PathBuf {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("{}{name}-{}", atomic::TEMP_PREFIX, std::process::id());
    directory.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_outside_of_the_directory() {
        let temp = tempfile::tempdir().unwrap();
        let directory = temp.path().join("out");
        let mut target = ExportDir::open_dir(&directory, false).unwrap();
        for hostile in [
            "../escaped",
            "/../escaped",
            "/a/../../escaped",
            "//x",
            "/a\u{0}b",
            "/a\nb",
            "relative",
            "/.git/config",
            "/a/.GIT/config",
            "/.git::$INDEX_ALLOCATION/config",
            "/git~1/config",
        ] {
            target.write(hostile, b"x");
        }
        let long = format!("/{}", "n".repeat(300));
        target.write(&long, b"x");
        target.write("/a/good.md", b"good");
        target.write("/a", b"below a file");
        assert!(!directory.exists());
        let (files, skipped) = target.finish_dir().unwrap();
        assert_eq!((files, skipped.len()), (1, 13));
        assert_eq!(fs::read(directory.join("a/good.md")).unwrap(), b"good");
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
        assert!(ExportDir::open_dir(&directory, false).is_err());
        let mut again = ExportDir::open_dir(&directory, true).unwrap();
        again.write("/a/good.md", b"better");
        again.finish_dir().unwrap();
        assert_eq!(fs::read(directory.join("a/good.md")).unwrap(), b"better");
    }
}
