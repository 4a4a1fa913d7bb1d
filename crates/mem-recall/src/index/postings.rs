//! Which documents have a term, how often, and in which field: the number of the document as the
//! difference to the one before, then one byte of counts.

use super::bytes::{put_varint, take_varint};

/// The fields of a document, in the order of the counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Name,
    Description,
    Body,
}

/// How often a term is in each field: two bits, two bits and four bits, each stopping at its top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts(pub(crate) u8);

impl Counts {
    pub(super) fn add(&mut self, field: Field) {
        let (shift, top) = match field {
            Field::Name => (6, 3),
            Field::Description => (4, 3),
            Field::Body => (0, 15),
        };
        if self.0 >> shift & top < top {
            self.0 += 1 << shift;
        }
    }

    /// Counts in name, description and body.
    pub(crate) fn fields(self) -> [u8; 3] {
        [self.0 >> 6, self.0 >> 4 & 3, self.0 & 15]
    }
}

/// Appends postings that are sorted by document.
pub(super) fn store(postings: impl IntoIterator<Item = (u32, Counts)>, out: &mut Vec<u8>) {
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
    type Item = (usize, Counts);

    fn next(&mut self) -> Option<Self::Item> {
        self.doc = self.doc.checked_add(take_varint(&mut self.rest)?)?;
        let (&counts, rest) = self.rest.split_first()?;
        self.rest = rest;
        let doc = usize::try_from(self.doc)
            .ok()
            .filter(|&doc| doc < self.len)?;
        Some((doc, Counts(counts)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stop_at_their_top_without_touching_the_others() {
        let mut counts = Counts::default();
        (0..40).for_each(|_| counts.add(Field::Body));
        assert_eq!(counts.fields(), [0, 0, 15]);
        (0..9).for_each(|_| counts.add(Field::Name));
        counts.add(Field::Description);
        assert_eq!(counts.fields(), [3, 1, 15]);
    }

    #[test]
    fn postings_are_read_back_and_bounded() {
        let all = [(0, Counts(1)), (5, Counts(65)), (900, Counts(2))];
        let mut bytes = Vec::new();
        store(all, &mut bytes);
        assert_eq!(Postings::new(&bytes, 901).count(), 3);
        assert_eq!(Postings::new(&bytes, 901).last(), Some((900, Counts(2))));
        assert_eq!(Postings::new(&bytes, 900).count(), 2);
    }
}
