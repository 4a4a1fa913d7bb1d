//! What of an entry is compared: its first clause, without the label in front and the reason behind.

use super::super::{denied, words};

/// Behind so many words of its own a clause may end.
const CLAUSE_WORDS_MIN: usize = 3;

/// The text without a label that only says what kind of entry it is.
pub(super) fn strip_label(text: &str) -> String {
    let mut rest = text.trim();
    while let Some((label, after)) = rest.split_once(": ") {
        let low = label.to_lowercase();
        if !words::LABELS.contains(low.as_str()) && !words::CORRECTIONS.contains(low.as_str()) {
            break;
        }
        rest = after.trim_start();
    }
    if rest.len() == text.trim().len() {
        return rest.to_owned();
    }
    let mut chars = rest.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

/// The words that are compared: without a label in front, the reason behind, and further sentences.
pub(super) fn first_clause(text: &str) -> (Vec<&str>, bool) {
    let mut all: Vec<&str> = text.split_whitespace().collect();
    let mut is_correction = false;
    while let Some(label) = all.first().and_then(|word| word.strip_suffix(':')) {
        let label = label.to_lowercase();
        is_correction |= words::CORRECTIONS.contains(label.as_str());
        if !words::LABELS.contains(label.as_str()) && !words::CORRECTIONS.contains(label.as_str()) {
            break;
        }
        all.remove(0);
    }
    let end = all.iter().enumerate().position(|(at, word)| {
        let low = word.to_lowercase();
        let ends = words::REASON.contains(low.as_str())
            || word.starts_with('(')
            || at
                .checked_sub(1)
                .is_some_and(|at| all[at].ends_with([';', '.', '!']));
        at >= CLAUSE_WORDS_MIN && ends && !denied::goes_on(&all[at..])
    });
    all.truncate(end.unwrap_or(all.len()));
    (all, is_correction)
}
