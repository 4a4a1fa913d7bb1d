//! Looking for traces in every file of the places that are left, and in every object of the histories there; and
//! taking them out of what belongs to no memory alone.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use serde::Serialize;
use sha2::Digest as _;

use super::traces::{TraceKind, TracePatterns, salted};
use super::{ErasureError, entries, remove};
use crate::dirs::Dirs;
use crate::history::{History, HistoryError, Sha256};
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
    /// The checksums that tombstones keep of what went, by the server's store.
    pub tombstones: BTreeMap<String, Vec<Sha256>>,
    /// Memory directories outside the host's where memories are left.
    pub memories: Vec<PathBuf>,
    /// What is left.
    pub hits: BTreeSet<TraceHit>,
}

/// The tombstones of a store that stay, as a proof has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SaltedTombstones {
    /// The server's store.
    pub store: String,
    /// How many there are.
    pub count: usize,
    /// Their checksums, as in [`TracePatterns::salted`].
    pub digests: Vec<String>,
}

/// Checksums that a file of a database has as bytes for a reason that the proof names.
#[derive(Clone, Debug)]
pub struct KeptDigests {
    /// The file.
    pub file: PathBuf,
    /// The checksums.
    pub digests: HashSet<Sha256>,
}

/// Traces, ready to be looked for.
pub(super) struct TraceSearcher {
    all: AhoCorasick,
    kinds: Vec<TraceKind>,
    /// Whole contents, which may be too short to have a piece among the patterns.
    contents: HashSet<Sha256>,
    /// A file that may have the patterns from this one on.
    kept: Option<(PathBuf, usize)>,
    /// Histories may be sealed.
    seals: StateKeys,
}

impl TraceSearcher {
    pub(super) fn new(traces: &TracePatterns, seals: &StateKeys) -> Result<Self, ErasureError> {
        Self::with_patterns(traces, &[], seals)
    }

    /// Looks for checksums as a database stores them, too: as bytes. Those that a file keeps are no trace in that form
    /// and there; anywhere else they are.
    pub(super) fn for_database(
        traces: &TracePatterns,
        kept: &KeptDigests,
    ) -> Result<Self, ErasureError> {
        let mut stored: Vec<Sha256> = contents_of(traces).collect();
        stored.sort_by_key(|digest| kept.digests.contains(digest));
        let kept_len = stored
            .iter()
            .filter(|digest| kept.digests.contains(*digest))
            .count();
        let mut searcher = Self::with_patterns(traces, &stored, &StateKeys::default())?;
        searcher.kept = Some((kept.file.clone(), searcher.kinds.len() - kept_len));
        Ok(searcher)
    }

    fn with_patterns(
        traces: &TracePatterns,
        stored: &[Sha256],
        seals: &StateKeys,
    ) -> Result<Self, ErasureError> {
        let stored = stored
            .iter()
            .map(|digest| (TraceKind::Digest, &digest.as_bytes()[..]));
        let (kinds, patterns): (Vec<TraceKind>, Vec<&[u8]>) = traces.all().chain(stored).unzip();
        let all =
            AhoCorasick::new(patterns).map_err(|error| ErasureError::Search(error.to_string()))?;
        Ok(Self {
            all,
            kinds,
            contents: contents_of(traces).collect(),
            kept: None,
            seals: seals.clone(),
        })
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
        let whole = self.kind_of_whole(Sha256::digest(bytes));
        kinds.copied().chain(whole).collect()
    }

    /// What it is where all of a file, or of a content, is one that went.
    fn kind_of_whole(&self, digest: Sha256) -> Option<TraceKind> {
        self.contents.contains(&digest).then_some(TraceKind::Digest)
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
        let mut reader = HashingReader {
            file: regular_file::open(path)?,
            hash: sha2::Sha256::new(),
        };
        let kept = self.kept.as_ref().filter(|(file, _)| file == path);
        let searched = kept.map_or(self.kinds.len(), |(_, first)| *first);
        for found in self.all.stream_find_iter(&mut reader) {
            let pattern = found?.pattern().as_usize();
            kinds.extend(self.kinds[..searched].get(pattern));
        }
        let digest = Sha256::from_bytes(reader.hash.finalize().into());
        kinds.extend(self.kind_of_whole(digest));
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

/// The checksums of the contents that went.
fn contents_of(traces: &TracePatterns) -> impl Iterator<Item = Sha256> {
    traces.digests().filter_map(|digest| digest.parse().ok())
}

/// A file that is hashed while it is searched, so that it is read once.
struct HashingReader {
    file: fs::File,
    hash: sha2::Sha256,
}

impl Read for HashingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.file.read(buffer)?;
        self.hash.update(&buffer[..bytes]);
        Ok(bytes)
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

    /// Files that stay since they are not `mem`'s are listed, and no traces: their own names were gathered with those of
    /// the directory, and one that a person edited has texts of its own earlier versions.
    pub(super) fn leave_out(&mut self, purge: &Purge) {
        self.hits
            .retain(|hit| !purge.kept_files.contains(&hit.file));
        let kept = purge.kept_files.iter();
        self.stays
            .extend(kept.map(|file| file.display().to_string()));
    }

    /// Lists the texts that could not be written to their memories: of which project they are is not known.
    pub(super) fn list_unsaved(&mut self, dirs: &Dirs) {
        let left = entries(&dirs.state.join(LEFT_BY_EDITORS)).into_iter();
        self.stays
            .extend(left.map(|file| format!("the unsaved text `{}`", file.display())));
    }

    /// The tombstones that stay, without the names of what was deleted.
    pub fn salted_tombstones(&self, salt: &[u8]) -> Vec<SaltedTombstones> {
        let tombstones = self.tombstones.iter();
        let salted = tombstones.map(|(store, digests)| SaltedTombstones {
            store: store.clone(),
            count: digests.len(),
            digests: salted(digests.iter().map(Sha256::to_string), salt),
        });
        salted.collect()
    }

    pub(super) fn add(&mut self, file: &Path, kinds: BTreeSet<TraceKind>) {
        self.hits.extend(kinds.into_iter().map(|kind| TraceHit {
            file: file.to_owned(),
            kind,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::search_database;
    use super::*;
    use crate::state_file;

    #[test]
    fn a_checksum_that_a_database_keeps_as_bytes_is_found_everywhere_else() {
        let place = tempfile::tempdir().unwrap();
        let text = b"Ann is ill";
        let digest = Sha256::digest(text);
        let database = place.path().join("db");
        let mut traces = TracePatterns::default();
        traces.add_content(text);
        assert!(traces.has_content(digest));
        let search = |digests: &[Sha256]| {
            let kept = KeptDigests {
                file: database.clone(),
                digests: digests.iter().copied().collect(),
            };
            let found = search_database(&traces, &[place.path().to_owned()], &kept).unwrap();
            let hits = found.hits.into_iter().map(|hit| hit.file);
            hits.collect::<Vec<PathBuf>>()
        };
        state_file::write(&database, digest.as_bytes()).unwrap();
        assert_eq!(search(&[]), std::slice::from_ref(&database));
        assert_eq!(
            search(&[Sha256::digest(b"other")]),
            std::slice::from_ref(&database)
        );
        assert!(search(&[digest]).is_empty());
        // A copy of the database, an object, a row that waits to be sent.
        for (name, bytes) in [
            ("copy", &digest.as_bytes()[..]),
            ("object", &text[..]),
            ("db", digest.to_string().as_bytes()),
        ] {
            let file = place.path().join(name);
            state_file::write(&file, bytes).unwrap();
            assert_eq!(search(&[digest]), std::slice::from_ref(&file), "{name}");
            fs::remove_file(file).unwrap();
        }
    }

    #[test]
    fn tombstones_are_counted_and_have_salted_checksums() {
        let digest = Sha256::digest(b"Ann is ill");
        let mut traces = TracePatterns::default();
        traces.add_content(b"Ann is ill");
        let found = TraceSearch {
            tombstones: BTreeMap::from([("team:acme/app".to_owned(), vec![digest])]),
            ..TraceSearch::default()
        };
        let told = found.salted_tombstones(b"salt");
        assert_eq!((told[0].count, told.len()), (1, 1));
        assert_eq!(told[0].digests, traces.salted(b"salt"));
    }
}
