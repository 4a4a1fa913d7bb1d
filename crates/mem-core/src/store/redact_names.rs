//! Names of files and folders that hold a text: the names that they get instead, and the links to them.
//!
//! A name is changed alike in the files and in every version, so that a redaction that was interrupted ends with the
//! same names.

use std::collections::{BTreeMap, BTreeSet};

use super::erase::{MARK, MARK_OF_VALUE, is_linked, name_without};
use super::error::StoreError;
use crate::MemoryPath;
use crate::compact_sort::CompactSort as _;
use crate::history::History;
use crate::spellings::TextSpellings;

/// The new names of what the text is in: of files that are there, and of those that the history has.
pub(super) fn named(
    text: &TextSpellings,
    history: &History,
    files: &[MemoryPath],
) -> Result<BTreeMap<String, String>, StoreError> {
    let (mut names, mut others) = (BTreeSet::new(), BTreeSet::new());
    let mut add = |path: &MemoryPath, is_new: bool| {
        for name in path.as_str().split('/') {
            if text.is_in_name(name) {
                names.insert(name.to_owned());
            } else if !is_new {
                others.insert(name.to_owned());
            }
        }
    };
    files.iter().for_each(|path| add(path, false));
    for entry in history.own_entries() {
        for version in entry?.change.versions {
            // What this redaction has renamed keeps the name that it got.
            let from = version.renamed_from.as_ref();
            let is_new = from.is_some_and(|from| text.is_in_path(from.as_str()));
            add(&version.path, is_new);
            from.into_iter().for_each(|from| add(from, false));
        }
    }
    Ok(new_names(&names, &others, text))
}

/// New names for names of files and folders that hold a text, each with the old one. No two become one, and none
/// becomes one of `others`.
fn new_names(
    names: &BTreeSet<String>,
    others: &BTreeSet<String>,
    text: &TextSpellings,
) -> BTreeMap<String, String> {
    let (mut new, mut taken) = (BTreeMap::new(), others.clone());
    for name in names {
        let Some(plain) = name_without(name, text) else {
            continue;
        };
        let (stem, ending) =
            plain.split_at(plain.strip_suffix(".md").map_or(plain.len(), str::len));
        let numbered = (2..).map(|number| format!("{stem}_{number}{ending}"));
        let free = std::iter::once(plain.clone()).chain(numbered);
        if let Some(free) = free.into_iter().find(|name| !taken.contains(name)) {
            taken.insert(free.clone());
            new.insert(name.clone(), free);
        }
    }
    new
}

/// The bytes with links to the new names, and with the new stems of memory files where they stand alone; `None` where
/// they have no old one. A name that was cut off or got a number has a stem that the text alone does not give.
pub(super) fn relinked(bytes: &[u8], names: &BTreeMap<String, String>) -> Option<Vec<u8>> {
    let mut new: Option<Vec<u8>> = None;
    // The longest first: one name may be the end of another.
    let mut names: Vec<_> = names.iter().collect();
    names.compact_sort_by_key(|(old, _)| std::cmp::Reverse(old.len()));
    let mut replace = |old: &str, name: &str, is_alone: bool| {
        let changed = replaced(new.as_deref().unwrap_or(bytes), old, name, is_alone);
        if changed.is_some() {
            new = changed;
        }
    };
    for (old, name) in &names {
        replace(old, name, false);
        if old.contains(' ') {
            replace(&old.replace(' ', "%20"), name, false);
        }
    }
    for (old, name) in &names {
        if let (Some(old), Some(name)) = (old.strip_suffix(".md"), name.strip_suffix(".md")) {
            replace(old, name, true);
        }
    }
    new
}

/// The bytes with another name for an old one; `is_alone`: only where that is no part of a longer word or slug.
fn replaced(bytes: &[u8], old: &str, name: &str, is_alone: bool) -> Option<Vec<u8>> {
    let continues = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte))
    };
    let (mut changed, mut from) = (Vec::new(), 0);
    for at in memchr::memmem::find_iter(bytes, old) {
        let (before, after) = (&bytes[..at], &bytes[at + old.len()..]);
        if is_alone && (continues(before.last()) || continues(after.first())) {
            continue;
        }
        changed.extend_from_slice(&bytes[from..at]);
        // A stem may be the title of an index entry or a value of a note's head; a link needs the name as it is.
        let is_target = before.ends_with(b"[[") || !is_alone && !is_linked(before, b"");
        match name.strip_prefix(MARK).filter(|_| !is_target) {
            Some(rest) => changed.extend([MARK_OF_VALUE, rest].concat().bytes()),
            None => changed.extend_from_slice(name.as_bytes()),
        }
        from = at + old.len();
    }
    (from > 0).then(|| {
        changed.extend_from_slice(&bytes[from..]);
        changed
    })
}

#[cfg(test)]
mod tests {
    use super::super::erase::spellings;
    use super::*;

    #[test]
    fn no_two_names_become_one_and_links_follow() {
        let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let text = spellings("Zebra Quartz");
        let old = set(&[
            "x_zebra_quartz.md",
            "x_zebra-quartz.md",
            "y zebra-quartz.md",
        ]);
        let names = new_names(&old, &set(&["x_[redacted].md"]), &text);
        let new: BTreeSet<&String> = names.values().collect();
        assert_eq!(new.len(), 3, "{names:?}");
        assert!(!new.contains(&"x_[redacted].md".to_owned()), "{names:?}");
        let index = b"- [A](x_zebra_quartz.md)\n- [B](y%20zebra-quartz.md)\n- [C](z.md)\n";
        let linked = relinked(index, &names).unwrap();
        let linked = String::from_utf8(linked).unwrap();
        assert!(linked.contains(&names["x_zebra_quartz.md"]), "{linked}");
        assert!(linked.contains(&names["y zebra-quartz.md"]), "{linked}");
        assert!(relinked(b"- [C](z.md)\n", &names).is_none());
    }

    #[test]
    fn stems_follow_where_they_stand_alone() {
        let names = BTreeMap::from([
            ("a-zebra-qua.md".to_owned(), "a-[redacted].md".to_owned()),
            ("zebra-qua.md".to_owned(), "[redacted]_2.md".to_owned()),
        ]);
        let text = b"a-zebra-qua, [[zebra-qua]], [zebra-qua](zebra-qua.md), zebra-quay";
        let new = relinked(text, &names).unwrap();
        assert_eq!(
            String::from_utf8(new).unwrap(),
            "a-[redacted], [[[redacted]_2]], [(redacted)_2]([redacted]_2.md), zebra-quay"
        );
    }
}
