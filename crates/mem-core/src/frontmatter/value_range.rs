//! How far the value of a key reaches, and how it is written.

use std::ops::Range;

use super::entry::{YamlLine, YamlShape};
use super::scalar::{comment_start, is_space, quoted_end, trim_end};

/// A value's lines, bytes and shape.
pub(super) struct Extent {
    pub(super) first_line: usize,
    /// Index of the line after the last one.
    pub(super) end_line: usize,
    pub(super) value: Range<usize>,
    pub(super) shape: YamlShape,
}

/// The extent of the value behind the colon of line `at`. `lines` ends where the block ends.
pub(super) fn extent_of(bytes: &[u8], lines: &[YamlLine], at: usize, colon: usize) -> Extent {
    let line = lines[at];
    let gap = bytes[colon..line.end]
        .iter()
        .take_while(|&&byte| is_space(byte))
        .count();
    let start = colon + gap;
    let end = start + trim_end(&bytes[start..line.end]).len();
    let one_line = |shape, end| Extent {
        first_line: at,
        end_line: at + 1,
        value: start..end,
        shape,
    };
    match bytes[start..end].first() {
        None => below(bytes, lines, at, start),
        // A comment right behind the colon needs a blank before it, which the gap is.
        Some(b'#') if gap > 0 => below(bytes, lines, at, start),
        Some(b'"' | b'\'') => closed(bytes, lines, at, start, Closer::Quote)
            .unwrap_or_else(|| one_line(YamlShape::HalfQuoted, end)),
        Some(b'[' | b'{') => closed(bytes, lines, at, start, Closer::Bracket)
            .unwrap_or_else(|| one_line(YamlShape::Plain, end)),
        Some(b'|' | b'>') if is_block_header(&bytes[start..end]) => block(bytes, lines, at, start),
        Some(_) => match continuation_end(bytes, lines, at, false) {
            last if last > at + 1 => Extent {
                first_line: at,
                end_line: last,
                value: start..lines[last - 1].end,
                shape: YamlShape::Folded,
            },
            _ => one_line(YamlShape::Plain, end),
        },
    }
}

/// `|` or `>` with an indentation digit, a chomping sign and a comment at most.
fn is_block_header(text: &[u8]) -> bool {
    let rest = &text[1..];
    let signs = rest
        .iter()
        .take_while(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'))
        .count();
    signs <= 2 && matches!(trim_start(&rest[signs..]), [] | [b'#', ..])
}

fn trim_start(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|&&byte| is_space(byte)).count()..]
}

/// A value that starts on the lines below its key, or none at all.
fn below(bytes: &[u8], lines: &[YamlLine], at: usize, start: usize) -> Extent {
    let end_line = continuation_end(bytes, lines, at, true);
    let first = lines[at + 1..end_line]
        .iter()
        .find(|line| !line.is_blank() && !line.is_comment(bytes));
    let shape = match first {
        None => YamlShape::Empty,
        Some(line) if line.is_item(bytes) => YamlShape::List,
        Some(line) if looks_like_a_key(line.text(bytes)) => YamlShape::Map,
        Some(_) => YamlShape::Folded,
    };
    let end = match shape {
        YamlShape::Empty => start,
        _ => lines[end_line - 1].end,
    };
    Extent {
        first_line: at,
        end_line,
        value: start..end,
        shape,
    }
}

/// Whether a colon that a blank follows stands anywhere in a line.
pub(super) fn looks_like_a_key(text: &[u8]) -> bool {
    (0..text.len())
        .any(|at| text[at] == b':' && text.get(at + 1).is_none_or(|&byte| is_space(byte)))
}

/// A block scalar: every deeper line and the blank ones between them.
fn block(bytes: &[u8], lines: &[YamlLine], at: usize, start: usize) -> Extent {
    let base = lines[at].indent;
    let mut end_line = at + 1;
    for (index, line) in lines.iter().enumerate().skip(at + 1) {
        if line.is_blank() {
            continue;
        }
        if line.indent <= base {
            break;
        }
        end_line = index + 1;
    }
    debug_assert!(start < bytes.len());
    Extent {
        first_line: at,
        end_line,
        value: start..lines[end_line - 1].end,
        shape: YamlShape::Block,
    }
}

/// The line after the last that continues the value of line `at`. Comments and blank lines
/// belong to it only when more of the value follows. List items may stand as deep as their key.
fn continuation_end(bytes: &[u8], lines: &[YamlLine], at: usize, items: bool) -> usize {
    let base = lines[at].indent;
    let mut end = at + 1;
    for (index, line) in lines.iter().enumerate().skip(at + 1) {
        if line.is_blank() || line.is_comment(bytes) {
            continue;
        }
        if line.indent > base || (items && line.indent == base && line.is_item(bytes)) {
            end = index + 1;
        } else {
            break;
        }
    }
    end
}

#[derive(Clone, Copy)]
enum Closer {
    Quote,
    Bracket,
}

/// A value that ends with a closing quote or bracket, on this line or on deeper ones below.
/// `None` when it is never closed, or when text follows.
fn closed(
    bytes: &[u8],
    lines: &[YamlLine],
    at: usize,
    start: usize,
    how: Closer,
) -> Option<Extent> {
    let base = lines[at].indent;
    let reach = lines[at + 1..]
        .iter()
        .take_while(|line| {
            let closing = matches!(line.text(bytes).first(), Some(b']' | b'}'));
            line.is_blank() || line.indent > base || (line.indent == base && closing)
        })
        .last()
        .map_or(lines[at].end, |line| line.end);
    let text = &bytes[start..reach];
    let length = match how {
        Closer::Quote => quoted_end(text)?,
        Closer::Bracket => bracket_end(text)?,
    };
    let end = start + length;
    let last = at
        + lines[at..]
            .iter()
            .position(|line| end <= line.end)
            .unwrap_or_default();
    let rest = &bytes[end..lines[last].end];
    let nothing_follows = trim_end(rest).is_empty() || comment_start(rest) == Some(0);
    let shape = match (how, bytes[start]) {
        (Closer::Quote, _) => YamlShape::Quoted,
        (Closer::Bracket, b'[') => YamlShape::FlowList,
        (Closer::Bracket, _) => YamlShape::FlowMap,
    };
    nothing_follows.then_some(Extent {
        first_line: at,
        end_line: last + 1,
        value: start..end,
        shape,
    })
}

/// The length of a balanced `[...]` or `{...}` at the start of `text`; quotes are jumped over.
fn bracket_end(text: &[u8]) -> Option<usize> {
    let mut open = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            byte @ (b']' | b'}') => {
                if open.pop() != Some(byte) {
                    return None;
                }
                if open.is_empty() {
                    return Some(at + 1);
                }
            }
            b'"' | b'\'' if at > 0 && !text[at - 1].is_ascii_alphanumeric() => {
                at += quoted_end(&text[at..])?;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}
