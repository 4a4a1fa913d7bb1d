//! The files that link targets name, in whatever spelling.

use unicode_normalization::UnicodeNormalization as _;

/// The file of the directory that a target names, in the spellings that it may be meant in: with
/// `%20` and `\(` resolved, and as it stands. `None` for anything outside the directory.
pub(super) fn file_of(target: &[u8]) -> Option<PathSpellings> {
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
    Some(PathSpellings {
        plain: percent_decoded(&unescaped(path)),
        literal: path.to_owned(),
    })
}

/// A path as written and as meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathSpellings {
    pub(super) plain: String,
    literal: String,
}

impl PathSpellings {
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
