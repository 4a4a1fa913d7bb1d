//! What an erased memory would be known by, were anything of it left: names, checksums, and probes of contents.
//!
//! Gathered before the erasure, from every file and every version. They never leave the process but as salted
//! checksums.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use serde::Serialize;

use super::{ErasureError, each_file};
use crate::frontmatter::split;
use crate::history::{HistoryPart, Sha256};
use crate::regular_file;
use crate::store::{LocalStore, StoreError};

/// Larger files are probed by what stands within this.
const READ_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Shorter names and pieces of text stand in places that have nothing to do with the note.
const NAME_BYTES_MIN: usize = 8;
const PROBE_BYTES_MIN: usize = 24;
/// The same for the longest piece of a memory whose text has no other.
const SHORT_PROBE_BYTES_MIN: usize = 16;
/// Of a piece, so much is looked for.
const PROBE_BYTES_MAX: usize = 64;
/// Probes of one content, and of all.
const PROBES_OF_ONE: usize = 8;
const PROBES_MAX: usize = 200_000;

/// Lines of frontmatter that begin like this say nothing of one note: others have the very same.
const SHARED: [&[u8]; 4] = [b"category: ", b"modified: ", b"expires: ", b"type: "];

/// What is looked for.
#[derive(Clone, Default)]
pub struct TracePatterns {
    /// Those of each kind, in the order of [`KINDS`].
    all: [BTreeSet<Vec<u8>>; 3],
    /// Checksums of contents of whose text no piece is looked for.
    too_short: BTreeSet<String>,
    /// What cannot be looked for, in words.
    unread: Vec<String>,
}

/// What kind of trace was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TraceKind {
    /// The name of a file.
    Name,
    /// The checksum of a content.
    Digest,
    /// A piece of a content.
    #[serde(rename = "content")]
    Probe,
}

/// Every kind, in order.
const KINDS: [TraceKind; 3] = [TraceKind::Name, TraceKind::Digest, TraceKind::Probe];

impl TraceKind {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Digest => "digest",
            Self::Probe => "content",
        }
    }
}

impl TracePatterns {
    /// Those of some memory directories and their histories. What is damaged, or sealed by a key that is gone, is
    /// erased all the same, and nobody can look for it. Beside each directory its files that stay: what they hold is
    /// no trace.
    pub(super) fn from_stores<'s>(
        stores: impl Iterator<Item = (&'s LocalStore, BTreeSet<PathBuf>)>,
    ) -> Self {
        let mut traces = Self::default();
        for (store, stays) in stores {
            each_file(&store.places().root, &mut |path| {
                traces.add_name(&name_of(path));
                if path.ancestors().any(|one| stays.contains(one)) {
                    return;
                }
                // What cannot be read is erased all the same, and has no probe.
                if let Ok(bytes) = regular_file::read(path, READ_BYTES_MAX) {
                    traces.add_content(&bytes);
                }
            });
            let why = match traces.add_history(store) {
                Ok(0) => continue,
                Ok(closed) => format!("{closed} objects cannot be read"),
                Err(error) => error.to_string(),
            };
            let root = store.places().root.display();
            let text = format!("what the history of `{root}` alone had: {why}");
            traces.unread.push(text);
        }
        traces
    }

    /// Every content of a history. Says how many of its parts cannot be read.
    fn add_history(&mut self, store: &LocalStore) -> Result<usize, StoreError> {
        let Some(history) = store.open_history()? else {
            return Ok(0);
        };
        let closed = history.each_readable(&mut |kind, bytes| {
            if kind == HistoryPart::Content {
                self.add_content(bytes);
            }
        })?;
        Ok(closed)
    }

    /// What cannot be looked for, in words.
    pub(super) fn unread(&self) -> &[String] {
        &self.unread
    }

    /// Names of indexes are the same everywhere.
    pub fn add_name(&mut self, name: &str) {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        if stem.len() >= NAME_BYTES_MIN && !name.starts_with("MEMORY.") {
            self.add_id(name);
        }
    }

    /// A name that nothing else has, such as an id.
    pub fn add_id(&mut self, id: &str) {
        self.add(TraceKind::Name, id.as_bytes());
    }

    /// A content by its checksum, and by some of its pieces that no JSON writes in another way.
    pub fn add_content(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let digest = Sha256::digest(bytes).to_string();
        self.add_digest(&digest);
        let is_probe = |piece: &&[u8]| piece.len() >= PROBE_BYTES_MIN;
        let probes: Vec<&[u8]> = pieces(bytes).filter(is_probe).collect();
        let step = probes.len().div_ceil(PROBES_OF_ONE).max(1);
        for probe in probes.into_iter().step_by(step) {
            self.add_probe(probe);
        }
        // What frontmatter says is no trace of the text.
        let parts = split(bytes);
        let longest = pieces(&bytes[parts.body]).max_by_key(|piece| piece.len());
        match longest {
            None => {}
            Some(piece) if is_probe(&piece) => {}
            // Only of a memory: what a person said in a session is often the same few words.
            Some(piece) if parts.yaml.is_some() && piece.len() >= SHORT_PROBE_BYTES_MIN => {
                self.add_probe(piece);
            }
            Some(_) => {
                self.too_short.insert(digest);
            }
        }
    }

    fn add_probe(&mut self, piece: &[u8]) {
        if self.counts()[2].1 < PROBES_MAX {
            self.add(TraceKind::Probe, &piece[..piece.len().min(PROBE_BYTES_MAX)]);
        }
    }

    fn add(&mut self, kind: TraceKind, bytes: &[u8]) {
        self.all[kind as usize].insert(bytes.to_vec());
    }

    /// The checksum of a content that is gone already.
    pub(super) fn add_digest(&mut self, digest: &str) {
        self.add(TraceKind::Digest, digest.as_bytes());
    }

    /// Whether a content of this checksum is looked for.
    pub fn has_content(&self, digest: Sha256) -> bool {
        self.all[TraceKind::Digest as usize].contains(digest.to_string().as_bytes())
    }

    /// The checksums of contents.
    pub(super) fn digests(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let digests = self.all[TraceKind::Digest as usize].iter();
        digests.map(|digest| String::from_utf8_lossy(digest))
    }

    /// Names that others have for themselves are not looked for.
    pub(super) fn pass_over(&mut self, names: &BTreeSet<String>) {
        let own = &mut self.all[TraceKind::Name as usize];
        for name in names {
            own.remove(name.as_bytes());
        }
    }

    /// How many there are of each kind.
    pub fn counts(&self) -> [(TraceKind, usize); 3] {
        KINDS.map(|kind| (kind, self.all[kind as usize].len()))
    }

    /// All of them, each with its kind.
    pub(super) fn all(&self) -> impl Iterator<Item = (TraceKind, &[u8])> {
        let all = KINDS.into_iter().zip(&self.all);
        all.flat_map(|(kind, of_it)| of_it.iter().map(move |trace| (kind, trace.as_slice())))
    }

    /// Says of bytes whether any of them stands there.
    ///
    /// # Errors
    /// They cannot be looked for.
    pub fn finder(&self) -> Result<impl Fn(&[u8]) -> bool + use<>, ErasureError> {
        let all = AhoCorasick::new(self.all().map(|(_, trace)| trace));
        let all = all.map_err(|error| ErasureError::Search(error.to_string()))?;
        Ok(move |bytes: &[u8]| all.is_match(bytes))
    }

    /// What each of them is known by to whoever has it: a checksum of the salt and the trace.
    pub fn salted(&self, salt: &[u8]) -> Vec<String> {
        salted(self.all().map(|(_, trace)| trace), salt)
    }

    /// How many contents were looked for as a whole only, because no piece of their text is long enough. Not which: a
    /// short text can be guessed from its checksum.
    pub fn count_too_short(&self) -> usize {
        self.too_short.len()
    }
}

/// The pieces of a content that no JSON writes in another way, and that other contents do not have for certain.
fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_cut = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=31 | 127);
    let pieces = bytes.split(is_cut).map(<[u8]>::trim_ascii);
    pieces
        .filter(|piece| !piece.is_empty() && !SHARED.iter().any(|shared| piece.starts_with(shared)))
}

/// Checksums of the salt and each trace, sorted.
pub(super) fn salted(traces: impl Iterator<Item = impl AsRef<[u8]>>, salt: &[u8]) -> Vec<String> {
    let salted = traces.map(|trace| Sha256::digest(&[salt, trace.as_ref()].concat()).to_string());
    let mut salted: Vec<String> = salted.collect();
    salted.sort_unstable();
    salted
}

/// The names of files that some memories have, now or in their histories: found there, they are no trace of what
/// went. The log of a day is called the same everywhere. What cannot be read tells none.
pub(super) fn names(stores: &[LocalStore]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for store in stores {
        each_file(&store.places().root, &mut |path| {
            names.insert(name_of(path));
        });
        if let Ok(Some(history)) = store.open_history() {
            // Names of before the damage, where there is some.
            let _ = history.each_part(&mut |part, bytes| {
                if part == HistoryPart::Path {
                    let path = String::from_utf8_lossy(bytes);
                    names.extend(path.split('/').map(str::to_owned));
                }
            });
        }
    }
    names
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Nobody prints what was erased.
impl std::fmt::Debug for TracePatterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Traces").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_known_by_pieces_that_json_writes_alike() {
        let mut traces = TracePatterns::default();
        traces.add_content(
            b"---\nname: x\nmodified: 2026-01-01T00:00:00Z\n  category: factual_knowledge\n---\nThe staging key is kept in \"vault\" of the team\\.\n",
        );
        let [_, digests, probes] = &traces.all;
        let probes = probes.iter().map(Vec::as_slice).collect::<Vec<_>>();
        assert_eq!(probes, [b"The staging key is kept in"]);
        assert_eq!(digests.len(), 1);
        assert!(!format!("{traces:?}").contains("staging"));
        let salted = traces.salted(b"salt");
        assert_eq!(salted.len(), 2);
        assert_ne!(salted, traces.salted(b"other"));
    }

    #[test]
    fn a_short_text_is_looked_for_where_that_tells_it_apart_and_else_named_as_too_short() {
        for (content, probes, too_short) in [
            ("---\nname: PIN\n---\n\nNever on a Friday.\n", 1, 0),
            ("---\nname: PIN\n---\n\nPIN 4711\n", 0, 1),
            (
                "---\ndescription: what opens the door of the cellar\n---\nPIN 4711\n",
                1,
                1,
            ),
            ("please run the tests", 0, 1),
            ("The staging database is restored every monday", 1, 0),
            ("---\nname: PIN\n---\n", 0, 0),
        ] {
            let mut traces = TracePatterns::default();
            traces.add_content(content.as_bytes());
            let counts = traces.counts().map(|(_, count)| count);
            let found = (counts, traces.count_too_short());
            assert_eq!(found, ([0, 1, probes], too_short), "{content}");
        }
    }

    #[test]
    fn long_contents_are_probed_all_over_and_short_names_not_at_all() {
        let mut traces = TracePatterns::default();
        let lines =
            (0..1000).map(|number| format!("a line that has the number {number:04} in it\n"));
        traces.add_content(lines.collect::<String>().as_bytes());
        assert_eq!(traces.counts()[2].1, PROBES_OF_ONE);
        for name in ["a.md", "MEMORY.md", "MEMORY.archive.md", "deploy-freeze.md"] {
            traces.add_name(name);
        }
        assert_eq!(traces.all[0], [b"deploy-freeze.md".to_vec()].into());
    }
}
