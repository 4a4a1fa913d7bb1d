//! The file name of a new memory, from its type and its name.

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::FrontmatterForm;
use crate::limits::SEGMENT_BYTES_MAX;
use crate::memory_path::{InvalidPath, MemoryPath};
use crate::memory_type::MemoryType;

/// Long names make long index lines: a file name keeps this many bytes of one.
const SLUG_BYTES_MAX: usize = 80;

/// Files of these names mean something else to a host.
const RESERVED: [&str; 5] = ["memory", "readme", "claude", "agents", "index"];

/// The file name that a memory gets: `<type>_<snake>.md` in a flat directory, `<kebab>.md` in a
/// nested one. Letters of every script stay (NFC, lower case); a name without any gives a stable
/// hash of it.
///
/// # Errors
/// None for any name; the signature is that of [`MemoryPath::parse`], the only road to a path.
pub fn file_name_for(
    kind: MemoryType,
    name: &str,
    form: FrontmatterForm,
) -> Result<MemoryPath, InvalidPath> {
    let nested = form == FrontmatterForm::Nested;
    let separator = if nested { '-' } else { '_' };
    let mut slug = slug_of(name, separator);
    if slug.is_empty() {
        slug = format!("note{separator}{}", short_hash(name));
    }
    if !nested {
        let prefix = format!("{kind}_");
        let rest = slug.strip_prefix(&prefix).unwrap_or(&slug);
        return MemoryPath::parse(&format!("{prefix}{rest}.md"));
    }
    if RESERVED.contains(&slug.as_str()) || MemoryPath::parse(&slug).is_err() {
        slug.push_str("-note");
    }
    MemoryPath::parse(&format!("{slug}.md"))
}

/// The same name with a number, for when the plain one is taken: `x.md`, `x_2.md`, `x_3.md`.
///
/// # Errors
/// When the number does not fit below the limits of a path.
pub fn numbered(path: &MemoryPath, number: usize) -> Result<MemoryPath, InvalidPath> {
    let name = path.file_name();
    // What is no memory keeps its ending: a picture never becomes one.
    let (stem, extension) = match name.rfind('.') {
        Some(at) if at > 0 => name.split_at(at),
        _ => (name, ""),
    };
    let separator = if stem.contains('_') { '_' } else { '-' };
    let folder = path
        .parent()
        .map_or_else(String::new, |parent| format!("{parent}/"));
    let ending = format!("{separator}{number}{extension}");
    let room = SEGMENT_BYTES_MAX.saturating_sub(ending.len());
    MemoryPath::parse(&format!("{folder}{}{ending}", cut(stem, room)))
}

/// The words of a name in lower case, parted by the separator; cut off where it is long.
pub(crate) fn slug_of(name: &str, separator: char) -> String {
    let mut slug = String::new();
    for c in name.nfc().flat_map(char::to_lowercase).nfc() {
        if c.is_alphanumeric() || (is_combining_mark(c) && !slug.is_empty()) {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with(separator) {
            slug.push(separator);
        }
    }
    cut(&slug, SLUG_BYTES_MAX)
        .trim_end_matches(separator)
        .to_owned()
}

/// The longest start of a text within `max` bytes, ending between words where one is near.
fn cut(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    let end = (0..=max).rev().find(|&at| text.is_char_boundary(at));
    let start = &text[..end.unwrap_or(0)];
    match start.rfind(['_', '-']) {
        Some(at) if at * 2 > start.len() => &start[..at],
        _ => start,
    }
}

fn short_hash(name: &str) -> String {
    let digest = Sha256::digest(name.as_bytes());
    digest
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(name: &str) -> String {
        file_name_for(MemoryType::Feedback, name, FrontmatterForm::Flat)
            .unwrap()
            .to_string()
    }

    fn nested(name: &str) -> String {
        file_name_for(MemoryType::Feedback, name, FrontmatterForm::Nested)
            .unwrap()
            .to_string()
    }

    #[test]
    fn names_follow_the_form() {
        assert_eq!(flat("No Mock DB"), "feedback_no_mock_db.md");
        assert_eq!(flat("Feedback — No Mock DB"), "feedback_no_mock_db.md");
        assert_eq!(nested("No Mock DB!"), "no-mock-db.md");
        assert_eq!(flat("통과 = OK"), "feedback_통과_ok.md");
        assert_eq!(flat("Cafe\u{301} ÜBER"), "feedback_café_über.md");
    }

    #[test]
    fn hostile_names_still_give_a_file() {
        assert_eq!(nested("CON"), "con-note.md");
        assert_eq!(nested("memory"), "memory-note.md");
        assert_eq!(nested("../../etc/passwd"), "etc-passwd.md");
        assert_eq!(flat("???"), flat("???"));
        assert_ne!(flat("???"), flat("!!!"));
        for name in [
            "",
            "\0",
            "é".repeat(300).as_str(),
            "a ".repeat(300).as_str(),
        ] {
            assert!(flat(name).len() <= 255 && nested(name).len() <= 255);
        }
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let path = MemoryPath::parse("team/feedback_x.md").unwrap();
        assert_eq!(numbered(&path, 2).unwrap().as_str(), "team/feedback_x_2.md");
        let picture = MemoryPath::parse("sub/p.jpg").unwrap();
        assert_eq!(numbered(&picture, 2).unwrap().as_str(), "sub/p-2.jpg");
        let bare = MemoryPath::parse("notes").unwrap();
        assert_eq!(numbered(&bare, 2).unwrap().as_str(), "notes-2");
        let long = MemoryPath::parse(&format!("{}.md", "a".repeat(252))).unwrap();
        assert!(numbered(&long, 12).unwrap().as_str().ends_with("-12.md"));
    }
}
