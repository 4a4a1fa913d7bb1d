//! Texts cut to what fits into notes, free of secrets.

use mem_core::foreign_text::single_spaced;
use mem_secrets::redacted;

/// Looked at of one text; what a transcript quotes may be megabytes.
const LOOKED_AT_BYTES_MAX: usize = 32 * 1024;

/// A text on one line of at most so many characters.
pub(super) fn single_line(text: &str, chars_max: usize) -> String {
    let first = text.trim().lines().next().unwrap_or_default();
    cut_text(&clean_text(first), chars_max)
}

/// A text with every run of white space as one blank, and continued lines joined.
pub(super) fn join_words(text: &str, chars_max: usize) -> String {
    let text = clean_text(text).replace("\\\n", " ");
    cut_text(&single_spaced(&text), chars_max)
}

/// A text with its line breaks.
pub(super) fn text_block(text: &str, chars_max: usize) -> String {
    cut_text(clean_text(text).trim(), chars_max)
}

/// Without secrets and without characters that control a terminal.
fn clean_text(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(LOOKED_AT_BYTES_MAX)];
    let text = redacted(text);
    let is_plain = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.chars().filter(is_plain).collect()
}

fn cut_text(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((end, _)) => {
            // At the end of a word, where one is near.
            let kept = &text[..end];
            let space = kept.rfind(char::is_whitespace);
            let end = space.filter(|at| at * 4 > end * 3).unwrap_or(end);
            format!("{} ...", kept[..end].trim_end())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_words_and_cleaned() {
        assert_eq!(single_line("  one\ntwo", 80), "one");
        assert_eq!(
            single_line("a somewhat longer line of words", 22),
            "a somewhat longer ..."
        );
        assert_eq!(join_words("a \\\n  b\n\tc", 80), "a b c");
        assert_eq!(text_block("a\n\u{1b}[1mb", 80), "a\n[1mb");
    }
}
