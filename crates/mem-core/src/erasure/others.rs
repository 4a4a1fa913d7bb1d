//! The names of files that other memories have for themselves, now or in their histories: found there, they are no
//! trace of what went. The log of a day is called the same everywhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use git2::ObjectType;

use crate::store::Store;

/// How many bytes the id of an object has behind its name in a tree.
const ID_BYTES: usize = 20;

/// Those of some memory directories. What cannot be read tells none.
pub(super) fn names(stores: &[Store]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for store in stores {
        add_folder(&store.places().root, &mut names);
        if let Ok(Some(history)) = store.open_history() {
            // Names of before the damage, where there is some.
            let _ = history.each_object(&mut |kind, bytes| {
                if kind == ObjectType::Tree {
                    add_tree(bytes, &mut names);
                }
            });
        }
    }
    names
}

fn add_folder(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => add_folder(&entry.path(), names),
            Ok(kind) if kind.is_file() => {
                names.insert(entry.file_name().to_string_lossy().into_owned());
            }
            _ => {}
        }
    }
}

/// A tree is a row of `<mode> <name> NUL <id>`.
fn add_tree(mut rest: &[u8], names: &mut BTreeSet<String>) {
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        let name = rest[..end].splitn(2, |byte| *byte == b' ').nth(1);
        names.extend(name.map(|name| String::from_utf8_lossy(name).into_owned()));
        rest = rest.get(end + 1 + ID_BYTES..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_tree_is_told() {
        let mut tree = b"100644 a.md\0".to_vec();
        tree.extend([0, 32].repeat(10));
        tree.extend(b"40000 with space\0");
        tree.extend([7; ID_BYTES]);
        let mut names = BTreeSet::new();
        add_tree(&tree, &mut names);
        assert_eq!(
            names.into_iter().collect::<Vec<_>>(),
            ["a.md", "with space"]
        );
    }
}
