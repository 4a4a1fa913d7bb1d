//! What a sealed content belongs to, so that it opens nowhere else.

/// A list of words, written so that no two lists look alike: each after its length. A separator would not do, since ids
/// and paths may hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssociatedData(Vec<u8>);

impl AssociatedData {
    /// For instance a kind, the id of a store and the id of a version.
    pub fn from_words(words: &[&str]) -> Self {
        let mut bytes = Vec::with_capacity(words.iter().map(|word| word.len() + 8).sum());
        for word in words {
            bytes.extend_from_slice(&(word.len() as u64).to_le_bytes());
            bytes.extend_from_slice(word.as_bytes());
        }
        Self(bytes)
    }

    /// What is authenticated with a content: the head before it, and this.
    pub(crate) fn bytes_after_head(&self, head: &[u8]) -> Vec<u8> {
        [head, &self.0].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_lists_look_alike() {
        let lists: [&[&str]; 5] = [&["ab", "c"], &["a", "bc"], &["abc"], &["abc", ""], &[]];
        for (at, one) in lists.iter().enumerate() {
            for other in &lists[at + 1..] {
                assert_ne!(
                    AssociatedData::from_words(one),
                    AssociatedData::from_words(other)
                );
            }
        }
    }
}
