//! Plain-text search: every word must stand somewhere in the note, case and composition of
//! letters aside.

use unicode_normalization::UnicodeNormalization as _;

use crate::topic::TopicFile;

/// Snippets of one note.
const SNIPPETS_MAX: usize = 3;
/// Characters of one snippet.
const SNIPPET_CHARS_MAX: usize = 160;

/// The words of a query, ready to be looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordQuery {
    words: Vec<String>,
}

/// A line of a note that holds a word of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSnippet {
    /// The line in the file, from 1.
    pub line: usize,
    /// The line, cut around the word when it is long.
    pub text: String,
}

/// A note that holds every word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordHit {
    /// The higher the better: words in the name weigh most, then description and tags.
    pub score: usize,
    /// The first lines of the body that hold a word; empty when only the fields do.
    pub snippets: Vec<LineSnippet>,
}

impl WordQuery {
    /// Splits a text at white space. A query without words matches nothing.
    pub fn new(text: &str) -> Self {
        Self {
            words: text.split_whitespace().map(folded).collect(),
        }
    }

    /// Looks for the words in a note's name, description, tags and body.
    pub fn find(&self, topic: &TopicFile, bytes: &[u8]) -> Option<WordHit> {
        let name = folded(topic.name.as_deref().unwrap_or_default());
        let description = folded(topic.description.as_deref().unwrap_or_default());
        let tags = folded(&topic.tags.join("\n"));
        let body = String::from_utf8_lossy(topic.body(bytes));
        let body_folded = folded(&body);
        let weight = |word: &String| {
            let count = |text: &str, weight| {
                if text.contains(word.as_str()) {
                    weight
                } else {
                    0
                }
            };
            count(&name, 8) + count(&description, 4) + count(&tags, 4) + count(&body_folded, 1)
        };
        let weights: Vec<usize> = self.words.iter().map(weight).collect();
        if weights.is_empty() || weights.contains(&0) {
            return None;
        }
        let before = bytes[..topic.body.start.min(bytes.len())].iter();
        let first_line = 1 + before.filter(|&&byte| byte == b'\n').count();
        Some(WordHit {
            score: weights.iter().sum(),
            snippets: self.snippets(&body, first_line),
        })
    }

    fn snippets(&self, body: &str, first_line: usize) -> Vec<LineSnippet> {
        let found = body.lines().enumerate().filter_map(|(at, line)| {
            let folded = folded(line);
            let starts = self
                .words
                .iter()
                .filter_map(|word| folded.find(word.as_str()));
            let start = starts.min()?;
            Some(LineSnippet {
                line: first_line + at,
                text: around(line, folded[..start].chars().count()),
            })
        });
        found.take(SNIPPETS_MAX).collect()
    }
}

/// Lower case, composed.
fn folded(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfc().flat_map(char::to_lowercase).collect()
    }
}

/// A line, or the part of a long one around a character.
fn around(line: &str, at: usize) -> String {
    let line = line.trim();
    let count = line.chars().count();
    if count <= SNIPPET_CHARS_MAX {
        return line.to_owned();
    }
    let room = count - SNIPPET_CHARS_MAX;
    let start = at.saturating_sub(SNIPPET_CHARS_MAX / 4).min(room);
    let part: String = line.chars().skip(start).take(SNIPPET_CHARS_MAX).collect();
    let lead = if start > 0 { "…" } else { "" };
    let tail = if start < room { "…" } else { "" };
    format!("{lead}{part}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "---\nname: No Mocks\ndescription: real database\ntags: [tests]\n---\n\nUse PostgreSQL.\nCafe\u{301} too.\n";

    fn find(query: &str) -> Option<WordHit> {
        WordQuery::new(query).find(&TopicFile::parse(NOTE.as_bytes()), NOTE.as_bytes())
    }

    #[test]
    fn all_words_must_be_there_in_any_field() {
        assert!(find("MOCKS postgres tests database").is_some());
        assert!(find("mocks oracle").is_none());
        assert!(find("  ").is_none());
        assert!(find("type").is_none(), "keys are no text");
    }

    #[test]
    fn snippets_carry_the_line_of_the_file() {
        let hit = find("postgresql café").unwrap();
        let lines: Vec<_> = hit
            .snippets
            .iter()
            .map(|s| (s.line, s.text.as_str()))
            .collect();
        assert_eq!(lines, [(7, "Use PostgreSQL."), (8, "Cafe\u{301} too.")]);
        assert!(find("mocks").unwrap().score > find("postgresql").unwrap().score);
        assert_eq!(find("mocks").unwrap().snippets, []);
    }

    #[test]
    fn a_long_line_is_cut_around_the_word() {
        let note = format!("{} needle {}", "a ".repeat(300), "b ".repeat(300));
        let hit =
            WordQuery::new("needle").find(&TopicFile::parse(note.as_bytes()), note.as_bytes());
        let text = &hit.unwrap().snippets[0].text;
        assert!(text.contains("needle") && text.chars().count() <= 162 && text.starts_with('…'));
    }
}
