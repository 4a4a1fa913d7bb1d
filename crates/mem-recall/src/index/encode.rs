//! Sentence vectors of documents: made when there is time, never while somebody waits.

use super::RecallIndex;
use super::parts::{PART, PARTS_MAX};
use super::segment::ENCODED_ONE;
use crate::document::Document;
use crate::encoder::{Encoder, WIDTH};
use crate::packed_vector::pack_vector;
use crate::passages;
use crate::vector::Embedding;

/// Tokens of a document's name, description and tags that are encoded.
const HEAD_TOKENS: usize = 64;
/// Tokens of the second vector: the same, and the document's best passages.
const WHOLE_TOKENS: usize = 192;
/// Tokens of the vector of one passage, the document's name in front.
const PASSAGE_TOKENS: usize = 112;

/// What encoding makes of a document.
struct Sentences {
    /// Of its head, and of head and best passages.
    vectors: Vec<u8>,
    /// Of each passage, packed.
    passages: Vec<u8>,
}

impl RecallIndex {
    /// The keys of documents that wait for their sentence vectors by an encoder, in no particular order: none where
    /// there is no encoder. Those that another has made are as good as none.
    pub fn pending_keys(&self, encoder: Option<&Encoder>) -> impl Iterator<Item = &str> {
        let id = encoder.map(Encoder::id);
        let waiting = self.live_documents().filter(move |(segment, doc)| {
            id.is_some_and(|id| {
                id != segment.encoder_id() || segment.sentence_vectors(*doc).is_empty()
            })
        });
        waiting
            .filter_map(|(segment, doc)| segment.read_record(doc))
            .map(|record| record.key)
    }

    /// Encodes documents that are in the index (5 ms for a short one, 36 ms for the longest with AVX-512, twice that
    /// without, on one core; a larger encoder takes as many times longer as it is larger) on `threads` threads. Returns
    /// how many of them the index has.
    pub fn encode_documents(
        &mut self,
        documents: &[Document],
        encoder: &Encoder,
        threads: usize,
    ) -> usize {
        let share = documents.len().div_ceil(threads.max(1)).max(1);
        let made: Vec<Sentences> = std::thread::scope(|scope| {
            let part = |part: &[Document]| {
                let made = part.iter().map(|one| encode_sentences(one, encoder));
                made.collect::<Vec<_>>()
            };
            let workers: Vec<_> = documents
                .chunks(share)
                .map(|documents| scope.spawn(move || part(documents)))
                .collect();
            let parts = workers.into_iter().map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            parts.flatten().collect()
        });
        let mut encoded = 0;
        for (document, made) in documents.iter().zip(&made) {
            if let Some((segment, doc)) = self.find_document(&document.key) {
                self.segments[segment].set_encoded(
                    doc,
                    encoder.id(),
                    &made.vectors,
                    &made.passages,
                );
                encoded += 1;
            }
        }
        encoded
    }
}

/// The sentence vectors of a document.
fn encode_sentences(document: &Document, encoder: &Encoder) -> Sentences {
    let mut text = document.head_text();
    let head = encoder.encode_text(&text, HEAD_TOKENS);
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&passages::best_sentences(
        &document.body,
        WHOLE_TOKENS - HEAD_TOKENS,
    ));
    let whole = encoder.encode_text(&text, WHOLE_TOKENS);
    let mut out = Vec::with_capacity(2 * ENCODED_ONE);
    // Without a head the text speaks for both.
    Embedding::<WIDTH>::append_stored(head.as_ref().or(whole.as_ref()), &mut out);
    Embedding::<WIDTH>::append_stored(whole.as_ref(), &mut out);
    if out.iter().take(4).all(|&byte| byte == 0) {
        // Nothing to encode. The smallest scale: near nothing.
        out[0] = 1;
    }
    Sentences {
        vectors: out,
        passages: of_passages(document, encoder),
    }
}

/// The packed vectors of a document's passages. A passage rarely says again whose it is: the name
/// does, in front of each.
fn of_passages(document: &Document, encoder: &Encoder) -> Vec<u8> {
    let mut out = Vec::with_capacity(PARTS_MAX * PART);
    for passage in passages::split_passages(&document.body, PARTS_MAX, PASSAGE_TOKENS) {
        let text = match document.name.is_empty() {
            true => passage,
            false => format!("{}. {passage}", document.name),
        };
        if let Some(vector) = encoder.encode_text(&text, PASSAGE_TOKENS) {
            pack_vector(&vector, &mut out);
        }
    }
    out
}
