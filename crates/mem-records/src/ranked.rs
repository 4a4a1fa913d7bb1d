//! From a ranking to the answer of a retrieval, whatever back end the ranking is of.

use mem_core::Now;
use mem_recall::Ranking;
use mem_recall::{Filtered, FilteredBy};

use crate::likeness;
use crate::record::Record;
use crate::records::{RetrievalAnswer, Retrieve, Retrieved, SkippedRecord};

/// The keys of the records that were found, best first, and the answer: these records, with what was left out where
/// that is asked for. What shares nothing with the query is not found.
pub(crate) fn answer(
    ranking: &Ranking,
    query: &Retrieve,
    now: Now,
    half_life_days: f64,
    find: impl Fn(&str) -> Option<Record>,
) -> (Vec<String>, RetrievalAnswer) {
    let found = ranking.hits.iter().filter_map(|hit| {
        let score = likeness::likeness_score(&hit.signals)?;
        let record = find(&hit.key)?;
        let effective = record.effective_importance(now, half_life_days);
        let retrieved = Retrieved {
            record,
            score,
            effective,
        };
        Some((hit.key.clone(), retrieved))
    });
    let (keys, memories) = found.take(query.limit()).unzip();
    let left = ranking.filtered.iter().filter(|_| query.explain);
    let left = left.filter(|one| is_told(one)).filter_map(|one| {
        let Record { id, content, .. } = find(&one.key)?;
        let by = one.by.name();
        Some(SkippedRecord { id, content, by })
    });
    let left_out = left.collect();
    (keys, RetrievalAnswer { memories, left_out })
}

/// Whether somebody asked for what left it out: a tier that they do not see tells nothing.
fn is_told(one: &Filtered) -> bool {
    matches!(
        one.by,
        FilteredBy::Expired | FilteredBy::Category | FilteredBy::Importance
    )
}
