//! The few things of Markdown that matter here: code spans, links, wikilinks and prose, each with
//! the line around it. Code blocks and comments are left out.

use std::collections::BTreeMap;

use crate::limits::LINE_BYTES_MAX;

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkdownPiece<'a> {
    /// Between backticks.
    Code(&'a str),
    /// The target of `[text](target)` or `<target>`.
    Link(&'a str),
    /// Between double brackets.
    Wiki(&'a str),
    /// Everything else.
    Prose(&'a str),
}

/// The lines of a note that are neither frontmatter nor code nor a comment, numbered from 1.
pub(super) fn prose_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<(char, usize)> = None;
    let mut in_comment = false;
    let mut in_front = text.starts_with("---\n") || text.starts_with("---\r\n");
    text.lines().enumerate().filter_map(move |(at, line)| {
        let trimmed = line.trim();
        if in_front {
            in_front = at == 0 || trimmed != "---";
            return None;
        }
        if let Some(open) = fence {
            if closes_fence(trimmed, open) {
                fence = None;
            }
            return None;
        }
        if in_comment {
            in_comment = !trimmed.contains("-->");
            return None;
        }
        if let Some(open) = opening_fence(trimmed) {
            fence = Some(open);
            return None;
        }
        if trimmed.starts_with("<!--") {
            in_comment = !trimmed.contains("-->");
            return None;
        }
        Some((at + 1, clip_line(line)))
    })
}

fn clip_line(line: &str) -> &str {
    let mut end = line.len().min(LINE_BYTES_MAX);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

/// The mark and the length of the fence that a line opens. Lists indent theirs, so any depth goes.
fn opening_fence(trimmed: &str) -> Option<(char, usize)> {
    let trimmed = trimmed.trim_start_matches(['>', ' ']);
    let mark = trimmed.chars().next().filter(|&c| c == '`' || c == '~')?;
    let length = trimmed.chars().take_while(|&c| c == mark).count();
    let info = &trimmed[length..];
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

fn closes_fence(trimmed: &str, (mark, length): (char, usize)) -> bool {
    let trimmed = trimmed.trim_start_matches(['>', ' ']);
    trimmed.len() >= length && trimmed.chars().all(|c| c == mark)
}

/// Splits a line; each piece comes with its offset in the line.
pub(super) fn split_pieces(line: &str) -> Vec<(usize, MarkdownPiece<'_>)> {
    let bytes = line.as_bytes();
    let closers = Closers::in_line(line);
    let mut found = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    while at < bytes.len() {
        let Some((piece, end)) = special_piece(line, at, &closers) else {
            at += match bytes[at] {
                b'\\' => 2,
                b'`' => tick_run(&line[at..]),
                _ => 1,
            };
            continue;
        };
        if plain < at {
            found.push((plain, MarkdownPiece::Prose(&line[plain..at])));
        }
        found.push((at, piece));
        (at, plain) = (end, end);
    }
    if plain < bytes.len() {
        found.push((plain, MarkdownPiece::Prose(&line[plain..])));
    }
    found
}

/// Where what closes a span stands last in a line. A search that would find nothing is not begun, and one that finds
/// something ends where the next begins: reading a line costs its length.
struct Closers {
    wiki: Option<usize>,
    link: Option<usize>,
    angle: Option<usize>,
    /// By the number of backticks.
    ticks: BTreeMap<usize, usize>,
}

impl Closers {
    fn in_line(line: &str) -> Self {
        let mut ticks = BTreeMap::new();
        let mut at = 0;
        while let Some(next) = line[at..].find('`') {
            let run = tick_run(&line[at + next..]);
            ticks.insert(run, at + next);
            at += next + run;
        }
        Self {
            wiki: line.rfind("]]"),
            link: line.rfind(')'),
            angle: line.rfind('>'),
            ticks,
        }
    }
}

/// How many backticks a text starts with.
fn tick_run(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b'`').count()
}

/// What starts at an offset, and where it ends.
fn special_piece<'a>(
    line: &'a str,
    at: usize,
    closers: &Closers,
) -> Option<(MarkdownPiece<'a>, usize)> {
    let rest = &line.as_bytes()[at..];
    match rest[0] {
        b'`' => {
            let ticks = tick_run(&line[at..]);
            let from = at + ticks;
            closers.ticks.get(&ticks).filter(|last| **last >= from)?;
            let length = closing_ticks(&line[from..], ticks)?;
            let inner = line[from..from + length].trim();
            Some((MarkdownPiece::Code(inner), from + length + ticks))
        }
        b'[' if rest.starts_with(b"[[") => {
            closers.wiki.filter(|last| *last >= at + 2)?;
            let inner = &line[at + 2..];
            let length = inner.find("]]")?;
            // A name may end in brackets of its own: `[[x_[redacted]]]`.
            let has_own = inner[..length].contains('[') && inner[length + 2..].starts_with(']');
            let length = length + usize::from(has_own);
            Some((MarkdownPiece::Wiki(&inner[..length]), at + 2 + length + 2))
        }
        b']' if rest.starts_with(b"](") => {
            closers.link.filter(|last| *last >= at + 2)?;
            let inner = &line[at + 2..];
            let length = inner.find(')')?;
            Some((MarkdownPiece::Link(&inner[..length]), at + 2 + length + 1))
        }
        b'<' if rest[1..].starts_with(b"http") => {
            closers.angle.filter(|last| *last > at)?;
            let inner = &line[at + 1..];
            let length = inner.find('>')?;
            Some((MarkdownPiece::Link(&inner[..length]), at + 1 + length + 1))
        }
        _ => None,
    }
}

/// The length of what stands in front of a run of exactly so many backticks.
fn closing_ticks(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('`')?;
        let run = tick_run(&text[at..]);
        if run == ticks {
            return Some(at);
        }
        at += run;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_a_line() {
        let found = split_pieces("See `a.rs` and ``b`c`` in [x](d.md) [[e]] <https://f>.");
        let found: Vec<MarkdownPiece<'_>> = found.into_iter().map(|(_, piece)| piece).collect();
        assert_eq!(
            found,
            [
                MarkdownPiece::Prose("See "),
                MarkdownPiece::Code("a.rs"),
                MarkdownPiece::Prose(" and "),
                MarkdownPiece::Code("b`c"),
                MarkdownPiece::Prose(" in [x"),
                MarkdownPiece::Link("d.md"),
                MarkdownPiece::Prose(" "),
                MarkdownPiece::Wiki("e"),
                MarkdownPiece::Prose(" "),
                MarkdownPiece::Link("https://f"),
                MarkdownPiece::Prose("."),
            ]
        );
    }

    #[test]
    fn code_blocks_comments_and_frontmatter_are_no_lines() {
        let text =
            "---\nname: `x`\n---\na\n```sh\nb\n```\nc\n<!-- d\ne -->\nf\n  ~~~\n g\n  ~~~\nh";
        let kept: Vec<(usize, &str)> = prose_lines(text).collect();
        assert_eq!(kept, [(4, "a"), (8, "c"), (11, "f"), (15, "h")]);
    }

    #[test]
    fn odd_texts_do_no_harm() {
        for text in ["`", "``", "[[", "](", "\\", "<http", "é`é", "[[é", "\\é"] {
            split_pieces(text);
        }
    }
}
