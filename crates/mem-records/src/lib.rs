//! Structured memories: three tools, one trait, back ends.
//!
//! A record is a content with a category, tags, an importance and perhaps an end. Agents store,
//! retrieve and delete records with tools of those names; where they are kept is a back end's.
//!
//! # Layout
//! - [`record`], [`category`], [`limits`]: what a record is, and how its categories stand to the four
//!   types of memory.
//! - [`records`]: [`Records`], the trait of the back ends, and what its calls answer.
//! - [`tools`]: what a model reads of them; [`input`] and [`shape`]: the JSON that they take and give.
//! - [`importance_decay`]: importance as time goes by. [`prune`]: what goes first.
//! - [`similarity_score`]: how alike a query and a record are. [`conflict`]: whether a new record says about the same
//!   as an old one.
//! - [`title`], [`prefetch`]: a record as a topic file and as a line of a prompt.
//! - [`files`]: the back end over a memory directory. [`text_records`]: the one over anything that keeps
//!   texts under ids. `qdrant`, behind the feature of that name: the one over Qdrant.
//!
//! Nothing here prints, reads the environment or looks at the clock: callers hand in
//! [`Now`](mem_core::Now).

pub mod category;
pub mod conflict;
pub mod error;
pub mod files;
pub mod importance_decay;
pub mod input;
pub mod limits;
pub mod prefetch;
pub mod prune;
#[cfg(feature = "qdrant")]
pub mod qdrant;
pub mod record;
pub mod records;
mod retrieval;
pub mod shape;
pub mod similarity_score;
pub mod text_records;
pub mod title;
pub mod tools;
mod topic;

pub use category::Category;
pub use error::{InvalidRecord, RecordError};
pub use record::{NewRecord, Record, RecordId};
pub use records::{
    Deleted, RecordFilter, Records, RetrievalAnswer, Retrieve, Retrieved, SkippedRecord,
    StoreOutcome, Superseded,
};
