//! The index: documents by key in a few immutable segments, from which one compact file is made.
//!
//! A change makes a small segment and marks the old version dead; segments are merged when the
//! younger is no longer small beside the older. So one changed document costs little, and the
//! answer is the same as that of an index built anew.

mod build;
mod bytes;
mod checksum;
mod dictionary;
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
pub(crate) use parts::PART;
pub(crate) use postings::TermCounts;
pub(crate) use segment::{Lengths, Segment};

use crate::document::Document;
use build::Builder;
pub(crate) use build::encode_statics;

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
    pub fn add_documents<'a>(&mut self, documents: impl IntoIterator<Item = &'a Document>) {
        let mut builder = Builder::default();
        for document in documents {
            builder.add_document(document);
        }
        self.add_segment(builder.finish_segment());
        self.tidy_segments();
    }

    /// Adds the documents of another index, as [`RecallIndex::add_documents`] does.
    pub fn absorb_index(&mut self, other: Self) {
        for segment in other.segments {
            self.add_segment(segment);
        }
        self.tidy_segments();
    }

    fn add_segment(&mut self, mut fresh: Segment) {
        for doc in (0..fresh.len())
            .filter(|&doc| fresh.is_live(doc))
            .collect::<Vec<_>>()
        {
            let Some(record) = fresh.read_record(doc) else {
                continue;
            };
            if let Some((segment, old)) = self.find_document(record.key) {
                let same = self.segments[segment]
                    .read_record(old)
                    .is_some_and(|r| r.text_hash == record.text_hash);
                if same {
                    let before = &self.segments[segment];
                    fresh.set_encoded(
                        doc,
                        before.encoder_id(),
                        before.sentence_vectors(old),
                        before.passage_vectors(old),
                    );
                }
                self.segments[segment].mark_dead(old);
            }
        }
        if fresh.live_count() > 0 {
            self.segments.push(fresh);
        }
    }

    /// Removes a document; false where there is none of that key.
    pub fn remove_document(&mut self, key: &str) -> bool {
        let Some((segment, doc)) = self.find_document(key) else {
            return false;
        };
        self.segments[segment].mark_dead(doc);
        self.tidy_segments();
        true
    }

    /// Removes documents; returns how many there were.
    pub fn remove_all<'a>(&mut self, keys: impl IntoIterator<Item = &'a str>) -> usize {
        let mut removed = 0;
        for key in keys {
            if let Some((segment, doc)) = self.find_document(key) {
                self.segments[segment].mark_dead(doc);
                removed += 1;
            }
        }
        self.tidy_segments();
        removed
    }

    /// The documents of both, for one ranking. No key may be in both.
    #[must_use]
    pub fn join_index(mut self, other: Self) -> Self {
        self.segments.extend(other.segments);
        self
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.segments.iter().map(Segment::live_count).sum()
    }

    /// The memory that it takes, near enough.
    pub fn memory_bytes(&self) -> usize {
        self.segments.iter().map(Segment::memory_bytes).sum()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stamp that came with a document; nothing where there is none of that key.
    pub fn document_stamp(&self, key: &str) -> Option<&[u8]> {
        let (segment, doc) = self.find_document(key)?;
        self.segments[segment]
            .read_record(doc)
            .map(|record| record.stamp)
    }

    /// All keys with their stamps, in no particular order.
    pub fn document_stamps(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.live_documents()
            .filter_map(|(segment, doc)| segment.read_record(doc))
            .map(|record| (record.key, record.stamp))
    }

    /// All keys, in no particular order.
    pub fn document_keys(&self) -> impl Iterator<Item = &str> {
        self.live_documents()
            .filter_map(|(segment, doc)| segment.read_record(doc))
            .map(|record| record.key)
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(crate) fn live_documents(&self) -> impl Iterator<Item = (&Segment, usize)> {
        self.segments
            .iter()
            .flat_map(|s| (0..s.len()).filter(|&d| s.is_live(d)).map(move |d| (s, d)))
    }

    pub(crate) fn find_document(&self, key: &str) -> Option<(usize, usize)> {
        self.segments
            .iter()
            .enumerate()
            .find_map(|(at, segment)| Some((at, segment.find_document(key)?)))
    }

    /// Merges what has become alike in size, or mostly dead.
    fn tidy_segments(&mut self) {
        self.segments.retain(|segment| segment.live_count() > 0);
        while let [.., older, younger] = self.segments.as_slice() {
            if older.live_count() >= MERGE_RATIO * younger.live_count() {
                break;
            }
            let merged = merge::merge_segments(&[older, younger]);
            self.segments.truncate(self.segments.len() - 2);
            self.segments.push(merged);
        }
        for segment in &mut self.segments {
            if segment.live_count() * 3 < segment.len() * 2 {
                *segment = merge::merge_segments(&[segment]);
            }
        }
    }
}
