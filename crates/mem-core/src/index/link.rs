//! Markdown links as they stand in a line.

use std::ops::Range;

use crate::limits::LINK_BYTES_MAX;

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
    let text = &text[..text.len().min(at + LINK_BYTES_MAX)];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::target::file_of;

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
