//! A sorted list of words without a pointer for each of them.

/// The words one after the other, and where each ends.
pub(crate) struct WordList {
    pub(crate) text: &'static str,
    pub(crate) ends: &'static [u32],
}

impl WordList {
    /// Where a word stands in the list.
    pub(crate) fn position(&self, word: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.word(middle).cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    fn word(&self, at: usize) -> &'static [u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text.as_bytes()[start as usize..self.ends[at] as usize]
    }
}

#[cfg(test)]
mod tests {
    use crate::filter::words::BIP39;

    #[test]
    fn every_word_is_found_where_it_stands() {
        assert_eq!(BIP39.ends.len(), 2048);
        for at in 0..2048 {
            assert_eq!(BIP39.position(BIP39.word(at)), Some(at));
        }
        for word in ["", "a", "abando", "abandons", "zzz"] {
            assert_eq!(BIP39.position(word.as_bytes()), None, "{word}");
        }
    }
}
