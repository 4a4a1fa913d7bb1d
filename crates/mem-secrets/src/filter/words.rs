//! Tells words from noise: how surprising a value's letters are, and how much
//! of it a dictionary covers. This is what keeps `password = "password field"`
//! apart from a password, whatever the language it is written in.

use crate::filter::word_list::WordList;

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// Letters and the boundary of a word, as rows of the table.
const ROW: usize = 27;
/// Longest word of the dictionary.
const WORD_BYTES_MAX: usize = 14;
/// Values are judged by their first letters when they are longer.
const JUDGED_BYTES_MAX: usize = 96;

/// Mean surprise of the letters of `value` in bits, by a model of letter
/// triples in English text and source code; noise is above 5, words below 4.
/// Digits and signs end a word. Nothing when there are no letters.
pub(crate) fn surprise(value: &[u8]) -> Option<f32> {
    let (mut total, mut count) = (0_u32, 0_u32);
    for run in letter_runs(value) {
        let (mut before, mut last) = (0_usize, 0_usize);
        for &byte in run.iter().chain(b"\0") {
            let next = if byte == 0 {
                0
            } else {
                usize::from(byte | 0x20) - 96
            };
            total += u32::from(LETTERS[(before * ROW + last) * ROW + next]);
            count += 1;
            (before, last) = (last, next);
        }
    }
    (count > 0).then(|| total as f32 / 2.0 / count as f32)
}

/// How many of the letters of `value` belong to words of the dictionary, from
/// 0 to 1. Words of three letters count only where they stand alone.
pub(crate) fn coverage(value: &[u8]) -> f32 {
    let (mut covered, mut letters) = (0_usize, 0_usize);
    for run in letter_runs(value) {
        letters += run.len();
        covered += humps(run)
            .map(|hump| best_cover(&hump.to_ascii_lowercase()))
            .sum::<usize>()
            .max(best_cover(&run.to_ascii_lowercase()));
    }
    if letters == 0 {
        0.0
    } else {
        covered as f32 / letters as f32
    }
}

/// Whether `word` is in the dictionary, in lower case.
pub(crate) fn is_word(word: &[u8]) -> bool {
    WORDS.position(word).is_some()
}

/// Whether a value reads as words or names rather than noise.
pub(crate) fn reads(value: &[u8]) -> bool {
    let Some(surprise) = surprise(value) else {
        return false;
    };
    let letters = value
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count();
    if letters * 2 < value.len() {
        return false;
    }
    let coverage = coverage(value);
    coverage >= 0.75
        || (coverage >= 0.45 && surprise < 4.8)
        || (surprise < 3.9 && coverage > 0.2)
        || surprise < 3.4
}

/// Whether upper and lower case change as no name of a program does.
pub(crate) fn is_jumbled(value: &[u8]) -> bool {
    let humps = humps(value).count();
    value.len() >= 6 && humps >= 3 && humps * 3 > value.len()
}

/// Whether a value is a word with its apostrophe: `don't`, `it\'s`.
pub(crate) fn is_contraction(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| *byte == b'\'');
    let (word, end) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let word = word.strip_suffix(b"\\").unwrap_or(word);
    let is_end = [b"t".as_slice(), b"s", b"re", b"ve", b"ll", b"m", b"d"].contains(&end);
    is_end && parts.next().is_none() && !word.is_empty() && word.iter().all(u8::is_ascii_alphabetic)
}

fn letter_runs(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let head = &value[..value.len().min(JUDGED_BYTES_MAX)];
    head.split(|byte| !byte.is_ascii_alphabetic())
        .filter(|run| !run.is_empty())
}

/// `camelCaseWords` as `camel`, `Case`, `Words`.
fn humps(run: &[u8]) -> impl Iterator<Item = &[u8]> {
    run.chunk_by(|a, b| !(a.is_ascii_lowercase() && b.is_ascii_uppercase()))
}

/// The most letters of `text` that words can cover without overlap.
fn best_cover(text: &[u8]) -> usize {
    if text.len() == 3 && is_word(text) {
        return 3;
    }
    let mut best = vec![0_usize; text.len() + 1];
    for end in 1..=text.len() {
        best[end] = best[end - 1];
        for length in 4..=WORD_BYTES_MAX.min(end) {
            if best[end - length] + length > best[end] && is_word(&text[end - length..end]) {
                best[end] = best[end - length] + length;
            }
        }
    }
    best[text.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_and_noise_does_not() {
        for words in [
            "getPagesInConfluenceSpace",
            "my-secret-password",
            "hello world",
            "TestSourcePassword",
        ] {
            assert!(reads(words.as_bytes()), "{words}");
        }
        for noise in ["ZxYPxGxHwMBUOcgl", "qzkvjwxp", "x7Kp2mQ9", "bvtqyxzdfw"] {
            assert!(!reads(noise.as_bytes()), "{noise}");
        }
        assert!(is_jumbled(b"fMDaYOpi") && !is_jumbled(b"nextPageOfRows"));
    }
}
