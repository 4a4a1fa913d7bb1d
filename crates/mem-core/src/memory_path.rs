//! The one road from a string to a file: [`MemoryPath`].

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::Diagnose;
use crate::limits::{PATH_BYTES_MAX, PATH_SEGMENTS_MAX, SEGMENT_BYTES_MAX};

/// A relative, `/`-separated path inside a memory directory that cannot leave it.
///
/// Can only be made by [`MemoryPath::parse`]. Symbolic links are not its business: the store
/// opens every path through a directory handle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemoryPath(String);

/// Why a string is not a memory path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(Invalid, hint = "use a plain file name such as `project_release.md`")]
#[error(
    "`{}` is not a memory path: {reason}",
    crate::memory_path::printable(path)
)]
pub struct InvalidPath {
    path: String,
    reason: &'static str,
}

impl InvalidPath {
    /// What is wrong with it, without the path.
    pub fn reason(&self) -> &'static str {
        self.reason
    }
}

impl MemoryPath {
    /// Parses a path.
    ///
    /// # Errors
    /// An empty path, an absolute one (with a drive too), empty, `.` or `..` segments, backslashes,
    /// control characters, `.git`, names that Windows reserves, and anything over the limits. On
    /// Windows a colon too: what follows it names a part of a file that nobody sees.
    pub fn parse(path: &str) -> Result<Self, InvalidPath> {
        let fail = |reason| {
            Err(InvalidPath {
                path: path.to_owned(),
                reason,
            })
        };
        if is_plain(path) {
            return Ok(Self(path.to_owned()));
        }
        if path.is_empty() {
            return fail("it is empty");
        }
        if path.len() > PATH_BYTES_MAX {
            return fail("it is longer than 1,024 bytes");
        }
        if path.split('/').count() > PATH_SEGMENTS_MAX {
            return fail("it has more than 20 segments");
        }
        if is_on_drive(path) {
            return fail("it begins with a drive of Windows");
        }
        match path.split('/').find_map(segment_fault) {
            Some(reason) => fail(reason),
            None => Ok(Self(path.to_owned())),
        }
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last segment.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The last segment without `.md`.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        name.strip_suffix(".md").unwrap_or(name)
    }

    /// The folder it stands in, `None` at the top.
    pub fn parent(&self) -> Option<&str> {
        self.0.rsplit_once('/').map(|(folder, _)| folder)
    }
}

impl fmt::Display for MemoryPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for MemoryPath {
    type Error = InvalidPath;

    fn try_from(path: String) -> Result<Self, InvalidPath> {
        Self::parse(&path)
    }
}

impl From<MemoryPath> for String {
    fn from(path: MemoryPath) -> Self {
        path.0
    }
}

/// Whether it is absolute on Windows: `C:` alone and in front of a `/`. Elsewhere a colon may stand in a name.
fn is_on_drive(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    matches!(first.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// What is wrong with one segment, if anything.
fn segment_fault(segment: &str) -> Option<&'static str> {
    if segment.is_empty() {
        return Some("it is absolute or has an empty segment");
    }
    if segment == "." || segment == ".." {
        return Some("it has a `.` or `..` segment");
    }
    if segment.len() > SEGMENT_BYTES_MAX {
        return Some("a segment is longer than 255 bytes");
    }
    if segment.contains('\\') {
        return Some("it contains a backslash");
    }
    if cfg!(windows) && segment.contains(':') {
        return Some("it contains a colon");
    }
    if segment.chars().any(char::is_control) {
        return Some("it contains a control character");
    }
    if segment.eq_ignore_ascii_case(".git") {
        return Some("`.git` belongs to git");
    }
    if segment.ends_with('.') || segment.ends_with(' ') {
        return Some("a segment ends in a dot or a space");
    }
    is_device_name(segment).then_some("it is a reserved device name")
}

/// Names that Windows keeps for devices, with or without an extension.
fn is_device_name(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment).trim_end();
    // Most names are longer, and every name of a directory comes by here.
    if !(3..=4).contains(&stem.len()) {
        return false;
    }
    is_device(stem.as_bytes())
}

fn is_device(stem: &[u8]) -> bool {
    let named = |name: &str| stem.eq_ignore_ascii_case(name.as_bytes());
    let numbered = match stem.split_last() {
        Some((b'0'..=b'9', rest)) => ["COM", "LPT"]
            .iter()
            .any(|name| rest.eq_ignore_ascii_case(name.as_bytes())),
        _ => false,
    };
    numbered || ["CON", "PRN", "AUX", "NUL"].into_iter().any(named)
}

/// Whether it is seen at a glance that nothing is wrong with a path, as with nearly every one of the thousands that a
/// directory has: letters, digits and `_`, with `-` and `.` in between.
fn is_plain(path: &str) -> bool {
    let mut segments = 0;
    path.len() <= SEGMENT_BYTES_MAX
        && path.as_bytes().split(|byte| *byte == b'/').all(|segment| {
            segments += 1;
            segments <= PATH_SEGMENTS_MAX && is_plain_segment(segment)
        })
}

fn is_plain_segment(segment: &[u8]) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let ([first, ..], [.., last]) = (segment, segment) else {
        return false;
    };
    let inner = |byte: &u8| is_word(*byte) || matches!(byte, b'-' | b'.');
    let stem = segment.split(|byte| *byte == b'.').next();
    is_word(*first) && is_word(*last) && segment.iter().all(inner) && !stem.is_some_and(is_device)
}

/// Whether a path is another one, or lies below it.
pub(crate) fn is_at_or_below(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A string with characters that a terminal acts on shown as escapes, and cut when it is very long.
pub fn printable(text: &str) -> String {
    let cut = text
        .char_indices()
        .nth(120)
        .map_or(text.len(), |(at, _)| at);
    let mut shown = escaped(&text[..cut]);
    if cut < text.len() {
        shown.push('…');
    }
    shown
}

/// The same, whole: for what a person copies.
pub fn escaped(text: &str) -> String {
    text.chars().flat_map(escape_control).collect()
}

/// The character itself, or its escape where a terminal would act on it.
fn escape_control(c: char) -> Vec<char> {
    let reorders = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if c.is_control() || reorders {
        c.escape_default().collect()
    } else {
        vec![c]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_shown_as_escapes() {
        assert_eq!(printable("a\u{1b}[31m\u{202e}b"), r"a\u{1b}[31m\u{202e}b");
        assert_eq!(printable("é – ü"), "é – ü");
    }

    #[test]
    fn a_colon_may_stand_in_a_name_where_it_names_no_part_of_a_file() {
        for path in ["a:b.md", "notes/10:30.md", "CC:/x.md", "d/C:/x.md"] {
            assert_eq!(MemoryPath::parse(path).is_err(), cfg!(windows), "{path}");
        }
    }

    #[test]
    fn hostile_strings_are_refused() {
        for path in [
            "",
            "/",
            "/etc/passwd",
            "C:/x.md",
            "z:",
            "a//b",
            "a/",
            "./a",
            "..",
            "a/../b",
            "a\\b",
            "a\0b",
            "a\nb",
            ".git",
            ".GIT/config",
            "con",
            "NUL.md",
            "com1.txt",
            "lpt9",
            "a.",
            "a ",
            "\u{7f}",
        ] {
            assert!(MemoryPath::parse(path).is_err(), "{path:?} was accepted");
        }
        assert!(MemoryPath::parse(&"a".repeat(256)).is_err());
        assert!(MemoryPath::parse(&vec!["a"; 21].join("/")).is_err());
        assert!(MemoryPath::parse(&vec!["a".repeat(250); 5].join("/")).is_err());
    }

    proptest::proptest! {
        #[test]
        fn what_is_plain_at_a_glance_has_no_fault(
            path in "(con|COM1|lpt9|nul|git|[a-zA-Z0-9_.-]{1,4}|/|\\.){1,6}",
        ) {
            let fault = path.split('/').find_map(segment_fault);
            proptest::prop_assert!(!is_plain(&path) || fault.is_none(), "{path}: {fault:?}");
        }
    }

    #[test]
    fn ordinary_names_pass() {
        for path in [
            "a.md",
            "team/MEMORY.md",
            "logs/2026/11/2026-11-20.md",
            "한글.md",
            "console.md",
        ] {
            assert_eq!(MemoryPath::parse(path).unwrap().as_str(), path);
        }
        assert!(is_plain("team/part5/note_533.md") && !is_plain("team/con.md"));
        let path = MemoryPath::parse("team/project_x.md").unwrap();
        assert_eq!(
            (path.file_name(), path.stem(), path.parent()),
            ("project_x.md", "project_x", Some("team"))
        );
    }

    #[test]
    fn errors_show_no_raw_control_characters() {
        let error = MemoryPath::parse("a\u{1b}[31mb").unwrap_err().to_string();
        assert!(!error.contains('\u{1b}'), "{error:?}");
    }
}
