//! What one prompt says that may be kept.

use mem_recall::versus::denial;
use mem_secrets::redacted;

use super::Known;
use super::candidate::{Dropped, LIKELY_MIN, Reason, Sort, Source};
use super::pending::Pending;
use super::proposed::Heard;
use super::speech::{Sentence, sentences};
use super::thought::{Kept, completes, explains, keep};
use super::unsaid::{About, Opening, Unsaid, is_short, unless_taken_back};
use super::visible::visible;
use super::weigh::{Standing, Verdict, is_task, weigh};
use crate::orders::poses;
use crate::transcript::{Origin, Part, Record};

/// Of a prompt, so much is remembered for a model.
const HEARD_BYTES_MAX: usize = 4 * 1024;

/// What it brought.
#[derive(Debug, Default)]
pub(super) struct Prompt {
    pub(super) candidates: Vec<Pending>,
    pub(super) dropped: Vec<Dropped>,
    /// Orders among what was dropped because too little speaks for them: they count where they deny a memory.
    pub(super) doubted: Vec<Kept>,
    pub(super) heard: Vec<Heard>,
    /// What it takes back of what was said before it.
    pub(super) unsaid: Vec<Unsaid>,
    /// Whether something else was said after the last of what may be kept.
    pub(super) goes_on: bool,
    /// Where it was said.
    pub(super) source: Source,
}

impl Prompt {
    /// Of the parts of a record that a person wrote; nothing where that is no text.
    pub(super) fn of(
        parts: &[Part<'_>],
        record: &Record<'_>,
        session: &str,
        known: &Known,
    ) -> Option<Self> {
        let texts = parts.iter().filter_map(|part| match part {
            Part::Text(text) if Origin::of(text) == Origin::Person => Some(text),
            _ => None,
        });
        let uuid = record.uuid.as_deref().unwrap_or_default();
        let source = Source {
            session: session.to_owned(),
            from: uuid.to_owned(),
            to: uuid.to_owned(),
            time: record.time.as_deref().unwrap_or_default().to_owned(),
        };
        let mut prompt = Self::default();
        for text in texts {
            let text = visible(text);
            let end = text.floor_char_boundary(HEARD_BYTES_MAX);
            prompt.heard.push(Heard {
                text: text[..end].to_owned(),
                time: source.time.clone(),
                uuid: source.from.clone(),
            });
            prompt.hear_clean(&text, &source, known);
        }
        prompt.source = source;
        (!prompt.heard.is_empty()).then_some(prompt)
    }

    /// Weighs what one prompt says; one with a secret in it without that, because a sentence alone need not show that it
    /// holds what the one before it announced.
    fn hear_clean(&mut self, text: &str, source: &Source, known: &Known) {
        let (candidates, dropped) = (self.candidates.len(), self.dropped.len());
        let doubted = self.doubted.len();
        self.hear(text, source, known);
        if (self.candidates.len(), self.dropped.len()) == (candidates, dropped) {
            return;
        }
        let clean = redacted(text);
        if clean != text {
            self.candidates.truncate(candidates);
            self.dropped.truncate(dropped);
            self.doubted.truncate(doubted);
            self.hear(&clean, source, known);
        }
    }

    /// Weighs what one prompt says.
    fn hear(&mut self, text: &str, source: &Source, known: &Known) {
        let said = sentences(text);
        let mut kept: Vec<Kept> = Vec::new();
        let mut before: Option<Sentence> = None;
        let mut kept_at = None;
        let mut opening = Opening::default();
        self.goes_on = false;
        let begins = said.first().is_some_and(|first| is_task(&first.plain));
        for (at, sentence) in said.into_iter().enumerate() {
            let standing = Standing {
                is_task: begins && at == 0,
                in_task: begins && at > 0,
                listed: sentence.listed,
            };
            let (verdict, bearing) = weigh(&sentence.text, &sentence.plain, standing);
            let gives_reason = bearing.gives_reason;
            if bearing.takes_back && kept_at.take().is_some_and(|last| last + 1 == at) {
                let taken = kept.pop().map(|one| one.quote());
                taken.inspect(|quote| self.drop(quote, Reason::TakenBack));
            }
            if let Some(about) = opening.take(&sentence, bearing, verdict) {
                self.withdraw(&about, &mut kept);
                kept_at = None;
            }
            let verdict = unless_taken_back(verdict, bearing, &sentence.plain);
            let is_work = bearing.demands || !is_short(&sentence.plain);
            match verdict {
                Verdict::Keep {
                    sort,
                    kind,
                    confidence,
                } => {
                    (kept_at, self.goes_on) = (Some(at), false);
                    let led = before.take().filter(|_| sentence.follows);
                    keep(
                        &mut kept,
                        sentence,
                        sort,
                        kind,
                        confidence,
                        led,
                        gives_reason,
                    );
                }
                Verdict::Drop(reason) => {
                    if !explains(&mut kept, &sentence, gives_reason) {
                        self.goes_on |= is_work;
                        self.drop(&sentence.text, reason);
                        self.doubt(sentence, reason, known);
                    }
                }
                Verdict::Doubtful | Verdict::Nothing => {
                    let is_used = explains(&mut kept, &sentence, gives_reason)
                        || completes(&mut kept, &sentence);
                    self.goes_on |= is_work && (!is_used || bearing.demands);
                    if verdict == Verdict::Doubtful && !is_used {
                        self.drop(&sentence.text, Reason::Unsure);
                    }
                    before = Some(sentence);
                }
            }
        }
        if self.heard.len() == 1 {
            self.unsaid = opening.ended();
        }
        self.settle(kept, source, known);
    }

    /// Takes what is likely, new and without a secret for candidates.
    fn settle(&mut self, kept: Vec<Kept>, source: &Source, known: &Known) {
        for one in kept {
            let quote = one.quote();
            let against = match () {
                () if one.confidence < LIKELY_MIN => Some(Reason::Unsure),
                () if known.says(&quote) => Some(Reason::Known),
                () if poses(&quote) => Some(Reason::Orders),
                () => None,
            };
            if let Some(reason) = against {
                self.drop(&quote, reason);
                continue;
            }
            match Pending::of(one, source.clone()) {
                Some(pending) => self.candidates.push(pending),
                None => self.drop(&quote, Reason::Secret),
            }
        }
    }

    /// Takes back what was said of something a moment ago.
    fn withdraw(&mut self, about: &About, kept: &mut Vec<Kept>) {
        for one in kept.extract_if(.., |one| about.is_of(&one.quote())) {
            self.drop(&one.quote(), Reason::TakenBack);
        }
    }

    /// Keeps an order by itself that too little speaks for.
    fn doubt(&mut self, sentence: Sentence, reason: Reason, known: &Known) {
        let is_order = reason == Reason::Unsure && orders(&sentence.plain);
        if !is_order || known.says(&sentence.text) || poses(&sentence.text) {
            return;
        }
        let (into, alone) = (
            &mut self.doubted,
            Sentence {
                follows: false,
                ..sentence
            },
        );
        let (sort, kind) = (Sort::Standing, Sort::Standing.kind());
        keep(into, alone, sort, kind, LIKELY_MIN, None, false);
    }

    fn drop(&mut self, quote: &str, reason: Reason) {
        self.dropped.push(Dropped {
            quote: quote.to_owned(),
            reason,
        });
    }
}

/// Whether a sentence says that something is always, or never, to be done.
fn orders(plain: &str) -> bool {
    let mut words = plain.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    let is_ought = |word: &str| denial::OUGHT.split_whitespace().any(|one| one == word);
    words.any(|word| is_ought(word) || denial::says_no(word)) || denial::unspaced::orders(plain)
}
