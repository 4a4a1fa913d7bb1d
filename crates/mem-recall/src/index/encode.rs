//! Sentence vectors of documents: made when there is time, never while somebody waits.

use super::Index;
use super::segment::ENCODED_ONE;
use crate::document::Document;
use crate::encoder::{Encoder, WIDTH};
use crate::passages;
use crate::vector::Vector;

/// Tokens of a document's name, description and tags that are encoded.
const HEAD_TOKENS: usize = 64;
/// Tokens of the second vector: the same, and the document's best passages.
const WHOLE_TOKENS: usize = 192;

impl Index {
    /// The keys of documents without sentence vectors, in no particular order.
    pub fn pending(&self) -> impl Iterator<Item = &str> {
        let waiting = self
            .live()
            .filter(|(segment, doc)| !is_encoded(segment.encoded(*doc)));
        waiting
            .filter_map(|(segment, doc)| segment.record(doc))
            .map(|record| record.key)
    }

    /// Encodes a document that is in the index (some 15 ms for a short one, 80 ms for the longest, on one core). False where
    /// the index has no document of that key.
    pub fn encode(&mut self, document: &Document) -> bool {
        let Some((segment, doc)) = self.find(&document.key) else {
            return false;
        };
        self.segments[segment].set_encoded(doc, &vectors(document));
        true
    }
}

/// Whether the scale of the first vector is set; an empty document's vectors are marked too.
fn is_encoded(vectors: &[u8]) -> bool {
    vectors.iter().take(4).any(|&b| b != 0)
}

fn vectors(document: &Document) -> Vec<u8> {
    let encoder = Encoder::embedded();
    let mut text = document.head();
    let head = encoder.vector(&text, HEAD_TOKENS);
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&passages::best(document, WHOLE_TOKENS - HEAD_TOKENS));
    let whole = encoder.vector(&text, WHOLE_TOKENS);
    let mut out = Vec::with_capacity(2 * ENCODED_ONE);
    // Without a head the text speaks for both.
    Vector::<WIDTH>::store(head.as_ref().or(whole.as_ref()), &mut out);
    Vector::<WIDTH>::store(whole.as_ref(), &mut out);
    if !is_encoded(&out) {
        // The smallest scale: encoded, and near nothing.
        out[0] = 1;
    }
    out
}
