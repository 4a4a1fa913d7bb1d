//! How alike two files are: the share of their lines that both have, as git estimates it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Lines longer than this count in pieces.
const PIECE_BYTES_MAX: usize = 64;

/// From 0 to 100: shared bytes, by lines in any order, of the longer file's bytes.
pub(crate) fn similarity_percent(a: &[u8], b: &[u8]) -> usize {
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 0;
    }
    let counted = count_piece_bytes(a);
    let shared: usize = count_piece_bytes(b)
        .into_iter()
        .filter_map(|(piece, bytes)| Some(bytes.min(*counted.get(&piece)?)))
        .sum();
    shared * 100 / longer
}

/// Bytes by the hash of the piece they stand in.
fn count_piece_bytes(text: &[u8]) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        for piece in line.chunks(PIECE_BYTES_MAX) {
            let mut hasher = DefaultHasher::new();
            piece.hash(&mut hasher);
            *counts.entry(hasher.finish()).or_insert(0) += piece.len();
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_lines() {
        assert_eq!(similarity_percent(b"a\nb\n", b"b\na\n"), 100);
        assert_eq!(similarity_percent(b"a\nb\n", b"a\nc\n"), 50);
        assert_eq!(similarity_percent(b"a\n", b""), 0);
        assert_eq!(similarity_percent(b"", b""), 0);
    }
}
