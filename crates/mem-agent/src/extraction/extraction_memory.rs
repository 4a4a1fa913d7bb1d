//! What extractions of a store have kept, in `extracts.json` of its state: what somebody took back does not come back
//! from another copy of the same session, as a fork is one.
//!
//! Digests of what was said, and no word of it. A quotation may be cut otherwise the next time, so each of its
//! sentences is remembered by itself.

use std::collections::BTreeSet;

use crate::extract::{Candidate, spoken_sentences};
use jiff::Timestamp;
use mem_core::history::Sha256;
use mem_core::memory::ProjectMemory;
use mem_core::state_file::StateError;
use mem_core::store::LocalStore;
use mem_core::{Scope, state_file};
use serde::{Deserialize, Serialize};

use super::placement::{CandidateTarget, PlacedCandidate};
use super::write::{ExtractionOutcome, same_store};

/// Sentences that are remembered; the oldest give way.
const SENTENCES_MAX: usize = 5_000;
/// Characters of a digest.
const DIGEST_CHARS: usize = 24;

/// How what a candidate quotes stands to what was kept before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuoteStatus {
    /// It was not kept before.
    New,
    /// The very same was, and waits or waited for a person.
    Waited,
    /// The very same was written.
    Written,
    /// The same words were written of another time, and taken back since.
    TakenBack,
}

/// What is remembered.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ExtractionMemory {
    kept: Vec<QuotedSentence>,
}

/// A sentence that was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct QuotedSentence {
    /// The digest of its words.
    pub(super) words: String,
    /// Its words and when it was said.
    said: String,
    /// When, as the transcript has it.
    #[serde(default)]
    time: String,
    /// The session and the record in which it was said.
    session: String,
    record: String,
    /// The change by which it was written; none where it went before a person.
    pub(super) change: Option<String>,
}

impl ExtractionMemory {
    /// What was kept of a session: of one record these words, where they are given.
    pub(super) fn of_session(
        &self,
        session: &str,
        said: Option<&(String, BTreeSet<String>)>,
    ) -> Vec<&QuotedSentence> {
        let is_said = |one: &&QuotedSentence| {
            said.is_none_or(|(record, words)| one.record == *record && words.contains(&one.words))
        };
        let of_it = self.kept.iter().filter(|one| one.session == session);
        of_it.filter(is_said).collect()
    }

    /// Reads what is remembered of the store of a tier, and what is to be told where that is damaged.
    pub(super) fn for_memory(memory: &ProjectMemory, scope: Scope) -> (Self, Option<String>) {
        let (read, damage) = state_file::read(&memory.store(scope).places().extracts());
        let told =
            damage.map(|damage| format!("{damage}: what was taken back before may come again"));
        (read, told)
    }

    /// How a candidate stands.
    pub(super) fn standing(&self, candidate: &Candidate, store: &LocalStore) -> QuoteStatus {
        let sentences = marks(candidate);
        let find =
            |is: &dyn Fn(&QuotedSentence, &SentenceMark) -> bool| -> Option<Vec<&QuotedSentence>> {
                let found = sentences
                    .iter()
                    .map(|mark| self.kept.iter().rev().find(|kept| is(kept, mark)));
                found
                    .collect::<Option<Vec<_>>>()
                    .filter(|all| !all.is_empty())
            };
        // What was said twice in a session was said twice; another session with the same at the same time is a copy.
        let source = &candidate.source;
        let is_copy = |kept: &QuotedSentence, mark: &SentenceMark| {
            kept.said == mark.said && (kept.record == source.from || kept.session != source.session)
        };
        if let Some(same) = find(&is_copy) {
            return match same.iter().all(|kept| kept.change.is_some()) {
                true => QuoteStatus::Written,
                false => QuoteStatus::Waited,
            };
        }
        let is_undone = |kept: &&QuotedSentence| {
            let change = kept.change.as_deref();
            change.is_some_and(|change| store.is_taken_back(change).unwrap_or_default())
        };
        match find(&|kept, mark| kept.words == mark.words) {
            Some(same) if same.iter().all(is_undone) => QuoteStatus::TakenBack,
            _ => QuoteStatus::New,
        }
    }

    /// When the words of a quotation were said last, as far as that is remembered.
    pub(super) fn said_last(&self, quote: &str) -> Option<Timestamp> {
        let words: Vec<String> = digests(quote).collect();
        let said = self.kept.iter().filter(|kept| words.contains(&kept.words));
        said.filter_map(|kept| kept.time.parse().ok()).max()
    }

    fn add(&mut self, new: Vec<QuotedSentence>) {
        let added: BTreeSet<(&str, &str)> = new
            .iter()
            .map(|kept| (kept.said.as_str(), kept.record.as_str()))
            .collect();
        self.kept
            .retain(|kept| !added.contains(&(kept.said.as_str(), kept.record.as_str())));
        self.kept.extend(new);
        let first = self.kept.len().saturating_sub(SENTENCES_MAX);
        self.kept.drain(..first);
    }
}

/// A sentence as it is compared.
struct SentenceMark {
    words: String,
    said: String,
}

fn marks(candidate: &Candidate) -> Vec<SentenceMark> {
    let source = &candidate.source;
    let when = match source.time.as_str() {
        "" => source.from.as_str(),
        time => time,
    };
    let sentences = spoken_sentences(&candidate.quote).into_iter();
    let marks = sentences.map(|words| SentenceMark {
        said: digest(&format!("{when}\n{words}")),
        words: digest(&words),
    });
    marks.collect()
}

/// The sentences of what was said, by their words.
pub(super) fn digests(quote: &str) -> impl Iterator<Item = String> {
    spoken_sentences(quote)
        .into_iter()
        .map(|words| digest(&words))
}

fn digest(text: &str) -> String {
    let whole = Sha256::digest(text.as_bytes()).to_string();
    whole.chars().take(DIGEST_CHARS).collect()
}

/// Remembers what was kept; says what was wrong with what was remembered before.
///
/// # Errors
/// The state cannot be written.
pub(super) fn keep(
    placed: &[PlacedCandidate],
    outcome: &ExtractionOutcome,
    memory: &ProjectMemory,
) -> Result<Vec<String>, StateError> {
    let mut warnings = Vec::new();
    for scope in [Scope::Private, Scope::Global] {
        let is_here = |one: &PlacedCandidate| same_store(one.candidate.scope, scope);
        let is_unfit = |at: usize| outcome.unfit.iter().any(|(one, _)| *one == at);
        let is_kept = |at: usize, one: &PlacedCandidate| {
            !matches!(one.target, CandidateTarget::Elsewhere(_)) && !is_unfit(at)
        };
        let new: Vec<QuotedSentence> = placed
            .iter()
            .enumerate()
            .filter(|(at, one)| is_here(one) && is_kept(*at, one))
            .flat_map(|(at, one)| {
                quoted_sentences(&one.candidate, outcome.change_of(at).as_deref())
            })
            .collect();
        if new.is_empty() {
            continue;
        }
        let file = memory.store(scope).places().extracts();
        let ((), warning) = state_file::update(&file, |remembered: &mut ExtractionMemory| {
            remembered.add(new);
        })?;
        warnings.extend(warning);
    }
    Ok(warnings)
}

fn quoted_sentences(candidate: &Candidate, change: Option<&str>) -> Vec<QuotedSentence> {
    let source = &candidate.source;
    let marks = marks(candidate).into_iter();
    let all = marks.map(|mark| QuotedSentence {
        words: mark.words,
        said: mark.said,
        time: source.time.clone(),
        session: source.session.clone(),
        record: source.from.clone(),
        change: change.map(str::to_owned),
    });
    all.collect()
}
