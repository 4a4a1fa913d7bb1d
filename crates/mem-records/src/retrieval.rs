//! From a ranking to the answer of a retrieval, whatever back end the ranking is of.

use mem_core::{Now, Scope};
use mem_recall::{Filtered, FilteredBy, RankFilter, RankOptions, Ranking};

use crate::record::Record;
use crate::records::{RetrievalAnswer, Retrieve, Retrieved, SkippedRecord};
use crate::similarity_score;

/// At least this many are ranked.
const RANKED: usize = 64;

/// How a retrieval ranks: by what it asks for, among records of these tiers.
pub(crate) fn options(query: &Retrieve, scopes: &[Scope], now: Now) -> RankOptions {
    let categories = query.categories.iter().map(|one| one.as_str().to_owned());
    let least = f32::from(query.min_importance.saturating_sub(1)) / 4.0;
    RankOptions {
        // What shares nothing with the query takes nobody's place.
        limit: query.limit().max(RANKED),
        // A retrieval returns what is nearest, with how near it is.
        min_score: 0.0,
        now: now.0.as_second(),
        filter: RankFilter {
            scopes: scopes.iter().map(|one| one.as_str().to_owned()).collect(),
            categories: categories.collect(),
            min_importance: (least > 0.0).then_some(least),
            ..RankFilter::default()
        },
        ..RankOptions::default()
    }
}

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
        let score = similarity_score::likeness_score(&hit.signals)?;
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
    let left = left.filter(|one| is_reported(one)).filter_map(|one| {
        let Record { id, content, .. } = find(&one.key)?;
        let by = one.by.name();
        Some(SkippedRecord { id, content, by })
    });
    let left_out = left.collect();
    (keys, RetrievalAnswer { memories, left_out })
}

/// Whether somebody asked for what left it out: a tier that they do not see tells nothing.
fn is_reported(one: &Filtered) -> bool {
    matches!(
        one.by,
        FilteredBy::Expired | FilteredBy::Category | FilteredBy::Importance
    )
}
