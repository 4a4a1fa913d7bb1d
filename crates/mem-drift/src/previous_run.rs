//! What an earlier run knew: which files are as they were then, and where identifiers stood.
//!
//! After an edit only the files that changed are searched. An identifier still stands where it stood if
//! that file is as it was; one that stood nowhere can only have come with a file that changed.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::checkout::TrackedFiles;
use crate::scan::SymbolPresence;
use crate::stamp::RepositoryStamp;

/// A hash of a path and one of a state.
const STATE_BYTES: usize = 16;

/// Where an identifier stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sighting {
    /// How well it stands.
    pub(crate) standing: SymbolPresence,
    /// A tracked file in which it stands so, by its place in the listing; `None` where it stands in none.
    pub(crate) place: Option<usize>,
}

/// An identifier, how well it stood, and the hash of the path where it did.
type Stored = (Vec<String>, u8, Option<u64>);

/// What is known of the present state from an earlier one. By default nothing.
#[derive(Default)]
pub(crate) struct PreviousRun {
    /// Tracked files that are not as they were, by their places in the listing; `None`: nobody knows.
    pub(crate) changed: Option<Vec<usize>>,
    /// Identifiers that stand where they stood, or stood nowhere in what did not change.
    pub(crate) symbols: HashMap<Vec<String>, Sighting>,
    /// How well all identifiers stood.
    pub(crate) standings: HashMap<Vec<String>, SymbolPresence>,
}

impl PreviousRun {
    /// Compares the states of then and now.
    pub(crate) fn from_states(
        states: &[u8],
        symbols: Vec<Stored>,
        stamp: &RepositoryStamp,
        listing: &TrackedFiles,
    ) -> Self {
        let (states, rest) = states.as_chunks::<STATE_BYTES>();
        if !rest.is_empty() {
            return Self::default();
        }
        let number = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0, |all, &byte| all << 8 | u64::from(byte))
        };
        let then: HashMap<u64, u64> = states
            .iter()
            .map(|pair| (number(&pair[..8]), number(&pair[8..])))
            .collect();
        let mut changed = Vec::new();
        let mut kept = HashMap::new();
        for (at, &state) in stamp.states.iter().enumerate() {
            let path = path_hash(listing.path_at(at));
            if then.get(&path) == Some(&state) {
                kept.insert(path, at);
            } else {
                changed.push(at);
            }
        }
        let mut standings = HashMap::new();
        let sighting = |(words, standing, path): Stored| {
            let standing = SymbolPresence::from_stored(standing)?;
            standings.insert(words.clone(), standing);
            let place = match standing {
                SymbolPresence::Absent => None,
                SymbolPresence::Mentioned | SymbolPresence::Live => Some(*kept.get(&path?)?),
            };
            Some((words, Sighting { standing, place }))
        };
        Self {
            symbols: symbols.into_iter().filter_map(sighting).collect(),
            standings,
            changed: Some(changed),
        }
    }

    /// What is known now, together with what is still known of identifiers that were not asked about:
    /// those that stand where they stood.
    pub(crate) fn merge_sightings(
        &self,
        mut news: HashMap<Vec<String>, Sighting>,
    ) -> HashMap<Vec<String>, Sighting> {
        let is_certain =
            |one: &Sighting| one.standing == SymbolPresence::Live || self.is_all_kept();
        for (words, one) in self.symbols.iter().filter(|(_, one)| is_certain(one)) {
            news.entry(words.clone()).or_insert(*one);
        }
        news
    }

    fn is_all_kept(&self) -> bool {
        self.changed.as_ref().is_some_and(Vec::is_empty)
    }

    /// Whether a tracked file is as it was.
    pub(crate) fn is_kept(&self, at: usize) -> bool {
        let changed = self.changed.as_ref();
        changed.is_some_and(|changed| changed.binary_search(&at).is_err())
    }
}

/// Sightings in tracked files, and of what stands nowhere, for a cache.
pub(crate) fn encode_sightings(
    sightings: &HashMap<Vec<String>, Sighting>,
    listing: &TrackedFiles,
) -> Option<Vec<u8>> {
    let is_decided = |one: &Sighting| one.place.is_some() || one.standing == SymbolPresence::Absent;
    let stored = sightings.iter().filter(|(_, one)| is_decided(one));
    let stored = stored.map(|(words, one)| {
        let path = one.place.map(|at| path_hash(listing.path_at(at)));
        (words, one.standing.to_stored(), path)
    });
    let mut stored: Vec<_> = stored.collect();
    stored.sort_unstable();
    serde_json::to_vec(&stored).ok()
}

/// The states of all tracked files, for a cache.
pub(crate) fn encode_states(stamp: &RepositoryStamp, listing: &TrackedFiles) -> Vec<u8> {
    let pairs = stamp.states.iter().enumerate();
    let pairs = pairs.map(|(at, &state)| [path_hash(listing.path_at(at)), state]);
    pairs.flatten().flat_map(u64::to_be_bytes).collect()
}

fn path_hash(path: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}
