//! A value that does not begin on the line of its name, or begins a list: the text below a key of YAML, a string in
//! brackets.

use super::line::{indent, is_quote, line_before, white};
use super::sibling::key_column;
use crate::origin::FileKind;
use crate::rule::boundary::is_word;

/// Longest line that is read, of a name's and of that below.
const LINE_BYTES_MAX: usize = 600;

/// Where the value of the name at `start` begins, for which nothing but white space, the sign of a block or an open
/// bracket is at `at`.
pub(super) fn value(bytes: &[u8], start: usize, at: usize, kind: FileKind) -> Option<usize> {
    let rest = bytes.get(at..bytes.len().min(at + LINE_BYTES_MAX))?;
    let line = rest.split(|byte| *byte == b'\n').next()?.trim_ascii();
    match line {
        [b'[', ..] if !is_plural(bytes, start) => None,
        [b'(' | b'[', ..] => bracketed(bytes, at),
        b"" | b"|" | b"|-" | b">" | b">-" if kind == FileKind::Config => {
            let head = bytes[..at].trim_ascii_end();
            let column = key_column(line_before(bytes, start)).filter(|_| head.ends_with(b":"))?;
            let next = at + memchr::memchr(b'\n', rest)? + 1;
            scalar(bytes.get(next..)?, column, line.is_empty()).map(|place| next + place)
        }
        _ => None,
    }
}

/// Whether the name at `start` is that of a list: what a password has in brackets is pieces or settings of it.
fn is_plural(bytes: &[u8], start: usize) -> bool {
    let name = bytes[start..].iter().take_while(|byte| is_word(**byte));
    name.last()
        .is_some_and(|last| last.eq_ignore_ascii_case(&b's'))
}

/// Where the string begins behind an open bracket; behind a parenthesis only on the next line, since a tuple has more
/// than the value.
fn bracketed(bytes: &[u8], at: usize) -> Option<usize> {
    let value = at + 1 + white(bytes, at + 1);
    let is_string = bytes.get(value).is_some_and(|byte| is_quote(*byte));
    let is_apart = bytes[at] == b'[' || bytes[at..value].contains(&b'\n');
    (is_string && is_apart).then_some(value)
}

/// Where the one word of the next line begins, deeper than a key at `column`, or in a list below it.
fn scalar(text: &[u8], column: usize, is_plain: bool) -> Option<usize> {
    let reach = &text[..text.len().min(LINE_BYTES_MAX)];
    let mut lines = reach.split(|byte| *byte == b'\n');
    let line = lines.next()?;
    let depth = indent(line);
    let word = line.trim_ascii();
    let item = word.strip_prefix(b"- ").filter(|_| is_plain);
    let is_deep = depth > column || item.is_some() && depth == column;
    // A text of more lines is a document.
    let goes_on = item.is_none()
        && lines
            .next()
            .is_some_and(|next| indent(next) > column && !next.trim_ascii().is_empty());
    let value = item.unwrap_or(word).trim_ascii_start();
    let is_word =
        !value.is_empty() && !value.iter().any(u8::is_ascii_whitespace) && !value.ends_with(b":");
    (is_deep && is_word && !goes_on)
        .then(|| line.len() - line.trim_ascii_start().len() + word.len() - value.len())
}
