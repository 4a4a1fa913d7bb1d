//! Finds every rule's keywords in one pass: the only thing that looks at
//! every byte, so the speed of the whole scanner is the speed of this loop.
//!
//! Three bytes in a row index a bitmap of 4 KB, which stays in the first level
//! cache; an automaton's table would not. Only where the bit is set are
//! keywords compared.

pub(crate) mod tables;

use std::borrow::Cow;

use self::tables::{CLASS_BITS, GRAMS, KEYWORD_BYTES_MIN};

/// The class of every byte.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = tables::class(byte as u8);
        byte += 1;
    }
    classes
};

/// A set of keywords, either compiled into the crate or built at run time.
#[derive(Clone)]
pub(crate) struct Keywords {
    pub(crate) bits: Cow<'static, [u64]>,
    pub(crate) buckets: Cow<'static, [u16]>,
    pub(crate) starts: Cow<'static, [u16]>,
    pub(crate) members: Cow<'static, [u16]>,
    pub(crate) heads: Cow<'static, [u64]>,
    pub(crate) folds: Cow<'static, [u64]>,
    pub(crate) fourths: Cow<'static, [u32]>,
    /// The keywords in lower case, one after another.
    pub(crate) text: Cow<'static, [u8]>,
    /// Where each keyword begins in `text`; one more at the end.
    pub(crate) places: Cow<'static, [u16]>,
}

impl Keywords {
    /// The keywords of a user's rules, in lower case.
    pub(crate) fn new(keywords: &[&[u8]]) -> Result<Self, String> {
        let tables = tables::build(keywords)?;
        let mut places = vec![0_u16];
        let mut text = Vec::new();
        for word in keywords {
            text.extend_from_slice(word);
            places.push(u16::try_from(text.len()).map_err(|error| error.to_string())?);
        }
        Ok(Self {
            bits: tables.bits.into(),
            buckets: tables.buckets.into(),
            starts: tables.starts.into(),
            members: tables.members.into(),
            heads: tables.heads.into(),
            folds: tables.folds.into(),
            fourths: tables.fourths.into(),
            text: text.into(),
            places: places.into(),
        })
    }

    /// Calls `visit(keyword, start, end)` for each keyword at each place, in
    /// the order of their beginnings.
    pub(crate) fn each(&self, bytes: &[u8], mut visit: impl FnMut(u16, usize, usize)) {
        let Some(bits) = self.bits.first_chunk::<{ GRAMS / 64 }>() else {
            return;
        };
        let is_first = |gram: usize| bits[gram / 64] >> (gram % 64) & 1 == 1;
        let (fours, rest) = bytes.as_chunks::<4>();
        let (mut gram, mut at) = (0, 0);
        for four in fours {
            let grams = next_grams(gram, four);
            gram = grams[3];
            // One branch for four bytes: nearly always no keyword begins at any of them.
            if grams.iter().fold(false, |any, &gram| any | is_first(gram)) {
                for (end, &gram) in (at + 1..).zip(&grams) {
                    if is_first(gram) && end >= KEYWORD_BYTES_MIN {
                        self.compare(bytes, end - KEYWORD_BYTES_MIN, gram, &mut visit);
                    }
                }
            }
            at += 4;
        }
        for (end, &byte) in (at + 1..).zip(rest) {
            gram = next_gram(gram, byte);
            if is_first(gram) && end >= KEYWORD_BYTES_MIN {
                self.compare(bytes, end - KEYWORD_BYTES_MIN, gram, &mut visit);
            }
        }
    }

    fn compare(
        &self,
        bytes: &[u8],
        at: usize,
        gram: usize,
        visit: &mut impl FnMut(u16, usize, usize),
    ) {
        let bucket = usize::from(self.buckets[gram]);
        let fourth = bytes
            .get(at + KEYWORD_BYTES_MIN)
            .map_or(0, |byte| CLASSES[usize::from(*byte)]);
        if self.fourths[bucket] >> fourth & 1 == 0 {
            return;
        }
        let text = eight(bytes, at);
        let members = usize::from(self.starts[bucket])..usize::from(self.starts[bucket + 1]);
        let heads = self.heads[members.clone()]
            .iter()
            .zip(&self.folds[members.clone()]);
        for ((head, fold), &keyword) in heads.zip(&self.members[members]) {
            if text | fold != *head {
                continue;
            }
            let word = self.word(keyword);
            let end = at + word.len();
            let rest = bytes.get(at + word.len().min(8)..end);
            if rest.is_some_and(|rest| rest.eq_ignore_ascii_case(&word[word.len().min(8)..])) {
                visit(keyword, at, end);
            }
        }
    }

    fn word(&self, keyword: u16) -> &[u8] {
        let keyword = usize::from(keyword);
        &self.text[usize::from(self.places[keyword])..usize::from(self.places[keyword + 1])]
    }
}

/// The gram that ends with `byte`, after the one that ends before it.
fn next_gram(gram: usize, byte: u8) -> usize {
    (gram << CLASS_BITS | usize::from(CLASSES[usize::from(byte)])) & (GRAMS - 1)
}

/// The grams that end with each of four bytes.
fn next_grams(gram: usize, bytes: &[u8; 4]) -> [usize; 4] {
    let first = next_gram(gram, bytes[0]);
    let second = next_gram(first, bytes[1]);
    let third = next_gram(second, bytes[2]);
    [first, second, third, next_gram(third, bytes[3])]
}

/// The eight bytes from `at` on, the first one lowest; beyond the end there are zeros, which no
/// keyword has.
fn eight(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    let eight = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut padded = [0; 8];
        padded[..rest.len()].copy_from_slice(rest);
        padded
    });
    u64::from_le_bytes(eight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn finds_overlapping_keywords_whatever_their_case() {
        let keywords = Keywords::new(&[b"api", b"apikey", b"key"]).unwrap();
        let mut seen = Vec::new();
        keywords.each(b"My_APIKEY keys", |word, start, end| {
            seen.push((word, start, end));
        });
        assert_eq!(seen, [(0, 3, 6), (1, 3, 9), (2, 6, 9), (2, 10, 13)]);
    }

    #[test]
    fn refuses_what_would_match_everywhere() {
        assert!(Keywords::new(&[b"api", b""]).is_err());
    }

    proptest! {
        #[test]
        fn finds_what_a_plain_search_finds(text in "([a-cA-C:_]{0,20}|a_bca:c?a?B?|[jqz密码]{0,8}){0,4}") {
            let words: [&[u8]; 7] = [
                b"abc", b"bca", b"a:_", b"cccc", b"a_bca:cab", b"jqz", "密码".as_bytes(),
            ];
            let mut seen = Vec::new();
            let keywords = Keywords::new(&words).unwrap();
            keywords.each(text.as_bytes(), |word, start, _| seen.push((start, word)));
            let lower = text.to_lowercase();
            let mut plain = Vec::new();
            for (index, word) in (0_u16..).zip(words) {
                let found = lower.as_bytes().windows(word.len()).enumerate();
                plain.extend(found.filter(|(_, w)| *w == word).map(|(at, _)| (at, index)));
            }
            plain.sort_unstable();
            seen.sort_unstable();
            prop_assert_eq!(seen, plain);
        }
    }
}
