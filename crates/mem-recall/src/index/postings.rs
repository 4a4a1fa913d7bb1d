//! Which documents have a term, how often, and in which field: the number of the document as the
//! difference to the one before, then one byte of counts.

use super::bytes::{put_varint, take_varint};

/// The fields of a document, in the order of the counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentField {
    Name,
    Description,
    Body,
}

/// How often a term is in each field: two bits, two bits and four bits, each stopping at its top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TermCounts(pub(crate) u8);

impl TermCounts {
    pub(super) fn add_occurrence(&mut self, field: DocumentField) {
        let (shift, top) = match field {
            DocumentField::Name => (6, 3),
            DocumentField::Description => (4, 3),
            DocumentField::Body => (0, 15),
        };
        if self.0 >> shift & top < top {
            self.0 += 1 << shift;
        }
    }

    /// Counts in name, description and body.
    pub(crate) fn field_counts(self) -> [u8; 3] {
        [self.0 >> 6, self.0 >> 4 & 3, self.0 & 15]
    }
}

/// Appends postings that are sorted by document.
pub(super) fn append_postings(
    postings: impl IntoIterator<Item = (u32, TermCounts)>,
    out: &mut Vec<u8>,
) {
    let mut before = 0;
    for (doc, counts) in postings {
        put_varint(u64::from(doc - before), out);
        out.push(counts.0);
        before = doc;
    }
}

/// Reads postings; stops at the first that makes no sense.
#[derive(Debug, Clone)]
pub(crate) struct Postings<'a> {
    rest: &'a [u8],
    doc: u64,
    len: usize,
}

impl<'a> Postings<'a> {
    /// `len` is the number of documents in the segment: no posting reaches past it.
    pub(super) fn new(bytes: &'a [u8], len: usize) -> Self {
        Self {
            rest: bytes,
            doc: 0,
            len,
        }
    }
}

impl Iterator for Postings<'_> {
    type Item = (usize, TermCounts);

    fn next(&mut self) -> Option<Self::Item> {
        self.doc = self.doc.checked_add(take_varint(&mut self.rest)?)?;
        let (&counts, rest) = self.rest.split_first()?;
        self.rest = rest;
        let doc = usize::try_from(self.doc)
            .ok()
            .filter(|&doc| doc < self.len)?;
        Some((doc, TermCounts(counts)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stop_at_their_top_without_touching_the_others() {
        let mut counts = TermCounts::default();
        (0..40).for_each(|_| counts.add_occurrence(DocumentField::Body));
        assert_eq!(counts.field_counts(), [0, 0, 15]);
        (0..9).for_each(|_| counts.add_occurrence(DocumentField::Name));
        counts.add_occurrence(DocumentField::Description);
        assert_eq!(counts.field_counts(), [3, 1, 15]);
    }

    #[test]
    fn postings_are_read_back_and_bounded() {
        let all = [
            (0, TermCounts(1)),
            (5, TermCounts(65)),
            (900, TermCounts(2)),
        ];
        let mut bytes = Vec::new();
        append_postings(all, &mut bytes);
        assert_eq!(Postings::new(&bytes, 901).count(), 3);
        assert_eq!(
            Postings::new(&bytes, 901).last(),
            Some((900, TermCounts(2)))
        );
        assert_eq!(Postings::new(&bytes, 900).count(), 2);
    }
}
