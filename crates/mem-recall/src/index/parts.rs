//! The sentence vectors of the parts of documents' texts: for each document some, or none.
//!
//! In a file: the number of parts of each document (u8), then the packed vectors in their order.

use crate::packed::packed_bytes;

/// A document has at most so many.
pub(crate) const PARTS_MAX: usize = 4;
/// Bytes of one.
pub(crate) const PART: usize = packed_bytes(384);

/// The parts of all documents of a segment. What is replaced by more or fewer stays behind in
/// memory; a file has none of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    counts: Vec<u8>,
    starts: Vec<u32>,
    vectors: Vec<u8>,
}

impl Parts {
    /// None for so many documents.
    pub(super) fn none(documents: usize) -> Self {
        Self {
            counts: vec![0; documents],
            starts: vec![0; documents],
            vectors: Vec::new(),
        }
    }

    /// Reads the stored form; nothing where it is not that of so many documents.
    pub(super) fn read(mut stored: Vec<u8>, documents: usize) -> Option<Self> {
        let counts = stored.get(..documents)?.to_vec();
        let mut parts = 0_usize;
        let starts = counts.iter().map(|&count| {
            let start = u32::try_from(parts).ok();
            parts += usize::from(count);
            start.filter(|_| usize::from(count) <= PARTS_MAX)
        });
        let starts = starts.collect::<Option<Vec<u32>>>()?;
        stored.drain(..documents);
        (stored.len() == parts.checked_mul(PART)?).then_some(Self {
            counts,
            starts,
            vectors: stored,
        })
    }

    /// The stored form.
    pub(super) fn stored(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.counts.len() + self.vectors.len());
        out.extend_from_slice(&self.counts);
        for doc in 0..self.counts.len() {
            out.extend_from_slice(self.of(doc));
        }
        out
    }

    /// The packed vectors of a document, one after another.
    pub(super) fn of(&self, doc: usize) -> &[u8] {
        let (Some(&count), Some(&start)) = (self.counts.get(doc), self.starts.get(doc)) else {
            return &[];
        };
        let start = start as usize * PART;
        self.vectors
            .get(start..start + usize::from(count) * PART)
            .unwrap_or_default()
    }

    /// Sets those of a document.
    pub(super) fn set(&mut self, doc: usize, vectors: &[u8]) {
        let count = (vectors.len() / PART).min(PARTS_MAX);
        let start = u32::try_from(self.vectors.len() / PART);
        let (Some(kept), Some(place), Ok(start)) =
            (self.counts.get_mut(doc), self.starts.get_mut(doc), start)
        else {
            return;
        };
        let vectors = &vectors[..count * PART];
        let old = *place as usize * PART;
        if usize::from(*kept) == count
            && let Some(old) = self.vectors.get_mut(old..old + vectors.len())
        {
            old.copy_from_slice(vectors);
            return;
        }
        (*kept, *place) = (count as u8, start);
        self.vectors.extend_from_slice(vectors);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(count: usize, byte: u8) -> Vec<u8> {
        vec![byte; count * PART]
    }

    #[test]
    fn what_is_set_is_stored_without_what_it_replaced() {
        let mut parts = Parts::none(3);
        parts.set(2, &vectors(1, 1));
        parts.set(0, &vectors(4, 2));
        parts.set(2, &vectors(2, 3));
        parts.set(0, &vectors(4, 4));
        parts.set(9, &vectors(1, 5));
        let stored = parts.stored();
        assert_eq!(stored.len(), 3 + 6 * PART);
        let read = Parts::read(stored.clone(), 3).unwrap_or_default();
        for parts in [&parts, &read] {
            assert_eq!(parts.of(0), vectors(4, 4));
            assert_eq!(parts.of(1), vectors(0, 0));
            assert_eq!(parts.of(2), vectors(2, 3));
            assert_eq!(parts.of(9), vectors(0, 0));
        }
        assert_eq!(read.stored(), stored);
    }

    #[test]
    fn other_lengths_are_no_parts() {
        assert!(Parts::read(vec![1, 0], 2).is_none());
        assert!(Parts::read(vec![0], 2).is_none());
        assert!(Parts::read([vec![0], vectors(1, 1)].concat(), 1).is_none());
        assert!(Parts::read([vec![5], vectors(5, 1)].concat(), 1).is_none());
        assert!(Parts::read(Vec::new(), 0).is_some());
    }
}
