//! Citations in running text, where almost every word is a word.

use super::context::word_before;
use super::{CitationShape, path, reference, url};

/// What the words of a piece of prose cite, each with its offset and its own text.
pub(super) fn prose_shapes<'a>(
    prose: &'a str,
    remotes: &[String],
) -> Vec<(usize, &'a str, CitationShape)> {
    let mut found = Vec::new();
    let mut at = 0;
    for raw in prose.split_inclusive(char::is_whitespace) {
        let start = at;
        at += raw.len();
        let word = raw
            .trim_start_matches(is_edge)
            .trim_end_matches(|c| is_edge(c) || c == '.' || c == ':');
        if word.len() < 5 {
            continue;
        }
        let shape = if word.contains("://") {
            url::parse_remote_url(word, remotes)
        } else {
            path::in_prose(word)
                .or_else(|| reference::in_prose(word, &word_before(&prose[..start])))
        };
        found.extend(shape.map(|shape| (start, word, shape)));
    }
    found
}

/// Punctuation around a word.
fn is_edge(c: char) -> bool {
    c.is_whitespace() || "()[]{}<>\"'“”‘’«»,;!?*_|→—…".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_a_word() {
        let words = |text| -> Vec<&str> {
            prose_shapes(text, &[])
                .into_iter()
                .map(|(_, word, _)| word)
                .collect()
        };
        assert_eq!(
            words("See (src/auth.rs:42), and/or main.rs."),
            ["src/auth.rs:42"]
        );
        assert_eq!(
            words("**docs/plan.md**: fixed in commit a1b2c3d."),
            ["docs/plan.md", "a1b2c3d"]
        );
        assert_eq!(
            words("TCP/IP, e.g. Node.js on https://x.y/z/a.rs, a1b2c3d"),
            [""; 0]
        );
    }
}
