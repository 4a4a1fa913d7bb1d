//! Single scalars: where a quoted one ends, what it says, where a comment begins.

/// A blank or a tab.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Without the blanks, tabs and line endings at the end.
pub(crate) fn trim_end(text: &[u8]) -> &[u8] {
    let kept = text
        .iter()
        .rposition(|&byte| !is_space(byte) && !matches!(byte, b'\r' | b'\n'))
        .map_or(0, |at| at + 1);
    &text[..kept]
}

/// Where a comment begins: the blanks in front of a `#` that follows a blank.
pub(crate) fn comment_start(text: &[u8]) -> Option<usize> {
    let hash =
        (1..text.len()).find(|&at| text[at] == b'#' && is_space(text[at.saturating_sub(1)]))?;
    Some(trim_end(&text[..hash]).len())
}

/// The length of the quoted scalar at the start of `text`, both quotes included.
pub(crate) fn quoted_end(text: &[u8]) -> Option<usize> {
    let quote = *text.first()?;
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote => {
                if quote == b'\'' && text.get(at + 1) == Some(&b'\'') {
                    at += 1;
                } else {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// What a quoted scalar says; `text` carries both quotes. Lines are folded into one, an escape
/// that YAML does not know stands for itself, bytes that are not UTF-8 are replaced.
pub(crate) fn unquote(text: &[u8]) -> String {
    let inner = text
        .get(1..text.len().saturating_sub(1))
        .unwrap_or_default();
    let inner = fold_lines(&String::from_utf8_lossy(inner));
    if text.first() == Some(&b'\'') {
        inner.replace("''", "'")
    } else if inner.contains('\\') {
        unescape(&inner)
    } else {
        inner
    }
}

/// Joins lines with one blank; an empty line is a line break.
pub(crate) fn fold_lines(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let mut folded = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        let line = line.trim_matches([' ', '\t', '\r']);
        if index > 0 {
            folded.push(if line.is_empty() { '\n' } else { ' ' });
        }
        folded.push_str(line);
    }
    folded.replace("\n ", "\n")
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(code) = rest.chars().next() else {
            out.push('\\');
            break;
        };
        rest = &rest[code.len_utf8()..];
        if let Some(c) = simple_escape(code) {
            out.push(c);
            continue;
        }
        let digits = match code {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        match hex_char(rest, digits) {
            Some(c) => {
                out.push(c);
                rest = &rest[digits..];
            }
            None => out.extend(['\\', code]),
        }
    }
    out.push_str(rest);
    out
}

fn hex_char(text: &str, digits: usize) -> Option<char> {
    let hex = text.get(..digits).filter(|hex| !hex.is_empty())?;
    u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)
}

fn simple_escape(code: char) -> Option<char> {
    Some(match code {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '/' | '\\' => code,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_scalars_end_where_yaml_says() {
        assert_eq!(quoted_end(br#""a \" b" c"#), Some(8));
        assert_eq!(quoted_end(b"'it''s' x"), Some(7));
        assert_eq!(quoted_end(b"'tis"), None);
        assert_eq!(unquote(br#""a\tb \u2014 \q""#), "a\tb — \\q");
        assert_eq!(unquote(b"'it''s'"), "it's");
    }

    #[test]
    fn a_comment_needs_a_blank_before_it() {
        assert_eq!(comment_start(b"a #b"), Some(1));
        assert_eq!(comment_start(b"a#b"), None);
        assert_eq!(comment_start(b"  # x"), Some(0));
    }
}
