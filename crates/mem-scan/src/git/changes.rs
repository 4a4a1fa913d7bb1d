//! What a commit brings that none of its parents has: entries of its tree.

use std::collections::HashMap;

use super::id::ObjectId;
use super::object::{Commit, ObjectError, ObjectKind, TreeEntry};
use super::source::ObjectSource;

/// A blob at a path that no parent has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AddedBlob {
    /// The path, with `/`; what is no Unicode is replaced.
    pub path: String,
    /// The new blob.
    pub oid: ObjectId,
    /// What stood there in each parent.
    pub olds: Vec<Option<ObjectId>>,
}

/// The names of one directory of a parent.
type Names = HashMap<Vec<u8>, (ObjectId, Option<ObjectKind>)>;

/// Calls back for every new blob of a commit.
///
/// Trees deeper than git itself follows do not occur: git refuses to write them.
///
/// # Errors
/// A tree cannot be read.
pub(crate) fn each(
    source: &dyn ObjectSource,
    commit: &Commit,
    visit: &mut dyn FnMut(AddedBlob),
) -> Result<(), ObjectError> {
    // The parents of a shallow clone's oldest commits are not there, and already on the remote.
    let parents = commit.parents.iter();
    let parents = parents.filter_map(|id| Some(Some(source.read_commit(*id).ok()?.tree)));
    let parents: Vec<Option<ObjectId>> = parents.collect();
    compare(source, commit.tree, &parents, "", visit)
}

/// Every blob of a tree.
///
/// # Errors
/// A tree cannot be read.
pub(crate) fn all(
    source: &dyn ObjectSource,
    tree: ObjectId,
    visit: &mut dyn FnMut(AddedBlob),
) -> Result<(), ObjectError> {
    compare(source, tree, &[], "", visit)
}

fn compare(
    source: &dyn ObjectSource,
    tree: ObjectId,
    parents: &[Option<ObjectId>],
    prefix: &str,
    visit: &mut dyn FnMut(AddedBlob),
) -> Result<(), ObjectError> {
    let parents: Vec<Names> = parents.iter().map(|tree| names(source, *tree)).collect();
    for TreeEntry { name, kind, id } in source.read_tree(tree)? {
        let olds: Vec<_> = parents.iter().map(|names| names.get(&name)).collect();
        if olds.iter().flatten().any(|(old, _)| *old == id) {
            continue;
        }
        let of_kind = |old: Option<&(ObjectId, Option<ObjectKind>)>| {
            old.filter(|(_, old)| *old == kind).map(|(id, _)| *id)
        };
        let olds: Vec<Option<ObjectId>> = olds.into_iter().map(of_kind).collect();
        let path = format!("{prefix}{}", String::from_utf8_lossy(&name));
        match kind {
            Some(ObjectKind::Tree) => compare(source, id, &olds, &format!("{path}/"), visit)?,
            Some(_) => visit(AddedBlob {
                path,
                oid: id,
                olds,
            }),
            // A submodule is pushed from its own repository.
            None => {}
        }
    }
    Ok(())
}

/// What a directory of a parent holds; nothing where it is not there.
fn names(source: &dyn ObjectSource, tree: Option<ObjectId>) -> Names {
    let entries = tree.and_then(|tree| source.read_tree(tree).ok());
    let entries = entries.unwrap_or_default().into_iter();
    entries
        .map(|entry| (entry.name, (entry.id, entry.kind)))
        .collect()
}
