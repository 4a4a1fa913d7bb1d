//! The trees of a change: what its files make of the tree before it.
//!
//! libgit2 has this too, but does not put a file where a folder was, and has to have the blobs first.

use std::collections::BTreeMap;

use git2::{Oid, Repository, Tree};

use super::error::HistoryError;

/// Modes of entries, as git writes them.
const FILE: i32 = 0o100_644;
const FOLDER: i32 = 0o040_000;

/// A path below a folder and the blob that is to stand there, `None` where it goes.
pub(super) type File<'a> = (&'a str, Option<Oid>);

/// Writes a tree, given as git stores it.
pub(super) type Add<'a> = &'a mut dyn FnMut(&[u8]) -> Result<Oid, HistoryError>;

/// The tree that files make of `base`; new trees are written by `add`.
pub(super) fn updated(
    repo: &Repository,
    base: Option<&Tree<'_>>,
    mut files: Vec<File<'_>>,
    add: Add<'_>,
) -> Result<Oid, HistoryError> {
    // By segments: what stands below a name follows it.
    files.sort_unstable_by(|(one, _), (other, _)| one.split('/').cmp(other.split('/')));
    match folder(repo, base, &files, add)? {
        Some(tree) => Ok(tree),
        None => add(&[]),
    }
}

/// The entries of a tree by their names.
type Entries = BTreeMap<Vec<u8>, (i32, Oid)>;

/// One folder; `None` where nothing is left in it.
fn folder(
    repo: &Repository,
    base: Option<&Tree<'_>>,
    files: &[File<'_>],
    add: Add<'_>,
) -> Result<Option<Oid>, HistoryError> {
    let mut entries: Entries = {
        let old = base.into_iter().flat_map(Tree::iter);
        old.map(|entry| entry_of(&entry)).collect()
    };
    for of_one_name in files.chunk_by(|(one, _), (other, _)| first(one) == first(other)) {
        let Some((path, _)) = of_one_name.first() else {
            continue;
        };
        let name = first(path).as_bytes();
        below(repo, name, of_one_name, &mut entries, add)?;
        match of_one_name.iter().find(|(path, _)| !path.contains('/')) {
            Some((_, Some(blob))) => drop(entries.insert(name.to_vec(), (FILE, *blob))),
            Some((_, None)) if !is_folder(&entries, name) => drop(entries.remove(name)),
            _ => {}
        }
    }
    match entries.is_empty() {
        true => Ok(None),
        false => add(&stored(&entries)).map(Some),
    }
}

/// What stands below one name of a folder.
fn below(
    repo: &Repository,
    name: &[u8],
    files: &[File<'_>],
    entries: &mut Entries,
    add: Add<'_>,
) -> Result<(), HistoryError> {
    let files = files.iter();
    let files = files.filter_map(|&(path, blob)| Some((path.split_once('/')?.1, blob)));
    let files: Vec<File<'_>> = files.collect();
    if files.is_empty() {
        return Ok(());
    }
    let base = match entries.get(name) {
        Some((FOLDER, tree)) => Some(repo.find_tree(*tree)?),
        _ => None,
    };
    match folder(repo, base.as_ref(), &files, add)? {
        Some(tree) => drop(entries.insert(name.to_vec(), (FOLDER, tree))),
        None if is_folder(entries, name) => drop(entries.remove(name)),
        None => {}
    }
    Ok(())
}

fn first(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

fn is_folder(entries: &Entries, name: &[u8]) -> bool {
    entries.get(name).is_some_and(|(mode, _)| *mode == FOLDER)
}

fn entry_of(entry: &git2::TreeEntry<'_>) -> (Vec<u8>, (i32, Oid)) {
    (entry.name_bytes().to_vec(), (entry.filemode(), entry.id()))
}

/// A tree as git stores it. Folders are sorted as if their names ended in a slash.
fn stored(entries: &Entries) -> Vec<u8> {
    let mut sorted: Vec<_> = entries.iter().collect();
    sorted.sort_by_key(|(name, (mode, _))| match *mode {
        FOLDER => [name.as_slice(), b"/"].concat(),
        _ => (*name).clone(),
    });
    let mut bytes = Vec::new();
    for (name, (mode, id)) in sorted {
        bytes.extend_from_slice(format!("{mode:o} ").as_bytes());
        bytes.extend_from_slice(name);
        bytes.push(0);
        bytes.extend_from_slice(id.as_bytes());
    }
    bytes
}
