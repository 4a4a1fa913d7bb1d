//! From a query to the memories of an index that have to do with it, and the lines that say why.

use std::collections::HashSet;

use mem_recall::snippets::{find_snippets, find_words};
use mem_recall::text::Stems;
use mem_recall::{
    DEFAULT_MIN_SCORE, Hit, RankFilter, RankOptions, RecallIndex, RecallQuery, rank_documents,
};

use super::store::{MemoryLine, StoreSearch};
use crate::PathPrefix;

/// A memory of an index that has to do with a query.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedMemory {
    /// Its key in the index: its path.
    pub path: String,
    /// From 0 to 1.
    pub score: f32,
    /// The terms that answer the query.
    terms: HashSet<String>,
}

/// The memories that have to do with a query, the best first, at most `limit`.
pub fn rank_memories(index: &RecallIndex, asked: &StoreSearch, limit: usize) -> Vec<RankedMemory> {
    let folder = asked.folder.as_ref().map(PathPrefix::as_str);
    let options = RankOptions {
        limit,
        min_score: 0.0,
        filter: RankFilter {
            below: folder.unwrap_or_default().to_owned(),
            ..RankFilter::default()
        },
        ..RankOptions::default()
    };
    let hits = rank_documents(index, &RecallQuery::new(&asked.query), &options).hits;
    let ranked = hits.into_iter().filter(fits).map(|hit| RankedMemory {
        path: hit.key,
        score: hit.confidence,
        terms: hit.matches.into_iter().map(|one| one.found).collect(),
    });
    ranked.collect()
}

/// Whether a hit has to do with the query at all: every text has some likeness.
fn fits(hit: &Hit) -> bool {
    hit.matches.iter().any(|one| one.asked == one.found) || hit.confidence >= DEFAULT_MIN_SCORE
}

impl RankedMemory {
    /// The lines of a text that say why.
    pub fn matching_lines(&self, text: &str) -> Vec<MemoryLine> {
        let mut stems = Stems::default();
        let found = find_snippets(text, 1, &mut |line| {
            find_words(line, &self.terms, &mut stems)
        });
        let found = found.into_iter().map(|one| MemoryLine {
            number: one.line,
            text: one.text,
        });
        found.collect()
    }
}
