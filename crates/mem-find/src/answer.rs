//! From a question to its answer.

use std::collections::HashMap;
use std::path::Path;

use mem_core::memory::{Note, ProjectMemory};
use mem_core::store::StoreError;
use mem_core::{Now, Scope};
use mem_drift::{Drift, OpenRepository, Verdict};
use mem_recall::{
    DocumentFacts, Filtered, Hit, RankOptions, RankSignals, RecallIndex, rank_documents,
};

use crate::author::author_name;
use crate::by_file::citing_keys;
use crate::candidates::{RecallCandidate, omitted_document, omitted_hit, sift_hits};
use crate::current_index::{CurrentIndex, Storing, refreshed_index};
use crate::encoding::PromptEncoding;
use crate::recall_answer::{RecallAnswer, RecallBasis, RecalledMemory};
use crate::request::{RecallChoice, RecallRequest};
use crate::session::ShownMemories;
use crate::verdicts::Verdicts;
use crate::{documents, drift, use_counts};

/// So many hits are looked at, of which some are left out.
const HITS_MAX: usize = 64;

/// Who asks, and when.
#[derive(Clone, Copy, Debug)]
pub struct RecallContext<'a> {
    /// The memory.
    pub memory: &'a ProjectMemory,
    /// The git directory of the checkout, where there is one.
    pub git_dir: Option<&'a Path>,
    /// Whether the code still fits; `None` where nobody wants to know.
    pub verdicts: Option<&'a Verdicts>,
    /// The present.
    pub now: Now,
    /// Whether what was learnt on the way is stored.
    pub storing: Storing,
}

/// Answers. Only notes that changed since the last time are read, and those that are chosen.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn answer_request(
    encoding: PromptEncoding<'_>,
    request: &RecallRequest,
    asked: &RecallContext<'_>,
) -> Result<RecallAnswer, StoreError> {
    // The prompt is encoded while the files are looked at.
    let mut kept = refreshed_index(asked.memory, asked.storing)?;
    let chosen = request.choice.as_ref().map(|choice| match choice {
        RecallChoice::Labels(labels) => {
            let keys = labels.iter().map(|label| documents::key_of_label(label));
            keys.collect()
        }
        RecallChoice::CitedFile { path, words } => {
            citing_keys(path, words, &kept.index, asked.git_dir)
        }
    });
    if chosen.as_ref().is_some_and(Vec::is_empty) {
        return Ok(RecallAnswer {
            notes: kept.index.len(),
            is_behind: kept.is_behind,
            warnings: kept.warnings,
            ..RecallAnswer::default()
        });
    }
    let opened = open_ahead(&encoding, &kept, asked);
    let (query, chosen_encoder) = encoding.wait_for_query();
    kept.is_behind |= kept.encode_new_notes(chosen_encoder.encoder);
    let mut options = rank_options(request, &kept.index, asked);
    let ranking = rank_documents(&kept.index, &query, &options);
    let seen = ShownMemories::for_memory(asked.memory, request.session.as_deref());
    let hits = match &chosen {
        Some(keys) => chosen_hits(ranking.hits, keys, &ranking.filtered),
        None => ranking.hits,
    };
    let sifted = sift_hits(hits, request, &seen, &kept);
    let mut left: Vec<_> = ranking
        .filtered
        .iter()
        .filter_map(omitted_document)
        .collect();
    let could_be_ranked = kept.index.len() > left.len();
    left.extend(sifted.left);
    let again = |options: &RankOptions| rank_documents(&kept.index, &query, options).hits;
    let drifts = |notes: &[Note]| drift::note_verdicts(notes, asked.verdicts, opened.as_ref());
    let mut candidates = weigh_drift(sifted.candidates, asked, &drifts, &mut options, &again);
    match &chosen {
        Some(keys) => {
            candidates.sort_by_key(|one| keys.iter().position(|key| *key == one.hit.key));
        }
        None => candidates.sort_by(|a, b| {
            let order = is_broken(a).cmp(&is_broken(b));
            order.then(b.hit.score.total_cmp(&a.hit.score))
        }),
    }
    let mut answer = RecallAnswer {
        notes: kept.index.len(),
        is_behind: kept.is_behind
            || candidates
                .iter()
                .any(|one| one.drift.is_none() && can_drift(asked)),
        left,
        warnings: kept
            .warnings
            .into_iter()
            .chain(chosen_encoder.warning())
            .collect(),
        ..RecallAnswer::default()
    };
    let basis = match &request.choice {
        None => RecallBasis::Rank,
        Some(RecallChoice::Labels(_)) => RecallBasis::Model,
        Some(RecallChoice::CitedFile { .. }) => RecallBasis::Citation,
    };
    candidates.iter_mut().for_each(|one| one.basis = basis);
    choose_best(candidates, request.limit, asked.memory, &mut answer);
    let others = answer
        .left
        .iter()
        .any(|left| ["shown", "tool-in-use"].contains(&left.by));
    answer.abstained = answer.memories.is_empty() && could_be_ranked && !others;
    Ok(answer)
}

/// What is nearly always needed next: the recorded state of the notes, and the repository that they speak
/// of. Only while the prompt is being encoded; of those who want no more than a word, nobody waits for it.
fn open_ahead(
    encoding: &PromptEncoding<'_>,
    kept: &CurrentIndex<'_>,
    asked: &RecallContext<'_>,
) -> Option<OpenRepository> {
    for part in &kept.parts {
        if encoding.is_done() {
            return None;
        }
        part.snapshot.catalog();
    }
    let verdicts = asked.verdicts.filter(|_| !encoding.is_done());
    verdicts.and_then(Verdicts::open_repository)
}

/// Whether there is code that could be checked.
fn can_drift(asked: &RecallContext<'_>) -> bool {
    asked.verdicts.is_some_and(Verdicts::has_repository)
}

fn rank_options(
    request: &RecallRequest,
    index: &RecallIndex,
    asked: &RecallContext<'_>,
) -> RankOptions {
    let mut filter = request.filter.clone();
    filter
        .exclude
        .extend(excluded_keys(&request.exclude, index));
    let mut beside = HashMap::new();
    for store in asked.memory.stores() {
        use_counts::add_facts(store, &mut beside);
    }
    RankOptions {
        limit: HITS_MAX.max(request.limit.saturating_mul(4)),
        // Told apart later: those that are not sure enough are told as well.
        min_score: 0.0,
        now: asked.now.0.as_second(),
        weights: request.weights,
        filter,
        beside,
    }
}

/// The keys of files that somebody named: within a tier, with it, or by their path.
fn excluded_keys(names: &[String], index: &RecallIndex) -> Vec<String> {
    if names.is_empty() {
        return Vec::new();
    }
    let is_excluded = |key: &&str| {
        documents::of_key(key).is_some_and(|(scope, file)| is_among(names, scope, file))
    };
    index
        .document_keys()
        .filter(is_excluded)
        .map(str::to_owned)
        .collect()
}

/// Whether one of these names means a file of a tier.
pub fn is_among(names: &[String], scope: Scope, file: &str) -> bool {
    let means = |name: &String| {
        let (wanted, rest) = mem_core::memory::split_scope(name, None);
        let stem = || rest.strip_suffix(file.strip_suffix(".md")?);
        let above = rest.strip_suffix(file).or_else(stem);
        above.is_some_and(|above| above.is_empty() || above.ends_with('/'))
            && wanted.is_none_or(|wanted| wanted == scope)
    };
    names.iter().any(means)
}

/// The hits of notes that were chosen by their keys; one without a rank has nothing to show.
fn chosen_hits(hits: Vec<Hit>, keys: &[String], filtered: &[Filtered]) -> Vec<Hit> {
    let mut hits: HashMap<String, Hit> =
        hits.into_iter().map(|hit| (hit.key.clone(), hit)).collect();
    let hit = |key: &String| {
        if filtered.iter().any(|one| one.key == *key) {
            return None;
        }
        let unranked = Hit {
            key: key.clone(),
            score: 0.0,
            confidence: 0.0,
            parts: Vec::new(),
            signals: RankSignals::default(),
            matches: Vec::new(),
        };
        Some(hits.remove(key).unwrap_or(unranked))
    };
    keys.iter().filter_map(hit).collect()
}

/// Whether what a note speaks of is gone: such a note takes no room from one that still fits.
fn is_broken(one: &RecalledMemory) -> bool {
    let verdict = one.drift.as_ref().map(|drift| drift.verdict);
    verdict == Some(Verdict::Broken)
}

/// Adds the verdicts, and weighs them.
fn weigh_drift(
    candidates: Vec<RecallCandidate>,
    asked: &RecallContext<'_>,
    drifts: &dyn Fn(&[Note]) -> Vec<Option<Drift>>,
    options: &mut RankOptions,
    again: &dyn Fn(&RankOptions) -> Vec<Hit>,
) -> Vec<RecalledMemory> {
    let (mut hits, notes): (Vec<Hit>, Vec<Note>) = candidates
        .into_iter()
        .map(|one| (one.hit, one.note))
        .unzip();
    let drifts = drifts(&notes);
    let mut is_any = false;
    for (hit, verdict) in hits.iter().zip(&drifts) {
        let level = drift::drift_level(verdict.as_ref());
        is_any |= level > 0.0;
        let beside: &mut DocumentFacts = options.beside.entry(hit.key.clone()).or_default();
        beside.drift = level;
    }
    if is_any {
        let mut weighed: HashMap<String, Hit> = again(options)
            .into_iter()
            .map(|hit| (hit.key.clone(), hit))
            .collect();
        for hit in &mut hits {
            if let Some(weighed) = weighed.remove(&hit.key) {
                *hit = weighed;
            }
        }
    }
    let recalled = |((hit, note), drift): ((Hit, Note), _)| RecalledMemory {
        age_days: asked.now.days_since(note.modified),
        author: None,
        basis: RecallBasis::Rank,
        hit,
        note,
        drift,
    };
    let all = hits.into_iter().zip(notes).zip(drifts);
    all.map(recalled).collect()
}

/// Takes the best, and asks who wrote them.
fn choose_best(
    mut candidates: Vec<RecalledMemory>,
    limit: usize,
    memory: &ProjectMemory,
    answer: &mut RecallAnswer,
) {
    let rest = candidates.split_off(limit.min(candidates.len()));
    let surplus = rest.iter().filter_map(|one| omitted_hit(&one.hit, "limit"));
    answer.left.extend(surplus);
    for one in &mut candidates {
        one.author = author_name(memory, &one.note);
    }
    answer.memories = candidates;
}
