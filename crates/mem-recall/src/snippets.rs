//! The lines of a text that answer a query, with the words that do.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use crate::text::{Stems, emit_terms, is_unspaced};

/// Snippets of one text.
const SNIPPETS_MAX: usize = 3;
/// Characters of one snippet.
const SNIPPET_CHARS_MAX: usize = 160;

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextSnippet {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line, cut around the first word when it is long.
    pub text: String,
    /// The words in it, as bytes of `text`.
    pub marks: Vec<Range<usize>>,
}

/// The lines of `body` in which `find` finds most different words, in their order. `first_line` is its first line's
/// number.
pub fn find_snippets(
    body: &str,
    first_line: usize,
    find: &mut dyn FnMut(&str) -> Vec<Range<usize>>,
) -> Vec<TextSnippet> {
    let found = body.lines().enumerate().filter_map(|(at, line)| {
        let marks = find(line);
        let words: HashSet<String> = marks
            .iter()
            .map(|mark| line[mark.clone()].to_lowercase())
            .collect();
        (!marks.is_empty()).then_some((words.len(), at, line, marks))
    });
    let mut best: Vec<_> = found.collect();
    best.sort_by_key(|&(words, at, ..)| (Reverse(words), at));
    best.truncate(SNIPPETS_MAX);
    best.sort_by_key(|&(_, at, ..)| at);
    let snippets = best
        .iter()
        .map(|(_, at, line, marks)| snippet_around(first_line + at, line, marks));
    snippets.collect()
}

/// The words of a line whose terms are among `wanted`.
pub fn find_words(line: &str, wanted: &HashSet<String>, stems: &mut Stems) -> Vec<Range<usize>> {
    let mut marks = Vec::new();
    let mut start = 0;
    for word in line.split_inclusive(|c: char| c.is_whitespace() || is_break(c)) {
        let text = word.trim_end_matches(|c: char| c.is_whitespace() || is_break(c));
        let lead = text.len()
            - text
                .trim_start_matches(|c: char| !c.is_alphanumeric())
                .len();
        let inner = text.trim_matches(|c: char| !c.is_alphanumeric());
        let at = start + lead;
        start += word.len();
        if inner.chars().any(is_unspaced) {
            let runs = wanted.iter().filter(|term| term.chars().any(is_unspaced));
            let places = runs.flat_map(|term| inner.match_indices(term.as_str()));
            marks.extend(places.map(|(place, term)| at + place..at + place + term.len()));
            continue;
        }
        let mut is_wanted = false;
        emit_terms(inner, stems, &mut |term| is_wanted |= wanted.contains(term));
        if is_wanted {
            marks.push(at..at + inner.len());
        }
    }
    merge_marks(marks)
}

/// What stands between words and in no identifier.
fn is_break(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | '(' | ')' | '[' | ']' | '"' | '`' | '*' | '|' | '='
    )
}

/// Marks in order, none within another.
fn merge_marks(mut marks: Vec<Range<usize>>) -> Vec<Range<usize>> {
    marks.sort_by_key(|mark| mark.start);
    let mut out: Vec<Range<usize>> = Vec::new();
    for mark in marks {
        match out.last_mut() {
            Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
            _ => out.push(mark),
        }
    }
    out
}

/// A line, or the part of a long one around its first mark.
fn snippet_around(line: usize, text: &str, marks: &[Range<usize>]) -> TextSnippet {
    let trimmed = text.trim_start();
    let lead = text.len() - trimmed.len();
    let trimmed = trimmed.trim_end();
    let starts: Vec<usize> = trimmed.char_indices().map(|(at, _)| at).collect();
    let first = marks
        .first()
        .map_or(0, |mark| mark.start.saturating_sub(lead));
    let place = starts.partition_point(|&at| at < first);
    let from = match starts.len() > SNIPPET_CHARS_MAX {
        true => place
            .saturating_sub(SNIPPET_CHARS_MAX / 4)
            .min(starts.len() - SNIPPET_CHARS_MAX),
        false => 0,
    };
    let end = starts
        .get(from + SNIPPET_CHARS_MAX)
        .copied()
        .unwrap_or(trimmed.len());
    let start = starts.get(from).copied().unwrap_or(0);
    let before = if start > 0 { "…" } else { "" };
    let after = if end < trimmed.len() { "…" } else { "" };
    let inside = |mark: &Range<usize>| {
        let mark = mark.start.saturating_sub(lead)..mark.end.saturating_sub(lead);
        let mark = mark.start.max(start)..mark.end.min(end);
        let shift = |at: usize| at - start + before.len();
        (mark.start < mark.end).then(|| shift(mark.start)..shift(mark.end))
    };
    TextSnippet {
        line,
        text: format!("{before}{}{after}", &trimmed[start..end]),
        marks: marks.iter().filter_map(inside).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(line: &str, wanted: &[&str]) -> Vec<String> {
        let wanted = wanted.iter().map(|term| (*term).to_owned()).collect();
        let marks = find_words(line, &wanted, &mut Stems::default());
        marks
            .into_iter()
            .map(|mark| line[mark].to_owned())
            .collect()
    }

    #[test]
    fn words_are_marked_by_their_stems() {
        assert_eq!(
            marked("We deployed (deploys, even) it.", &["deploy"]),
            ["deployed", "deploys"]
        );
        assert_eq!(
            marked("see `session_store`.", &["session"]),
            ["session_store"]
        );
        assert_eq!(marked("缓存失效了", &["缓存", "失效"]), ["缓存失效"]);
        assert!(marked("nothing", &["deploy"]).is_empty());
    }

    #[test]
    fn the_lines_with_most_words_are_shown() {
        let body = "Staging is A.\nStaging has B.\nStaging is reset.\nNothing.\nRoll back staging by hand.\n";
        let wanted = HashSet::from(["roll", "back", "stage"].map(str::to_owned));
        let found = find_snippets(body, 1, &mut |line| {
            find_words(line, &wanted, &mut Stems::default())
        });
        let lines: Vec<usize> = found.iter().map(|one| one.line).collect();
        assert_eq!(lines, [1, 2, 5]);
    }

    #[test]
    fn a_long_line_is_cut_around_its_first_word() {
        let line = format!("  {}needle {}", "é ".repeat(300), "b ".repeat(300));
        let wanted = HashSet::from(["needl".to_owned()]);
        let found = find_snippets(&line, 7, &mut |line| {
            find_words(line, &wanted, &mut Stems::default())
        });
        let one = &found[0];
        assert_eq!((one.line, &one.text[one.marks[0].clone()]), (7, "needle"));
        assert!(one.text.chars().count() <= SNIPPET_CHARS_MAX + 2 && one.text.starts_with('…'));
    }
}
