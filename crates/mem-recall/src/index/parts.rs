//! The sentence vectors of documents, and those of the parts of their texts: for each document some,
//! or none. What is not there takes no room.
//!
//! In a file: the number of vectors of each document (u8), then the vectors in their order.

use super::slice::Slice;
use crate::packed_vector::packed_bytes;

/// A document has at most so many parts.
pub(crate) const PARTS_MAX: usize = 4;
/// Bytes of the vector of one part.
pub(crate) const PART: usize = packed_bytes(384);

/// At most `MAX` vectors of `BYTES` bytes for each document of a segment. What is replaced by more or
/// fewer stays behind in memory; a file has none of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Vectors<const BYTES: usize, const MAX: usize> {
    counts: Vec<u8>,
    starts: Vec<u32>,
    vectors: Slice,
}

/// The packed vectors of passages.
pub(super) type Parts = Vectors<PART, PARTS_MAX>;

impl<const BYTES: usize, const MAX: usize> Vectors<BYTES, MAX> {
    /// None for so many documents.
    pub(super) fn with_none(documents: usize) -> Self {
        Self {
            counts: vec![0; documents],
            starts: vec![0; documents],
            vectors: Slice::default(),
        }
    }

    /// Reads the stored form; nothing where it is not that of so many documents.
    pub(super) fn read(stored: &Slice, documents: usize) -> Option<Self> {
        let counts = stored.get(..documents)?.to_vec();
        let mut parts = 0_usize;
        let starts = counts.iter().map(|&count| {
            let start = u32::try_from(parts).ok();
            parts += usize::from(count);
            start.filter(|_| usize::from(count) <= MAX)
        });
        let starts = starts.collect::<Option<Vec<u32>>>()?;
        let vectors = stored.skip_bytes(documents)?;
        (vectors.len() == parts.checked_mul(BYTES)?).then_some(Self {
            counts,
            starts,
            vectors,
        })
    }

    /// The stored form.
    pub(super) fn to_stored(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.counts.len() + self.vectors.len());
        out.extend_from_slice(&self.counts);
        for doc in 0..self.counts.len() {
            out.extend_from_slice(self.document_vectors(doc));
        }
        out
    }

    /// The memory that the vectors take.
    pub(super) fn memory_bytes(&self) -> usize {
        self.vectors.len()
    }

    /// The vectors of a document, one after another.
    pub(super) fn document_vectors(&self, doc: usize) -> &[u8] {
        let (Some(&count), Some(&start)) = (self.counts.get(doc), self.starts.get(doc)) else {
            return &[];
        };
        let start = start as usize * BYTES;
        self.vectors
            .get(start..start + usize::from(count) * BYTES)
            .unwrap_or_default()
    }

    /// Sets those of a document.
    pub(super) fn set_vectors(&mut self, doc: usize, vectors: &[u8]) {
        let count = (vectors.len() / BYTES).min(MAX);
        let start = u32::try_from(self.vectors.len() / BYTES);
        let (Some(kept), Some(place), Ok(start)) =
            (self.counts.get_mut(doc), self.starts.get_mut(doc), start)
        else {
            return;
        };
        let vectors = &vectors[..count * BYTES];
        let old = *place as usize * BYTES;
        if usize::from(*kept) == count
            && let Some(old) = self.vectors.to_mut().get_mut(old..old + vectors.len())
        {
            old.copy_from_slice(vectors);
            return;
        }
        (*kept, *place) = (count as u8, start);
        self.vectors.to_mut().extend_from_slice(vectors);
        self.vectors.update_length();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(count: usize, byte: u8) -> Vec<u8> {
        vec![byte; count * PART]
    }

    fn read(stored: Vec<u8>, documents: usize) -> Option<Parts> {
        Parts::read(&stored.into(), documents)
    }

    #[test]
    fn what_is_set_is_stored_without_what_it_replaced() {
        let mut parts = Parts::with_none(3);
        parts.set_vectors(2, &vectors(1, 1));
        parts.set_vectors(0, &vectors(4, 2));
        parts.set_vectors(2, &vectors(2, 3));
        parts.set_vectors(0, &vectors(4, 4));
        parts.set_vectors(9, &vectors(1, 5));
        let stored = parts.to_stored();
        assert_eq!(stored.len(), 3 + 6 * PART);
        let read = read(stored.clone(), 3).unwrap_or_default();
        for parts in [&parts, &read] {
            assert_eq!(parts.document_vectors(0), vectors(4, 4));
            assert_eq!(parts.document_vectors(1), vectors(0, 0));
            assert_eq!(parts.document_vectors(2), vectors(2, 3));
            assert_eq!(parts.document_vectors(9), vectors(0, 0));
        }
        assert_eq!(read.to_stored(), stored);
    }

    #[test]
    fn other_lengths_are_no_parts() {
        assert!(read(vec![1, 0], 2).is_none());
        assert!(read(vec![0], 2).is_none());
        assert!(read([vec![0], vectors(1, 1)].concat(), 1).is_none());
        assert!(read([vec![5], vectors(5, 1)].concat(), 1).is_none());
        assert!(read(Vec::new(), 0).is_some());
    }
}
