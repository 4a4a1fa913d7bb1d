//! Values without a YAML parser: at once where a line is plain beyond doubt, forgivingly where
//! the parser refuses the whole.

use super::entry::{Entry, Line, Shape};
use super::raw::Raw;
use super::scalar::{comment_start, fold_lines, quoted_end, trim_end, unquote};
use super::scan::Scan;

/// More entries than this are left to the YAML parser.
const CERTAIN_ENTRIES_MAX: usize = 32;

/// What an entry says, read by its lines. In a sentence ` #` is text.
pub(super) fn decode(bytes: &[u8], scan: &Scan<'_>, entry: &Entry<'_>, sentence: bool) -> Raw {
    let value = &bytes[entry.value.clone()];
    match entry.shape {
        Shape::Empty => Raw::Null,
        Shape::Map | Shape::FlowMap => Raw::Map,
        Shape::Quoted => Raw::Text(unquote(value)),
        Shape::HalfQuoted => Raw::plain(&String::from_utf8_lossy(value)),
        Shape::Plain => Raw::plain(&String::from_utf8_lossy(plain_part(value, sentence))),
        Shape::Folded => Raw::plain(fold_lines(&String::from_utf8_lossy(value)).trim()),
        Shape::FlowList => Raw::List(flow_items(value)),
        Shape::List => Raw::List(
            scan.lines[entry.lines.start + 1..entry.lines.end]
                .iter()
                .filter(|line| line.is_item(bytes))
                .map(|line| item(&line.text(bytes)[1..]))
                .collect(),
        ),
        Shape::Block => Raw::Text(block_text(
            bytes,
            &scan.lines[entry.lines.start + 1..entry.lines.end],
            value.first() == Some(&b'|'),
        )),
    }
}

/// A plain value without its comment.
pub(super) fn plain_part(value: &[u8], sentence: bool) -> &[u8] {
    match comment_start(value) {
        Some(at) if !sentence => &value[..at],
        _ => value,
    }
}

fn block_text(bytes: &[u8], lines: &[Line], literal: bool) -> String {
    let depth = lines
        .iter()
        .filter(|line| !line.is_blank())
        .map(|line| line.indent)
        .min()
        .unwrap_or(0);
    let mut text = String::new();
    for line in lines {
        let from = (line.start + depth).min(line.end);
        text.push_str(&String::from_utf8_lossy(&bytes[from..line.end]));
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    if literal { text } else { fold_lines(&text) }
}

/// One item of a list: quoted or plain.
fn item(text: &[u8]) -> String {
    let text = trim_end(text);
    let text = &text[text.iter().take_while(|&&byte| byte == b' ').count()..];
    let quoted = matches!(text.first(), Some(b'"' | b'\''));
    match quoted.then(|| quoted_end(text)).flatten() {
        Some(end) if end == text.len() || comment_start(&text[end..]) == Some(0) => {
            unquote(&text[..end])
        }
        _ => String::from_utf8_lossy(plain_part(text, false)).into_owned(),
    }
}

/// The items of `[a, "b, c"]`; what is nested in it stays as it is written.
pub(super) fn flow_items(value: &[u8]) -> Vec<String> {
    let inner = value.get(1..value.len().saturating_sub(1)).unwrap_or(b"");
    let (mut items, mut depth, mut from, mut at) = (Vec::new(), 0_usize, 0, 0);
    while at < inner.len() {
        match inner[at] {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                items.push(trimmed_item(&inner[from..at]));
                from = at + 1;
            }
            b'"' | b'\'' if trim_end(&inner[from..at]).is_empty() => {
                at += quoted_end(&inner[at..]).unwrap_or(1);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    items.push(trimmed_item(&inner[from..]));
    items.retain(|item| !item.is_empty());
    items
}

fn trimmed_item(text: &[u8]) -> String {
    let blank = |byte: &&u8| byte.is_ascii_whitespace();
    item(&text[text.iter().take_while(blank).count()..])
}

/// Whether every line is so plain that the YAML parser would say the same as [`decode`].
pub(super) fn is_certain(bytes: &[u8], scan: &Scan<'_>) -> bool {
    let (Some(first), Some(last)) = (scan.lines.first(), scan.lines.last()) else {
        return true;
    };
    let block = &bytes[first.start..last.next];
    scan.strays.is_empty()
        && scan.entries.len() <= CERTAIN_ENTRIES_MAX
        && is_printable(block)
        && scan.entries.iter().enumerate().all(|(index, entry)| {
            let twin = |other: &Entry<'_>| other.level == entry.level && other.key == entry.key;
            is_certain_entry(bytes, scan, entry) && !scan.entries[..index].iter().any(twin)
        })
}

/// UTF-8 without tabs, control characters and the rarer line breaks, which YAML treats apart.
fn is_printable(block: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(block) else {
        return false;
    };
    let mut bytes = block.iter().enumerate();
    bytes.all(|(at, &byte)| match byte {
        b'\r' => block.get(at + 1) == Some(&b'\n'),
        b'\n' => true,
        _ => (b' '..0x7f).contains(&byte) || byte >= 0x80,
    }) && (text.is_ascii()
        || text.chars().all(|c| {
            !matches!(
                c,
                '\u{80}'
                    ..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
            )
        }))
}

fn is_certain_entry(bytes: &[u8], scan: &Scan<'_>, entry: &Entry<'_>) -> bool {
    let line = scan.lines[entry.lines.start];
    let value = &bytes[entry.value.clone()];
    let alone = trim_end(&bytes[entry.value.end..scan.lines[entry.lines.end - 1].end]).is_empty();
    let spaced = bytes.get(entry.colon).is_none_or(|&byte| byte <= b' ');
    let place = match entry.level {
        super::field::Level::Top => line.indent == 0,
        super::field::Level::Metadata => line.indent > 0,
    };
    if entry.shape == Shape::Map {
        return entry.key == "metadata" && place && is_bare(bytes, entry, &line);
    }
    let key = &bytes[line.start + line.indent..entry.colon];
    entry.is_one_line()
        && place
        && spaced
        && is_certain_key(key)
        && match entry.shape {
            Shape::Empty => is_bare(bytes, entry, &line),
            Shape::Plain => is_certain_plain(value),
            Shape::Quoted => alone && is_certain_quoted(value),
            Shape::FlowList => alone && is_certain_list(value),
            _ => false,
        }
}

/// Whether nothing but blanks stands behind the colon.
fn is_bare(bytes: &[u8], entry: &Entry<'_>, line: &Line) -> bool {
    trim_end(&bytes[entry.colon..line.end]).is_empty()
}

/// An identifier and its colon; not one of the words that YAML reads as something else.
fn is_certain_key(key: &[u8]) -> bool {
    let Some((b':', word)) = key.split_last() else {
        return false;
    };
    let ident = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    word.first().is_some_and(u8::is_ascii_alphabetic)
        && word.iter().all(ident)
        && ![&b"true"[..], b"false", b"null"]
            .iter()
            .any(|special| word.eq_ignore_ascii_case(special))
}

fn is_certain_plain(value: &[u8]) -> bool {
    let indicator = |byte: &u8| b"-?:,[]{}#&*!|>'\"%@`".contains(byte);
    let pair = |pair: &[u8]| matches!(pair, b": " | b" #");
    !value.first().is_none_or(indicator)
        && !value.windows(2).any(pair)
        && value.last() != Some(&b':')
}

/// Quoted, with no escape but the common ones.
fn is_certain_quoted(value: &[u8]) -> bool {
    if value[0] == b'\'' {
        return true;
    }
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        if byte == b'\\' && !matches!(bytes.next(), Some(b'"' | b'\\' | b'n' | b't')) {
            return false;
        }
    }
    true
}

/// `[a, b]` of bare words.
fn is_certain_list(value: &[u8]) -> bool {
    let inner = &value[1..value.len() - 1];
    let word = |item: &[u8]| {
        let item = item.trim_ascii();
        item.first().is_some_and(u8::is_ascii_alphabetic)
            && item
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
            && !super::raw::is_null_word(&String::from_utf8_lossy(item))
    };
    inner.trim_ascii().is_empty() || inner.split(|&byte| byte == b',').all(word)
}
