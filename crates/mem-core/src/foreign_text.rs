//! Text that somebody else wrote, made harmless for a terminal or a model that shows it.

use std::borrow::Cow;

/// Strips what a terminal would act on: control characters other than tab and newline, and the
/// marks that reorder text.
///
/// For everything that comes out of a file, a repository or a peer. JSON needs none of this: it
/// escapes.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_harmful) {
        Cow::Owned(text.chars().filter(|&c| !is_harmful(c)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a terminal would act on the character instead of showing it.
pub fn is_harmful(c: char) -> bool {
    let reorders = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    reorders || (c.is_control() && c != '\n' && c != '\t')
}

/// The words of a text, with one blank between each two.
pub fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// [`clean`] where one line is expected: a name with a line end in it must not look like two lines
/// of ours.
pub fn one_line(text: &str) -> String {
    let mark = |c: char| {
        if c.is_whitespace() && c != ' ' {
            '?'
        } else {
            c
        }
    };
    clean(text).chars().map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_reordering_go_and_words_stay() {
        assert_eq!(clean("a\u{1b}[31mb\u{7}\u{9b}c\rd"), "a[31mbcd");
        assert_eq!(clean("safe\u{202e}txt"), "safetxt");
        assert!(matches!(clean("통과 — fine\n\tyes"), Cow::Borrowed(_)));
    }
}
