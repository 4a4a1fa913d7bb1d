//! From a query to the memories that have to do with it, as they are in the database.

use std::collections::HashMap;

use mem_recall::RecallIndex;
use mem_stores::tools::store::{MemoryHit, StoreSearch};
use mem_stores::tools::{RankedMemory, rank_memories};

use super::SearchIndexes;
use super::index_cache::run_blocking;
use crate::storage::Database;
use crate::storage::stores::{AccessScope, IndexMark, MemoryRecord, StoreRecord, StoresError};

/// More than are wanted are looked up: some may be gone.
const SPARE: usize = 4;

impl SearchIndexes {
    /// The memories of a store that have to do with a query, the best first.
    ///
    /// # Errors
    /// See [`StoresError`].
    pub(crate) async fn find(
        &self,
        database: &Database,
        scope: &AccessScope,
        store: &StoreRecord,
        asked: StoreSearch,
    ) -> Result<Vec<MemoryHit>, StoresError> {
        let limit = asked.limit;
        let index = self.index(database, scope, store).await?;
        let ranked = run_blocking(&self.permits, move || ranked(&index, &asked)).await?;
        let ids: Vec<String> = ranked.iter().map(|(id, _)| id.clone()).collect();
        let reached = IndexMark::from_store(store);
        let memories = database
            .memories_by_id(scope, &store.id, &ids, reached.as_ref())
            .await?;
        run_blocking(&self.permits, move || result_item(ranked, memories, limit)).await
    }
}

/// What has to do with a query, by the ids of the memories.
fn ranked(index: &RecallIndex, asked: &StoreSearch) -> Vec<(String, RankedMemory)> {
    let ranked = rank_memories(index, asked, asked.limit + SPARE).into_iter();
    let with_id = ranked.filter_map(|one| {
        let id = String::from_utf8(index.document_stamp(&one.path)?.to_vec()).ok()?;
        Some((id, one))
    });
    with_id.collect()
}

/// What was ranked, as it is now, with its lines.
fn result_item(
    ranked: Vec<(String, RankedMemory)>,
    memories: Vec<MemoryRecord>,
    limit: usize,
) -> Vec<MemoryHit> {
    let mut memories: HashMap<String, MemoryRecord> = memories
        .into_iter()
        .map(|memory| (memory.id.clone(), memory))
        .collect();
    let found = ranked.into_iter().filter_map(|(id, one)| {
        let memory = memories.remove(&id)?;
        Some(MemoryHit {
            info: memory.info(),
            score: Some(one.score),
            lines: one.matching_lines(memory.content.as_deref().unwrap_or_default()),
        })
    });
    found.take(limit).collect()
}
