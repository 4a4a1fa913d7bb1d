//! Answers of an earlier run, and what it takes to tell which of them still hold.
//!
//! One line of JSON with the lengths of what follows it: where identifiers stood (JSON), the answers
//! (a line a note: its key, the state it was checked in, JSON), and what the system said of every tracked
//! file (16 bytes each: hashes of its path and of its state), and a checksum of it all. Only what is
//! asked for is decoded.
//!
//! **Invariant:** an answer that is taken over is the one that a check would find now: the state that it was found in
//! is part of its line, and covers the commit, every tracked file, the folders that were searched and what git ignores.
//! In doubt it is checked again. Tests: `incremental::what_is_taken_over_is_what_would_be_found`,
//! `incremental::a_cache_that_is_damaged_anywhere_is_none`.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use git2::Oid;
use serde::{Deserialize, Serialize};

use crate::check::{Learnt, RepositoryState};
use crate::checkout::{Checkout, TrackedFiles, Untracked};
use crate::cite::is_dated;
use crate::finding::CitationFinding;
use crate::limits::{CACHE_BYTES_MAX, CACHE_NOTES_MAX, CACHE_UNTRACKED_MAX};
use crate::note::DriftInput;
use crate::previous_run::{self, PreviousRun};
use crate::stamp::RepositoryStamp;

/// Raised whenever answers are found or stored in another way.
const VERSION: u32 = 7;
/// Digits of a key, and of a state.
const DIGITS: usize = 16;

/// The first line.
#[derive(Default, Serialize, Deserialize)]
struct CacheHeader {
    version: u32,
    /// The whole state: [`RepositoryStamp::number`], with what the system says of `untracked`.
    number: String,
    /// Files that are not tracked and were searched, and folders that hold no tracked ones.
    untracked: Vec<String>,
    /// What answers of the history depend on, as [`RepositoryStamp::base`].
    base: String,
    /// The commit that was checked out, or nothing.
    head: String,
    symbols_bytes: usize,
    notes_bytes: usize,
}

/// An answer as it is stored.
#[derive(Clone, Copy)]
struct CachedAnswer<'b> {
    /// The state it was found in.
    number: &'b str,
    json: &'b str,
}

/// The parts of a cache.
#[derive(Default)]
struct CacheParts<'b> {
    header: CacheHeader,
    symbols: &'b [u8],
    notes: BTreeMap<&'b str, CachedAnswer<'b>>,
    states: &'b [u8],
}

/// The answers by note.
pub(crate) struct Cache<'b> {
    stored: CacheParts<'b>,
    number: String,
    base: String,
    head: String,
    news: BTreeMap<String, Vec<CitationFinding>>,
}

impl<'b> Cache<'b> {
    /// Reads a cache; one that is damaged or of another version is empty.
    pub(crate) fn read(
        bytes: Option<&'b [u8]>,
        stamp: &RepositoryStamp,
        checkout: &Checkout,
    ) -> Self {
        let stored = bytes.and_then(stored).unwrap_or_default();
        Self {
            number: number(stamp, checkout, &stored.header.untracked),
            stored,
            base: hex(stamp.base),
            head: named(checkout.head),
            news: BTreeMap::new(),
        }
    }

    /// Reads a cache whatever has changed since, other than the commit that is checked out.
    pub(crate) fn read_of_head(bytes: &'b [u8], head: Option<Oid>) -> Option<Self> {
        let stored = stored(bytes).filter(|stored| stored.header.head == named(head))?;
        Some(Self {
            number: stored.header.number.clone(),
            base: stored.header.base.clone(),
            head: stored.header.head.clone(),
            stored,
            news: BTreeMap::new(),
        })
    }

    /// What a note's answers depend on, the repository aside.
    pub(crate) fn key(note: &DriftInput, remotes: &[String]) -> String {
        let mut hasher = DefaultHasher::new();
        note.text.hash(&mut hasher);
        note.written
            .map(jiff::Timestamp::as_nanosecond)
            .hash(&mut hasher);
        note.blobs.hash(&mut hasher);
        is_dated(note).hash(&mut hasher);
        remotes.hash(&mut hasher);
        hex(hasher.finish())
    }

    /// Whether a note was checked in the present state.
    pub(crate) fn holds(&self, key: &str) -> bool {
        let stored = self.stored.notes.get(key);
        self.news.contains_key(key) || stored.is_some_and(|line| line.number == self.number)
    }

    /// The answers for a note, of whatever state; `None` if it was not checked.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<CitationFinding>> {
        let decode = |line: &CachedAnswer<'_>| serde_json::from_str(line.json).ok();
        let stored = || self.stored.notes.get(key).and_then(decode);
        self.news.get(key).cloned().or_else(stored)
    }

    /// The answers for a note that were found in the state that the cache was made in, where nothing
    /// but contents of files has changed since.
    pub(crate) fn candidate(&self, key: &str) -> Option<Vec<CitationFinding>> {
        let header = &self.stored.header;
        let line = self.stored.notes.get(key)?;
        let is_candidate = header.base == self.base && line.number == header.number;
        is_candidate.then(|| self.get(key)).flatten()
    }

    /// What the earlier run knew of files and identifiers.
    pub(crate) fn earlier(&self, stamp: &RepositoryStamp, listing: &TrackedFiles) -> PreviousRun {
        if self.stored.header.version != VERSION {
            return PreviousRun::default();
        }
        let symbols = serde_json::from_slice(self.stored.symbols).unwrap_or_default();
        PreviousRun::from_states(self.stored.states, symbols, stamp, listing)
    }

    pub(crate) fn put(&mut self, key: &str, findings: Vec<CitationFinding>) {
        self.news.insert(key.to_owned(), findings);
    }

    /// The bytes to store, with all that was learnt about the state.
    pub(crate) fn bytes(
        &mut self,
        terrain: &RepositoryState<'_>,
        learnt: &Learnt,
    ) -> Option<Vec<u8>> {
        let (stamp, listing) = (terrain.stamp, terrain.listing);
        let Untracked { files, folders } = &learnt.untracked;
        let untracked = folders.iter().chain(files).take(CACHE_UNTRACKED_MAX);
        let untracked =
            untracked.filter_map(|path| Some(std::str::from_utf8(path).ok()?.to_owned()));
        let untracked: Vec<String> = untracked.collect();
        self.number = number(stamp, terrain.checkout, &untracked);
        let notes = self.lines()?;
        let symbols = previous_run::encode_sightings(&learnt.sightings, listing)?;
        let header = CacheHeader {
            version: VERSION,
            number: self.number.clone(),
            untracked,
            base: self.base.clone(),
            head: self.head.clone(),
            symbols_bytes: symbols.len(),
            notes_bytes: notes.len(),
        };
        let mut bytes = serde_json::to_vec(&header).ok()?;
        bytes.push(b'\n');
        bytes.extend(symbols);
        bytes.extend(notes);
        bytes.extend(previous_run::encode_states(stamp, listing));
        let sum = checksum(&bytes);
        bytes.extend_from_slice(sum.as_bytes());
        (bytes.len() <= CACHE_BYTES_MAX).then_some(bytes)
    }

    /// The news, and of the rest what was found at the same commit.
    fn lines(&self) -> Option<Vec<u8>> {
        let mut lines = Vec::new();
        let mut push = |key: &str, number: &str, json: &str| {
            for part in [key, " ", number, " ", json, "\n"] {
                lines.extend_from_slice(part.as_bytes());
            }
        };
        for (key, findings) in &self.news {
            push(key, &self.number, &serde_json::to_string(findings).ok()?);
        }
        if self.stored.header.head == self.head {
            let others = self.stored.notes.iter();
            let others = others.filter(|(key, _)| !self.news.contains_key(**key));
            let room = CACHE_NOTES_MAX.saturating_sub(self.news.len());
            for (key, line) in others.take(room) {
                push(key, line.number, line.json);
            }
        }
        Some(lines)
    }
}

fn stored(bytes: &[u8]) -> Option<CacheParts<'_>> {
    if bytes.len() > CACHE_BYTES_MAX {
        return None;
    }
    let (bytes, sum) = bytes.split_at_checked(bytes.len().checked_sub(DIGITS)?)?;
    if sum != checksum(bytes).as_bytes() {
        return None;
    }
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let header: CacheHeader = serde_json::from_slice(&bytes[..end]).ok()?;
    if header.version != VERSION {
        return None;
    }
    let (symbols, rest) = bytes[end + 1..].split_at_checked(header.symbols_bytes)?;
    let (notes, states) = rest.split_at_checked(header.notes_bytes)?;
    let line = |line| {
        let (key, rest) = str::split_at_checked(line, DIGITS)?;
        let (number, json) = rest.strip_prefix(' ')?.split_at_checked(DIGITS)?;
        Some((
            key,
            CachedAnswer {
                number,
                json: json.strip_prefix(' ')?,
            },
        ))
    };
    let notes: Option<_> = std::str::from_utf8(notes).ok()?.lines().map(line).collect();
    Some(CacheParts {
        notes: notes?,
        header,
        symbols,
        states,
    })
}

/// The state, with that of some files that are not tracked.
fn number(stamp: &RepositoryStamp, checkout: &Checkout, untracked: &[String]) -> String {
    let mut hasher = DefaultHasher::new();
    stamp.number.hash(&mut hasher);
    if let Some(disk) = &checkout.disk {
        let mut looker = disk.file_looker();
        for path in untracked {
            (path, looker.read_state(path.as_bytes())).hash(&mut hasher);
        }
    }
    hex(hasher.finish())
}

fn checksum(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hex(hasher.finish())
}

fn hex(number: u64) -> String {
    format!("{number:016x}")
}

fn named(head: Option<Oid>) -> String {
    head.map(|id| id.to_string()).unwrap_or_default()
}
