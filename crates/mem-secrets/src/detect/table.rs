//! The values below a name that heads a column: of a table in Markdown, a file of comma-separated values, the rows of an
//! `INSERT` in SQL.

use std::ops::Range;

use super::line::{is_quote, line_before, white};
use super::name::{self, Family};

/// Longest row that is read.
const ROW_BYTES_MAX: usize = 4096;
/// Longest name of a column.
const NAME_BYTES_MAX: usize = 40;
/// Most spaces and quotes behind a name.
const GAP_BYTES_MAX: usize = 24;
/// Most columns of a table.
const COLUMNS_MAX: usize = 64;

/// A column with the name of a secret.
pub(super) struct SecretColumn {
    pub(super) name: Range<usize>,
    pub(super) family: Family,
    pub(super) values: Vec<Range<usize>>,
}

/// The column that the name at `span` heads, or ends the name of.
pub(super) fn column(bytes: &[u8], span: &Range<usize>) -> Option<SecretColumn> {
    let at = span.start;
    let is_outer = |byte: &&u8| is_quote(**byte) || **byte == b' ';
    let next = bytes[span.end..]
        .iter()
        .take(GAP_BYTES_MAX)
        .find(|byte| !is_outer(byte));
    if !matches!(
        next,
        None | Some(b',' | b';' | b'|' | b'\t' | b')' | b'\n' | b'\r')
    ) {
        return None;
    }
    let before = line_before(bytes, at);
    let start = at - before.len();
    if let Some(open) = memchr::memrchr(b'(', before)
        && is_insert(&before[..open])
    {
        return inserted(bytes, start + open, at);
    }
    let end = line_end(bytes, at)?;
    let line = start..end;
    let is_markdown = before.trim_ascii_start().starts_with(b"|");
    let sign = match is_markdown {
        true => b'|',
        false => *[b',', b';', b'\t']
            .iter()
            .find(|sign| bytes[line.clone()].contains(sign))?,
    };
    let names = cells(bytes, line.clone(), sign)?;
    let index = names.iter().position(|cell| cell.contains(&at))?;
    let family = secret_family(&bytes[names[index].clone()])?;
    let mut rows = end + 1;
    if is_markdown {
        let rule = rows..line_end(bytes, rows)?;
        if !is_rule(&bytes[rule.clone()]) {
            return None;
        }
        rows = rule.end + 1;
    } else if !heads_file(bytes, start) || !names.iter().all(|name| is_name(bytes, name)) {
        return None;
    }
    let mut values = Vec::new();
    while let Some(end) = line_end(bytes, rows)
        && let Some(row) = cells(bytes, rows..end, sign).filter(|row| row.len() == names.len())
    {
        // The next header is above a rule of its own.
        if is_rule(&bytes[rows..end]) {
            break;
        }
        values.extend(row.get(index).filter(|cell| !cell.is_empty()).cloned());
        rows = end + 1;
    }
    Some(SecretColumn {
        name: names[index].clone(),
        family,
        values,
    })
}

/// Whether a line is the one between the head of a table in Markdown and its rows.
fn is_rule(line: &[u8]) -> bool {
    let is_part = |byte: &u8| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\r');
    line.contains(&b'-') && line.iter().all(is_part)
}

/// Whether the names of columns follow: `INSERT INTO table`.
fn is_insert(before: &[u8]) -> bool {
    let words = before.split(u8::is_ascii_whitespace).rev();
    let mut words = words.filter(|word| !word.is_empty()).skip(1);
    let is_word = |word: Option<&[u8]>, wanted: &[u8]| {
        word.is_some_and(|word| {
            word[word.len().saturating_sub(wanted.len())..].eq_ignore_ascii_case(wanted)
        })
    };
    is_word(words.next(), b"into") && is_word(words.next(), b"insert")
}

/// The values of a column in the rows of `INSERT INTO table (columns) VALUES (row), (row)`, where they are strings.
fn inserted(bytes: &[u8], open: usize, at: usize) -> Option<SecretColumn> {
    const VALUES: &[u8] = b"values";
    let (names, end) = tuple(bytes, open)?;
    let index = names.iter().position(|cell| cell.contains(&at))?;
    let family = secret_family(&bytes[names[index].clone()])?;
    let word = end + white(bytes, end);
    let is_values = bytes
        .get(word..word + VALUES.len())
        .is_some_and(|word| word.eq_ignore_ascii_case(VALUES));
    let mut next = word + VALUES.len();
    let mut values = Vec::new();
    while is_values
        && let Some((row, end)) = tuple(bytes, next + white(bytes, next))
        && row.len() == names.len()
    {
        let is_string = |cell: &&Range<usize>| {
            let quote = cell.start.checked_sub(1).and_then(|at| bytes.get(at));
            quote == Some(&b'\'') && bytes.get(cell.end) == Some(&b'\'')
        };
        values.extend(row.get(index).filter(is_string).cloned());
        next = end + white(bytes, end);
        if bytes.get(next) != Some(&b',') {
            break;
        }
        next += 1;
    }
    Some(SecretColumn {
        name: names[index].clone(),
        family,
        values,
    })
}

/// The members of a row in parentheses, without their quotes, and where it ends.
fn tuple(bytes: &[u8], open: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let reach = bytes.len().min(open + ROW_BYTES_MAX);
    if bytes.get(open) != Some(&b'(') {
        return None;
    }
    let (mut members, mut from) = (Vec::new(), open + 1);
    let (mut quote, mut depth) = (None, 0);
    for (at, &byte) in (open..reach).zip(bytes.get(open..reach)?) {
        match byte {
            _ if quote.is_some() => quote = quote.filter(|quote| *quote != byte),
            _ if is_quote(byte) => quote = Some(byte),
            b'(' => depth += 1,
            b')' if depth > 1 => depth -= 1,
            b',' | b')' if depth == 1 => {
                members.push(trimmed(bytes, from..at));
                from = at + 1;
                if byte == b')' {
                    return Some((members, at + 1));
                }
            }
            _ => {}
        }
    }
    None
}

/// The cells of a row, without white space and quotes; none where there is one cell only.
fn cells(bytes: &[u8], line: Range<usize>, sign: u8) -> Option<Vec<Range<usize>>> {
    let (mut cells, mut from, mut quote) = (Vec::new(), line.start, None);
    for at in line.clone() {
        match bytes[at] {
            b'"' if sign != b'|' && (quote.is_some() || at == from) => {
                quote = quote.xor(Some(b'"'));
            }
            byte if byte == sign && quote.is_none() => {
                cells.push(trimmed(bytes, from..at));
                from = at + 1;
                if cells.len() == COLUMNS_MAX {
                    return None;
                }
            }
            _ => {}
        }
    }
    cells.push(trimmed(bytes, from..line.end));
    (cells.len() > 1).then_some(cells)
}

fn trimmed(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let text = &bytes[span.clone()];
    let start = span.end - text.trim_ascii_start().len();
    let end = start + text.trim_ascii().len();
    let is_quoted = end > start + 1 && is_quote(bytes[start]) && bytes[end - 1] == bytes[start];
    let quotes = usize::from(is_quoted);
    start + quotes..end - quotes
}

/// What the whole name of a column promises. A column of keys is one of names, mostly.
fn secret_family(name: &[u8]) -> Option<Family> {
    let family = Some(name).filter(|name| name.len() <= NAME_BYTES_MAX);
    family
        .and_then(name::family)
        .filter(|family| *family != Family::Weak)
}

/// Whether a cell is the name of a column, with nothing around it, unlike a word in a sentence.
fn is_name(bytes: &[u8], cell: &Range<usize>) -> bool {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ');
    let name = &bytes[cell.clone()];
    let is_tight = cell.start.checked_sub(1).is_none_or(|at| bytes[at] != b' ');
    is_tight && !name.is_empty() && name.len() <= NAME_BYTES_MAX && name.iter().all(is_part)
}

/// Whether a line is the first one of a text, or of a block between fences.
fn heads_file(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[..start];
    before.is_empty()
        || before == b"\xef\xbb\xbf"
        || line_before(bytes, start.saturating_sub(1)).starts_with(b"```")
}

/// Where the line ends that begins at `start`, or goes on there; none behind the last one, and for a long one.
fn line_end(bytes: &[u8], start: usize) -> Option<usize> {
    let reach = bytes.get(start..bytes.len().min(start + ROW_BYTES_MAX))?;
    let end = memchr::memchr(b'\n', reach).unwrap_or(reach.len());
    (!reach.is_empty() && reach.len() < ROW_BYTES_MAX || end < reach.len()).then_some(start + end)
}
