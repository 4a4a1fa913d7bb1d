//! Snowball's English stemmer behind a cache: a corpus says the same words again and again.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

/// The cache starts anew when it holds this many words, so that hostile text cannot grow it.
const CACHED_WORDS_MAX: usize = 200_000;

/// Stems English words; keep one for a whole batch of texts.
pub struct Stems {
    stemmer: Stemmer,
    known: HashMap<Box<str>, Box<str>>,
}

impl Default for Stems {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            known: HashMap::new(),
        }
    }
}

impl std::fmt::Debug for Stems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Stems({} words)", self.known.len())
    }
}

impl Stems {
    /// The stem of a folded word.
    pub fn stem_word<'a>(&'a mut self, word: &'a str) -> &'a str {
        if word.len() <= 2 || word.len() > super::TERM_BYTES_MAX {
            return word;
        }
        if self.known.len() >= CACHED_WORDS_MAX {
            self.known.clear();
        }
        if !self.known.contains_key(word) {
            let stem = self.stemmer.stem(word).into();
            self.known.insert(word.into(), stem);
        }
        self.known.get(word).map_or(word, |stem| stem)
    }
}
