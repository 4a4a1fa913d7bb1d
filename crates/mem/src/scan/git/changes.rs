//! What a commit brings that none of its parents has: entries of its tree.

use git2::{Commit, Error, ObjectType, Oid, Repository, Tree};

/// A blob at a path that no parent has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The path, with `/`; what is no Unicode is replaced.
    pub path: String,
    /// The new blob.
    pub oid: Oid,
    /// What stood there in each parent.
    pub olds: Vec<Option<Oid>>,
}

/// Calls back for every new blob of a commit.
///
/// Trees deeper than git itself follows do not occur: git refuses to write them.
///
/// # Errors
/// A tree cannot be read.
pub(crate) fn each(
    repo: &Repository,
    commit: &Commit<'_>,
    visit: &mut dyn FnMut(Change),
) -> Result<(), Error> {
    let tree = commit.tree()?;
    // The parents of a shallow clone's oldest commits are not there, and already on the remote.
    let parents: Vec<Tree<'_>> = commit.parents().filter_map(|one| one.tree().ok()).collect();
    let parents: Vec<Option<&Tree<'_>>> = parents.iter().map(Some).collect();
    compare(repo, &tree, &parents, "", visit)
}

/// Every blob of a tree.
///
/// # Errors
/// A tree cannot be read.
pub(crate) fn all(
    repo: &Repository,
    tree: &Tree<'_>,
    visit: &mut dyn FnMut(Change),
) -> Result<(), Error> {
    compare(repo, tree, &[], "", visit)
}

fn compare(
    repo: &Repository,
    tree: &Tree<'_>,
    parents: &[Option<&Tree<'_>>],
    prefix: &str,
    visit: &mut dyn FnMut(Change),
) -> Result<(), Error> {
    for entry in tree {
        let mut olds = Vec::with_capacity(parents.len());
        for parent in parents {
            let old = parent.and_then(|tree| tree.get_name_bytes(entry.name_bytes()));
            olds.push(old.map(|old| (old.id(), old.kind())));
        }
        if olds
            .iter()
            .any(|old| old.is_some_and(|(id, _)| id == entry.id()))
        {
            continue;
        }
        let path = format!("{prefix}{}", String::from_utf8_lossy(entry.name_bytes()));
        match entry.kind() {
            Some(ObjectType::Tree) => {
                let new = repo.find_tree(entry.id())?;
                let olds: Vec<Option<Tree<'_>>> = olds
                    .into_iter()
                    .map(|old| match old {
                        Some((id, Some(ObjectType::Tree))) => repo.find_tree(id).ok(),
                        _ => None,
                    })
                    .collect();
                let olds: Vec<Option<&Tree<'_>>> = olds.iter().map(Option::as_ref).collect();
                compare(repo, &new, &olds, &format!("{path}/"), visit)?;
            }
            Some(ObjectType::Blob) => {
                let blob = |(id, kind)| (kind == Some(ObjectType::Blob)).then_some(id);
                let olds = olds.into_iter().map(|old| old.and_then(blob)).collect();
                visit(Change {
                    path,
                    oid: entry.id(),
                    olds,
                });
            }
            // A submodule is pushed from its own repository.
            _ => {}
        }
    }
    Ok(())
}
