//! The cosines of a document's vectors with the query's: of head and whole, averaged, and of its
//! nearest passage.

#[cfg(feature = "encoder")]
use crate::index::PART;
use crate::index::Segment;
#[cfg(feature = "encoder")]
use crate::packed::cosine_with_packed;
use crate::query::RecallQuery;
use crate::vector::Embedding;

/// The static cosine; 0 where one of them has no vector.
pub(super) fn statics(segment: &Segment, doc: usize, query: &RecallQuery) -> f32 {
    query
        .statics()
        .and_then(|asked| average(asked, segment.statics(doc)))
        .unwrap_or(0.0)
}

/// The sentence cosine, where both have a vector.
#[cfg(feature = "encoder")]
pub(super) fn sentence(segment: &Segment, doc: usize, query: &RecallQuery) -> Option<f32> {
    average(query.sentence()?, segment.encoded(doc))
}

/// Without an encoder there is none.
#[cfg(not(feature = "encoder"))]
pub(super) fn sentence(_: &Segment, _: usize, _: &RecallQuery) -> Option<f32> {
    None
}

/// The cosine with the nearest passage of a document.
#[cfg(feature = "encoder")]
pub(super) fn passage(segment: &Segment, doc: usize, query: &RecallQuery) -> Option<f32> {
    let asked = query.sentence()?;
    let passages = segment.passages(doc).chunks_exact(PART);
    passages
        .filter_map(|passage| cosine_with_packed(asked, passage))
        .reduce(f32::max)
}

/// Without an encoder there is none.
#[cfg(not(feature = "encoder"))]
pub(super) fn passage(_: &Segment, _: usize, _: &RecallQuery) -> Option<f32> {
    None
}

fn average<const N: usize>(asked: &Embedding<N>, stored: &[u8]) -> Option<f32> {
    let (head, whole) = stored.split_at_checked(Embedding::<N>::BYTES)?;
    Some(0.5 * (asked.cosine_with(head)? + asked.cosine_with(whole)?))
}
