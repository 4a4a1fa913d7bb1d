//! Whether a new record says about the same as an old one of its category: the same again, an update
//! or the opposite, so that both cannot stand. `eval/README.md` says what the threshold rests on.

use mem_recall::encoder::Encoder;
use mem_recall::encoder::WIDTH;
use mem_recall::versus::{Statement, StatementRelation, compare_statements};
use mem_recall::{DIMS, Embedding, Table};

/// From this score on a record supersedes another.
pub const SAME_MIN: f32 = 0.80;
/// Two contents whose words are less alike than this cannot reach it: they need not be compared whole.
pub const WORDS_MIN: f32 = 2.0 * SAME_MIN - 1.0;
/// So many of the nearest by words are compared whole.
pub const NEAREST: usize = 3;

/// Of a content only so many tokens are compared: a longer one is about more than one thing.
const TOKENS_MAX: usize = 128;

/// How alike two contents are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordSimilarity {
    /// By the words' vectors.
    pub words: f32,
    /// By the sentences' vectors.
    pub sentence: f32,
}

/// A content, read once for all comparisons.
struct Side {
    words: Option<Embedding<DIMS>>,
    sentence: Option<Embedding<WIDTH>>,
}

impl Side {
    fn from_content(content: &str) -> Self {
        Self {
            words: Table::embedded().text_vector(content, TOKENS_MAX),
            sentence: Encoder::text_vector(content, TOKENS_MAX),
        }
    }

    fn similarity_to(&self, other: &Self) -> RecordSimilarity {
        RecordSimilarity {
            words: cosine_or_zero(&self.words, &other.words),
            sentence: cosine_or_zero(&self.sentence, &other.sentence),
        }
    }
}

impl RecordSimilarity {
    /// Compares two contents: some ten milliseconds for two sentences.
    pub fn from_old(old: &str, new: &str) -> Self {
        Side::from_content(old).similarity_to(&Side::from_content(new))
    }

    /// One number, from 0 to 1.
    pub fn combined_score(&self) -> f32 {
        let all = match Encoder::embedded() {
            Some(_) => 0.5 * (self.words + self.sentence),
            None => self.words,
        };
        all.clamp(0.0, 1.0)
    }

    /// Whether the new one says about the same.
    pub fn is_same(&self) -> bool {
        self.combined_score() >= SAME_MIN
    }
}

/// Whether a new content supersedes an old one.
pub fn supersedes_content(old: &str, new: &str) -> bool {
    find_superseded(new, std::iter::once(((), old.to_owned()))).is_some()
}

/// The one among old contents that a new one supersedes, with how alike both are. `old` gives those
/// that are near by their words, the nearest first.
pub fn find_superseded<T>(new: &str, old: impl Iterator<Item = (T, String)>) -> Option<(T, f32)> {
    let mut side = None;
    let mut best: Option<(T, f32)> = None;
    let statement = Statement::from_text(new);
    // Sentences cost milliseconds each, words nothing.
    let near = old.filter_map(|(what, old)| {
        let older = Statement::from_text(&old);
        let relation = compare_statements(&older, &statement);
        // One that words tell by themselves needs no vectors: they see `never` in `always`, or do not.
        let is_stated =
            relation == StatementRelation::Contrary || older.is_succeeded_by(&statement);
        let is_near = is_stated || word_similarity(&old, new) >= WORDS_MIN;
        (is_near && relation != StatementRelation::Another).then_some((what, old, is_stated))
    });
    for (what, old, is_stated) in near.take(NEAREST) {
        let side = side.get_or_insert_with(|| Side::from_content(new));
        let likeness = Side::from_content(&old).similarity_to(side);
        let score = match is_stated {
            true => likeness.combined_score().max(SAME_MIN),
            false => likeness.combined_score(),
        };
        let is_better = best.as_ref().is_none_or(|(_, best)| score > *best);
        if score >= SAME_MIN && is_better {
            best = Some((what, score));
        }
    }
    best
}

/// How alike two contents are by their words alone; takes no time to speak of.
pub fn word_similarity(old: &str, new: &str) -> f32 {
    let vector = |content: &str| Table::embedded().text_vector(content, TOKENS_MAX);
    cosine_or_zero(&vector(old), &vector(new))
}

fn cosine_or_zero<const N: usize>(one: &Option<Embedding<N>>, other: &Option<Embedding<N>>) -> f32 {
    match (one, other) {
        (Some(one), Some(other)) => one.cosine(other),
        _ => 0.0,
    }
}
