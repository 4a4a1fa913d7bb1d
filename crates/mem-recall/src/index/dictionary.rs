//! The terms of a segment in order, each with its postings.

use super::bytes::{blob_entry, u32_at};
use super::postings::{Postings, TermCounts, append_postings};

/// The four parts of a dictionary as they lie in a segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dictionary<'a> {
    pub(super) offsets: &'a [u8],
    pub(super) terms: &'a [u8],
    pub(super) starts: &'a [u8],
    pub(super) postings: &'a [u8],
    /// Documents in the segment.
    pub(super) documents: usize,
}

impl<'a> Dictionary<'a> {
    pub(super) fn len(&self) -> usize {
        (self.offsets.len() / 4).saturating_sub(1)
    }

    pub(super) fn term_at(&self, i: usize) -> &'a [u8] {
        blob_entry(self.offsets, self.terms, i)
    }

    pub(super) fn postings_at(&self, i: usize) -> Postings<'a> {
        Postings::new(blob_entry(self.starts, self.postings, i), self.documents)
    }

    /// The postings of a term.
    pub(crate) fn find_postings(&self, term: &str) -> Option<Postings<'a>> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.term_at(middle).cmp(term.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(self.postings_at(middle)),
            }
        }
        None
    }
}

/// Writes a dictionary, term by term in order.
#[derive(Debug)]
pub(super) struct DictionaryWriter {
    pub(super) offsets: Vec<u8>,
    pub(super) terms: Vec<u8>,
    pub(super) starts: Vec<u8>,
    pub(super) postings: Vec<u8>,
}

impl Default for DictionaryWriter {
    fn default() -> Self {
        Self {
            offsets: vec![0; 4],
            terms: Vec::new(),
            starts: vec![0; 4],
            postings: Vec::new(),
        }
    }
}

impl DictionaryWriter {
    pub(super) fn add_term(
        &mut self,
        term: &[u8],
        postings: impl IntoIterator<Item = (u32, TermCounts)>,
    ) {
        self.terms.extend_from_slice(term);
        append_postings(postings, &mut self.postings);
        put_offset(self.terms.len(), &mut self.offsets);
        put_offset(self.postings.len(), &mut self.starts);
    }
}

/// Appends an offset. Past 4 GiB it is cut, and the entries there read as empty.
pub(super) fn put_offset(at: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes());
}

/// The last number of an offset array, for tests of its length.
pub(super) fn last_offset(offsets: &[u8]) -> usize {
    u32_at(offsets, (offsets.len() / 4).saturating_sub(1)) as usize
}
