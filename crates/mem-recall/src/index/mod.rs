//! The index: documents by key in a few immutable segments, from which one compact file is made.
//!
//! A change makes a small segment and marks the old version dead; segments are merged when the
//! younger is no longer small beside the older. So one changed document costs little, and the
//! answer is the same as that of an index built anew.

mod build;
mod bytes;
mod checksum;
mod dictionary;
#[cfg(feature = "encoder")]
mod encode;
mod file;
mod large_pages;
mod merge;
mod parts;
mod postings;
mod record;
mod segment;
mod slice;

pub use file::{IndexError, VERSION};
#[cfg(feature = "encoder")]
pub(crate) use parts::PART;
pub(crate) use postings::TermCounts;
pub(crate) use segment::{Lengths, Segment};

use crate::document::Document;
use build::Builder;
pub(crate) use build::statics;

/// Of a longer body, only so much is read.
pub const BODY_BYTES_MAX: usize = 1 << 20;

/// An older segment is merged with the next when it has less than this many times its documents.
const MERGE_RATIO: usize = 4;

/// Documents that can be ranked.
#[derive(Debug, Default, Clone)]
pub struct RecallIndex {
    segments: Vec<Segment>,
}

impl RecallIndex {
    /// An index without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds documents; each replaces the one with its key. Sentence vectors are kept where the text
    /// is the same as before.
    pub fn extend<'a>(&mut self, documents: impl IntoIterator<Item = &'a Document>) {
        let mut builder = Builder::default();
        for document in documents {
            builder.add(document);
        }
        self.take(builder.finish());
        self.tidy();
    }

    /// Adds the documents of another index, as [`RecallIndex::extend`] does.
    pub fn absorb(&mut self, other: Self) {
        for segment in other.segments {
            self.take(segment);
        }
        self.tidy();
    }

    fn take(&mut self, mut fresh: Segment) {
        for doc in (0..fresh.len())
            .filter(|&doc| fresh.is_live(doc))
            .collect::<Vec<_>>()
        {
            let Some(record) = fresh.record(doc) else {
                continue;
            };
            if let Some((segment, old)) = self.find(record.key) {
                let same = self.segments[segment]
                    .record(old)
                    .is_some_and(|r| r.text_hash == record.text_hash);
                if same {
                    let before = &self.segments[segment];
                    fresh.set_encoded(doc, before.encoded(old), before.passages(old));
                }
                self.segments[segment].kill(old);
            }
        }
        if fresh.live() > 0 {
            self.segments.push(fresh);
        }
    }

    /// Removes a document; false where there is none of that key.
    pub fn remove(&mut self, key: &str) -> bool {
        let Some((segment, doc)) = self.find(key) else {
            return false;
        };
        self.segments[segment].kill(doc);
        self.tidy();
        true
    }

    /// Removes documents; returns how many there were.
    pub fn remove_all<'a>(&mut self, keys: impl IntoIterator<Item = &'a str>) -> usize {
        let mut removed = 0;
        for key in keys {
            if let Some((segment, doc)) = self.find(key) {
                self.segments[segment].kill(doc);
                removed += 1;
            }
        }
        self.tidy();
        removed
    }

    /// The documents of both, for one ranking. No key may be in both.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        self.segments.extend(other.segments);
        self
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.segments.iter().map(Segment::live).sum()
    }

    /// The memory that it takes, near enough.
    pub fn bytes(&self) -> usize {
        self.segments.iter().map(Segment::bytes).sum()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stamp that came with a document; nothing where there is none of that key.
    pub fn stamp(&self, key: &str) -> Option<&[u8]> {
        let (segment, doc) = self.find(key)?;
        self.segments[segment]
            .record(doc)
            .map(|record| record.stamp)
    }

    /// All keys with their stamps, in no particular order.
    pub fn stamps(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.live()
            .filter_map(|(segment, doc)| segment.record(doc))
            .map(|record| (record.key, record.stamp))
    }

    /// All keys, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.live()
            .filter_map(|(segment, doc)| segment.record(doc))
            .map(|record| record.key)
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(crate) fn live(&self) -> impl Iterator<Item = (&Segment, usize)> {
        self.segments
            .iter()
            .flat_map(|s| (0..s.len()).filter(|&d| s.is_live(d)).map(move |d| (s, d)))
    }

    pub(crate) fn find(&self, key: &str) -> Option<(usize, usize)> {
        self.segments
            .iter()
            .enumerate()
            .find_map(|(at, segment)| Some((at, segment.find(key)?)))
    }

    /// Merges what has become alike in size, or mostly dead.
    fn tidy(&mut self) {
        self.segments.retain(|segment| segment.live() > 0);
        while let [.., older, younger] = self.segments.as_slice() {
            if older.live() >= MERGE_RATIO * younger.live() {
                break;
            }
            let merged = merge::merge(&[older, younger]);
            self.segments.truncate(self.segments.len() - 2);
            self.segments.push(merged);
        }
        for segment in &mut self.segments {
            if segment.live() * 3 < segment.len() * 2 {
                *segment = merge::merge(&[segment]);
            }
        }
    }
}
