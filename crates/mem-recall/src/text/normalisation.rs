//! One writing for what a reader takes as the same letters: case, accents, width, ligatures.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Compatibility-composed, so that full-width letters and half-width kana are the usual ones.
pub(super) fn compose_text(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || unicode_normalization::is_nfkc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// Lower case without accents. Marks are dropped from Latin, Greek and Cyrillic letters only: in
/// other scripts they make another letter.
pub fn fold_word(word: &str, out: &mut String) {
    if word.is_ascii() {
        out.extend(word.bytes().map(|b| char::from(b.to_ascii_lowercase())));
        return;
    }
    for c in word.chars().flat_map(char::to_lowercase) {
        match c {
            '\u{df}' => out.push_str("ss"),
            '\u{e6}' => out.push_str("ae"),
            '\u{153}' => out.push_str("oe"),
            '\u{f8}' => out.push('o'),
            '\u{142}' => out.push('l'),
            '\u{131}' => out.push('i'),
            '\u{3c2}' => out.push('\u{3c3}'),
            '\u{300}'..='\u{36f}' => {}
            _ if has_marks(c) => decompose_canonical(c, |d| {
                if !is_combining_mark(d) {
                    out.push(d);
                }
            }),
            _ => out.push(c),
        }
    }
}

fn has_marks(c: char) -> bool {
    matches!(u32::from(c), 0xC0..=0x52F | 0x1E00..=0x1FFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_folded_but_not_across_scripts() {
        let folded = |w: &str| {
            let mut out = String::new();
            fold_word(&compose_text(w), &mut out);
            out
        };
        assert_eq!(folded("\u{c9}T\u{c9}"), "ete");
        assert_eq!(folded("e\u{301}"), "e");
        assert_eq!(folded("\u{ff21}\u{ff22}"), "ab");
        assert_eq!(folded("\u{41e}\u{439}"), "\u{43e}\u{438}");
        assert_eq!(folded("\u{304c}"), "\u{304c}");
        assert_eq!(folded("\u{fb01}le"), "file");
    }
}
