//! The weights, each with a name that explanations use; zero turns one off.

use super::DocumentFacts;
use super::answer::{RankSignals, ScorePart};
use crate::document::Facets;

/// What counts how much. The defaults were tuned on the tuned half of `eval/`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankWeights {
    /// A term in the name, beside one in the body.
    pub name: f32,
    /// A term in the description or a tag, beside one in the body.
    pub description: f32,
    /// A term in the body.
    pub body: f32,
    /// BM25: how soon repetition stops to count.
    pub k1: f32,
    /// BM25: how much length counts, 0 to 1.
    pub b: f32,
    /// A near word beside the word itself, times their cosine.
    pub soft: f32,
    /// Words, soft ones included: BM25 as a share of the best document's.
    pub lexical: f32,
    /// The share of the prompt's words that a document has, rare ones counting more. Unlike BM25 it
    /// does not care how long the document is.
    pub coverage: f32,
    /// Static vectors, where the document has a sentence vector too.
    pub statics: f32,
    /// Sentence vectors; where the document has none, what its static cosine lets expect.
    pub sentence: f32,
    /// How much more a longer text counts, as far as documents have no description.
    pub length: f32,
    /// How fast vectors lose their say as the query leaves scripts with spaces.
    pub latin: f32,
    /// What is new, halved with every half-life.
    pub freshness: f32,
    /// Days until freshness is half.
    pub half_life_days: f32,
    /// The importance somebody gave, between minus and plus this much.
    pub importance: f32,
    /// Being pinned.
    pub pinned: f32,
    /// Having been recalled and used, in full after some times.
    pub used: f32,
    /// Having been recalled without being used, taken off from the fifth time on.
    pub unused: f32,
    /// What no longer fits what it speaks of, taken off in full where that is gone.
    pub drift: f32,
}

impl Default for RankWeights {
    fn default() -> Self {
        Self {
            name: 3.0,
            description: 2.0,
            body: 1.0,
            k1: 1.2,
            b: 0.75,
            soft: 0.6,
            lexical: 0.3,
            coverage: 1.2,
            statics: 1.0,
            sentence: 6.0,
            length: 0.8,
            latin: 2.0,
            freshness: 0.04,
            half_life_days: 30.0,
            importance: 0.06,
            pinned: 0.1,
            used: 0.06,
            unused: 0.06,
            drift: 0.2,
        }
    }
}

/// Using a document so often counts in full.
const USED_FULL: f32 = 8.0;
/// Recalling a document without its being used says nothing before it happened so often, and counts in full after as
/// many times more as uses do: a prompt may be near a memory by chance, and few uses can be seen.
const UNUSED_MIN: u32 = 5;
const DAY_S: f32 = 86_400.0;

/// The line that foretells a sentence cosine from a static one.
const EXPECTED: (f32, f32) = (0.5, 0.15);

/// What weights are multiplied by where a ranking leans to words in full: words, their coverage, static vectors,
/// sentence vectors. Chosen on half of the turns and sessions of LoCoMo, and read on the other.
const LEANING: [f32; 4] = [5.0, 1.5, 0.5, 0.42];
/// Terms from which on a longer text says no more.
const LENGTH_FULL: u32 = 80;

impl RankWeights {
    /// Words alone, by BM25: a yardstick.
    pub fn words_alone() -> Self {
        Self {
            lexical: 1.0,
            soft: 0.0,
            coverage: 0.0,
            statics: 0.0,
            sentence: 0.0,
            length: 0.0,
            ..Self::default()
        }
    }

    /// Sentence vectors alone: a yardstick.
    pub fn sentences_alone() -> Self {
        Self {
            lexical: 0.0,
            coverage: 0.0,
            statics: 0.0,
            sentence: 1.0,
            length: 0.0,
            ..Self::default()
        }
    }

    /// The weights of a ranking that leans to words by so much, 0 to 1 (`lean`).
    #[must_use]
    pub(super) fn towards_words(self, lean: f32) -> Self {
        let [words, covered, near, meant] = LEANING.map(|factor| 1.0 + lean * (factor - 1.0));
        Self {
            lexical: words * self.lexical,
            coverage: covered * self.coverage,
            statics: near * self.statics,
            sentence: meant * self.sentence,
            length: lean * self.length,
            ..self
        }
    }

    /// The score of a text.
    pub(super) fn text_score(&self, signals: &RankSignals) -> f32 {
        self.text_parts(signals).iter().map(|part| part.value).sum()
    }

    fn text_parts(&self, signals: &RankSignals) -> [ScorePart; 5] {
        let say = if self.latin == 2.0 {
            signals.latin * signals.latin
        } else {
            signals.latin.powf(self.latin)
        };
        let sentence = signals
            .sentence
            .unwrap_or(EXPECTED.0 * signals.statics + EXPECTED.1);
        [
            ScorePart {
                weight: "lexical",
                value: self.lexical * signals.lexical,
            },
            ScorePart {
                weight: "coverage",
                value: self.coverage * signals.coverage,
            },
            ScorePart {
                weight: "statics",
                value: self.statics * say * signals.statics,
            },
            ScorePart {
                weight: "sentence",
                value: self.sentence * say * sentence,
            },
            ScorePart {
                weight: "length",
                value: self.length * log_length(signals.terms),
            },
        ]
    }

    /// All parts of a document's score that are not nothing.
    pub(super) fn score_parts(
        &self,
        signals: &RankSignals,
        facets: &Facets,
        beside: DocumentFacts,
        now: i64,
    ) -> Vec<ScorePart> {
        let age_days = facets
            .time
            .map(|time| (now.saturating_sub(time)).max(0) as f32 / DAY_S);
        let fresh = age_days.map_or(0.0, |age| (-age / self.half_life_days.max(1e-3)).exp2());
        let times = facets.used.saturating_add(beside.used) as f32;
        let share_of_full = |times: f32| ((1.0 + times).log2() / (1.0 + USED_FULL).log2()).min(1.0);
        let unused_beyond = (beside.unused + 1).saturating_sub(UNUSED_MIN) as f32;
        let importance = facets
            .importance
            .filter(|i| i.is_finite())
            .map_or(0.0, |i| 2.0 * i.clamp(0.0, 1.0) - 1.0);
        let others = [
            ScorePart {
                weight: "freshness",
                value: self.freshness * fresh,
            },
            ScorePart {
                weight: "importance",
                value: self.importance * importance,
            },
            ScorePart {
                weight: "pinned",
                value: if facets.pinned { self.pinned } else { 0.0 },
            },
            ScorePart {
                weight: "used",
                value: self.used * share_of_full(times),
            },
            ScorePart {
                weight: "unused",
                value: -self.unused * share_of_full(unused_beyond),
            },
            ScorePart {
                weight: "drift",
                value: -self.drift * beside.drift.clamp(0.0, 1.0),
            },
        ];
        self.text_parts(signals)
            .into_iter()
            .chain(others)
            .filter(|part| part.value != 0.0)
            .collect()
    }
}

/// How much less a text says than a long one, at most 0: the logarithm of its terms beside that of [`LENGTH_FULL`].
fn log_length(terms: u32) -> f32 {
    let logarithm = |terms: u32| (terms as f32).ln_1p();
    logarithm(terms.min(LENGTH_FULL)) - logarithm(LENGTH_FULL)
}
