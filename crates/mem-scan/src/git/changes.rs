//! What a commit brings that none of its parents has: entries of its tree.

use std::collections::HashMap;
use std::rc::Rc;

use super::id::ObjectId;
use super::object::{Commit, ObjectError, ObjectKind, TreeEntry};
use super::source::ObjectSource;

/// Entries of trees that are kept: some 20 MB.
const ENTRIES_MAX: usize = 200_000;

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

/// Trees that were read: as a rule the parent of a commit is the commit read before it.
pub(crate) struct TreeCache<'s> {
    source: &'s dyn ObjectSource,
    trees: HashMap<ObjectId, Rc<Vec<TreeEntry>>>,
    /// How many entries all trees have.
    entries: usize,
}

impl<'s> TreeCache<'s> {
    /// One without trees.
    pub(crate) fn new(source: &'s dyn ObjectSource) -> Self {
        Self {
            source,
            trees: HashMap::new(),
            entries: 0,
        }
    }

    fn read(&mut self, id: ObjectId) -> Result<Rc<Vec<TreeEntry>>, ObjectError> {
        if let Some(tree) = self.trees.get(&id) {
            return Ok(Rc::clone(tree));
        }
        let tree = Rc::new(self.source.read_tree(id)?);
        if self.entries + tree.len() > ENTRIES_MAX {
            self.trees.clear();
            self.entries = 0;
        }
        self.entries += tree.len();
        self.trees.insert(id, Rc::clone(&tree));
        Ok(tree)
    }
}

/// Calls back for every new blob of a commit.
///
/// Trees deeper than git itself follows do not occur: git refuses to write them.
///
/// # Errors
/// A tree cannot be read.
pub(crate) fn each(
    trees: &mut TreeCache<'_>,
    commit: &Commit,
    visit: &mut dyn FnMut(AddedBlob),
) -> Result<(), ObjectError> {
    // The parents of a shallow clone's oldest commits are not there, and already on the remote.
    let parents = commit.parents.iter();
    let parents = parents.filter_map(|id| Some(Some(trees.source.read_commit(*id).ok()?.tree)));
    let parents: Vec<Option<ObjectId>> = parents.collect();
    compare(trees, commit.tree, &parents, "", visit)
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
    compare(&mut TreeCache::new(source), tree, &[], "", visit)
}

fn compare(
    trees: &mut TreeCache<'_>,
    tree: ObjectId,
    parents: &[Option<ObjectId>],
    prefix: &str,
    visit: &mut dyn FnMut(AddedBlob),
) -> Result<(), ObjectError> {
    // A directory that is not there, or cannot be read, holds nothing.
    let parents: Vec<Rc<Vec<TreeEntry>>> = parents
        .iter()
        .map(|tree| {
            tree.and_then(|tree| trees.read(tree).ok())
                .unwrap_or_default()
        })
        .collect();
    let mut rests: Vec<&[TreeEntry]> = parents.iter().map(|entries| entries.as_slice()).collect();
    let mut olds = Vec::new();
    for entry in trees.read(tree)?.iter() {
        olds.clear();
        olds.extend(rests.iter_mut().map(|rest| advance(rest, entry)));
        if olds.contains(&Some(entry.id)) {
            continue;
        }
        let path = format!("{prefix}{}", String::from_utf8_lossy(&entry.name));
        match entry.kind {
            Some(ObjectKind::Tree) => compare(trees, entry.id, &olds, &format!("{path}/"), visit)?,
            Some(_) => visit(AddedBlob {
                path,
                oid: entry.id,
                olds: olds.clone(),
            }),
            // A submodule is pushed from its own repository.
            None => {}
        }
    }
    Ok(())
}

/// Skips what a directory of a parent has before an entry, and returns what it has in the place of the entry.
fn advance(rest: &mut &[TreeEntry], entry: &TreeEntry) -> Option<ObjectId> {
    let before = |old: &&TreeEntry| old.git_order(entry).is_lt();
    let skipped = rest.iter().take_while(before).count();
    *rest = &rest[skipped..];
    let old = rest.first()?;
    (old.kind == entry.kind && old.name == entry.name).then_some(old.id)
}
