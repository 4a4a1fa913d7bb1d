//! From a query to the memories that have to do with it, as they are in the database.

use std::collections::{HashMap, HashSet};

use mem_recall::snippets::{find_snippets, find_words};
use mem_recall::text::Stems;
use mem_recall::{
    DEFAULT_MIN_SCORE, Hit, RankFilter, RankOptions, RecallIndex, RecallQuery, rank_documents,
};
use mem_stores::PathPrefix;
use mem_stores::tools::store::{MemoryHit, MemoryLine, StoreSearch};

use super::Searches;
use crate::storage::Database;
use crate::storage::stores::{AccessScope, IndexMark, MemoryRecord, StoreRecord, StoresError};

/// More than are wanted are looked up: some may be gone.
const SPARE: usize = 4;

/// A memory of the index.
struct SearchRank {
    id: String,
    score: f32,
    /// The terms that answer the query.
    terms: HashSet<String>,
}

impl Searches {
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
        let ranked = self.work(move || ranked(&index, &asked)).await?;
        let ids: Vec<String> = ranked.iter().map(|one| one.id.clone()).collect();
        let reached = IndexMark::from_store(store);
        let memories = database
            .memories_by_id(scope, &store.id, &ids, reached.as_ref())
            .await?;
        self.work(move || shown(ranked, memories, limit)).await
    }
}

fn ranked(index: &RecallIndex, asked: &StoreSearch) -> Vec<SearchRank> {
    let folder = asked.folder.as_ref().map(PathPrefix::as_str);
    let filter = RankFilter {
        below: folder.unwrap_or_default().to_owned(),
        ..RankFilter::default()
    };
    let options = RankOptions {
        limit: asked.limit + SPARE,
        min_score: 0.0,
        filter,
        ..RankOptions::default()
    };
    let hits = rank_documents(index, &RecallQuery::new(&asked.query), &options).hits;
    let hits = hits.into_iter().filter(fits);
    let with_id = hits.filter_map(|hit| {
        let id = String::from_utf8(index.document_stamp(&hit.key)?.to_vec()).ok()?;
        let terms = hit.matches.into_iter().map(|one| one.found);
        Some(SearchRank {
            id,
            score: hit.confidence,
            terms: terms.collect(),
        })
    });
    with_id.collect()
}

/// Whether a hit has to do with the query at all: every text has some likeness.
fn fits(hit: &Hit) -> bool {
    hit.matches.iter().any(|one| one.asked == one.found) || hit.confidence >= DEFAULT_MIN_SCORE
}

/// What was ranked, as it is now, with its lines.
fn shown(ranked: Vec<SearchRank>, memories: Vec<MemoryRecord>, limit: usize) -> Vec<MemoryHit> {
    let mut memories: HashMap<String, MemoryRecord> = memories
        .into_iter()
        .map(|memory| (memory.id.clone(), memory))
        .collect();
    let mut stems = Stems::default();
    let found = ranked.into_iter().filter_map(|one| {
        let memory = memories.remove(&one.id)?;
        let text = memory.content.as_deref().unwrap_or_default();
        let lines = find_snippets(text, 1, &mut |line| {
            find_words(line, &one.terms, &mut stems)
        });
        let lines = lines.into_iter().map(|line| MemoryLine {
            number: line.line,
            text: line.text,
        });
        Some(MemoryHit {
            info: memory.info(),
            score: Some(one.score),
            lines: lines.collect(),
        })
    });
    found.take(limit).collect()
}
