//! Full text search over the memories of a store: an index in memory, in step with the database.
//!
//! # Layout
//! - `index_cache`: the indexes that are in memory, bounded; each is made once, whoever waits for it.
//! - `step`: makes an index, and brings one up to what its store is now.
//! - `search_results`: from a query to memories with the lines that say why.
//!
//! The database is the truth: every search looks up the moment its store is at, reads again what changed
//! since, and shows memories as they are there. So any replica answers, and what was deleted is not found.

mod index_cache;
mod search_results;
mod step;

pub(crate) use index_cache::SearchIndexes;
