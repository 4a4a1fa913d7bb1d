//! Looking for traces in every file of the places that are left, and in every object of the histories there; and
//! taking them out of what belongs to no memory alone.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use serde::Serialize;

use super::traces::{TraceKind, TracePatterns};
use super::{ErasureError, remove};
use crate::dirs::Dirs;
use crate::history::{History, HistoryError};
use crate::regular_file;
use crate::sealing::StateKeys;
use crate::store::Purge;

/// How the folder of a history is called.
const HISTORY: &str = "history";
/// The folder of a history of the earlier format. Its packs are not searched; opening the history takes it over.
const GIT_HISTORY: &str = "history.git";
/// Folders of the state with files that may speak of any memory, and its logs.
const LEFT_BY_EDITORS: &str = "unsaved";
const LOGS: [&str; 2] = ["hooks.log", "daemon"];
/// Caches that are sealed where state is.
const SEALED_CACHES: [&str; 3] = ["recall", "drift", "sessions"];

/// A place that was searched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SearchedPlace {
    /// Where.
    pub place: PathBuf,
    /// Files, each read to its end.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Objects of histories, unpacked.
    pub objects: usize,
}

/// What is left.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TraceHit {
    /// The file, or the history.
    pub file: PathBuf,
    /// What kind of trace it has.
    pub kind: TraceKind,
}

/// What a search came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceSearch {
    /// Where it looked.
    pub searched: Vec<SearchedPlace>,
    /// Files that cannot be read: nobody knows what is in them.
    pub unread: Vec<PathBuf>,
    /// Places that could not be looked through at all, in words.
    pub not_searched: Vec<String>,
    /// What stays because it is no memory, and may speak of what went, in words.
    pub stays: Vec<String>,
    /// Memory directories outside the host's where memories are left.
    pub memories: Vec<PathBuf>,
    /// What is left.
    pub hits: BTreeSet<TraceHit>,
}

/// Traces, ready to be looked for.
pub(super) struct TraceSearcher {
    all: AhoCorasick,
    kinds: Vec<TraceKind>,
    /// Histories may be sealed.
    seals: StateKeys,
}

impl TraceSearcher {
    pub(super) fn new(traces: &TracePatterns, seals: &StateKeys) -> Result<Self, ErasureError> {
        let (kinds, patterns): (Vec<TraceKind>, Vec<&[u8]>) = traces.all().unzip();
        let all =
            AhoCorasick::new(patterns).map_err(|error| ErasureError::Search(error.to_string()))?;
        let seals = seals.clone();
        Ok(Self { all, kinds, seals })
    }

    /// Looks in these places.
    pub(super) fn run(&self, places: &[PathBuf]) -> TraceSearch {
        let mut found = TraceSearch::default();
        for place in places {
            let mut searched = SearchedPlace {
                place: place.clone(),
                ..SearchedPlace::default()
            };
            self.search_path(place, &mut searched, &mut found);
            found.searched.push(searched);
        }
        found
    }

    /// Takes traces out of what belongs to no memory alone: files of caches and of editors go, logs lose lines.
    pub(super) fn clean_shared(&self, dirs: &Dirs) -> Result<(), ErasureError> {
        if dirs.seal().key_name().ok().flatten().is_some() {
            // Sealed ones cannot be looked through, and are made again.
            for name in SEALED_CACHES {
                remove(&dirs.cache.join(name))?;
            }
        }
        let files = [dirs.cache.clone(), dirs.state.join(LEFT_BY_EDITORS)];
        for hit in self.run(&files).hits {
            remove(&hit.file)?;
        }
        for hit in self.run(&LOGS.map(|name| dirs.state.join(name))).hits {
            self.remove_lines(&hit.file)?;
        }
        Ok(())
    }

    fn remove_lines(&self, file: &Path) -> Result<(), ErasureError> {
        let failed = |source| ErasureError::Remove {
            path: file.to_owned(),
            source,
        };
        let bytes = regular_file::read_whole(file).map_err(failed)?;
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let kept: Vec<&[u8]> = lines.filter(|line| !self.all.is_match(line)).collect();
        crate::atomic::replace_file(file, &kept.concat())
            .map_err(|error| failed(io::Error::other(error.to_string())))
    }

    /// What a content has of them.
    pub(super) fn kinds_in(&self, bytes: &[u8]) -> BTreeSet<TraceKind> {
        let found = self.all.find_iter(bytes);
        let kinds = found.filter_map(|found| self.kinds.get(found.pattern().as_usize()));
        kinds.copied().collect()
    }

    /// Links are not followed: what they lead to is elsewhere.
    fn search_path(&self, path: &Path, searched: &mut SearchedPlace, found: &mut TraceSearch) {
        let Ok(meta) = fs::symlink_metadata(path) else {
            return;
        };
        if meta.is_file() {
            searched.files += 1;
            searched.bytes += meta.len();
            match self.in_file(path) {
                Ok(kinds) => found.add(path, kinds),
                Err(_) => found.unread.push(path.to_owned()),
            }
            return;
        }
        if !meta.is_dir() {
            return;
        }
        if path.file_name().is_some_and(|name| name == HISTORY) {
            match self.in_history(path) {
                Ok((objects, kinds)) => {
                    searched.objects += objects;
                    found.add(path, kinds);
                }
                Err(_) => found.unread.push(path.to_owned()),
            }
        }
        if path.file_name().is_some_and(|name| name == GIT_HISTORY) {
            found.unread.push(path.to_owned());
        }
        match fs::read_dir(path) {
            Ok(entries) => {
                for entry in entries.flatten() {
                    self.search_path(&entry.path(), searched, found);
                }
            }
            Err(_) => found.unread.push(path.to_owned()),
        }
    }

    fn in_file(&self, path: &Path) -> io::Result<BTreeSet<TraceKind>> {
        let mut kinds = BTreeSet::new();
        for found in self.all.stream_find_iter(regular_file::open(path)?) {
            kinds.extend(self.kinds.get(found?.pattern().as_usize()));
        }
        Ok(kinds)
    }

    /// Contents may lie in pieces on pages of the database, or sealed.
    fn in_history(&self, path: &Path) -> Result<(usize, BTreeSet<TraceKind>), HistoryError> {
        let (mut objects, mut kinds) = (0, BTreeSet::new());
        let seal = self.seals.of(path.parent().unwrap_or(path));
        if let Some(history) = History::open(path, &seal)? {
            history.each_part(&mut |_, bytes| {
                objects += 1;
                kinds.extend(self.kinds_in(bytes));
            })?;
        }
        Ok((objects, kinds))
    }
}

impl TraceSearch {
    /// Whether nothing is left: everything was looked through, and nothing found.
    pub fn is_clean(&self) -> bool {
        !self.is_left() && self.not_searched.is_empty() && self.stays.is_empty()
    }

    /// Whether something was found, or stands in what was to be read and could not be.
    pub fn is_left(&self) -> bool {
        !self.hits.is_empty() || !self.unread.is_empty() || !self.memories.is_empty()
    }

    /// Files that stay since they are not `mem`'s are listed, and no traces: their own names and texts were gathered
    /// with those of the directory.
    pub(super) fn leave_out(&mut self, purge: &Purge) {
        self.hits
            .retain(|hit| !purge.kept_files.contains(&hit.file));
        let kept = purge.kept_files.iter();
        self.stays
            .extend(kept.map(|file| file.display().to_string()));
    }

    pub(super) fn add(&mut self, file: &Path, kinds: BTreeSet<TraceKind>) {
        self.hits.extend(kinds.into_iter().map(|kind| TraceHit {
            file: file.to_owned(),
            kind,
        }));
    }
}
