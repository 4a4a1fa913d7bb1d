//! Names that are one name to a person, or to a file system: they differ in case, or in how a
//! letter is composed.

use unicode_normalization::UnicodeNormalization as _;

use crate::MemoryPath;
use crate::store::WriteTransaction;

/// The file that is there already under a name that only looks like another one.
pub(super) fn find_collision(
    draft: &WriteTransaction<'_>,
    path: &MemoryPath,
) -> Option<MemoryPath> {
    if draft.exists(path) {
        return None;
    }
    let folded = folded(path.as_str());
    let is_same_name = |other: &&MemoryPath| same(other, path, &folded);
    draft.iter_files().find(is_same_name).cloned()
}

fn same(other: &MemoryPath, path: &MemoryPath, path_folded: &str) -> bool {
    if other.as_str().is_ascii() && path.as_str().is_ascii() {
        return other.as_str().eq_ignore_ascii_case(path.as_str());
    }
    folded(other.as_str()) == path_folded
}

/// NFC, lower case, and NFC again, for the letters whose lower case decomposes.
pub(crate) fn folded(text: &str) -> String {
    let lower = text.nfc().flat_map(char::to_lowercase);
    lower.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_composition_make_no_other_name() {
        let path = |text: &str| MemoryPath::parse(text).unwrap();
        let is_same = |one: &str, other: &str| {
            let one = path(one);
            same(&path(other), &one, &folded(one.as_str()))
        };
        assert!(is_same("Foo.md", "foo.MD"));
        assert!(is_same("e\u{301}.md", "\u{c9}.md"));
        assert!(is_same("team/\u{130}x.md", "TEAM/i\u{307}X.md"));
        assert!(!is_same("a.md", "b.md"));
        assert!(!is_same("e.md", "\u{e9}.md"));
    }
}
