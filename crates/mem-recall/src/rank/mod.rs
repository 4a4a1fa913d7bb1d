//! The ranking: words and static vectors for every document, sentence vectors where they are,
//! then what is known beside the text. Every number that decides is named and given back.

mod abstain;
mod answer;
mod filter;
mod lexical;
mod lexical_weight;
mod scan;
mod semantic;
mod weights;

pub use abstain::DEFAULT_MIN_SCORE;
pub use answer::{Hit, RankSignals, Ranking, ScorePart, TermMatch};
pub use filter::{Filtered, FilteredBy, RankFilter};
pub use weights::RankWeights;

use std::collections::HashMap;

use crate::index::RecallIndex;
use crate::query::RecallQuery;
use lexical::Lexical;
use scan::ScoredDocument;

/// Of so many of the best by text, the passages are looked at as well.
const NEAR_MIN: usize = 512;
/// So many of the best by text are weighed with what is known beside it.
const WEIGHED_MIN: usize = 64;

/// What is known of a document beside the index, and changes more often.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DocumentFacts {
    /// How often it was recalled and then used, added to what the document says.
    pub used: u32,
    /// How often it was recalled since without being used, as far as that can be seen.
    pub unused: u32,
    /// From 0 to 1: how much of what it speaks of has moved or gone.
    pub drift: f32,
}

/// How to rank.
#[derive(Debug, Clone)]
pub struct RankOptions {
    /// At most so many hits.
    pub limit: usize,
    /// Hits below this confidence are left out; 0 never abstains.
    pub min_score: f32,
    /// Seconds since 1970, for age and expiry.
    pub now: i64,
    /// The weights.
    pub weights: RankWeights,
    /// What may be ranked at all.
    pub filter: RankFilter,
    /// By key, what is known beside the index.
    pub beside: HashMap<String, DocumentFacts>,
}

impl Default for RankOptions {
    fn default() -> Self {
        let (weights, filter) = (RankWeights::default(), RankFilter::default());
        Self {
            limit: 5,
            min_score: DEFAULT_MIN_SCORE,
            now: 0,
            weights,
            filter,
            beside: HashMap::new(),
        }
    }
}

/// Ranks the documents of `index` for `query`.
pub fn rank_documents(index: &RecallIndex, query: &RecallQuery, options: &RankOptions) -> Ranking {
    let mut filtered = Vec::new();
    let allowed = filter::allowed_documents(index, options, &mut filtered);
    let weights = options
        .weights
        .towards_words(lexical_weight::lexical_weight(index));
    let lexical = Lexical::score_documents(index, query, &weights, &allowed);
    let mut candidates = scan::find_candidates(index, query, &weights, &lexical, &allowed);
    let any = !candidates.is_empty();
    keep_best(
        &mut candidates,
        NEAR_MIN.max(options.limit.saturating_mul(4)),
    );
    scan::look_into(index, query, &weights, &mut candidates);
    let ranked = allowed.iter().filter(|&&allowed| allowed).count();
    let mut hits = weigh_candidates(index, &weights, options, candidates, ranked);
    let best = hits.iter().map(|hit| hit.confidence).fold(0.0, f32::max);
    let everything = options.min_score <= 0.0;
    hits.retain(|hit| everything || (hit.confidence >= options.min_score && hit.score > 0.0));
    hits.truncate(options.limit);
    let terms = lexical.terms();
    for hit in &mut hits {
        hit.matches = terms.matching_terms(index, &hit.key);
    }
    Ranking {
        abstained: any && hits.is_empty(),
        hits,
        best,
        filtered,
    }
}

/// Leaves the best by text, in no particular order.
fn keep_best(candidates: &mut Vec<ScoredDocument>, keep: usize) {
    let order = |a: &ScoredDocument, b: &ScoredDocument| {
        b.score.total_cmp(&a.score).then(a.place.cmp(&b.place))
    };
    if candidates.len() > keep {
        candidates.select_nth_unstable_by(keep, order);
        candidates.truncate(keep);
    }
}

/// The best by text, put in order by all parts.
fn weigh_candidates(
    index: &RecallIndex,
    weights: &RankWeights,
    options: &RankOptions,
    mut candidates: Vec<ScoredDocument>,
    ranked: usize,
) -> Vec<Hit> {
    keep_best(
        &mut candidates,
        WEIGHED_MIN.max(options.limit.saturating_mul(4)),
    );
    let mut hits: Vec<Hit> = candidates
        .iter()
        .filter_map(|c| scan::build_hit(index, c, ranked, weights, options))
        .collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.key.cmp(&b.key)));
    hits
}
