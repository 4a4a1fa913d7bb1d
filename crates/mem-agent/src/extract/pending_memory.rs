//! A statement that may become a memory: without a secret, and not yet worded.
//!
//! Most of what a long session brings is said again, or is more than a run keeps. A memory is made only of the rest.

use mem_core::{MemoryType, Scope};
use mem_recall::lexicon::WordList;
use mem_secrets::redacted;

use super::candidate::{Candidate, CandidateSource, SURE, SpeechAct, UNSURE};
use super::memory_text;
use super::sentence_outcome::clause_of_act;
use super::speech::{Sentence, split_sentences};

/// A sentence that is kept, and as what.
#[derive(Debug)]
pub(super) struct KeptSentence {
    pub(super) sentence: Sentence,
    pub(super) act: SpeechAct,
    pub(super) kind: MemoryType,
}

/// It, with what a memory of it needs.
#[derive(Debug)]
pub(super) struct Pending {
    kept: KeptSentence,
    /// What was said.
    pub(super) quote: String,
    /// Where it was said.
    pub(super) source: CandidateSource,
    confidence: f32,
}

impl Pending {
    /// What was said; none where it is about a secret.
    pub(super) fn from_sentence(kept: KeptSentence, source: CandidateSource) -> Option<Self> {
        let quote = clean_sentences(&kept.sentence.text)?;
        Some(Self {
            kept,
            quote,
            source,
            confidence: SURE,
        })
    }

    /// The type of memory that it makes.
    pub(super) fn memory_type(&self) -> MemoryType {
        self.kept.kind
    }

    /// How sure it is that it is worth keeping.
    pub(super) fn confidence(&self) -> f32 {
        self.confidence
    }

    /// Leaves it to a person whether it is kept.
    pub(super) fn mark_doubtful(&mut self) {
        self.confidence = self.confidence.min(UNSURE);
    }

    /// The memory of it. The reason is what stands in the same sentence.
    pub(super) fn into_candidate(self) -> Candidate {
        let (act, kind) = (self.kept.act, self.kept.kind);
        let day = memory_text::day_said(&self.source.time);
        let statement = memory_text::date_text(&memory_text::statement_text(&self.quote), day);
        let title = clause_of_act(&self.quote, &self.kept.sentence.plain, act);
        Candidate {
            kind,
            scope: memory_scope(kind, &self.kept.sentence.plain),
            sort: act,
            name: memory_text::address_name(title)
                .filter(|_| act == SpeechAct::Pointer)
                .unwrap_or_else(|| memory_text::memory_name(&memory_text::statement_text(title))),
            description: memory_text::describe_statement(&statement),
            body: memory_text::memory_body(kind, &statement, &self.quote, day),
            why: memory_text::reason_of(&statement)
                .unwrap_or_default()
                .to_owned(),
            confidence: self.confidence,
            quote: self.quote,
            source: self.source,
            file: None,
        }
    }
}

/// A text of several sentences, if none of them holds a secret. Each is looked at by itself as well: what stands behind
/// a password may keep it from being known as one.
fn clean_sentences(text: &str) -> Option<String> {
    let is_clean = |text: &str| redacted(text) == text && !text.contains("[redacted: ");
    let all = is_clean(text)
        && split_sentences(text)
            .iter()
            .all(|part| is_clean(&part.text));
    all.then(|| text.to_owned())
}

/// The tier: the person's own, here or in every repository. What one says in a session is said to nobody else.
fn memory_scope(kind: MemoryType, plain: &str) -> Scope {
    static EVERYWHERE: WordList = WordList::of(&["everywhere"]);
    match kind {
        MemoryType::Project => Scope::Private,
        _ if EVERYWHERE.is_within(plain) => Scope::Global,
        _ => Scope::Private,
    }
}
