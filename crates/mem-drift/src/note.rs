//! What a caller hands in: notes, and what is known of them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use mem_core::Now;

use crate::checkout::CheckoutPaths;

/// A note to check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriftInput {
    /// Its file, as the report shall name it.
    pub file: String,
    /// The whole file, frontmatter included.
    pub text: String,
    /// When its content was last written; `None` if nobody knows.
    pub written: Option<Timestamp>,
    /// The blobs of the files it cites, by path, as [`snapshot_citations`](crate::snapshot_citations()) told them when
    /// it was saved; empty if nobody recorded them. They outweigh `written`.
    pub blobs: BTreeMap<String, String>,
}

/// One request.
#[derive(Clone, Debug)]
pub struct DriftRequest<'a> {
    /// The repository that the notes speak of.
    pub place: &'a CheckoutPaths,
    /// The notes.
    pub notes: &'a [DriftInput],
    /// The repository's remotes, in any spelling, for web addresses.
    pub remotes: &'a [String],
    /// Names by which other notes are known (titles, stems or paths); `None` if they are not.
    pub known_notes: Option<&'a BTreeSet<String>>,
    /// The present.
    pub now: Now,
}
