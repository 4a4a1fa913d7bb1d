//! Soft BM25: each term of the query counts with its best form in the document, which is the term
//! itself or, at a discount, a near word that the index has.

use super::answer::TermMatch;
use super::weights::RankWeights;
use crate::index::{Lengths, RecallIndex, TermCounts};
use crate::model::Table;
use crate::query::RecallQuery;
use crate::text::{Stems, Term};

/// Near words of a query word that are looked up.
const NEAR_MAX: usize = 8;

/// Scores by words, for all documents of all segments in order.
pub(super) struct Lexical {
    scores: Vec<f32>,
    coverage: Vec<f32>,
    top: f32,
    total: f32,
    content: f32,
    terms: QueryTerms,
}

/// The terms of the query, each with the terms of the index that answer it.
#[derive(Default)]
pub(super) struct QueryTerms(Vec<QueryTerm>);

struct QueryTerm {
    text: String,
    /// As the query says it.
    word: String,
    forms: Vec<TermForm>,
}

struct TermForm {
    term: String,
    strength: f32,
}

/// What BM25 needs to know of all documents.
struct Corpus<'a> {
    weights: &'a RankWeights,
    documents: f32,
    average: f32,
    /// The normalised length of each document.
    norms: Vec<f32>,
}

impl Lexical {
    /// Scores the allowed documents.
    pub(super) fn score_documents(
        index: &RecallIndex,
        query: &RecallQuery,
        weights: &RankWeights,
        allowed: &[bool],
    ) -> Self {
        let corpus = Corpus::new(index, weights, allowed);
        let terms = QueryTerms::new(query, weights);
        let mut found = Self {
            scores: vec![0.0; allowed.len()],
            coverage: vec![0.0; allowed.len()],
            top: 0.0,
            total: 0.0,
            content: 0.0,
            terms: QueryTerms::default(),
        };
        let mut scratch = Scratch {
            best: vec![(0.0, 0.0); allowed.len()],
            touched: Vec::new(),
        };
        for QueryTerm { forms, .. } in &terms.0 {
            let mut rarity = corpus.term_rarity(0);
            for (i, form) in forms.iter().enumerate() {
                let frequency = scratch.take_postings(index, &form.term, allowed);
                if i == 0 && frequency > 0 {
                    rarity = corpus.term_rarity(frequency);
                }
                scratch.weigh_term(&corpus, form.strength, frequency);
            }
            found.total += rarity;
            scratch.drain_scores(|place, (score, strength)| {
                found.scores[place] += score;
                found.coverage[place] += rarity * strength;
            });
        }
        found.content = found.total / corpus.term_rarity(0).max(1e-3);
        found.top = found.scores.iter().fold(0.0, |m, &s| m.max(s));
        found.terms = terms;
        found
    }

    /// Score as a share of the best, and coverage as a share of all terms.
    pub(super) fn score_at(&self, place: usize) -> (f32, f32) {
        let share = |part: f32, whole: f32| if whole > 0.0 { part / whole } else { 0.0 };
        (
            share(self.scores[place], self.top),
            share(self.coverage[place], self.total),
        )
    }

    /// How many terms the query has, each by its rarity.
    pub(super) fn query_rarity(&self) -> f32 {
        self.content
    }

    pub(super) fn terms(&self) -> &QueryTerms {
        &self.terms
    }
}

impl QueryTerms {
    fn new(query: &RecallQuery, weights: &RankWeights) -> Self {
        let mut stems = Stems::default();
        let mut forms = |term: &Term| {
            let mut forms = vec![TermForm {
                term: term.text.clone(),
                strength: 1.0,
            }];
            if weights.soft > 0.0 && !term.word.is_empty() && !term.stop {
                for (word, cosine) in Table::embedded().nearest_words(&term.word) {
                    let stem = stems.stem_word(word);
                    if forms.len() <= NEAR_MAX && !forms.iter().any(|f| f.term == stem) {
                        forms.push(TermForm {
                            term: stem.to_owned(),
                            strength: weights.soft * cosine,
                        });
                    }
                }
            }
            forms
        };
        Self(
            query
                .terms()
                .iter()
                .map(|term| QueryTerm {
                    text: term.text.clone(),
                    word: if term.word.is_empty() {
                        &term.text
                    } else {
                        &term.word
                    }
                    .clone(),
                    forms: forms(term),
                })
                .collect(),
        )
    }

    /// The terms that the document of `key` answers, each with its best form.
    pub(super) fn matching_terms(&self, index: &RecallIndex, key: &str) -> Vec<TermMatch> {
        let Some((segment, doc)) = index.find_document(key) else {
            return Vec::new();
        };
        let dictionary = index.segments()[segment].term_dictionary();
        let has = |term: &str| {
            dictionary
                .find_postings(term)
                .is_some_and(|mut all| all.any(|(d, _)| d == doc))
        };
        let best = |forms: &[TermForm]| {
            forms
                .iter()
                .find(|form| has(&form.term))
                .map(|form| form.term.clone())
        };
        let found = self.0.iter().filter_map(|term| {
            Some(TermMatch {
                asked: term.text.clone(),
                word: term.word.clone(),
                found: best(&term.forms)?,
            })
        });
        found.collect()
    }
}

impl<'a> Corpus<'a> {
    fn new(index: &RecallIndex, weights: &'a RankWeights, allowed: &[bool]) -> Self {
        let mut norms = Vec::with_capacity(allowed.len());
        let (mut documents, mut sum) = (0.0_f32, 0.0_f64);
        for segment in index.segments() {
            for doc in 0..segment.len() {
                let length = weights.weighted_length(segment.field_lengths(doc));
                if segment.is_live(doc) {
                    documents += 1.0;
                    sum += f64::from(length);
                }
                norms.push(length);
            }
        }
        let average = (sum / f64::from(documents.max(1.0))).max(1e-3) as f32;
        norms
            .iter_mut()
            .for_each(|n| *n = weights.k1 * (1.0 - weights.b + weights.b * *n / average));
        Self {
            weights,
            documents,
            average,
            norms,
        }
    }

    /// Inverse document frequency; a term that no document has counts as the rarest.
    fn term_rarity(&self, frequency: usize) -> f32 {
        debug_assert!(self.average > 0.0);
        let frequency = (frequency as f32).max(0.5);
        (1.0 + (self.documents - frequency + 0.5).max(0.0) / (frequency + 0.5)).ln()
    }
}

impl RankWeights {
    fn weighted_length(&self, lengths: Lengths) -> f32 {
        let (name, description) = (f32::from(lengths.name), f32::from(lengths.description));
        self.name * name + self.description * description + self.body * lengths.body as f32
    }

    fn weighted_frequency(&self, counts: TermCounts) -> f32 {
        let [name, description, body] = counts.field_counts().map(f32::from);
        self.name * name + self.description * description + self.body * body
    }
}

/// The best form of one query term in each document.
struct Scratch {
    best: Vec<(f32, f32)>,
    touched: Vec<(usize, TermCounts)>,
}

impl Scratch {
    /// Reads the postings of a term; returns how many live documents have it.
    fn take_postings(&mut self, index: &RecallIndex, term: &str, allowed: &[bool]) -> usize {
        self.touched.clear();
        let (mut base, mut frequency) = (0, 0);
        for segment in index.segments() {
            for (doc, counts) in segment
                .term_dictionary()
                .find_postings(term)
                .into_iter()
                .flatten()
            {
                if segment.is_live(doc) {
                    frequency += 1;
                    if allowed[base + doc] {
                        self.touched.push((base + doc, counts));
                    }
                }
            }
            base += segment.len();
        }
        frequency
    }

    fn weigh_term(&mut self, corpus: &Corpus<'_>, strength: f32, frequency: usize) {
        let rarity = corpus.term_rarity(frequency) * strength * (corpus.weights.k1 + 1.0);
        for &(place, counts) in &self.touched {
            let times = corpus.weights.weighted_frequency(counts);
            let score = rarity * times / (times + corpus.norms[place]);
            let best = &mut self.best[place];
            *best = (best.0.max(score), best.1.max(strength));
        }
    }

    fn drain_scores(&mut self, mut each: impl FnMut(usize, (f32, f32))) {
        for (place, best) in self.best.iter_mut().enumerate() {
            if best.0 > 0.0 {
                each(place, std::mem::take(best));
            }
        }
    }
}
