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

use mem_recall::Document;

use crate::storage::stores::MemoryRecord;

/// A memory as it is indexed: by its path, with its id beside.
fn document(memory: &MemoryRecord, bytes_max: usize) -> Document {
    let content = memory.content.as_deref().unwrap_or_default();
    let end = content.floor_char_boundary(bytes_max);
    Document {
        key: memory.path.clone(),
        name: memory.path.clone(),
        body: content.get(..end).unwrap_or_default().to_owned(),
        stamp: memory.id.clone().into_bytes(),
        ..Document::default()
    }
}
