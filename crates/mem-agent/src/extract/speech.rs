//! What a person said, sentence by sentence, without what they pasted.

use super::language::{fold_to_ascii, simplify_chinese};
use super::pasted_text::{own_lines, typed_part};
use crate::title::words_only;
use mem_core::foreign_text::single_spaced;

/// A line of fewer characters is not wrapped: what follows is another sentence.
const WRAPPED_CHARS_MIN: usize = 50;
/// Longer sentences are no speech.
const SENTENCE_BYTES_MAX: usize = 900;
/// Of a quotation, from so many words on it is somebody else's speech; from so many signs where words are not spaced.
const QUOTED_WORDS_MIN: usize = 3;
const QUOTED_SIGNS_MIN: usize = 10;

/// One sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    /// As it was written.
    pub text: String,
    /// In lower case, with straight quotes, long quotations blanked: what rules see.
    pub plain: String,
    /// Whether it is an item of a list.
    pub listed: bool,
}

/// The sentences of a prompt.
pub(super) fn split_sentences(prompt: &str) -> Vec<Sentence> {
    let mut all = Vec::new();
    let spoken = without_tags(prompt);
    let (mut paragraph, mut listed, mut last) = (String::new(), false, 0);
    for line in own_lines(typed_part(&spoken)).chain([""]) {
        let is_indented = line.starts_with(char::is_whitespace);
        let line = line.trim_start();
        let goes_on = is_wrapped(&paragraph, is_indented, last, line);
        last = line.chars().count();
        if !goes_on {
            split_paragraph(&paragraph, listed, &mut all);
            paragraph.clear();
            listed = without_bullet(line).len() < line.len();
        } else {
            paragraph.push(' ');
        }
        paragraph.push_str(without_bullet(line));
    }
    all
}

/// Whether a prompt has several lines that are not one wrapped sentence: a task with its details, a report, a document.
pub(super) fn has_several_lines(prompt: &str) -> bool {
    let spoken = without_tags(prompt);
    let lines = spoken.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let mut pairs = lines.windows(2);
    pairs.any(|two| !is_wrapped(two[0], false, two[0].chars().count(), two[1]))
}

/// Whether a line goes on with the sentence that the paragraph before it ends in; `last` is its last line's characters.
/// An indented one does where an item of a list was wrapped.
fn is_wrapped(paragraph: &str, is_indented: bool, last: usize, line: &str) -> bool {
    !paragraph.is_empty()
        && line.starts_with(|c: char| c.is_lowercase() || c == '(')
        && !paragraph.ends_with(['.', '!', '?', ':', '。'])
        && (is_indented || last >= WRAPPED_CHARS_MIN || is_joined(line))
}

/// Whether a line begins as only the second half of a sentence does.
fn is_joined(line: &str) -> bool {
    const JOINTS: [&str; 16] = [
        "in", "on", "at", "of", "for", "with", "and", "or", "but", "to", "by", "from", "because",
        "so", "than", "when",
    ];
    let word = line.split_whitespace().next().unwrap_or_default();
    (word.starts_with('(') || JOINTS.contains(&word)) && !line.starts_with("from now on")
}

/// The sentences of a quotation by their words alone; all of it as one where it has none that is one.
pub fn spoken_sentences(quote: &str) -> Vec<String> {
    let parts = split_sentences(quote);
    match parts.is_empty() {
        true => vec![words_only(quote)],
        false => parts.iter().map(|part| words_only(&part.text)).collect(),
    }
}

/// Without the blocks that hosts put into what a person typed: `<system-reminder>..</system-reminder>`.
fn without_tags(text: &str) -> String {
    let mut spoken = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, from) = rest.split_at(start);
        spoken.push_str(before);
        let name: String = from[1..]
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            .collect();
        let close = format!("</{name}>");
        let is_host = name.contains(['-', '_']);
        match from.find(&close).filter(|_| is_host) {
            Some(end) => rest = &from[end + close.len()..],
            None => {
                spoken.push('<');
                rest = &from[1..];
            }
        }
    }
    spoken + rest
}

fn without_bullet(line: &str) -> &str {
    let bare = line.trim_start_matches(['-', '*', '•', '·', ' ']);
    // "a) .."
    if let Some((letter, rest)) = bare.split_once(") ")
        && letter.len() == 1
        && letter.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        return rest;
    }
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = bare[digits..]
        .strip_prefix(". ")
        .or_else(|| bare[digits..].strip_prefix(") "));
    match numbered {
        Some(rest) if (1..=2).contains(&digits) => rest,
        _ => bare,
    }
}

/// Takes a paragraph apart.
fn split_paragraph(paragraph: &str, listed: bool, all: &mut Vec<Sentence>) {
    let mut add = |text: &str| {
        let text = text.trim();
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        // Two characters of a script that writes a word with one of them say as much as a word.
        let weights = letters.map(|c| if c >= '\u{3000}' { 2 } else { 1 });
        let has_words = weights.sum::<usize>() >= 3;
        if has_words && text.len() <= SENTENCE_BYTES_MAX {
            all.push(Sentence {
                text: text.to_owned(),
                plain: plain_text(text),
                listed,
            });
        }
    };
    let (mut start, mut is_quoted) = (0, false);
    for (at, character) in paragraph.char_indices() {
        // What is quoted is one thing, however many sentences it has.
        match character {
            '"' => is_quoted = !is_quoted && paragraph[at + 1..].contains('"'),
            '\u{201c}' => is_quoted = paragraph[at..].contains('\u{201d}'),
            '\u{201d}' => is_quoted = false,
            '「' | '『' => {
                is_quoted = is_quoted || paragraph[at..].contains(closing_corner(character));
            }
            '」' | '』' => is_quoted = false,
            _ => {}
        }
        if is_quoted {
            continue;
        }
        let end = at + character.len_utf8();
        let rest = &paragraph[end..];
        let is_end = match character {
            '。' | '！' | '？' => true,
            '!' | '?' => rest.is_empty() || rest.starts_with([' ', '\u{3000}']),
            '.' => {
                (rest.is_empty() || rest.starts_with(' '))
                    && !is_abbreviation(&paragraph[start..at])
            }
            _ => false,
        };
        if is_end {
            add(&paragraph[start..end]);
            start = end;
        }
    }
    add(&paragraph[start..]);
}

/// Whether the point after a text belongs to its last word.
fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit([' ', '(']).next().unwrap_or_default();
    let is_number =
        !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()) && last.len() <= 2;
    [
        "e.g", "i.e", "vs", "etc", "approx", "z.B", "z. B", "bzw", "ca", "Dr", "Mr", "Ms", "St",
        "p. ej", "ej",
    ]
    .contains(&last)
        || is_number
        || last.chars().count() == 1 && last.chars().all(char::is_alphabetic)
}

/// What rules see of a text.
fn plain_text(text: &str) -> String {
    let straight = text
        .replace(['\u{2019}', '\u{2018}', '`'], "'")
        .replace(['\u{201c}', '\u{201d}', '«', '»', '„'], "\"");
    let straight = straight.replace(['*', '_'], " ").replace("''", "'");
    let straight = without_corners(straight);
    let mut made = String::with_capacity(straight.len());
    for (at, piece) in straight.split('"').enumerate() {
        let is_quoted = at % 2 == 1;
        if at > 0 {
            made.push('"');
        }
        made.push_str(match is_quoted && is_long(piece) {
            true => "...",
            false => piece,
        });
    }
    let lower = fold_to_ascii(&made.to_lowercase());
    single_spaced(&simplify_chinese(lower))
}

/// Whether a quotation is speech, and not a name.
fn is_long(quotation: &str) -> bool {
    let signs = quotation.chars().filter(|c| *c >= '\u{3040}').count();
    quotation.split_whitespace().count() >= QUOTED_WORDS_MIN || signs >= QUOTED_SIGNS_MIN
}

fn closing_corner(opening: char) -> char {
    if opening == '「' { '」' } else { '』' }
}

/// Without the speech between the quotation marks of East Asia.
fn without_corners(text: String) -> String {
    if !text.contains(['「', '『']) {
        return text;
    }
    let mut made = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['「', '『']) {
        let opening = rest[at..].chars().next().unwrap_or('『');
        let start = at + opening.len_utf8();
        made.push_str(&rest[..start]);
        let end = rest[start..].find(closing_corner(opening));
        let quotation = &rest[start..end.map_or(start, |end| start + end)];
        made.push_str(match is_long(quotation) {
            true => "...",
            false => quotation,
        });
        rest = &rest[start + quotation.len()..];
    }
    made.push_str(rest);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(prompt: &str) -> Vec<String> {
        split_sentences(prompt)
            .into_iter()
            .map(|one| one.text)
            .collect()
    }

    #[test]
    fn speech_is_taken_apart_and_what_was_pasted_is_left() {
        let prompt = "No, don't do that. Use e.g. pnpm!\n\n- one rule\n2. another rule\n```\nnever(x);\n```\n\
            > always quoted\n2026-01-02T10:00:00Z never logged\n<system-reminder>always hidden\n</system-reminder>last";
        let expected = [
            "No, don't do that.",
            "Use e.g. pnpm!",
            "one rule",
            "another rule",
            "last",
        ];
        assert_eq!(texts(prompt), expected);
        assert_eq!(
            texts("请用中文回答。不要用英文！"),
            ["请用中文回答。", "不要用英文！"]
        );
    }

    #[test]
    fn other_peoples_words_are_left_out() {
        for prompt in [
            "the customer sent this:\n\"\"\"\nAlways add our number.\n\"\"\"\nanswer it",
            "our reviewer wrote:\nAlways add our number.\n\nanswer it",
            "---\nAlways add our number.\n---\nanswer it",
        ] {
            let said = texts(prompt);
            assert!(said.contains(&"answer it".to_owned()), "{said:?}");
            assert!(!said.iter().any(|one| one.contains("number")), "{said:?}");
        }
        assert_eq!(texts("---\nalways use tabs"), ["always use tabs"]);
        assert_eq!(
            texts("I always say:\nuse tabs"),
            ["I always say:", "use tabs"]
        );
    }

    #[test]
    fn lines_that_were_wrapped_are_one_sentence() {
        assert_eq!(
            texts("from now on use tabs\nin every file"),
            ["from now on use tabs in every file"]
        );
        assert_eq!(
            texts("we use tabs\nfrom now on never use spaces"),
            ["we use tabs", "from now on never use spaces"]
        );
        assert_eq!(
            texts("b) keep both but explain their\n   purposes since I'm new"),
            ["keep both but explain their purposes since I'm new"]
        );
        assert_eq!(texts("from x import y"), Vec::<String>::new());
        for (prompt, several) in [
            ("from now on use tabs\nin every file", false),
            ("use tabs\n\n", false),
            (
                "use tabs\n<system-reminder>\nnow\n</system-reminder>",
                false,
            ),
            ("Use tabs.\nUse them everywhere.", true),
            ("fix it\n```\ncode\n```", true),
        ] {
            assert_eq!(has_several_lines(prompt), several, "{prompt}");
        }
    }

    #[test]
    fn long_quotations_are_somebody_elses() {
        let said = split_sentences("the log says \u{201c}never use this key\u{201d} and `it` ends");
        assert_eq!(said[0].plain, "the log says \"...\" and 'it' ends");
        let said = split_sentences(
            "本に「コメントは絶対に書くな。コードで語れ」とあって笑った。「注文」は別",
        );
        assert_eq!(said[0].plain, "本に「...」とあって笑った。");
        assert_eq!(said[1].plain, "「注文」は別");
    }

    #[test]
    fn any_text_is_taken() {
        let long = "é never ".repeat(4_000);
        for text in [
            "",
            "<",
            "<a-b>",
            "```",
            "\"",
            "1.",
            "....",
            "「",
            long.as_str(),
        ] {
            split_sentences(text);
        }
    }
}
