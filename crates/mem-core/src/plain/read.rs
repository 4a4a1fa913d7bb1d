//! Reading and listing.

use std::cmp::Ordering;
use std::io::{self, Read as _};
use std::path::Path;

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;

use super::{Links, PathEnd, PlainError, PlainRoot, SpotKind};
use crate::compact_sort::CompactSort as _;
use crate::platform;

/// One line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// The way from the listed folder, with `/`.
    pub path: String,
    /// Its size as the system has it.
    pub bytes: u64,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// What is listed, and how.
#[derive(Clone, Copy)]
pub struct DirListing<'l> {
    /// How many levels.
    pub levels: usize,
    /// Names that are passed over with all below them.
    pub skips: &'l dyn Fn(&str) -> bool,
    /// The order of names in a folder.
    pub order: fn(&str, &str) -> Ordering,
}

impl PlainRoot {
    /// The bytes of a regular file.
    ///
    /// # Errors
    /// It vanished, a link or something else took its place, it is over the limit, the system
    /// refuses.
    pub fn read(&self, spot: &PathEnd, limit_bytes: u64) -> Result<Vec<u8>, PlainError> {
        let shown = || spot.path();
        let mut file = match spot.folder.open_with(spot.name(), &platform::reading()) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(PlainError::Gone(shown()));
            }
            Err(_) if is_link(&spot.folder, spot.name()) => return Err(PlainError::Link(shown())),
            // A socket cannot be opened at all.
            Err(_) if spot.kind == SpotKind::Special => return Err(PlainError::NotAFile(shown())),
            Err(error) => return Err(PlainError::io("read", Path::new(&shown()))(error)),
        };
        let fail = |error| PlainError::io("read", Path::new(&shown()))(error);
        let meta = file.metadata().map_err(fail)?;
        if !meta.is_file() {
            return Err(PlainError::NotAFile(shown()));
        }
        let too_large = || PlainError::TooLarge {
            path: shown(),
            limit_bytes,
        };
        if meta.len() > limit_bytes {
            return Err(too_large());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0));
        // It may grow while it is read.
        let mut file = (&mut file).take(limit_bytes.saturating_add(1));
        file.read_to_end(&mut bytes).map_err(fail)?;
        match bytes.len() as u64 > limit_bytes {
            true => Err(too_large()),
            false => Ok(bytes),
        }
    }

    /// What stands below a folder, depth first. Symbolic links count as what they name, those that
    /// lead out or nowhere are passed over, as are pipes, sockets and devices. A folder that cannot
    /// be read has nothing in it.
    ///
    /// # Errors
    /// The folder itself cannot be opened.
    pub fn list(
        &self,
        spot: &PathEnd,
        listing: &DirListing<'_>,
    ) -> Result<Vec<ListedFile>, PlainError> {
        let mut found = Vec::new();
        let top = spot.open_folder()?;
        self.collect(&top, &spot.names, "", listing, &mut found);
        Ok(found)
    }

    fn collect(
        &self,
        dir: &Dir,
        names: &[String],
        prefix: &str,
        listing: &DirListing<'_>,
        found: &mut Vec<ListedFile>,
    ) {
        let mut here = names_in(dir);
        here.retain(|name| !(listing.skips)(name));
        here.compact_sort_by(|one, other| (listing.order)(one, other));
        for name in here {
            let mut way = names.to_vec();
            way.push(name.clone());
            let Ok(spot) = self.reach(&way, Links::Follow) else {
                continue;
            };
            if !matches!(spot.kind, SpotKind::File | SpotKind::Folder) {
                continue;
            }
            let path = format!("{prefix}{name}");
            let is_folder = spot.kind == SpotKind::Folder;
            found.push(ListedFile {
                path: path.clone(),
                bytes: spot.bytes,
                is_folder,
            });
            let deeper = DirListing {
                levels: listing.levels.saturating_sub(1),
                ..*listing
            };
            if is_folder
                && deeper.levels > 0
                && let Ok(inner) = spot.open_folder()
            {
                self.collect(&inner, &spot.names, &format!("{path}/"), &deeper, found);
            }
        }
    }

    /// The names that stand in the folder of a spot.
    pub fn names_beside(&self, spot: &PathEnd) -> Vec<String> {
        match spot.below.len() {
            1 => names_in(&spot.folder),
            _ => Vec::new(),
        }
    }

    /// The sizes of all regular files together, hidden ones too; no link is followed.
    pub fn total_bytes(&self) -> u64 {
        total_bytes(&self.dir)
    }
}

/// The names in a folder that are UTF-8.
pub(super) fn names_in(dir: &Dir) -> Vec<String> {
    let entries = dir.entries().into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().into_string());
    names.filter_map(Result::ok).collect()
}

fn is_link(folder: &Dir, name: &str) -> bool {
    let meta = folder.symlink_metadata(name);
    meta.is_ok_and(|meta| meta.is_symlink())
}

fn total_bytes(dir: &Dir) -> u64 {
    let entries = dir.entries().into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => dir
            .open_dir_nofollow(entry.file_name())
            .map_or(0, |inner| total_bytes(&inner)),
        Ok(kind) if kind.is_file() => entry.metadata().map_or(0, |meta| meta.len()),
        _ => 0,
    });
    sizes.fold(0, u64::saturating_add)
}
