//! Texts cut to what fits into notes, free of secrets.

use mem_core::foreign_text::single_spaced;
use mem_secrets::redacted;

use super::super::fence::{Fence, close_fence};

/// Looked at of one text; what a transcript quotes may be megabytes.
const LOOKED_AT_BYTES_MAX: usize = 32 * 1024;
/// Stands where a text was cut.
const CUT: &str = "...";

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

/// A text with its line breaks. A code block that the cut leaves open is closed: what follows in the notes would be code.
pub(super) fn text_block(text: &str, chars_max: usize) -> String {
    let text = clean_text(text);
    let text = text.trim();
    let Some(kept) = kept_part(text, chars_max) else {
        return close_fence(text.to_owned());
    };
    let marked = format!("{kept} {CUT}");
    if Fence::open_at_end(&marked).is_none() {
        return marked;
    }
    // On its own line the mark changes no line of code, and no fence.
    close_fence(format!("{kept}\n{CUT}"))
}

/// Without secrets and without characters that control a terminal.
fn clean_text(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(LOOKED_AT_BYTES_MAX)];
    let text = redacted(text);
    let is_plain = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.chars().filter(is_plain).collect()
}

fn cut_text(text: &str, chars_max: usize) -> String {
    match kept_part(text, chars_max) {
        None => text.to_owned(),
        Some(kept) => format!("{kept} {CUT}"),
    }
}

/// What is kept of a text that is longer; `None` for one that is not.
fn kept_part(text: &str, chars_max: usize) -> Option<&str> {
    let (end, _) = text.char_indices().nth(chars_max)?;
    // At the end of a word, where one is near.
    let kept = &text[..end];
    let space = kept.rfind(char::is_whitespace);
    let end = space.filter(|at| at * 4 > end * 3).unwrap_or(end);
    Some(kept[..end].trim_end())
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

    #[test]
    fn a_code_block_that_is_cut_is_closed() {
        let text = "Here:\n\n````rust\nlet one = 1;\nlet two = 2;\n````\nDone, and more.";
        let cut = "Here:\n\n````rust\nlet one = 1;\n...\n````";
        assert_eq!(text_block(text, 31), cut);
        let cut = "Here:\n\n````rust\nlet one = 1;\nlet two = 2;\n````\n...";
        assert_eq!(text_block(text, 51), cut);
        assert_eq!(text_block("```\na", 80), "```\na\n```");
        assert_eq!(text_block(text, 80), text);
    }
}
