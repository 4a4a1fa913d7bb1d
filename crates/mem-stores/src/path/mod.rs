//! The names of memories: [`StorePath`], and [`PathPrefix`] that lists are asked with.

mod characters;
mod prefix;

use std::collections::BTreeMap;
use std::fmt;

use mem_core::Diagnose;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

pub use characters::{escaped, is_hidden};
pub use prefix::PathPrefix;

use crate::limits::{PATH_BYTES_MAX, PATH_SEGMENTS_MAX};

/// The SDKs' own file in a folder that they sync.
const RESERVED: &str = ".anthropic-memory-store";

/// Where a memory stands in its store: `/` and 1 to 20 segments with `/` between them, at most 1,024
/// bytes, in NFC, case-sensitive. No segment is empty, `.` or `..`, and none has characters that nobody
/// sees.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StorePath(String);

/// Why a text is no path of a memory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(Invalid, hint = "use a path such as `/notes/release.md`")]
#[error("`{}` is not a path: {reason}", escaped(path))]
pub struct InvalidStorePath {
    path: String,
    /// In words that fit any path.
    pub reason: &'static str,
}

/// A path with its first slash, which people may leave out.
pub fn with_first_slash(text: &str) -> String {
    match text.starts_with('/') {
        true => text.to_owned(),
        false => format!("/{text}"),
    }
}

impl StorePath {
    /// Parses a path.
    ///
    /// # Errors
    /// See [`InvalidStorePath`].
    pub fn parse(path: &str) -> Result<Self, InvalidStorePath> {
        match fault(path) {
            None => Ok(Self(path.to_owned())),
            Some(reason) => Err(invalid(path, reason)),
        }
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path without its first slash.
    pub fn relative(&self) -> &str {
        self.0.strip_prefix('/').unwrap_or(&self.0)
    }

    /// Its segments.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.relative().split('/')
    }

    /// Every path above it, the outermost first: `/a` and `/a/b` for `/a/b/c`.
    pub fn ancestors(&self) -> impl Iterator<Item = &str> {
        let slashes = self.0.match_indices('/').filter(|(at, _)| *at > 0);
        slashes.map(|(at, _)| &self.0[..at])
    }

    /// The memory that is in the way of one here: it would have to be a folder, or is below this path.
    pub fn find_occupant<'t, T>(&self, memories: &'t BTreeMap<String, T>) -> Option<&'t str> {
        let stored = |path: &str| memories.get_key_value(path).map(|(path, _)| path.as_str());
        let below = format!("{self}/");
        let mut after = memories
            .range(below.clone()..)
            .map(|(path, _)| path.as_str());
        let below = after.next().filter(|other| other.starts_with(&below));
        self.ancestors().find_map(stored).or(below)
    }

    /// Why a path that [`Self::is_reserved`] is nobody's memory.
    pub const RESERVED_WHY: &str = "the SDKs keep this name for a file of their own";

    /// Whether it is the file that the SDKs' own sync keeps for itself, or would stand below it. The API takes it
    /// as any other; tools and commands make none.
    pub fn is_reserved(&self) -> bool {
        self.segments().next() == Some(RESERVED)
    }
}

impl fmt::Display for StorePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for StorePath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for StorePath {
    type Error = InvalidStorePath;

    fn try_from(path: String) -> Result<Self, InvalidStorePath> {
        Self::parse(&path)
    }
}

impl From<StorePath> for String {
    fn from(path: StorePath) -> Self {
        path.0
    }
}

fn invalid(path: &str, reason: &'static str) -> InvalidStorePath {
    let path = path.to_owned();
    InvalidStorePath { path, reason }
}

/// What is wrong with a path, if anything.
fn fault(path: &str) -> Option<&'static str> {
    let Some(rest) = path.strip_prefix('/') else {
        return Some("it does not begin with a slash");
    };
    if path.len() > PATH_BYTES_MAX {
        return Some("it is longer than 1,024 bytes");
    }
    if rest.split('/').count() > PATH_SEGMENTS_MAX {
        return Some("it has more than 20 segments");
    }
    rest.split('/').find_map(segment_fault).or_else(|| {
        let is_nfc = path.is_ascii() || path.nfc().eq(path.chars());
        (!is_nfc).then_some("it is not in NFC")
    })
}

/// What is wrong with one segment, if anything.
fn segment_fault(segment: &str) -> Option<&'static str> {
    match segment {
        "" => return Some("a segment is empty"),
        "." | ".." => return Some("it has a `.` or `..` segment"),
        _ => {}
    }
    let hidden = segment.chars().any(is_hidden);
    hidden.then_some("it has a control or format character, or a separator of lines")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_path_is_refused() {
        for path in [
            "",
            "/",
            "a",
            "a/b",
            "//a",
            "/a/",
            "/a//b",
            "/.",
            "/a/../b",
            "/a/./b",
            "/a\0",
            "/a\nb",
            "/\u{7f}",
            "/\u{85}",
            "/a\u{ad}",
            "/a\u{200b}b",
            "/a\u{202e}b",
            "/\u{feff}a",
            "/a\u{2028}",
            "/a\u{2029}b",
            "/\u{e0001}",
            "/e\u{301}.md",
        ] {
            assert!(StorePath::parse(path).is_err(), "{path:?} was accepted");
        }
        assert!(StorePath::parse(&"/a".repeat(21)).is_err());
        assert!(StorePath::parse(&format!("/{}", "a".repeat(1024))).is_err());
        let shown = StorePath::parse("/a\u{202e}\n").unwrap_err().to_string();
        assert!(!shown.contains(['\u{202e}', '\n']), "{shown:?}");
    }

    #[test]
    fn what_the_contract_allows_passes() {
        for path in [
            "/a",
            "/notes/todo.md",
            "/é.md",
            "/한글/メモ.md",
            "/a b",
            "/...",
            "/ ",
            "/con",
            "/a\\b",
            "/\u{1f469}",
            "/.anthropic-memory-store",
        ] {
            assert_eq!(StorePath::parse(path).unwrap().as_str(), path);
        }
        assert!(StorePath::parse(&"/a".repeat(20)).is_ok());
        assert!(StorePath::parse(&format!("/{}", "a".repeat(1023))).is_ok());
    }

    #[test]
    fn the_name_that_sdks_keep_for_themselves_is_known() {
        let is_reserved = |path: &str| StorePath::parse(path).unwrap().is_reserved();
        assert!(
            is_reserved("/.anthropic-memory-store") && is_reserved("/.anthropic-memory-store/a")
        );
        assert!(
            !is_reserved("/.anthropic-memory-stores") && !is_reserved("/a/.anthropic-memory-store")
        );
    }

    #[test]
    fn paths_know_what_is_above_them() {
        let path = StorePath::parse("/a/b/c").unwrap();
        assert_eq!(path.ancestors().collect::<Vec<_>>(), ["/a", "/a/b"]);
        assert_eq!(path.segments().collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    proptest! {
        #[test]
        fn a_path_that_passes_comes_back_as_it_was(text in "/?([a-zé.\u{301}\u{200d}/]){0,12}") {
            if let Ok(path) = StorePath::parse(&text) {
                let json = serde_json::to_string(&path).unwrap();
                let read: StorePath = serde_json::from_str(&json).unwrap();
                prop_assert_eq!(read.as_str(), &text);
                prop_assert!(path.ancestors().all(|above| StorePath::parse(above).is_ok()));
                prop_assert!(text.nfc().eq(text.chars()));
            }
        }
    }
}
