//! From a path as it is cited to what stands there: whole, by its last parts where that is not
//! ambiguous, or in other letters.

use std::collections::BTreeSet;

use crate::checkout::{Checkout, MODE_SUBMODULE, SeenKind, TrackedFiles};
use crate::cite::{Citation, CitationTarget};

/// What a cited path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResolvedPath {
    /// A tracked file, by its place in the listing, and whether it was named in full.
    File {
        /// The place.
        at: usize,
        /// Whether the citation is the whole path.
        is_whole: bool,
    },
    /// A folder of tracked files, or a submodule.
    Folder,
    /// Something on disk that is not tracked.
    Untracked,
    /// One of several files or folders.
    Several(usize),
    /// Inside of a submodule that is not there to look into.
    Inaccessible,
    /// Nothing.
    Missing,
}

/// Looks up paths.
pub(crate) struct Resolver<'a> {
    checkout: &'a Checkout,
    listing: &'a TrackedFiles,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(checkout: &'a Checkout, listing: &'a TrackedFiles) -> Self {
        Self { checkout, listing }
    }

    pub(super) fn checkout(&self) -> &'a Checkout {
        self.checkout
    }

    pub(super) fn listing(&self) -> &'a TrackedFiles {
        self.listing
    }

    /// What a path names.
    pub(crate) fn resolve(&self, path: &str) -> ResolvedPath {
        let found = self.whole(path.as_bytes());
        if found != ResolvedPath::Missing || self.listing.find_path(path.as_bytes()).is_some() {
            return found;
        }
        if let Some(inner) = self.without_own_name(path) {
            let found = self.whole(inner.as_bytes());
            if found != ResolvedPath::Missing {
                return found;
            }
        }
        self.by_end(path.as_bytes())
    }

    /// The tracked files that are cited, in order.
    pub(super) fn files<'c>(&self, citations: impl Iterator<Item = &'c Citation>) -> Vec<usize> {
        let place = |citation: &Citation| match &citation.target {
            CitationTarget::Path { path, .. } => match self.resolve(path) {
                ResolvedPath::File { at, .. } => Some(at),
                _ => None,
            },
            _ => None,
        };
        let places: BTreeSet<usize> = citations.filter_map(place).collect();
        places.into_iter().collect()
    }

    /// The whole path.
    fn whole(&self, path: &[u8]) -> ResolvedPath {
        if let Some(at) = self.listing.find_path(path).filter(|&at| self.is_there(at)) {
            let is_module = self.listing.entries()[at].mode == MODE_SUBMODULE;
            return if is_module {
                ResolvedPath::Folder
            } else {
                ResolvedPath::File { at, is_whole: true }
            };
        }
        if self.listing.folders().contains_folder(path) && self.holds_files(path) {
            return ResolvedPath::Folder;
        }
        let seen = self
            .checkout
            .disk
            .as_ref()
            .and_then(|disk| disk.read_state(path));
        match seen {
            Some(seen)
                if seen.kind != SeenKind::Folder || self.listing.find_path(path).is_none() =>
            {
                if self.is_emptied(path) {
                    ResolvedPath::Missing
                } else {
                    ResolvedPath::Untracked
                }
            }
            _ if self.is_in_submodule(path) => ResolvedPath::Inaccessible,
            _ => ResolvedPath::Missing,
        }
    }

    /// A folder that is left on disk, empty, where tracked files were.
    fn is_emptied(&self, path: &[u8]) -> bool {
        let place = self
            .checkout
            .disk
            .as_ref()
            .and_then(|disk| disk.absolute_path(path));
        let entries = place.and_then(|place| std::fs::read_dir(place).ok());
        entries.is_some_and(|mut entries| entries.next().is_none())
    }

    /// Whether a tracked file is there: on disk, unless it is not meant to be.
    fn is_there(&self, at: usize) -> bool {
        let entry = &self.listing.entries()[at];
        match &self.checkout.disk {
            Some(disk) if !entry.is_absent => disk.read_state(self.listing.path_at(at)).is_some(),
            _ => true,
        }
    }

    /// Whether any of a folder's tracked files is there.
    fn holds_files(&self, folder: &[u8]) -> bool {
        let mut prefix = folder.to_vec();
        prefix.push(b'/');
        let entries = self.listing.entries().len();
        let mut first = 0;
        let mut last = entries;
        while first < last {
            let middle = usize::midpoint(first, last);
            if self.listing.path_at(middle) < prefix.as_slice() {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        (first..entries)
            .take_while(|&at| self.listing.path_at(at).starts_with(&prefix))
            .any(|at| self.is_there(at))
    }

    fn is_in_submodule(&self, path: &[u8]) -> bool {
        let slashes = (0..path.len()).filter(|&at| path[at] == b'/');
        slashes.into_iter().any(|end| {
            let module = self.listing.find_path(&path[..end]);
            module.is_some_and(|at| self.listing.entries()[at].mode == MODE_SUBMODULE)
        })
    }

    /// `shop/src/a.rs` in a checkout that is called `shop`.
    fn without_own_name<'p>(&self, path: &'p str) -> Option<&'p str> {
        let root = self.checkout.disk.as_ref()?.root();
        let (first, rest) = path.split_once('/')?;
        (root.file_name()?.to_str()? == first).then_some(rest)
    }

    /// The last parts of a path, then other letters.
    fn by_end(&self, path: &[u8]) -> ResolvedPath {
        let files: Vec<usize> = self
            .listing
            .ending_with(path)
            .into_iter()
            .filter(|&at| self.is_there(at))
            .collect();
        match files[..] {
            [at] => {
                return ResolvedPath::File {
                    at,
                    is_whole: false,
                };
            }
            [_, _, ..] => return ResolvedPath::Several(files.len()),
            [] => {}
        }
        match self.listing.folders().ending_with(path).len() {
            0 => {}
            1 => return ResolvedPath::Folder,
            several => return ResolvedPath::Several(several),
        }
        match self
            .listing
            .in_other_case(path)
            .filter(|&at| self.is_there(at))
        {
            Some(at) => ResolvedPath::File {
                at,
                is_whole: false,
            },
            None => ResolvedPath::Missing,
        }
    }
}
