//! From ranked hits to notes that may be chosen, with what speaks against the others.

use mem_core::memory::{Note, ScopeDir};
use mem_recall::{Filtered, Hit, RecallIndex};

use crate::current_index::CurrentIndex;
use crate::documents;
use crate::recall_answer::OmittedMemory;
use crate::request::RecallRequest;
use crate::session::ShownMemories;
use crate::stamp::DocumentStamp;
use crate::tools;

/// So many of those that were not sure enough are told.
const BELOW_MAX: usize = 5;

/// Of the best score, a hit has this share at least. The confidence is fitted on the best document of a prompt, and what
/// the prompt adds to it counts for every document: beside a clear hit, others pass the threshold that answer nothing.
/// Of the evaluation's hits that pass it, all have more (`crates/mem-recall/eval/README.md`).
const SCORE_SHARE_MIN: f32 = 0.5;

/// A note that may be chosen.
#[derive(Debug)]
pub(super) struct RecallCandidate {
    pub(super) hit: Hit,
    pub(super) note: Note,
}

/// What was left of the hits.
#[derive(Debug, Default)]
pub(super) struct SiftOutcome {
    /// Twice as many as are wanted, so that verdicts can change the order.
    pub(super) candidates: Vec<RecallCandidate>,
    pub(super) left: Vec<OmittedMemory>,
}

/// Sifts hits that are in order.
pub(super) fn sift_hits(
    hits: Vec<Hit>,
    request: &RecallRequest,
    seen: &ShownMemories,
    kept: &CurrentIndex<'_>,
) -> SiftOutcome {
    let mut sifted = SiftOutcome::default();
    let mut below = 0;
    let best = hits.first().map_or(0.0, |hit| hit.score);
    for hit in hits {
        let by = if let Some(by) = weakness(&hit, best, request) {
            below += 1;
            if below > BELOW_MAX {
                continue;
            }
            by
        } else if is_seen(&hit.key, seen, &kept.index) {
            "shown"
        } else if sifted.candidates.len() >= request.limit.saturating_mul(2) {
            "limit"
        } else {
            match read_note(&hit.key, kept) {
                Some(note) if !note.is_plain_text() => "no-text",
                Some(note) if tools::only_documents(&note, &request.tools) => "tool-in-use",
                Some(note) => {
                    sifted.candidates.push(RecallCandidate { hit, note });
                    continue;
                }
                None => continue,
            }
        };
        sifted.left.extend(omitted_hit(&hit, by));
    }
    sifted
}

/// What a hit lacks, beside the best one of its ranking; `None` for one that may be chosen. A request that asks for the
/// best, however weak, gets it.
fn weakness(hit: &Hit, best: f32, request: &RecallRequest) -> Option<&'static str> {
    if request.choice.is_some() || request.min_score <= 0.0 {
        return None;
    }
    if hit.confidence < request.min_score {
        return Some("score");
    }
    (hit.score < SCORE_SHARE_MIN * best).then_some("outranked")
}

/// A hit that was left out.
pub(super) fn omitted_hit(hit: &Hit, by: &'static str) -> Option<OmittedMemory> {
    let (scope, file) = documents::of_key(&hit.key)?;
    Some(OmittedMemory {
        scope,
        file: file.to_owned(),
        by,
        score: Some(hit.confidence),
    })
}

/// A note that a filter left out before it was ranked.
pub(super) fn omitted_document(filtered: &Filtered) -> Option<OmittedMemory> {
    let (scope, file) = documents::of_key(&filtered.key)?;
    Some(OmittedMemory {
        scope,
        file: file.to_owned(),
        by: filtered.by.name(),
        score: None,
    })
}

fn is_seen(key: &str, seen: &ShownMemories, index: &RecallIndex) -> bool {
    let stamp = index
        .document_stamp(key)
        .and_then(DocumentStamp::from_bytes);
    stamp.is_some_and(|stamp| seen.holds_content(key, stamp.sha256()))
}

/// Reads the note of a key; `None` where it is gone by now.
pub fn read_note(key: &str, kept: &CurrentIndex<'_>) -> Option<Note> {
    let (scope, file) = documents::of_key(key)?;
    let part = kept
        .parts
        .iter()
        .find(|part| part.scopes.contains(&scope))?;
    let path = ScopeDir(scope).path(file).ok()?;
    Note::read(&part.snapshot, scope, &path).ok().flatten()
}
