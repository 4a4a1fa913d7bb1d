//! What a ranking says, reasons included.

use super::filter::Filtered;
use crate::everyday_prompts::EverydayPrompt;

/// The answer to a query.
#[derive(Debug, Clone, Default)]
pub struct Ranking {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Whether there were documents to rank and none was good enough.
    pub abstained: bool,
    /// The confidence of the best document, whether or not it is among the hits.
    pub best: f32,
    /// What was left out before ranking, and by what.
    pub filtered: Vec<Filtered>,
}

/// A document that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The document's key.
    pub key: String,
    /// What the order is by: the sum of the parts.
    pub score: f32,
    /// From 0 to 1: how sure it is that the document helps with the query.
    pub confidence: f32,
    /// What the score is made of; weights that are turned off have no part.
    pub parts: Vec<ScorePart>,
    /// What was measured.
    pub signals: RankSignals,
    /// Which of the query's terms the document answers.
    pub matches: Vec<TermMatch>,
}

/// A part of a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScorePart {
    /// The name of the weight, as in [`super::RankWeights`].
    pub weight: &'static str,
    /// What it added.
    pub value: f32,
}

/// A term of the query and the term of the document that answers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermMatch {
    /// As the index would have what the query says.
    pub asked: String,
    /// As the query says it.
    pub word: String,
    /// As the document has it: the same, or a near word.
    pub found: String,
}

/// What was measured for one document.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RankSignals {
    /// Soft BM25 as a share of the best document's, 0 to 1.
    pub lexical: f32,
    /// The weight of the query's terms that the document has, as a share of all, 0 to 1.
    pub coverage: f32,
    /// The cosine of static vectors.
    pub statics: f32,
    /// The cosine of sentence vectors, where query and document both have one: with head and whole of
    /// the document, and half of what its nearest passage exceeds that by.
    pub sentence: Option<f32>,
    /// How the query stands to prompts that no note is needed for, where it is encoded.
    pub prompt: Option<EverydayPrompt>,
    /// How many terms the query has, each counting from 0 (in every document) to 1 (in none).
    pub content: f32,
    /// The share of the query's letters in scripts with spaces.
    pub latin: f32,
    /// How many terms the document has.
    pub terms: u32,
}
