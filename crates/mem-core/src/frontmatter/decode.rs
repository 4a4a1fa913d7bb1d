//! Values without a YAML parser, by the lines they stand on.

use super::entry::{YamlEntry, YamlLine, YamlShape};
use super::raw_value::RawValue;
use super::scalar::{comment_start, fold_lines, quoted_end, trim_end, unquote};
use super::scan::FrontmatterScan;

/// What an entry says, read by its lines. In a sentence ` #` is text.
pub(super) fn decode(
    bytes: &[u8],
    scan: &FrontmatterScan<'_>,
    entry: &YamlEntry<'_>,
    sentence: bool,
) -> RawValue {
    let value = &bytes[entry.value.clone()];
    match entry.shape {
        YamlShape::Empty => RawValue::Null,
        YamlShape::Map | YamlShape::FlowMap => RawValue::Map,
        YamlShape::Quoted => RawValue::Text(unquote(value)),
        YamlShape::HalfQuoted => RawValue::plain(&String::from_utf8_lossy(value)),
        YamlShape::Plain => RawValue::plain(&String::from_utf8_lossy(plain_part(value, sentence))),
        YamlShape::Folded => RawValue::plain(fold_lines(&String::from_utf8_lossy(value)).trim()),
        YamlShape::FlowList => RawValue::List(flow_items(value)),
        YamlShape::List => RawValue::List(
            scan.lines[entry.lines.start + 1..entry.lines.end]
                .iter()
                .filter(|line| line.is_item(bytes))
                .map(|line| item(&line.text(bytes)[1..]))
                .collect(),
        ),
        YamlShape::Block => RawValue::Text(block_text(
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

fn block_text(bytes: &[u8], lines: &[YamlLine], literal: bool) -> String {
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
