//! A name that is a value itself, with the secret in the entry after or before it: `- name: DB_PASSWORD` and
//! `value: ...` of Kubernetes, `"Key": "..", "Value": ".."`; and a name with an object that holds the secret:
//! `variable "db_password" { default = ".." }`, `"adminPassword": {"value": ".."}`.

use std::ops::Range;

use super::line::{blank, indent, is_quote, line_before};
use super::name;
use crate::origin::FileKind;
use crate::rule::boundary::is_word;

/// White space between the two entries.
const GAP_BYTES_MAX: usize = 80;
/// Longest entry before a name, and longest object behind one, that are read.
const ENTRY_BYTES_MAX: usize = 600;
/// Keys of an object that hold the value of what it describes.
const VALUE_KEYS: [&[u8]; 3] = [b"value", b"default", b"defaultvalue"];

/// Where the value beside the name begins: `start` is where the name begins,
/// `at` what follows the name and its quote.
pub(super) fn value(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    if !matches!(bytes.get(at), None | Some(b',' | b'\n' | b'\r' | b'}')) {
        return None;
    }
    let key = naming_key(bytes, start)?;
    next(bytes, at).or_else(|| previous(bytes, key))
}

/// Where the value of the entry begins that follows at `at`.
fn next(bytes: &[u8], at: usize) -> Option<usize> {
    let apart = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b',';
    let gap = bytes[at.min(bytes.len())..].iter().take(GAP_BYTES_MAX);
    let at = at + gap.take_while(apart).count();
    let at = at + usize::from(bytes.get(at).is_some_and(|byte| is_quote(*byte)));
    let word = bytes.get(at..at + 5)?;
    let is_value = word.eq_ignore_ascii_case(b"value");
    is_value.then(|| after_key(bytes, at + 5)).flatten()
}

/// Where the value of the entry begins that ends before `key`, on a line of its own or on that of the key.
fn previous(bytes: &[u8], key: usize) -> Option<usize> {
    let from = key.saturating_sub(ENTRY_BYTES_MAX);
    let apart = |byte: &u8| byte.is_ascii_whitespace() || is_quote(*byte) || *byte == b',';
    let end = from + bytes[from..key].iter().rposition(|byte| !apart(byte))? + 1;
    let line = memchr::memrchr(b'\n', &bytes[from..end]).map_or(from, |newline| from + newline + 1);
    let word = bytes[line..end]
        .windows(5)
        .rposition(|word| word.eq_ignore_ascii_case(b"value"))?;
    let value = after_key(bytes, line + word + 5).filter(|value| *value < end)?;
    // The value goes up to the key, so that no other entry is between the two.
    let quote = bytes.get(value).copied().filter(|byte| is_quote(*byte));
    let ends = |byte: &u8| quote.map_or_else(|| apart(byte), |quote| *byte == quote);
    let text = bytes.get(value + usize::from(quote.is_some())..end)?;
    (!text.iter().any(ends)).then_some(value)
}

/// Where the value begins that an object holds for the name at `span`: `at` is what follows the name and its quote.
/// Only a name in quotes has its object without a sign between, and only settings have it on the lines below.
pub(super) fn member(
    bytes: &[u8],
    span: &Range<usize>,
    at: usize,
    (is_quoted, kind): (bool, FileKind),
) -> Option<usize> {
    let sign = bytes.get(at).filter(|byte| matches!(byte, b':' | b'='));
    let open = at + usize::from(sign.is_some());
    let open = open + blank(bytes, open);
    let reach = bytes.get(open..bytes.len().min(open + ENTRY_BYTES_MAX))?;
    let promises = || name::family(&bytes[span.clone()]).is_some();
    match reach.split_first()? {
        (b'{', inner) if (sign.is_some() || is_quoted) && promises() => {
            in_braces(inner).and_then(|end| after_key(bytes, open + 1 + end))
        }
        (b'\n' | b'\r', _) if sign == Some(&b':') && kind == FileKind::Config && promises() => {
            let column = key_column(line_before(bytes, span.start))?;
            in_lines(reach, column).and_then(|end| after_key(bytes, open + end))
        }
        _ => None,
    }
}

/// Where the key of a value ends in what follows a brace.
fn in_braces(text: &[u8]) -> Option<usize> {
    let inner = text.split(|byte| matches!(byte, b'{' | b'}')).next()?;
    let mut place = 0;
    for word in inner.split(|byte| !is_word(*byte)) {
        let end = place + word.len();
        if is_value_key(word) && opens_entry(&inner[..place]) {
            return Some(end);
        }
        place = end + 1;
    }
    None
}

/// Where the key of a value ends in the lines below a name that begins at `column`, all at the indent of the first one.
fn in_lines(text: &[u8], column: usize) -> Option<usize> {
    let (mut level, mut place) = (None, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let (start, depth) = (place + indent(line), indent(line));
        place += line.len();
        if line.trim_ascii().is_empty() {
            continue;
        }
        let level = *level.get_or_insert(depth);
        if depth < level || level <= column {
            return None;
        }
        let start = start + usize::from(text.get(start).is_some_and(|byte| is_quote(*byte)));
        let word = text[start..].split(|byte| !is_word(*byte)).next()?;
        if depth == level && is_value_key(word) {
            return Some(start + word.len());
        }
    }
    None
}

/// The column of a key that begins its line, behind nothing but the dash of a list and its quote.
pub(super) fn key_column(before: &[u8]) -> Option<usize> {
    let outer = match before {
        [head @ .., quote] if is_quote(*quote) => head,
        _ => before,
    };
    let is_dash = |text: &[u8]| matches!(text, [] | [b'-']);
    is_dash(outer.trim_ascii()).then_some(outer.len())
}

fn is_value_key(word: &[u8]) -> bool {
    VALUE_KEYS.iter().any(|key| word.eq_ignore_ascii_case(key))
}

/// Whether an entry of an object begins here, not a word of a text in it.
fn opens_entry(before: &[u8]) -> bool {
    let before = match before {
        [head @ .., quote] if is_quote(*quote) => head,
        _ => before,
    };
    let last = before.iter().rfind(|byte| !matches!(byte, b' ' | b'\t'));
    matches!(last, None | Some(b'\n' | b',' | b';'))
}

/// Where the value begins of a key that ends at `at`, before its quote.
fn after_key(bytes: &[u8], at: usize) -> Option<usize> {
    let at = at + usize::from(bytes.get(at).is_some_and(|byte| is_quote(*byte)));
    let at = at + blank(bytes, at);
    let is_given = matches!(bytes.get(at), Some(b':' | b'='));
    is_given.then(|| at + 1 + blank(bytes, at + 1))
}

/// Where the key begins that stands before a name and says that it is one: `name:`, `"key":` or their kind.
pub(super) fn naming_key(bytes: &[u8], start: usize) -> Option<usize> {
    let line = line_before(bytes, start);
    let begin = start - line.len();
    let trimmed = |line: &[u8]| {
        let outer = |byte: &u8| byte.is_ascii_whitespace() || is_quote(*byte);
        line.iter()
            .rposition(|byte| !outer(byte))
            .map_or(0, |last| last + 1)
    };
    let line = &line[..trimmed(line)];
    let Some((b':' | b'=', line)) = line.split_last() else {
        return None;
    };
    let line = line[..trimmed(line)].to_ascii_lowercase();
    let word = [b"name".as_slice(), b"key", b"variable", b"envvar"]
        .into_iter()
        .find(|word| line.ends_with(word))?;
    Some(begin + line.len() - word.len())
}
