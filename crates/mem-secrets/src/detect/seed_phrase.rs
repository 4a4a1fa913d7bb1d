//! BIP-39 seed phrases: 12 to 24 words of one list, with a checksum, so that
//! prose made of the same words is told apart.

use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::candidate::Rank;
use crate::filter::words::BIP39;
use crate::finding::Confidence;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;

/// How far after the words that announce it a phrase may begin.
const LEAD_BYTES_MAX: usize = 160;

/// At `mnemonic`, `seed phrase` and their kind: a row of seed words nearby.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: KeywordHit, done: usize) -> usize {
    let bytes = pass.bytes;
    if hit.start < done {
        return done;
    }
    let limit = bytes.len().min(hit.end + LEAD_BYTES_MAX);
    let mut at = hit.end;
    while at < limit {
        let (row, end) = row_of_words(bytes, at);
        let count = row.len();
        if matches!(count, 12 | 15 | 18 | 21 | 24) {
            let span: Range<usize> = row[0].1.start..row[count - 1].1.end;
            let indices: Vec<u16> = row.iter().map(|(index, _)| *index).collect();
            if distinct(&indices) * 2 > count {
                let sound = checks(&indices);
                let confidence = if sound {
                    Confidence::Certain
                } else {
                    Confidence::Medium
                };
                pass.accept(rule, Rank::Formed, span, confidence);
            }
            return end;
        }
        at = end.max(at + 1);
    }
    limit.min(hit.end)
}

/// Consecutive words of the list from `at` on, separated by white space,
/// commas, quotes or numbers, and where the row ends.
fn row_of_words(bytes: &[u8], at: usize) -> (Vec<(u16, Range<usize>)>, usize) {
    let mut row = Vec::new();
    let mut at = at;
    while row.len() < 25 {
        let gap = bytes[at..]
            .iter()
            .take(12)
            .take_while(|byte| !byte.is_ascii_alphabetic() && **byte != b'{')
            .count();
        let start = at + gap;
        let length = bytes[start..]
            .iter()
            .take(9)
            .take_while(|byte| byte.is_ascii_lowercase())
            .count();
        match BIP39.position(&bytes[start..start + length]) {
            Some(index) => row.push((index as u16, start..start + length)),
            None => return (row, start + length.max(1)),
        }
        at = start + length;
    }
    (row, at)
}

/// The last bits of the words are the first bits of the hash of the others.
fn checks(indices: &[u16]) -> bool {
    let bits: Vec<bool> = indices
        .iter()
        .flat_map(|index| (0..11).rev().map(move |bit| index >> bit & 1 == 1))
        .collect();
    let sum = bits.len() / 33;
    let (entropy, check) = bits.split_at(bits.len() - sum);
    let byte = |bits: &[bool]| {
        bits.iter()
            .fold(0_u8, |byte, &bit| byte << 1 | u8::from(bit))
    };
    let bytes: Vec<u8> = entropy.chunks(8).map(byte).collect();
    let digest = Sha256::digest(&bytes);
    check
        .iter()
        .enumerate()
        .all(|(at, &bit)| (digest[0] >> (7 - at) & 1 == 1) == bit)
}

fn distinct(indices: &[u16]) -> usize {
    let mut sorted = indices.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vector of the specification: eleven zeros and a three.
    #[test]
    fn the_checksum_of_all_zeros() {
        assert!(checks(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]));
        assert!(!checks(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]));
    }
}
