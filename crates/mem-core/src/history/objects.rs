//! Blobs, trees and commits: how a change becomes objects.

use git2::build::TreeUpdateBuilder;
use git2::{FileMode, Oid, Repository, Signature, Time, Tree};

use super::change::Change;
use super::error::HistoryError;
use crate::MemoryPath;

/// The new bytes of a path, `None` where it is gone.
pub(crate) type Contents<'a> = (&'a MemoryPath, Option<&'a [u8]>);

/// Writes all objects of a change and returns its commit. No reference moves.
pub(super) fn write_change(
    repo: &Repository,
    change: &Change,
    contents: &[Contents<'_>],
    parents: &[Oid],
) -> Result<Oid, HistoryError> {
    let base = tree_of(repo, parents.first().copied())?;
    let tree = write_tree(repo, &base, contents)?;
    write_commit(repo, change, tree, parents)
}

/// The tree of a commit; the empty tree where there is no commit yet.
fn tree_of<'r>(repo: &'r Repository, commit: Option<Oid>) -> Result<Tree<'r>, HistoryError> {
    let Some(commit) = commit else {
        let empty = repo.treebuilder(None)?.write()?;
        return Ok(repo.find_tree(empty)?);
    };
    Ok(repo.find_commit(commit)?.tree()?)
}

/// Writes the tree that new contents make of `base`.
fn write_tree(
    repo: &Repository,
    base: &Tree<'_>,
    contents: &[Contents<'_>],
) -> Result<Oid, HistoryError> {
    let mut builder = TreeUpdateBuilder::new();
    for (path, bytes) in contents {
        match bytes {
            Some(bytes) => {
                builder.upsert(path.as_str(), repo.blob(bytes)?, FileMode::Blob);
            }
            None if base.get_path(path.as_str().as_ref()).is_ok() => {
                builder.remove(path.as_str());
            }
            None => {}
        }
    }
    Ok(builder.create_updated(repo, base)?)
}

/// Writes a commit object; moves no reference.
pub(super) fn write_commit(
    repo: &Repository,
    change: &Change,
    tree: Oid,
    parents: &[Oid],
) -> Result<Oid, HistoryError> {
    let time = Time::new(change.time.as_second(), 0);
    let name = change
        .author
        .name
        .as_deref()
        .filter(|name| is_signable(name));
    let name = name.unwrap_or(change.author.actor.as_str());
    let signature = Signature::new(name, "mem@localhost", &time)?;
    let tree = repo.find_tree(tree)?;
    let parents: Vec<_> = parents
        .iter()
        .map(|&oid| repo.find_commit(oid))
        .collect::<Result<_, _>>()?;
    let parents: Vec<_> = parents.iter().collect();
    let message = change.to_message()?;
    Ok(repo.commit(None, &signature, &signature, &message, &tree, &parents)?)
}

/// Whether git accepts this as the name in a signature.
fn is_signable(name: &str) -> bool {
    name.chars().any(char::is_alphanumeric) && !name.contains(['<', '>', '\n', '\0'])
}
