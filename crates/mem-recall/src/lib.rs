//! Ranks documents for a query: few, relevant, explained, or none.
//!
//! A [`RecallIndex`] holds [`Document`]s; [`rank_documents()`] answers a [`RecallQuery`] from words (soft BM25), a
//! static table of word vectors and, for documents that have been encoded, a sentence encoder. The crate
//! knows nothing of files, asks no network and reads no clock.
//!
//! ```
//! use mem_recall::{Document, RankOptions, RecallIndex, RecallQuery, rank_documents};
//!
//! let note = Document {
//!     key: "deploy.md".into(),
//!     name: "Deploy procedure".into(),
//!     description: "Run the migrations before the release job".into(),
//!     ..Document::default()
//! };
//! let mut index = RecallIndex::new();
//! index.add_documents([&note]);
//! let query = RecallQuery::new("how do we deploy?");
//! let options = RankOptions { min_score: 0.0, ..RankOptions::default() };
//! let ranking = rank_documents(&index, &query, &options);
//! assert_eq!(ranking.hits[0].key, "deploy.md");
//! ```

mod document;
pub mod encoder;
mod everyday_prompts;
mod index;
pub mod lexicon;
mod model;
mod packed_vector;
mod passages;
mod query;
mod rank;
mod simd;
mod similar;
pub mod snippets;
pub mod text;
mod vector;
pub mod versus;
pub mod wordpiece;

pub use document::{Document, Facets};
pub use everyday_prompts::EverydayPrompt;
pub use index::{BODY_BYTES_MAX, IndexError, RecallIndex, VERSION};
pub use model::{DIMS, Table};
pub use query::{QUERY_TERMS_MAX, RecallQuery};
pub use rank::{
    DEFAULT_MIN_SCORE, DocumentFacts, Filtered, FilteredBy, Hit, RankFilter, RankOptions,
    RankSignals, RankWeights, Ranking, ScorePart, TermMatch, rank_documents,
};
pub use similar::{SAME_MIN, SAME_WORDS_MIN, Similar, Similarity, document_terms, term_overlap};
pub use vector::Embedding;
