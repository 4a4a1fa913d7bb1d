//! What a caller hands in: notes, and what is known of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

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

/// A name that a note had once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierName {
    /// The name: a title, a stem or a path.
    pub name: String,
    /// The file of that note now; `None` where it was removed.
    pub file: Option<String>,
}

/// The history of the notes. It is read once at most, and only where a link leads to no note.
pub trait EarlierNames: fmt::Debug + Sync {
    /// The names that notes had, in any order.
    fn earlier_names(&self) -> Vec<EarlierName>;
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
    /// The names that notes had before; `None` where nobody knows. Means nothing without `known_notes`.
    pub earlier_notes: Option<&'a dyn EarlierNames>,
    /// The present.
    pub now: Now,
}
