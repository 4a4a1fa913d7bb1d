//! What one prompt says that may be kept.

use mem_secrets::redacted;

use super::KnownInstructions;
use super::candidate::{CandidateSource, Dropped, Reason};
use super::model_proposals::PromptText;
use super::pending_memory::{KeptSentence, Pending};
use super::retraction_phrases::{Opening, Retraction, SubjectWords, is_short, unless_taken_back};
use super::rules::PatternMark::{self, Polite, Question, TakesBack, Task, Unsays};
use super::sentence_outcome::{SentenceOutcome, classify_sentence};
use super::speech::{has_several_lines, split_sentences};
use super::visible_text::visible_text;
use crate::orders::is_impersonation;
use crate::transcript::{MessagePart, RecordOrigin, TranscriptRecord};

/// Of a prompt, so much is remembered for a model.
const HEARD_BYTES_MAX: usize = 4 * 1024;

/// What it brought.
#[derive(Debug, Default)]
pub(super) struct ExtractPrompt {
    pub(super) candidates: Vec<Pending>,
    pub(super) dropped: Vec<Dropped>,
    pub(super) heard: Vec<PromptText>,
    /// What it takes back of what was said before it.
    pub(super) unsaid: Vec<Retraction>,
    /// Whether something else was said after the last of what may be kept.
    pub(super) goes_on: bool,
}

impl ExtractPrompt {
    /// Of the parts of a record that a person wrote; nothing where that is no text.
    pub(super) fn from_record(
        parts: &[MessagePart<'_>],
        record: &TranscriptRecord<'_>,
        session: &str,
        known: &KnownInstructions,
    ) -> Option<Self> {
        let is_of_person = |text: &&str| RecordOrigin::from_text(text) == RecordOrigin::Person;
        let texts = parts.iter().filter_map(MessagePart::as_text);
        let uuid = record.uuid.as_deref().unwrap_or_default();
        let source = CandidateSource {
            session: session.to_owned(),
            from: uuid.to_owned(),
            to: uuid.to_owned(),
            time: record.time.as_deref().unwrap_or_default().to_owned(),
        };
        let mut prompt = Self::default();
        for text in texts.filter(is_of_person) {
            let text = visible_text(text);
            let end = text.floor_char_boundary(HEARD_BYTES_MAX);
            prompt.heard.push(PromptText {
                text: text[..end].to_owned(),
                time: source.time.clone(),
                uuid: source.from.clone(),
            });
            prompt.hear_clean(&text, &source, known);
        }
        (!prompt.heard.is_empty()).then_some(prompt)
    }

    /// Weighs what one prompt says; one with a secret in it without that, because a sentence alone need not show that
    /// it holds what the one before it announced.
    fn hear_clean(&mut self, text: &str, source: &CandidateSource, known: &KnownInstructions) {
        let (candidates, dropped) = (self.candidates.len(), self.dropped.len());
        self.hear_prompt(text, source, known);
        if (self.candidates.len(), self.dropped.len()) == (candidates, dropped) {
            return;
        }
        let clean = redacted(text);
        if clean != text {
            self.candidates.truncate(candidates);
            self.dropped.truncate(dropped);
            self.hear_prompt(&clean, source, known);
        }
    }

    /// Weighs what one prompt says.
    fn hear_prompt(&mut self, text: &str, source: &CandidateSource, known: &KnownInstructions) {
        let mut kept: Vec<KeptSentence> = Vec::new();
        let mut kept_at = None;
        let mut opening = Opening::default();
        self.goes_on = false;
        // What comes after an order for work is a detail of it most often, as it is in several lines.
        let mut is_detail = has_several_lines(text);
        for (at, sentence) in split_sentences(text).into_iter().enumerate() {
            let (outcome, marks) = classify_sentence(&sentence.text, &sentence.plain, is_detail);
            let is_about_last = |mark: &PatternMark| matches!(mark, TakesBack | Unsays);
            is_detail |= marks.contains(&Task);
            if marks.iter().any(is_about_last) && kept_at.take().is_some_and(|last| last + 1 == at)
            {
                let taken = kept.pop().map(|one| one.sentence.text);
                taken.inspect(|quote| self.drop(quote, Reason::TakenBack));
            }
            if let Some(about) = opening.take_sentence(&sentence, &marks, outcome) {
                self.withdraw_sentences(&about, &mut kept);
                kept_at = None;
            }
            match unless_taken_back(outcome, &marks, &sentence.plain) {
                // An item of a list is a part of what the list is about.
                SentenceOutcome::Keep(..) if sentence.listed => {
                    self.drop(&sentence.text, Reason::Unsure);
                }
                SentenceOutcome::Keep(act, kind) => {
                    (kept_at, self.goes_on) = (Some(at), false);
                    kept.push(KeptSentence {
                        sentence,
                        act,
                        kind,
                    });
                }
                other => {
                    let demands = |mark: &PatternMark| matches!(mark, Task | Question | Polite);
                    self.goes_on |= marks.iter().any(demands) || !is_short(&sentence.plain);
                    if let SentenceOutcome::Drop(reason) = other {
                        self.drop(&sentence.text, reason);
                    }
                }
            }
        }
        if self.heard.len() == 1 {
            self.unsaid = opening.into_retractions();
        }
        self.settle_sentences(kept, source, known);
    }

    /// Takes what is new and without a secret for candidates.
    fn settle_sentences(
        &mut self,
        kept: Vec<KeptSentence>,
        source: &CandidateSource,
        known: &KnownInstructions,
    ) {
        for one in kept {
            let quote = one.sentence.text.clone();
            let against = match () {
                () if known.contains_text(&quote) => Some(Reason::Known),
                () if is_impersonation(&quote) => Some(Reason::Orders),
                () => None,
            };
            if let Some(reason) = against {
                self.drop(&quote, reason);
                continue;
            }
            match Pending::from_sentence(one, source.clone()) {
                Some(pending) => self.candidates.push(pending),
                None => self.drop(&quote, Reason::Secret),
            }
        }
    }

    /// Takes back what was said of something a moment ago.
    fn withdraw_sentences(&mut self, about: &SubjectWords, kept: &mut Vec<KeptSentence>) {
        for one in kept.extract_if(.., |one| about.is_of(&one.sentence.text)) {
            self.drop(&one.sentence.text, Reason::TakenBack);
        }
    }

    fn drop(&mut self, quote: &str, reason: Reason) {
        self.dropped.push(Dropped::new(quote, reason));
    }
}
