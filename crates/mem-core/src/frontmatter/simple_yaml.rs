//! Whether a frontmatter is so plain that it needs no YAML parser. Most are, and the parser costs
//! more than everything else together.

use super::entry::{YamlEntry, YamlLine, YamlShape};
use super::field::FieldLevel;
use super::raw_value::is_null_word;
use super::scalar::trim_end;
use super::scan::FrontmatterScan;

/// More entries than this are left to the YAML parser.
const CERTAIN_ENTRIES_MAX: usize = 32;

/// Whether every line is so plain that the YAML parser would say the same as
/// [`decode`](super::decode::decode).
pub(super) fn is_certain(bytes: &[u8], scan: &FrontmatterScan<'_>) -> bool {
    let (Some(first), Some(last)) = (scan.lines.first(), scan.lines.last()) else {
        return true;
    };
    let block = &bytes[first.start..last.next];
    scan.strays.is_empty()
        && scan.entries.len() <= CERTAIN_ENTRIES_MAX
        && is_printable(block)
        && scan.entries.iter().enumerate().all(|(index, entry)| {
            let twin = |other: &YamlEntry<'_>| other.level == entry.level && other.key == entry.key;
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

fn is_certain_entry(bytes: &[u8], scan: &FrontmatterScan<'_>, entry: &YamlEntry<'_>) -> bool {
    let line = scan.lines[entry.lines.start];
    let value = &bytes[entry.value.clone()];
    let alone = trim_end(&bytes[entry.value.end..scan.lines[entry.lines.end - 1].end]).is_empty();
    let spaced = bytes.get(entry.colon).is_none_or(|&byte| byte <= b' ');
    let place = match entry.level {
        FieldLevel::Top => line.indent == 0,
        FieldLevel::Metadata => line.indent > 0,
    };
    if entry.shape == YamlShape::Map {
        return entry.key == "metadata" && place && is_bare(bytes, entry, &line);
    }
    let key = &bytes[line.start + line.indent..entry.colon];
    entry.is_one_line()
        && place
        && spaced
        && is_certain_key(key)
        && match entry.shape {
            YamlShape::Empty => is_bare(bytes, entry, &line),
            YamlShape::Plain => is_certain_plain(value),
            YamlShape::Quoted => alone && is_certain_quoted(value),
            YamlShape::FlowList => alone && is_certain_list(value),
            _ => false,
        }
}

/// Whether nothing but blanks stands behind the colon.
fn is_bare(bytes: &[u8], entry: &YamlEntry<'_>, line: &YamlLine) -> bool {
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
            && !is_null_word(&String::from_utf8_lossy(item))
    };
    inner.trim_ascii().is_empty() || inner.split(|&byte| byte == b',').all(word)
}
