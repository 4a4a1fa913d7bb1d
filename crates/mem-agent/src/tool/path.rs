//! From what a model calls a path to names below the root.
//!
//! Everywhere: the path begins with the segment `/memories`, segments that lead above it and not back are refused,
//! as are control characters and names that no file system takes. The page of the tool warns of
//! encoded traversal, so its dialect also refuses `.` and `..`, backslashes, and percent encodings
//! that anything behind might decode to a dot, a slash, a backslash or NUL. The SDKs take those
//! literally, and `..` where the path ends inside, as `/memories/../memories/a` does.

use mem_core::limits::{PATH_BYTES_MAX, SEGMENT_BYTES_MAX};

use super::{ToolDialect, ToolFailure};

const ROOT: &str = "/memories";
const ROOT_NAME: &str = "memories";

/// How often a path is decoded to see what it hides.
const DECODINGS_MAX: usize = 4;

/// The names below the root, empty for the root itself. What leads out of the root and back is left out. Any other `..`
/// is left for Python, which resolves it after symbolic links; elsewhere it is taken out.
pub(super) fn path_names(path: &str, dialect: ToolDialect) -> Result<Vec<String>, ToolFailure> {
    let rest = path
        .strip_prefix(ROOT)
        .filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let rest = rest.ok_or_else(|| ToolFailure::Prefix(path.to_owned()))?;
    let refuse = |reason| Err(ToolFailure::NotAllowed(path.to_owned(), reason));
    if path.chars().any(char::is_control) {
        return refuse("it contains a control character");
    }
    if path.len() > PATH_BYTES_MAX {
        return refuse("it is longer than 1,024 bytes");
    }
    let segments = rest.split('/').filter(|segment| !segment.is_empty());
    let segments: Vec<&str> = segments.collect();
    if segments.iter().any(|one| one.len() > SEGMENT_BYTES_MAX) {
        return refuse("a name in it is longer than 255 bytes");
    }
    // By the letters, before any folder is opened: a path that leads out is refused also where nothing stands there, so
    // that the answer says nothing of the files outside. Links are another matter, and left to `mem_core::plain`.
    let inside = segments_inside(&segments).ok_or_else(|| ToolFailure::Escape(path.to_owned()))?;
    if dialect == ToolDialect::Docs
        && let Some(reason) = find_traversal(rest)
    {
        return refuse(reason);
    }
    let kept = match dialect {
        ToolDialect::Python => inside.to_vec(),
        ToolDialect::Docs | ToolDialect::TypeScript => collapse_segments(inside),
    };
    let named = kept.into_iter().filter(|segment| *segment != ".");
    Ok(named.map(str::to_owned).collect())
}

/// The first name below the root, `..` taken out by its letters; `None` for the root itself, and for what is
/// no path.
pub fn first_name(path: &str, dialect: ToolDialect) -> Option<String> {
    let names = path_names(path, dialect).ok()?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let first = collapse_segments(&names).first().copied();
    first.map(str::to_owned)
}

/// The segments after the last that leads from the folder above the root back into it; `None` where they end outside, or
/// lead through any other folder there.
fn segments_inside<'s, 'p>(segments: &'s [&'p str]) -> Option<&'s [&'p str]> {
    // 0 in the folder above the root, 1 in the root.
    let (mut depth, mut inside) = (1_usize, segments);
    for (at, segment) in segments.iter().enumerate() {
        match (*segment, depth) {
            (".", _) => {}
            ("..", _) => depth = depth.checked_sub(1)?,
            (ROOT_NAME, 0) => (depth, inside) = (1, &segments[at + 1..]),
            (_, 0) => return None,
            _ => depth += 1,
        }
    }
    (depth > 0).then_some(inside)
}

/// Segments that stay inside, without `.` and `..`.
fn collapse_segments<'p>(segments: &[&'p str]) -> Vec<&'p str> {
    let mut kept = Vec::new();
    for segment in segments {
        match *segment {
            "." => {}
            ".." => drop(kept.pop()),
            name => kept.push(name),
        }
    }
    kept
}

/// What looks like traversal, in any encoding.
fn find_traversal(rest: &str) -> Option<&'static str> {
    if rest.contains('\\') {
        return Some("it contains a backslash");
    }
    if rest.split('/').any(|one| matches!(one, "." | "..")) {
        return Some("it has a `.` or `..` segment");
    }
    hides_traversal(rest).then_some("it hides a dot or a slash in an encoding")
}

/// Whether decoding it, even several times, brings up a dot, a slash, a backslash or NUL, or bytes
/// that careless decoders take for one of them.
fn hides_traversal(rest: &str) -> bool {
    let folded = rest.to_ascii_lowercase();
    if folded.contains("%u") {
        return true;
    }
    let mut bytes = folded.into_bytes();
    for _ in 0..DECODINGS_MAX {
        let (decoded, found) = decode_percent(&bytes);
        // 0xC0 and 0xC1 begin nothing but overlong forms of ASCII; 0xE0 0x80 and 0xF0 0x80 too.
        let is_bad = |byte: &u8| matches!(byte, b'.' | b'/' | b'\\' | 0 | 0xC0 | 0xC1);
        let is_overlong = found
            .windows(2)
            .any(|two| matches!(two, [0xE0 | 0xF0, 0x80]));
        if found.iter().any(is_bad) || is_overlong {
            return true;
        }
        if found.is_empty() {
            return false;
        }
        bytes = decoded;
    }
    // Whoever encodes so often hides something.
    true
}

/// Decodes percent encodings once; also returns the bytes that they stood for.
fn decode_percent(bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let (mut decoded, mut found, mut at) = (Vec::new(), Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let pair = (digit(bytes.get(at + 1)), digit(bytes.get(at + 2)));
        if let (b'%', (Some(high), Some(low))) = (byte, pair) {
            let value = u8::try_from(high * 16 + low).unwrap_or(b'%');
            decoded.push(value);
            found.push(value);
            at += 3;
        } else {
            decoded.push(byte);
            at += 1;
        }
    }
    (decoded, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, dialect: ToolDialect) -> Result<String, ToolFailure> {
        path_names(path, dialect).map(|names| names.join("/"))
    }

    #[test]
    fn what_begins_otherwise_is_no_path() {
        for path in [
            "",
            "/",
            "memories/a",
            "/etc",
            "/memoriesfoo",
            "/memories\u{ff0f}a",
            "/Memories/a",
        ] {
            for dialect in [
                ToolDialect::Docs,
                ToolDialect::Python,
                ToolDialect::TypeScript,
            ] {
                assert_eq!(of(path, dialect), Err(ToolFailure::Prefix(path.to_owned())));
            }
        }
    }

    #[test]
    fn the_sdks_keep_the_dots_that_stay_inside() {
        assert_eq!(
            of("/memories/a/../b//c/./d/", ToolDialect::TypeScript).unwrap(),
            "b/c/d"
        );
        assert_eq!(
            of("/memories/a/../b", ToolDialect::Python).unwrap(),
            "a/../b"
        );
        assert_eq!(
            of("/memories/%2e%2e/a\\b", ToolDialect::Python).unwrap(),
            "%2e%2e/a\\b"
        );
        assert!(of("/memories/a/../b", ToolDialect::Docs).is_err());
        for back in [
            "/memories/../memories/b",
            "/memories/a/../.././memories/b",
            "/memories/../memories/../memories/b",
        ] {
            assert!(of(back, ToolDialect::Docs).is_err(), "{back}");
            for dialect in [ToolDialect::Python, ToolDialect::TypeScript] {
                assert_eq!(of(back, dialect).unwrap(), "b");
                assert_eq!(first_name(back, dialect).as_deref(), Some("b"));
            }
        }
        for out in [
            "/memories/..",
            "/memories/../b",
            "/memories/../../memories/b",
            "/memories/../x/../memories/b",
            "/memories/../memories/../b",
        ] {
            for dialect in [
                ToolDialect::Docs,
                ToolDialect::Python,
                ToolDialect::TypeScript,
            ] {
                assert_eq!(of(out, dialect), Err(ToolFailure::Escape(out.to_owned())));
            }
        }
    }

    #[test]
    fn hidden_traversal_is_refused_in_the_page_dialect() {
        for path in [
            "%2e%2e%2fetc",
            "%2E%2E/etc",
            "..%2fetc",
            "%252e%252e%252fetc",
            "%25252e",
            "..%5cetc",
            "%c0%ae%c0%ae/etc",
            "..%c0%af",
            "%c1%9c",
            "%e0%80%ae",
            "%u002e%u002e",
            "a%00.md",
            "..\\etc",
            "a\\..\\b",
            "./a",
            "a/.",
        ] {
            assert!(
                of(&format!("/memories/{path}"), ToolDialect::Docs).is_err(),
                "{path}"
            );
        }
        for path in [
            "100%.md",
            "a%20b",
            "50%-done",
            "..a",
            "a..b",
            "...",
            "\u{e9}.md",
            "%41",
        ] {
            assert_eq!(
                of(&format!("/memories/{path}"), ToolDialect::Docs).unwrap(),
                path
            );
        }
    }

    #[test]
    fn names_that_no_file_can_have_are_refused() {
        let long = "n".repeat(256);
        for name in ["a\0b", "a\nb", &long, &"d/".repeat(600)] {
            let path = format!("/memories/{name}");
            assert!(matches!(
                of(&path, ToolDialect::Python),
                Err(ToolFailure::NotAllowed(..))
            ));
        }
    }
}
