//! Whether a new record says about the same as an old one of its category: the same again, an update
//! or the opposite, so that both cannot stand. `eval/README.md` says what the threshold rests on.

use mem_recall::Table;
use mem_recall::encoder::Encoder;

/// From this score on a record supersedes another.
pub const SAME_MIN: f32 = 0.80;
/// Two contents whose words are less alike than this hardly reach it: they need not be compared whole.
pub const WORDS_MIN: f32 = 0.55;
/// So many of the nearest by words are compared whole.
pub const NEAREST: usize = 4;

/// Of a content only so many tokens are compared: a longer one is about more than one thing.
const TOKENS_MAX: usize = 128;

/// How alike two contents are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Likeness {
    /// By the words' vectors.
    pub words: f32,
    /// By the sentences' vectors.
    pub sentence: f32,
}

impl Likeness {
    /// Compares two contents: some ten milliseconds for two sentences.
    pub fn of(old: &str, new: &str) -> Self {
        let encoder = Encoder::embedded();
        let vectors = [old, new].map(|text| encoder.vector(text, TOKENS_MAX));
        let sentence = match &vectors {
            [Some(old), Some(new)] => old.cosine(new),
            _ => 0.0,
        };
        Self {
            words: words(old, new),
            sentence,
        }
    }

    /// One number, from 0 to 1.
    pub fn score(&self) -> f32 {
        (0.5 * (self.words + self.sentence)).clamp(0.0, 1.0)
    }

    /// Whether the new one says about the same.
    pub fn is_same(&self) -> bool {
        self.score() >= SAME_MIN
    }
}

/// How alike two contents are by their words alone; takes no time to speak of.
pub fn words(old: &str, new: &str) -> f32 {
    let table = Table::embedded();
    let vectors = [old, new].map(|text| table.vector(text, TOKENS_MAX));
    match &vectors {
        [Some(old), Some(new)] => old.cosine(new),
        _ => 0.0,
    }
}

/// The one among old contents that a new one supersedes, with how alike both are. `old` gives them by
/// their likeness of words, the nearest first.
pub fn superseded<T>(new: &str, old: impl Iterator<Item = (T, String)>) -> Option<(T, f32)> {
    let compared = old.take(NEAREST).map(|(what, old)| {
        let likeness = Likeness::of(&old, new);
        (what, likeness)
    });
    let same = compared.filter(|(_, likeness)| likeness.is_same());
    let best = same.max_by(|(_, a), (_, b)| a.score().total_cmp(&b.score()));
    best.map(|(what, likeness)| (what, likeness.score()))
}
