//! A prompt, read once: its terms, its vectors, its share of spaced script.

use crate::encoder::{Encoder, WIDTH};
use crate::everyday_prompts::EverydayPrompt;
use crate::model::{DIMS, Table};
use crate::passages;
use crate::text::{Stems, Term, query_terms, spaced_share};
use crate::vector::Embedding;

/// Terms of a query that are looked up; later ones are left out.
pub const QUERY_TERMS_MAX: usize = 64;
/// Tokens of a query that make its vectors.
const QUERY_TOKENS_MAX: usize = 96;

/// What documents are ranked for.
#[derive(Debug, Clone)]
pub struct RecallQuery {
    text: String,
    terms: Vec<Term>,
    latin: f32,
    statics: Option<Embedding<DIMS>>,
    sentence: Option<Embedding<WIDTH>>,
    encoder: u64,
    prompt: Option<EverydayPrompt>,
}

impl RecallQuery {
    /// Reads a prompt; a long one is cut to the sentences that matter.
    pub fn new(prompt: &str) -> Self {
        let text = passages::of_prompt(prompt);
        let mut terms = query_terms(&text, &mut Stems::default());
        // Stop words are left out while there is anything else.
        if terms.iter().any(|term| !term.stop) {
            terms.retain(|term| !term.stop);
        }
        terms.truncate(QUERY_TERMS_MAX);
        let statics = Table::embedded().text_vector(&text, QUERY_TOKENS_MAX);
        Self {
            latin: spaced_share(&text),
            terms,
            statics,
            sentence: None,
            encoder: 0,
            prompt: None,
            text,
        }
    }

    /// Adds the sentence vector (about 5 ms for 12 tokens on one core), without which encoded
    /// documents are ranked by stage one: as they are in a build without the encoder.
    #[must_use]
    pub fn with_encoding(self) -> Self {
        self.with_encoding_by(Encoder::embedded())
    }

    /// Adds the sentence vector by an encoder, which is compared with documents of the same encoder alone. What
    /// everyday prompts are like is known in vectors of the embedded one.
    #[must_use]
    pub fn with_encoding_by(mut self, encoder: Option<&Encoder>) -> Self {
        let embedded = Encoder::text_vector(&self.text, QUERY_TOKENS_MAX);
        self.prompt = embedded.as_ref().map(EverydayPrompt::from_vector);
        self.encoder = encoder.map_or(0, Encoder::id);
        self.sentence = match encoder.filter(|encoder| encoder.id() != 0) {
            Some(larger) => larger.encode_text(&self.text, QUERY_TOKENS_MAX),
            None => embedded,
        };
        self
    }

    /// What is searched with: the prompt, or the chosen sentences of a long one.
    pub fn search_text(&self) -> &str {
        &self.text
    }

    /// How the prompt stands to everyday ones; nothing where it is not encoded.
    pub(crate) fn everyday_prompt(&self) -> Option<EverydayPrompt> {
        self.prompt
    }

    pub(crate) fn terms(&self) -> &[Term] {
        &self.terms
    }

    pub(crate) fn latin_share(&self) -> f32 {
        self.latin
    }

    pub(crate) fn static_vector(&self) -> Option<&Embedding<DIMS>> {
        self.statics.as_ref()
    }

    /// The vector that those of an encoder are compared with.
    pub(crate) fn sentence_vector(&self, encoder: u64) -> Option<&Embedding<WIDTH>> {
        self.sentence.as_ref().filter(|_| self.encoder == encoder)
    }
}
