//! What the words around a citation say about it.

use crate::limits::SENTENCE_BYTES_MAX;

/// Where a sentence ends.
const STOPS: [&str; 6] = [". ", "; ", "! ", "? ", "。", "；"];

/// The sentence around a part of a line: what stands in front of the part, and behind it. Offsets
/// within a character count as its ends.
pub(super) fn split_sentence(line: &str, start: usize, end: usize) -> (&str, &str) {
    let before = text_tail(&line[..line.floor_char_boundary(start)]);
    let from = STOPS
        .iter()
        .filter_map(|stop| before.rfind(stop).map(|at| at + stop.len()))
        .max()
        .unwrap_or(0);
    let after = text_head(&line[line.ceil_char_boundary(end)..]);
    let to = STOPS
        .iter()
        .filter_map(|stop| after.find(stop))
        .min()
        .unwrap_or(after.len());
    (&before[from..], &after[..to])
}

fn text_tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(SENTENCE_BYTES_MAX);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

fn text_head(text: &str) -> &str {
    let mut to = text.len().min(SENTENCE_BYTES_MAX);
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    &text[..to]
}

/// The last word in front of a citation, in lower case, without what is neither letter nor digit.
pub(super) fn word_before(before: &str) -> String {
    let mut words = text_tail(before).split_whitespace().rev();
    let plain = |word: &str| -> String {
        let kept = word.chars().filter(|c| c.is_alphanumeric());
        kept.collect::<String>().to_lowercase()
    };
    words
        .by_ref()
        .map(plain)
        .find(|word| !word.is_empty() && word != "the" && word != "a")
        .unwrap_or_default()
}

/// The first word behind a citation, in lower case.
pub(super) fn word_after(after: &str) -> String {
    let word = after.split_whitespace().next().unwrap_or_default();
    let kept = word.chars().filter(|c| c.is_alphanumeric());
    kept.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_its_stops() {
        let line = "`old()` was removed in June. Call `new()` instead";
        let at = line.find("`new").unwrap();
        let (before, after) = split_sentence(line, at, at + 7);
        assert_eq!((before, after), ("Call ", " instead"));
        assert_eq!(word_before(before), "call");
        assert_eq!(word_after(after), "instead");
        let line = "`old()`는 삭제됨。`new()` 사용";
        let at = line.find("`new").unwrap();
        assert_eq!(split_sentence(line, at, at + 7), ("", " 사용"));
    }
}
