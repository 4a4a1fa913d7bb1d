//! How alike two documents are: not whether one answers the other, but whether both say the same.
//!
//! The mean cosine of head with head and whole with whole: of static vectors, and where both are
//! encoded by the embedded encoder, of sentence vectors as well: the thresholds were fitted on its vectors.
//! `eval/README.md` says what they rest on.

use std::collections::HashSet;

use crate::document::Document;
use crate::encoder::WIDTH;
use crate::index::{RecallIndex, Segment, encode_statics};
use crate::model::DIMS;
use crate::text::{Stems, emit_terms};
use crate::vector::Embedding;

/// Two documents that are alike by this much say the same. Of 32 notes that were written twice, 31
/// come so near; of 15,931 pairs of different ones none does, scripts without spaces aside: there
/// the vectors see too little, and [`term_overlap()`] has to be asked as well.
pub const SAME_MIN: f32 = 0.82;
/// The least likeness of words with which [`SAME_MIN`] can be reached.
pub const SAME_WORDS_MIN: f32 = 2.0 * SAME_MIN - 1.0;

/// A document that is like another.
#[derive(Debug, Clone, PartialEq)]
pub struct Similar {
    /// Its key.
    pub key: String,
    /// How alike both are.
    pub likeness: Similarity,
}

/// How alike two documents are.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Similarity {
    /// By their words, 0 to 1.
    pub statics: f32,
    /// By their sentences, 0 to 1; nothing where one of them is not encoded, or by another encoder than the embedded one.
    pub sentence: Option<f32>,
}

/// The vectors of one document, head and whole.
struct DocumentVectors {
    statics: [Option<Embedding<DIMS>>; 2],
    sentence: [Option<Embedding<WIDTH>>; 2],
}

impl DocumentVectors {
    fn read(segment: &Segment, doc: usize) -> Self {
        Self {
            statics: read_two_vectors(segment.static_vectors(doc)),
            sentence: read_two_vectors(embedded_vectors(segment, doc)),
        }
    }

    fn similarity_to(&self, segment: &Segment, doc: usize) -> Similarity {
        Similarity {
            statics: mean_cosine(&self.statics, segment.static_vectors(doc)).unwrap_or(0.0),
            sentence: mean_cosine(&self.sentence, embedded_vectors(segment, doc)),
        }
    }
}

impl Similarity {
    /// One number for both, 0 to 1. Sentences are the better judge; words alone count as what they
    /// let expect of them.
    pub fn combined_score(&self) -> f32 {
        let sentence = self.sentence.unwrap_or(self.statics);
        (0.5 * (self.statics + sentence)).clamp(0.0, 1.0)
    }
}

impl RecallIndex {
    /// The documents that are most like the one of `key`, best first; none where there is none of
    /// that key.
    pub fn similar_documents(&self, key: &str, limit: usize) -> Vec<Similar> {
        let Some((at, doc)) = self.find_document(key) else {
            return Vec::new();
        };
        let segment = &self.segments()[at];
        let side = DocumentVectors::read(segment, doc);
        self.like_side(&side, limit, key)
    }

    /// The documents that are most like `document`, which need not be in the index (one of its key
    /// does not count), best first. Its words alone are compared: that takes no time to speak of.
    pub fn similar_to(&self, document: &Document, limit: usize) -> Vec<Similar> {
        let side = DocumentVectors {
            statics: read_two_vectors(&encode_statics(document)),
            sentence: [None, None],
        };
        self.like_side(&side, limit, &document.key)
    }

    /// Calls `take` with the keys of each pair of documents that are alike by at least `min` of their words, in no
    /// particular order. Takes the square of their number: 10,000 take about a second.
    pub fn each_similar_pair<'i>(
        &'i self,
        min: f32,
        mut take: impl FnMut(&'i str, &'i str, Similarity),
    ) {
        let documents = self.live_documents();
        let all: Vec<(&'i Segment, usize, &'i str)> = documents
            .filter_map(|(segment, doc)| Some((segment, doc, segment.read_record(doc)?.key)))
            .collect();
        for (at, &(segment, doc, key)) in all.iter().enumerate() {
            let side = DocumentVectors::read(segment, doc);
            for &(other, place, other_key) in &all[at + 1..] {
                let statics =
                    mean_cosine(&side.statics, other.static_vectors(place)).unwrap_or(0.0);
                if statics >= min {
                    take(key, other_key, side.similarity_to(other, place));
                }
            }
        }
    }

    fn like_side(&self, side: &DocumentVectors, limit: usize, but: &str) -> Vec<Similar> {
        let mut all: Vec<(Similarity, &str)> = self
            .live_documents()
            .filter_map(|(segment, doc)| {
                let key = segment.read_record(doc)?.key;
                (key != but).then(|| (side.similarity_to(segment, doc), key))
            })
            .collect();
        all.sort_by(|a, b| {
            b.0.combined_score()
                .total_cmp(&a.0.combined_score())
                .then(a.1.cmp(b.1))
        });
        let similar = |(likeness, key): (Similarity, &str)| Similar {
            key: key.to_owned(),
            likeness,
        };
        all.into_iter().take(limit).map(similar).collect()
    }
}

/// The terms of a document's name, description and body.
pub fn document_terms(document: &Document) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut stems = Stems::default();
    for text in [&document.name, &document.description, &document.body] {
        emit_terms(text, &mut stems, &mut |term| {
            if !found.contains(term) {
                found.insert(term.to_owned());
            }
        });
    }
    found
}

/// The terms that two documents share, as a share of all that they have, 0 to 1.
pub fn term_overlap(one: &HashSet<String>, other: &HashSet<String>) -> f32 {
    let shared = one.intersection(other).count();
    2.0 * shared as f32 / (one.len() + other.len()).max(1) as f32
}

/// The sentence vectors of the embedded encoder; none where a larger one made them, whose cosines mean something else.
fn embedded_vectors(segment: &Segment, doc: usize) -> &[u8] {
    match segment.encoder_id() {
        0 => segment.sentence_vectors(doc),
        _ => &[],
    }
}

fn read_two_vectors<const N: usize>(stored: &[u8]) -> [Option<Embedding<N>>; 2] {
    let (head, whole) = stored
        .split_at_checked(Embedding::<N>::BYTES)
        .unwrap_or_default();
    [Embedding::read(head), Embedding::read(whole)]
}

fn mean_cosine<const N: usize>(side: &[Option<Embedding<N>>; 2], stored: &[u8]) -> Option<f32> {
    let (head, whole) = stored.split_at_checked(Embedding::<N>::BYTES)?;
    let [one, two] = side;
    let head = one.as_ref()?.cosine_with(head)?;
    let whole = two.as_ref()?.cosine_with(whole)?;
    Some(0.5 * (head + whole))
}
