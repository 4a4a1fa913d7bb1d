//! The cosines of a document's vectors with the query's: of head and whole, averaged, and of its
//! nearest passage.

use crate::index::PART;
use crate::index::Segment;
use crate::packed_vector::cosine_with_packed;
use crate::query::RecallQuery;
use crate::vector::Embedding;

/// The static cosine; 0 where one of them has no vector.
pub(super) fn static_cosine(segment: &Segment, doc: usize, query: &RecallQuery) -> f32 {
    query
        .static_vector()
        .and_then(|asked| average_cosine(asked, segment.static_vectors(doc)))
        .unwrap_or(0.0)
}

/// The sentence cosine, where both have a vector.
pub(super) fn sentence_cosine(segment: &Segment, doc: usize, query: &RecallQuery) -> Option<f32> {
    average_cosine(
        query.sentence_vector(segment.encoder_id())?,
        segment.sentence_vectors(doc),
    )
}

/// The cosine with the nearest passage of a document.
pub(super) fn passage_cosine(segment: &Segment, doc: usize, query: &RecallQuery) -> Option<f32> {
    let asked = query.sentence_vector(segment.encoder_id())?;
    let passages = segment.passage_vectors(doc).chunks_exact(PART);
    passages
        .filter_map(|passage| cosine_with_packed(asked, passage))
        .reduce(f32::max)
}

fn average_cosine<const N: usize>(asked: &Embedding<N>, stored: &[u8]) -> Option<f32> {
    let (head, whole) = stored.split_at_checked(Embedding::<N>::BYTES)?;
    Some(0.5 * (asked.cosine_with(head)? + asked.cosine_with(whole)?))
}
