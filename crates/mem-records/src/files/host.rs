//! [`Host`]: what the files' back end has to be given, because only the program knows it.

use std::collections::HashMap;

use jiff::Timestamp;
use mem_core::Now;
use mem_core::memory::Note;
use mem_core::store::{ChangeMetadata, StoreError, WriteGate};
use mem_recall::{DocumentFacts, RankWeights, RecallIndex, RecallQuery};

/// Who asks, what may be written, and where the index is.
pub trait Host {
    /// The index with the files that it is in step with.
    type QueryIndex<'g>: QueryIndex
    where
        Self: 'g;

    /// An order of whoever asks.
    fn change_metadata(&self, verb: &'static str, now: Now) -> ChangeMetadata;

    /// What every write has to pass.
    fn write_gate(&self) -> &dyn WriteGate;

    /// A content as it may be shown in names of files, indexes and messages: without its secrets.
    fn redact_content(&self, content: &str) -> String;

    /// The query, and what it is asked of.
    ///
    /// # Errors
    /// A memory directory cannot be listed.
    fn prepare_query(&self, text: &str) -> Result<(RecallQuery, Self::QueryIndex<'_>), StoreError>;

    /// The index as far as it is known without much of a look: what is taken from it is compared with
    /// the files.
    ///
    /// # Errors
    /// A memory directory cannot be listed.
    fn cached_index(&self) -> Result<RecallIndex, StoreError>;

    /// When records were last retrieved, by their keys in the index.
    fn used_at(&self) -> HashMap<String, Timestamp>;

    /// Remembers that records were retrieved.
    fn mark_retrieved(&self, keys: &[String], now: Now);

    /// Whether the index of pointers is kept (not where a daily log is kept instead).
    fn keeps_index(&self) -> bool;

    /// Days after which an unused record counts half.
    fn half_life_days(&self) -> f64;

    /// What counts how much in a ranking.
    fn rank_weights(&self) -> RankWeights;
}

/// What a query is asked of. Keys are those of [`note_key`](super::note_key).
pub trait QueryIndex {
    /// The index.
    fn index(&self) -> &RecallIndex;

    /// A note as it stands; `None` where it is gone by now.
    fn read_note(&self, key: &str) -> Option<Note>;

    /// When it was last retrieved.
    fn used_at(&self, key: &str) -> Option<Timestamp>;

    /// What is known beside the index.
    fn document_facts(&self) -> HashMap<String, DocumentFacts>;
}
