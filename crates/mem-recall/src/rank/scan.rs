//! Walks all documents once: signals and score of each text, then of the best the whole account.

use super::answer::{Hit, RankSignals};
use super::lexical::Lexical;
use super::{RankOptions, RankWeights, abstain, semantic};
use crate::index::RecallIndex;
use crate::query::RecallQuery;

/// A document with the score of its text.
pub(super) struct ScoredDocument {
    pub(super) segment: u32,
    pub(super) doc: u32,
    /// Its number over all segments.
    pub(super) place: u32,
    pub(super) score: f32,
    pub(super) signals: RankSignals,
}

/// All allowed documents whose text has anything to do with the query.
pub(super) fn find_candidates(
    index: &RecallIndex,
    query: &RecallQuery,
    weights: &RankWeights,
    lexical: &Lexical,
    allowed: &[bool],
) -> Vec<ScoredDocument> {
    let mut found = Vec::new();
    let mut place = 0;
    for (at, segment) in index.segments().iter().enumerate() {
        for doc in 0..segment.len() {
            if allowed[place] {
                let (share, coverage) = lexical.score_at(place);
                let signals = RankSignals {
                    lexical: share,
                    coverage,
                    statics: semantic::static_cosine(segment, doc, query),
                    sentence: semantic::sentence_cosine(segment, doc, query),
                    prompt: query.everyday_prompt(),
                    content: lexical.query_rarity(),
                    latin: query.latin_share(),
                    terms: segment.field_lengths(doc).sum(),
                };
                let score = weights.text_score(&signals);
                found.push(ScoredDocument {
                    segment: at as u32,
                    doc: doc as u32,
                    place: place as u32,
                    score,
                    signals,
                });
            }
            place += 1;
        }
    }
    found
}

/// So much of what the nearest passage exceeds the whole by counts: in full, the many passages of long
/// documents lift those that are about something else.
const EXCESS: f32 = 0.5;

/// Measures the candidates once more, by the passage that is nearest to the query: of a long document
/// one may answer what the whole of it is not about.
pub(super) fn look_into(
    index: &RecallIndex,
    query: &RecallQuery,
    weights: &RankWeights,
    candidates: &mut [ScoredDocument],
) {
    for candidate in candidates {
        let Some(segment) = index.segments().get(candidate.segment as usize) else {
            continue;
        };
        let passage = semantic::passage_cosine(segment, candidate.doc as usize, query);
        let sentence = &mut candidate.signals.sentence;
        if let (Some(passage), Some(whole)) = (passage, *sentence)
            && passage > whole
        {
            *sentence = Some(whole + EXCESS * (passage - whole));
            candidate.score = weights.text_score(&candidate.signals);
        }
    }
}

/// The whole account of a candidate that is one of `ranked` documents.
pub(super) fn build_hit(
    index: &RecallIndex,
    candidate: &ScoredDocument,
    ranked: usize,
    weights: &RankWeights,
    options: &RankOptions,
) -> Option<Hit> {
    let segment = index.segments().get(candidate.segment as usize)?;
    let record = segment.read_record(candidate.doc as usize)?;
    let beside = options.beside.get(record.key).copied().unwrap_or_default();
    let parts = weights.score_parts(
        &candidate.signals,
        &record.read_facets()?,
        beside,
        options.now,
    );
    Some(Hit {
        key: record.key.to_owned(),
        score: parts.iter().map(|part| part.value).sum(),
        confidence: abstain::rank_confidence(&candidate.signals, ranked),
        parts,
        signals: candidate.signals,
        matches: Vec::new(),
    })
}
