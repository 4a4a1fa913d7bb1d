//! Markdown links as they stand in a line, and the files they point to.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

/// A `[title](target)`, as offsets in the text it was found in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// Between the brackets.
    pub(super) title: Range<usize>,
    /// Between the parentheses, without blanks and without a quoted link title.
    pub(super) target: Range<usize>,
    /// Just after the closing parenthesis.
    pub(super) end: usize,
}

/// The link that starts at a `[`.
pub(super) fn link_at(text: &[u8], at: usize) -> Option<Link> {
    let close = closing(text, at, b'[', b']')?;
    if text.get(close + 1) != Some(&b'(') {
        return None;
    }
    let open = close + 1;
    let gap = text[open + 1..].iter().take_while(|&&b| b == b' ').count();
    let start = open + 1 + gap;
    let (target, end) = if text.get(start) == Some(&b'<') {
        let angle = start + text[start..].iter().position(|&byte| byte == b'>')?;
        let end = angle + text[angle..].iter().position(|&byte| byte == b')')?;
        (start..angle + 1, end)
    } else {
        let end = closing(text, open, b'(', b')')?;
        let inner = without_title(text[start..end].trim_ascii_end());
        (start..start + inner.len(), end)
    };
    Some(Link {
        title: at + 1..close,
        target,
        end: end + 1,
    })
}

/// The partner of the bracket at `at`; escaped brackets do not count.
fn closing(text: &[u8], at: usize, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0_usize;
    let mut index = at;
    while index < text.len() {
        let byte = text[index];
        if byte == b'\\' {
            index += 1;
        } else if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(index);
            }
        }
        index += 1;
    }
    None
}

/// `file.md "a title"` without the title.
fn without_title(inner: &[u8]) -> &[u8] {
    if !inner.ends_with(b"\"") {
        return inner;
    }
    match inner.windows(2).position(|pair| pair == b" \"") {
        Some(at) if at + 2 < inner.len() => inner[..at].trim_ascii_end(),
        _ => inner,
    }
}

/// The file of the directory that a target names, in the spellings that it may be meant in: with
/// `%20` and `\(` resolved, and as it stands. `None` for anything outside the directory.
pub(super) fn file_of(target: &[u8]) -> Option<Spellings> {
    let text = String::from_utf8_lossy(target);
    let text = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .unwrap_or(&text);
    let path = text.split('#').next().unwrap_or_default();
    let path = path.strip_prefix("./").unwrap_or(path);
    let scheme = path.split_once(':').is_some_and(|(word, _)| {
        word.len() > 1
            && word
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    });
    if path.is_empty() || scheme || path.starts_with(['/', '\\']) || path.starts_with("../") {
        return None;
    }
    Some(Spellings {
        plain: percent_decoded(&unescaped(path)),
        literal: path.to_owned(),
    })
}

/// A path as written and as meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spellings {
    pub(super) plain: String,
    literal: String,
}

impl Spellings {
    /// Whether it names a file, whatever the Unicode normalization of either.
    pub(super) fn is(&self, path: &str) -> bool {
        self.all()
            .any(|spelling| spelling == path || composed(spelling) == composed(path))
    }

    /// The meaning first; as written only where that differs.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        let literal = Some(self.literal.as_str()).filter(|literal| *literal != self.plain);
        std::iter::once(self.plain.as_str()).chain(literal)
    }
}

/// The form in which file names are compared: file systems differ in theirs.
pub(super) fn composed(text: &str) -> String {
    if text.is_ascii() {
        text.to_owned()
    } else {
        text.nfc().collect()
    }
}

/// Without the backslashes in front of ASCII punctuation.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' && chars.peek().is_some_and(char::is_ascii_punctuation) {
            out.extend(chars.next());
        } else {
            out.push(c);
        }
    }
    out
}

/// With `%XX` resolved; as it was when that gives no text.
fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).filter(|_| byte == b'%');
        let code = hex
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn file(link: &str) -> Option<String> {
        let link_found = link_at(link.as_bytes(), 0).unwrap();
        file_of(&link.as_bytes()[link_found.target]).map(|file| file.plain)
    }

    #[test]
    fn targets_are_read_in_all_spellings() {
        for link in [
            "[t](a b.md)",
            "[t](a%20b.md)",
            "[t](<a b.md>)",
            "[t](./a b.md)",
            "[t](a%20b.md#part)",
            "[t](a%20b.md \"title\")",
            "[t [x] \\] y](a b.md)",
        ] {
            assert_eq!(file(link).as_deref(), Some("a b.md"), "{link}");
        }
        assert_eq!(file("[t](a(1).md)").as_deref(), Some("a(1).md"));
        assert_eq!(file("[t](100%.md)").as_deref(), Some("100%.md"));
    }

    #[test]
    fn what_is_no_file_of_the_directory_is_none() {
        for link in [
            "[t](https://x.y/a.md)",
            "[t](/etc/a.md)",
            "[t](../a.md)",
            "[t](#part)",
        ] {
            assert_eq!(file(link), None, "{link}");
        }
        assert_eq!(link_at(b"[[wiki]]", 0), None);
        assert_eq!(link_at(b"[t] (a.md)", 0), None);
    }
}
