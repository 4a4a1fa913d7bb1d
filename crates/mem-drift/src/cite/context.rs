//! What the words around a citation say about it.

use crate::limits::SENTENCE_BYTES_MAX;

/// A note that says so does not claim that the thing is there.
const DENIALS: [&str; 42] = [
    "removed",
    "deleted",
    "dropped",
    "is gone",
    "are gone",
    "renamed",
    "replaced",
    "formerly",
    "previously",
    "used to be",
    "used to live",
    "no longer",
    "was called",
    "were called",
    "obsolete",
    "retired",
    "superseded",
    "does not exist",
    "doesn't exist",
    "never existed",
    "not yet",
    "will add",
    "will be added",
    "to be added",
    "todo",
    "planned",
    "moved from",
    "the old ",
    "an old ",
    "once was",
    "삭제",
    "제거",
    "없어졌",
    "더 이상",
    "删除",
    "移除",
    "废弃",
    "不再",
    "削除",
    "廃止",
    "なくな",
    "改名",
];

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

/// Whether the sentence says that the thing is gone or yet to come.
pub(super) fn is_denied(before: &str, after: &str) -> bool {
    let lower = format!("{before}\u{0}{after}").to_lowercase();
    word_before(before) == "no" || DENIALS.iter().any(|word| lower.contains(word))
}

/// The last word in front of a citation, in lower case, without what is neither letter nor digit.
pub(super) fn word_before(before: &str) -> String {
    let mut words = before.split_whitespace().rev();
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
    fn a_denial_holds_for_its_sentence_only() {
        let line = "`old()` was removed in June. Call `new()` instead";
        let (before, after) = split_sentence(line, 0, 7);
        assert!(is_denied(before, after));
        let at = line.find("`new").unwrap();
        let (before, after) = split_sentence(line, at, at + 7);
        assert!(!is_denied(before, after));
        assert_eq!(word_before(before), "call");
        assert_eq!(word_after(after), "instead");
        assert!(is_denied("there is no `", "` here"));
        assert!(!is_denied("not `", "` alone"));
        let line = "`old()`는 삭제됨。`new()` 사용";
        let at = line.find("`new").unwrap();
        let (before, after) = split_sentence(line, at, at + 7);
        assert!(!is_denied(before, after));
    }
}
